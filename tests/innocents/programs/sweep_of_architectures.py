"""Looks like a fault of JIT301.

Every turn has another model, whose program no other turn could use; within the turn it is compiled once.
"""

import jax
import jax.numpy as jnp
import numpy as np

CANDIDATES = {}


def candidate(*shapes):
    """Registers a model with the shapes of its parameters."""

    def decorate(fn):
        CANDIDATES[fn.__name__] = (fn, shapes)
        return fn

    return decorate


@candidate((2, 8), (8, 1))
def shallow(params, x):
    return jnp.tanh(x @ params[0]) @ params[1]


@candidate((2, 4), (4, 4), (4, 1))
def deep(params, x):
    return jax.nn.gelu(jax.nn.gelu(x @ params[0]) @ params[1]) @ params[2]


@candidate((2, 2))
def quadratic(params, x):
    return jnp.einsum("ni,ij,nj->n", x, params[0], x)[:, None]


def sweep(x, y, steps=40, rate=0.05):
    random = np.random.default_rng(0)
    results = {}
    for name, (model, shapes) in sorted(CANDIDATES.items()):
        params = [jnp.asarray(0.5 * random.normal(size=shape), jnp.float32) for shape in shapes]
        step = jax.jit(jax.value_and_grad(lambda p, x, y: jnp.mean((model(p, x) - y) ** 2)))
        for _ in range(steps):
            loss, grads = step(params, x, y)
            params = [p - rate * g for p, g in zip(params, grads)]
        results[name] = float(loss), step._cache_size()
    return results


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (32, 2))
    results = sweep(x, jnp.prod(x, axis=1, keepdims=True))
    assert min(results, key=results.get) == "quadratic" and len(results) == 3, results
    assert all(programs == 1 for _, programs in results.values()), results
