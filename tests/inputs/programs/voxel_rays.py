"""Rays through a grid of densities."""

import jax
import jax.numpy as jnp

SAMPLES = 8


def lookup(grid, points):
    index = jnp.clip(jnp.floor(points).astype(int), 0, jnp.array(grid.shape) - 1)
    return grid[index[..., 0], index[..., 1], index[..., 2]]


def march(grid, origin, direction):
    direction = direction / jnp.linalg.norm(direction)
    depths = jnp.linspace(0.0, 4.0, SAMPLES)
    points = origin[None, :] + depths[:, None] * direction[None, :]
    density = lookup(grid, points)
    if density.sum() == 0:  # expect: JIT101 @empty
        return jnp.zeros(())
    light = jnp.exp(-jnp.cumsum(density))
    return jnp.sum(light * density)


render = jax.jit(jax.vmap(march, in_axes=(None, None, 0)))
