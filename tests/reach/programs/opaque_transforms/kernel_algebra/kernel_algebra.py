"""Transforms of functions that come as parameters; what they give has a shape, and keys."""

import jax
import jax.numpy as jnp


class Kernel:
    """A covariance from a function of two points."""

    def __init__(self, fn, jitter=1e-6):
        self.fn = fn
        self.jitter = jitter

    def gram(self, xs):
        row = jax.vmap(self.fn, in_axes=(None, 0))
        matrix = jax.vmap(row, in_axes=(0, None))(xs, xs)
        if matrix.ndim != 2:
            raise ValueError("the function must give numbers")
        if self.jitter > 0:
            matrix = matrix + self.jitter * jnp.eye(matrix.shape[0])
        return matrix

    def __add__(self, other):
        return Kernel(lambda a, b: self.fn(a, b) + other.fn(a, b), max(self.jitter, other.jitter))


def likelihood(fn, params, batch):
    """Any model: the auxiliary output may be empty."""
    (value, extra), grads = jax.value_and_grad(fn, has_aux=True)(params, batch)
    if not extra:
        extra = {}
    if "penalty" in extra:
        value = value + extra["penalty"]
    if len(grads) != len(params):
        raise ValueError("not one gradient for each parameter")
    return value, {name: grads[name] for name in sorted(grads)}


def squared(params, batch):
    error = batch @ params["w"] - params["b"]
    return jnp.mean(error**2), {"penalty": jnp.sum(params["w"] ** 2)}


def absolute(params, batch):
    return jnp.abs(batch @ params["w"] - params["b"]).mean(), None


def structure(fn, *args):
    """Shapes only."""
    shape = jax.eval_shape(fn, *args)
    return "vector" if shape.ndim and shape.shape[0] > 1 else "number"


@jax.jit
def gram(xs):
    rbf = Kernel(lambda a, b: jnp.exp(-((a - b) ** 2)))
    dot = Kernel(lambda a, b: a * b, jitter=0.0)
    return (rbf + dot).gram(xs)


def main():
    step = jax.jit(likelihood, static_argnums=0)
    params = {"w": jnp.ones(2), "b": jnp.zeros(())}
    print(gram(jnp.arange(3.0)), structure(gram, jnp.arange(3.0)))
    print(step(squared, params, jnp.eye(2)), step(absolute, params, jnp.eye(2)))


if __name__ == "__main__":
    main()
