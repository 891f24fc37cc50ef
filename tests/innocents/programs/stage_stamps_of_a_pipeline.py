"""Looks like a fault of JIT207.

The clock and the host's random generator are read inside functions given to io_callback, which run on the host each time the compiled pipeline runs.
"""

import random
import time

import jax
import jax.numpy as jnp
from jax.experimental import io_callback
import numpy as np

SPANS = []


@jax.jit
def pipeline(image):
    def stamp(stage):
        SPANS.append((int(stage), time.perf_counter()))

    def dither():
        return np.float32(random.random())

    io_callback(stamp, None, 0, ordered=True)
    offset = io_callback(dither, jax.ShapeDtypeStruct((), jnp.float32), ordered=True)
    image = jnp.floor(image * 8 + offset) / 8
    io_callback(stamp, None, 1, ordered=True)
    return image.clip(0.0, 1.0), offset


def process(images):
    offsets = []
    for image in images:
        output, offset = pipeline(image)
        assert output.shape == image.shape
        offsets.append(float(offset))
    jax.effects_barrier()
    return offsets


if __name__ == "__main__":
    random.seed(7)
    expected = [np.float32(random.random()) for _ in range(4)]
    random.seed(7)
    offsets = process(jnp.linspace(0, 1, 4 * 9).reshape(4, 3, 3))
    assert np.allclose(offsets, expected)
    assert len(set(offsets)) == 4
    assert [stage for stage, _ in SPANS] == [0, 1] * 4
    stamps = [moment for _, moment in SPANS]
    assert stamps == sorted(stamps) and len(set(stamps)) == 8
    assert pipeline._cache_size() == 1
