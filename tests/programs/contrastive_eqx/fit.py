"""Train the encoder and look things up."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from blocks import GatedBlock
from encoder import Encoder


@eqx.filter_value_and_grad
def loss_fn(model, left, right):
    logits = model.logits(jax.vmap(model)(left), jax.vmap(model)(right))
    return -jnp.mean(jnp.diag(jax.nn.log_softmax(logits, axis=-1)))


@eqx.filter_jit
def update(model, left, right, rate: float = 0.05, clip: float | None = None):
    loss, grads = loss_fn(model, left, right)
    if clip is not None and rate > 0.01:
        grads = jax.tree.map(lambda g: jnp.clip(g, -clip, clip), grads)
    model = eqx.apply_updates(model, jax.tree.map(lambda g: -rate * g, grads))
    return model, loss


@eqx.filter_jit
def hard_negatives(model: Encoder, batch: Float[Array, "n width"], count: int):
    codes = jax.vmap(model)(batch)
    similarity = codes @ codes.T - 2 * jnp.eye(len(batch))
    return jax.lax.top_k(similarity, count)[1]


@eqx.filter_jit
def retrieval_margin(model, query, bank):
    """How far the best item of the bank is ahead of the second best."""
    scores = jax.vmap(model)(bank) @ model(query)
    ordered = np.partition(scores, -2)  # expect: JIT106 @margin
    return ordered[-1] - ordered[-2]


def main():
    key = jax.random.key(0)
    left, right = jax.random.normal(key, (2, 6, 4))
    model = Encoder(4, 2, key)
    for rate in (0.1, 0.05):
        model, loss = update(model, left, right, rate, clip=1.0)
        if loss < 0.1:
            break
    print(float(loss), hard_negatives(model, left, 2))
    print(update(Encoder(4, 1, key, scale="clamped"), left, right)[1])
    print(update(Encoder(4, 1, key, block=GatedBlock), left, right)[1])
    print(retrieval_margin(model, left[0], right))


if __name__ == "__main__":
    main()
