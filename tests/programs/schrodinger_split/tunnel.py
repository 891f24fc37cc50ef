"""A packet that meets a barrier."""

import os

import jax
import jax.numpy as jnp

from .recorder import Recorder, announce
from .wave import make_step, moments, packet, propagate


def tunnel(path=os.devnull, steps=6):
    x = jnp.linspace(-8, 8, 64)
    step = make_step(jnp.where(jnp.abs(x) < 0.5, 2.0, 0.0), 16.0, 0.02)
    recorder = Recorder(path)
    observers = {"moments": moments(x), "peak": recorder.observe, "number": announce}
    run = jax.jit(lambda psi: propagate(step, psi, steps, observers))
    for speed in (1.0, 2.0):
        psi, seen = run(packet(x, -3.0, speed))
        print(speed, seen["moments"][-1])
    jax.effects_barrier()
    return recorder


if __name__ == "__main__":
    tunnel()
