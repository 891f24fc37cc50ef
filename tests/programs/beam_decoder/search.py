"""Beam search over a toy language model."""

from functools import partial

import jax
import jax.numpy as jnp

BOS, EOS = 0, 1
PENALTIES = [1.0, 0.9, 0.8, 0.7]


def next_log_probs(params, tokens):
    """Score every next token after each beam; tokens is (beams, length)."""
    hidden = params["embed"][tokens].mean(axis=1)
    for layer in params["layers"]:
        hidden = jax.nn.relu(hidden @ layer["w"] + layer["b"])
    return jax.nn.log_softmax(hidden @ params["embed"].T)


def init_params(key, vocab=8, width=4, depth=2):
    keys = jax.random.split(key, depth + 1)
    layers = [
        {"w": jax.random.normal(k, (width, width)), "b": jnp.zeros(width)} for k in keys[1:]
    ]
    return {"embed": jax.random.normal(keys[0], (vocab, width)), "layers": layers}


@partial(jax.jit, static_argnames=("beams", "max_len", "normalise"))
def search(params, prompt, beams=2, max_len=5, normalise="none"):
    """Return the best sequence with a fixed number of steps."""
    tokens = jnp.tile(prompt, (beams, 1))
    scores = jnp.full((beams,), 0.0)
    for step in range(max_len):
        table = scores[:, None] + next_log_probs(params, tokens)
        scores, flat = jax.lax.top_k(table.reshape(-1), beams)
        parent, token = jnp.divmod(flat, table.shape[1])
        tokens = jnp.concatenate([tokens[parent], token[:, None]], axis=1)
    if normalise == "length":
        scores = scores / max_len
    elif normalise != "none":
        raise ValueError(normalise)
    return tokens, scores


@jax.jit
def greedy(params, prompt):
    """Decode until every row has ended."""
    tokens = prompt[None]
    done = jnp.zeros(1, bool)
    while not done.all():  # expect: JIT102 @greedy
        token = next_log_probs(params, tokens).argmax(axis=-1)
        tokens = jnp.concatenate([tokens, token[:, None]], axis=1)
        done = done | (token == EOS)
    return tokens


@jax.jit
def penalised(scores, beam):
    return scores * PENALTIES[beam]  # expect: JIT107 @penalty


@jax.jit
def prune(scores, width):
    """Keep the best beams."""
    kept, _ = jax.lax.top_k(scores, width)  # expect: JIT108 @prune
    return kept


@jax.jit
def mark_finished(row, score):
    finished = EOS in row  # expect: JIT110 @finished
    return jnp.where(finished, score, -jnp.inf)


@jax.jit
def mark_finished_rows(rows, scores):
    finished = (rows == EOS).any(axis=-1)
    return jnp.where(finished, scores, -jnp.inf)


def detokenise(tokens, vocabulary):
    words = []
    for token in tokens.tolist():
        if token == EOS:
            break
        if token != BOS:
            words.append(vocabulary[token])
    return " ".join(words)


def main():
    params = init_params(jax.random.key(0))
    prompt = jnp.array([BOS])
    tokens, scores = search(params, prompt, beams=3, normalise="length")
    best = int(scores.argmax())
    print(detokenise(tokens[best], "abcdefgh"))
    print(prune(scores, 2), penalised(scores, 1), greedy(params, prompt))
    print(mark_finished(tokens[best], scores[best]), mark_finished_rows(tokens, scores))


if __name__ == "__main__":
    main()
