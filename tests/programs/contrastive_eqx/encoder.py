"""A contrastive encoder in Equinox."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, PRNGKeyArray


class Block(eqx.Module):
    linear: eqx.nn.Linear
    gate: Array
    rate: float = 0.5
    residual: bool = eqx.field(static=True, default=True)

    def __init__(self, width: int, *, key: PRNGKeyArray, residual: bool = True):
        self.linear = eqx.nn.Linear(width, width, key=key)
        self.gate = jnp.ones(())
        self.residual = residual

    def __call__(self, x):
        out = jax.nn.gelu(self.linear(x))
        if self.rate > 0:
            out = out * (1 - self.rate)
        return x + self.gate * out if self.residual else out


class GatedBlock(Block):
    """Skips the layer when its gate has closed."""

    def __call__(self, x):
        if self.gate > 0.01:  # expect: JIT101 @gate
            return super().__call__(x)
        return x


class Encoder(eqx.Module):
    blocks: list
    temperature: Array
    scale: str = eqx.field(static=True)

    def __init__(self, width, depth, key, scale="learned", block=Block):
        self.blocks = [block(width, key=k) for k in jax.random.split(key, depth)]
        self.temperature = jnp.asarray(0.1)
        self.scale = scale

    def __call__(self, x: Float[Array, " width"]) -> Float[Array, " width"]:
        for block in self.blocks:
            x = block(x)
        return x / jnp.linalg.norm(x)

    def logits(self, left, right):
        similarity = left @ right.T
        if self.scale == "learned":
            return similarity / self.temperature
        if self.scale == "clamped":
            return similarity / max(self.temperature, 0.01)  # expect: JIT110 @clamp
        return similarity


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
