"""A network that counts its calls in the state."""

import haiku as hk
import jax
import jax.numpy as jnp


class Gate(hk.Module):
    """Closed for the first calls."""

    def __init__(self, after=2, strict=False):
        super().__init__()
        self.after = after
        self.strict = strict
        self.opened = None

    def __call__(self, x):
        calls = hk.get_state("calls", (), jnp.zeros)
        hk.set_state("calls", calls + 1)
        if self.strict and calls < self.after:  # expect: JIT101 @closed
            return jnp.zeros_like(x)
        return jnp.where(calls < self.after, 0.0, x)


class Trimmed(hk.Module):
    """Drops inputs that are always zero."""

    def __call__(self, x):
        used = jnp.flatnonzero(x.any(axis=0))  # expect: JIT109 @used
        return hk.Linear(1)(x[:, used])


def network(x):
    return Gate()(hk.Linear(2)(x))


def strict_network(x):
    return Gate(strict=True)(hk.Linear(2)(x))


def trimmed_network(x):
    return Trimmed()(x)


plain = hk.transform_with_state(network)
strict = hk.transform_with_state(strict_network)
trimmed = hk.transform_with_state(trimmed_network)

apply_plain = jax.jit(plain.apply)
apply_strict = jax.jit(strict.apply)
apply_trimmed = jax.jit(trimmed.apply)


def run(transformed, apply, x):
    params, state = transformed.init(None, x)
    out, state = apply(params, state, None, x)
    return out, state


if __name__ == "__main__":
    print(run(plain, apply_plain, jnp.ones((2, 3))))
