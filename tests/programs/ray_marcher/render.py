"""Sphere tracing."""

import sys
import time

import jax
import jax.numpy as jnp
from jax import lax

from shapes import _made, build


class Hit:
    """What a ray met; lives within one tracing."""

    def __init__(self):
        self.depth = 0.0
        self.notes = {}

    def note(self, **values):
        self.notes.update(values)


def shade(scene, point, light):
    normal = jax.grad(scene)(point)
    hit = Hit()
    hit.note(normal=normal / (jnp.linalg.norm(normal) + 1e-6))
    hit.depth = point[2]
    setattr(hit, "bright", jnp.maximum(hit.notes["normal"] @ light, 0.0))
    return hit.bright / (1 + 0.1 * hit.depth)


def renderer(scene, light, steps=12):
    """A compiled renderer of one scene."""

    def pixel(direction):
        march = lambda _, p: p + scene(p) * direction  # noqa: E731
        return shade(scene, lax.fori_loop(0, steps, march, jnp.zeros(3)), light)

    return jax.jit(jax.vmap(jax.vmap(pixel)))


def camera(width, tilt):
    x = jnp.linspace(-1, 1, width)
    rays = jnp.stack(jnp.broadcast_arrays(x[None], x[:, None] + tilt, jnp.float32(1.5)), -1)
    return rays / jnp.linalg.norm(rays, axis=-1, keepdims=True)


def animate(description, frames=3, out=sys.stdout):
    render = renderer(build(description), jnp.array([0.5, 0.7, -0.5]))
    render(camera(6, 0.0)).block_until_ready()
    film = []
    for frame in range(frames):
        started = time.time()
        film.append(render(camera(6, 0.1 * frame)).block_until_ready())
        out.write(f"frame {frame}: {time.time() - started:.2f} s\n")
    out.write(f"{len(_made)} shapes\n")
    return jnp.stack(film)


SCENE = (("sphere", (0.0, 0.0, 4.0), 1.0), ("floor", -1.0))

if __name__ == "__main__":
    animate(SCENE)
