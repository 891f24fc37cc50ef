"""The host side is careful; the traced functions are wrong all the same."""

import sys

import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    if x > 0:  # expect: JIT101 @relu
        return x
    return jnp.zeros_like(x)


@jax.jit
def clipped(x, limit):
    while jnp.max(x) > limit:  # expect: JIT102 @clipped
        x = x * 0.5
    return x


@jax.jit
def mean_or_zero(x):
    try:  # expect: JIT113 @mean
        scale = float(jnp.mean(x))
    except Exception:
        return 0.0
    return scale * 2.0


def run(x):
    try:
        return clipped(x, 1.0)
    except Exception as error:
        print("failed:", type(error).__name__, file=sys.stderr)
        raise SystemExit(1) from error


if __name__ == "__main__":
    try:
        print(relu(1.0))
        run(jnp.ones(3))
        mean_or_zero(jnp.ones(3))
    except KeyboardInterrupt:
        print("stopped")
    except Exception as error:
        print("error", error)
