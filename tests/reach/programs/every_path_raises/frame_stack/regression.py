"""Regressions on top of it."""

import jax
import jax.numpy as jnp

import frames


def linear(x, out):
    w = frames.get_parameter(f"w{out}", (x.shape[-1], out), jnp.ones)
    return x @ w


def network(x):
    hidden = jax.nn.relu(linear(x, 4))
    return linear(hidden, 1)[..., 0]


def sparse_network(x):
    """Leaves dead units out."""
    hidden = jax.nn.relu(linear(x, 4))
    alive = hidden.sum(axis=0) > 0
    return hidden[:, alive].sum(axis=1)  # expect: JIT109 @alive


def checked_network(x):
    y = network(x)
    if jnp.isnan(y).any():  # expect: JIT101 @nan
        raise FloatingPointError("nan in the output")
    return y


def ranked_network(x):
    return sorted(network(x))  # expect: JIT110 @ranked


plain = frames.transform(network)
sparse = frames.transform(sparse_network)
checked = frames.transform(checked_network)
ranked = frames.transform(ranked_network)


def loss(params, x, y):
    return jnp.mean((plain.apply(params, x) - y) ** 2)


@jax.jit
def update(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


predict_sparse = jax.jit(sparse.apply)
predict_checked = jax.jit(checked.apply)
predict_ranked = jax.jit(ranked.apply)


def main():
    x, y = jnp.ones((3, 2)), jnp.zeros(3)
    params = plain.init(x)
    params = update(params, x, y)
    print(predict_sparse(params, x), predict_checked(params, x), predict_ranked(params, x))


if __name__ == "__main__":
    main()
