"""Looks like a fault of JIT205.

An asynchronous generator converts the frames to NumPy on their way.
"""
import asyncio

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def render(scene, time):
    return jnp.clip(scene * jnp.cos(time) + 0.5, 0.0, 1.0)


async def frames(scene, count):
    for index in range(count):
        yield render(scene, 0.1 * index)
        await asyncio.sleep(0)


async def writable(source):
    async for frame in source:
        yield np.array(frame)


async def encode(scene, count):
    encoded = []
    async for frame in writable(frames(scene, count)):
        frame[0] = 0.0
        frame[-1, :] = 0.0
        frame[frame > 0.9] -= 0.1
        encoded.append((255 * frame).astype(np.uint8).tobytes())
    return encoded


if __name__ == "__main__":
    scene = jnp.linspace(0.0, 1.0, 12).reshape(3, 4)
    encoded = asyncio.run(encode(scene, 3))
    assert [len(data) for data in encoded] == [12, 12, 12]
    assert encoded[0][:4] == bytes(4) and any(encoded[0][4:8])
    assert float(scene[0, 1]) > 0
