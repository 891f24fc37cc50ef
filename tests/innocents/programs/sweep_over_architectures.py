"""Looks like a fault of JIT301.

Every turn compiles another model, once; none of the programs could serve another turn.
"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Mlp(nn.Module):
    width: int
    depth: int

    @nn.compact
    def __call__(self, x):
        for _ in range(self.depth):
            x = nn.tanh(nn.Dense(self.width)(x))
        return nn.Dense(1)(x)


def candidates():
    for width in (4, 8):
        for depth in (1, 2):
            yield f"{width}x{depth}", Mlp(width, depth)


def sweep(x, y, steps):
    scores, programs = {}, []
    for name, model in candidates():
        params = model.init(jax.random.key(0), x)

        def loss(params, x, y, model=model):
            return jnp.mean((model.apply(params, x) - y) ** 2)

        slope = jax.jit(jax.value_and_grad(loss))
        for _ in range(steps):
            value, grads = slope(params, x, y)
            params = jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)
        scores[name] = float(value)
        programs.append(slope)
    return scores, programs


if __name__ == "__main__":
    x = jnp.linspace(-1.0, 1.0, 16)[:, None]
    scores, programs = sweep(x, x ** 2, 5)
    assert len(scores) == 4
    assert all(program._cache_size() == 1 for program in programs)
