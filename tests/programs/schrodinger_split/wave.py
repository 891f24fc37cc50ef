"""Split-step propagation of a wave packet."""

import jax.numpy as jnp
import numpy as np
from jax import lax


def momentum(points, length):
    return 2 * np.pi * np.fft.fftfreq(points, length / points)


def packet(x, centre, speed):
    psi = jnp.exp(-((x - centre) ** 2) + 1j * speed * x)
    return psi / jnp.linalg.norm(psi)


def make_step(potential, length, dt):
    """A step for one potential, with its phase factors worked out beforehand."""
    points = potential.shape[0]
    kick = jnp.exp(-0.5j * dt * potential)
    drift = jnp.exp(-0.5j * dt * momentum(points, length) ** 2)

    def step(psi):
        return kick * jnp.fft.ifft(drift * jnp.fft.fft(kick * psi))

    return step


def propagate(step, psi, steps, observers):
    """Propagate and observe; each observer sees every state, in order."""

    def body(psi, index):
        psi = step(psi)
        seen = {name: observe(psi, index) for name, observe in observers.items()}
        return psi, seen

    return lax.scan(body, psi, jnp.arange(steps))


def moments(x):
    def observe(psi, _):
        density = jnp.abs(psi) ** 2
        found = []
        for power in range(3):
            found.append((density * x**power).sum())
        return jnp.stack(found)

    return observe
