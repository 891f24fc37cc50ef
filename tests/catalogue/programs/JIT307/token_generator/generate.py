"""Greedy decoding: the prompt gets longer by one token in each turn."""

import jax
import jax.numpy as jnp

TABLE = jnp.sin(jnp.arange(20.0)).reshape(5, 4)


@jax.jit
def logits(tokens):
    return TABLE[tokens].mean(0) @ TABLE.T


@jax.jit
def perplexity(history):
    return jnp.exp(-jnp.mean(jnp.stack(history)))


def generate(prompt, count=4):
    tokens = jnp.asarray(prompt)
    for _ in range(count):
        token = jnp.argmax(logits(tokens))  # expect: JIT307 @tokens
        tokens = jnp.append(tokens, token)
    return tokens


def generate_list(prompt, count=4):
    tokens = list(prompt)
    while len(tokens) < count + 2:
        scores = logits(jnp.array(tokens))  # expect: JIT307 @list
        tokens.append(int(jnp.argmax(scores)))
    return tokens


def monitor(count=3):
    history, values = [], []
    for step in range(count):
        history.append(-0.1 * step)
        values.append(perplexity(history))  # expect: JIT307 @history
    return values
