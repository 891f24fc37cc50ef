"""Looks like a fault of JIT101.

A context manager of the program enters ensure_compile_time_eval.

The stability check is about constants of the mesh and is evaluated at once,
also while the solver is traced.
"""
import contextlib

import jax
import jax.numpy as jnp
import numpy as np

SPACING = np.full(16, 0.25, np.float32)


@contextlib.contextmanager
def host_math(*others):
    with contextlib.ExitStack() as stack:
        for manager in (jax.ensure_compile_time_eval(), *others):
            stack.enter_context(manager)
        yield stack


def substeps(diffusivity, dt):
    with host_math():
        number = jnp.max(diffusivity * dt / jnp.asarray(SPACING) ** 2)
        count = 1
        if number > 0.5:
            count = int(jnp.ceil(number / 0.5))
    return count


@jax.jit
def diffuse(u):
    count = substeps(0.1, 0.5)
    for _ in range(count):
        laplacian = jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)
        u = u + 0.1 * (0.5 / count) * laplacian / SPACING**2
    return u


if __name__ == "__main__":
    assert substeps(0.1, 0.5) == 2
    u = jnp.zeros(16).at[8].set(1.0)
    for _ in range(20):
        u = diffuse(u)
    assert np.isclose(float(u.sum()), 1.0, atol=1e-5)
    assert float(u.max()) < 1.0 and float(u.min()) >= 0.0
