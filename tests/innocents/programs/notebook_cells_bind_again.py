"""Looks like a fault of JIT208.

Each cell of the former notebook binds the constant first and makes its own step after that.
"""
import jax
import jax.numpy as jnp


def display(value, shown=[]):
    shown.append(float(value))
    return shown


# %% Gentle damping
DAMPING = 0.9


def advance(velocity):
    return velocity * DAMPING


step = jax.jit(advance)
velocity = jnp.float32(1.0)
for _ in range(2):
    velocity = step(velocity)
display(velocity)

# %% The same with strong damping
DAMPING = 0.5


def advance(velocity):
    return velocity * DAMPING


step = jax.jit(advance)
velocity = jnp.float32(1.0)
for _ in range(2):
    velocity = step(velocity)
results = display(velocity)


if __name__ == "__main__":
    assert abs(results[0] - 0.81) < 1e-6
    assert results[1] == 0.25
    assert step._cache_size() == 1
