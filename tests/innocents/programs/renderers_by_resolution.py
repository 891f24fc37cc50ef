"""Looks like a fault of JIT301.

The table the request loop subscripts is a dict whose __missing__ compiles a renderer the first time a resolution is asked for and keeps it.
"""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def render(resolution, samples, centre, radius):
    axis = (jnp.arange(resolution * samples) + 0.5) / (resolution * samples)
    y, x = jnp.meshgrid(axis, axis, indexing="ij")
    inside = jnp.hypot(x - centre[0], y - centre[1]) < radius
    blocks = inside.reshape(resolution, samples, resolution, samples)
    return blocks.mean(axis=(1, 3))


class Renderers(dict):
    def __init__(self, fn, **fixed):
        super().__init__()
        self.fn = fn
        self.fixed = fixed
        self.built = 0

    def __missing__(self, resolution):
        self.built += 1
        self[resolution] = jax.jit(partial(self.fn, resolution, **self.fixed))
        return self[resolution]


def serve(renderers, requests):
    frames = []
    for resolution, centre, radius in requests:
        renderer = renderers[resolution]
        frames.append(renderer(centre=centre, radius=radius))
    return frames


if __name__ == "__main__":
    renderers = Renderers(render, samples=4)
    requests = []
    for turn in range(12):
        centre = np.array([0.5, 0.3 + 0.03 * turn], dtype=np.float32)
        requests.append((8 if turn % 3 else 16, centre, 0.25))
    frames = serve(renderers, requests)
    assert [f.shape[0] for f in frames[:4]] == [16, 8, 8, 16]
    for frame in frames:
        assert abs(float(frame.mean()) - np.pi * 0.25**2) < 0.02
    assert renderers.built == 2
    assert [renderers[r]._cache_size() for r in (8, 16)] == [1, 1]
