"""Looks like a fault of JIT202.

The helper evaluates at once, so what is stored in the dict is an array and no tracer.
"""
import jax
import jax.numpy as jnp

TABLES = {}


class Workspace:
    """Scratch space whose work is done immediately."""

    def __enter__(self):
        self.scope = jax.ensure_compile_time_eval()
        return self.scope.__enter__()

    def __exit__(self, *exc):
        return self.scope.__exit__(*exc)


def rotary_table(length, width):
    if (length, width) not in TABLES:
        with Workspace():
            rates = 10000.0 ** (-jnp.arange(0, width, 2) / width)
            TABLES[length, width] = jnp.arange(length)[:, None] * rates
    return TABLES[length, width]


@jax.jit
def rotate(x):
    angles = rotary_table(*x.shape)
    even, odd = x[:, 0::2], x[:, 1::2]
    return even * jnp.cos(angles) - odd * jnp.sin(angles)


@jax.jit
def energy(x):
    return jnp.sum(rotary_table(*x.shape) * x[:, 0::2])


if __name__ == "__main__":
    x = jnp.ones((4, 6))
    assert rotate(x).shape == (4, 3)
    assert float(energy(x)) > 6.0
    assert isinstance(TABLES[4, 6], jax.Array) and not isinstance(TABLES[4, 6], jax.core.Tracer)
    assert float(TABLES[4, 6].max()) == 3.0
