"""The lasso by proximal gradients, with options that are off by default."""

from functools import partial

import jax
import jax.numpy as jnp

trail = []


def soft(x, threshold):
    return jnp.sign(x) * jnp.maximum(jnp.abs(x) - threshold, 0.0)


def objective(w, x, y):
    return jnp.mean((x @ w - y) ** 2)


@partial(jax.jit, static_argnames=("debug", "record", "stop"))
def descend(w, x, y, penalty, debug=False, record=False, stop=None):
    """A few steps of the proximal gradient method.

    Args:
      debug: check and show every step.
      record: keep the objective of every step.
      stop: leave when the gradient is smaller.
    """
    for _ in range(3):
        value, gradient = jax.value_and_grad(objective)(w, x, y)
        if debug:
            print("objective", value)  # expect: JIT201 @shown
        if record:
            trail.append(value)  # expect: JIT202 @trail
        if stop is not None and jnp.abs(gradient).max() < stop:  # expect: JIT101 @stop
            break
        w = soft(w - 0.1 * gradient, 0.1 * penalty)
    if debug:
        assert jnp.isfinite(w).all()  # expect: JIT103 @finite
    return w


@partial(jax.jit, static_argnums=2, static_argnames="norm")
def scaled(x, y, power=2, norm="l2"):
    """Columns of the same length."""
    if norm == "l2":
        length = jnp.sqrt(jnp.sum(x**power, axis=0))
    elif norm == "max":
        length = max(abs(x[:, 0]))  # expect: JIT110 @max
    else:
        length = jnp.float32(1.0)
    return x / length, y


def path(x, y, penalties):
    """Solutions for a list of penalties."""
    x, y = scaled(x, y)
    w = jnp.zeros(x.shape[1])
    found = []
    for penalty in penalties:
        w = descend(w, x, y, penalty)
        found.append([float(value) for value in w])
    return found


if __name__ == "__main__":
    print(path(jnp.eye(3), jnp.arange(3.0), (0.1, 0.5)))
