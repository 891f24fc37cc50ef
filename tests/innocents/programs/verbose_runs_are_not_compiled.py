"""Looks like a fault of JIT201.

One flag both turns the printing on and leaves the step uncompiled, so that what prints is never traced.
"""

import contextlib
import io

import jax
import jax.numpy as jnp


def make_step(objective, rate, momentum=0.9, verbose=False):
    def step(params, velocity, batch):
        loss, grads = jax.value_and_grad(objective)(params, batch)
        velocity = momentum * velocity - rate * grads
        if verbose:
            print("loss", loss, "gradient", jnp.linalg.norm(grads))
        return params + velocity, velocity

    return step if verbose else jax.jit(step)


def fit(objective, params, batches, **options):
    step = make_step(objective, 0.1, **options)
    velocity = jnp.zeros_like(params)
    for batch in batches:
        params, velocity = step(params, velocity, batch)
    return params


def ridge(params, batch):
    return jnp.mean((batch @ params - 1.0) ** 2) + 0.01 * jnp.sum(params**2)


if __name__ == "__main__":
    batches = [jnp.eye(2) * scale for scale in (1.0, 2.0, 1.0)]
    quiet, loud = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(quiet):
        silent = fit(ridge, jnp.zeros(2), batches)
    with contextlib.redirect_stdout(loud):
        spoken = fit(ridge, jnp.zeros(2), batches, verbose=True)
    assert jnp.allclose(silent, spoken, atol=1e-6) and not quiet.getvalue()
    lines = loud.getvalue().splitlines()
    assert len(lines) == 3 and len({float(line.split()[1]) for line in lines}) == 3
