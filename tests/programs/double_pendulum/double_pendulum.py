"""A double pendulum, integrated by methods that are chosen by name."""

import logging
import random
import time

import jax
import jax.numpy as jnp

log = logging.getLogger(__name__)
STEPPERS = {}
_compiled = {}


def stepper(function):
    """Register an integrator under its name."""
    STEPPERS[function.__name__] = function
    return function


def rates(state):
    a, b, da, db = state
    lag = a - b
    share = 2 - jnp.cos(lag) ** 2
    dda = (-jnp.sin(lag) * (da**2 * jnp.cos(lag) + db**2) - 2 * jnp.sin(a)) / share
    ddb = (2 * jnp.sin(lag) * da**2 + jnp.sin(a) * jnp.cos(lag) - jnp.sin(b)) / share
    return jnp.stack([da, db, dda, ddb])


@stepper
def euler(state, dt):
    return state + dt * rates(state)


@stepper
def runge_kutta(state, dt):
    slopes = []
    for share in (0.0, 0.5, 0.5, 1.0):
        point = state if not slopes else state + share * dt * slopes[-1]
        slopes.append(rates(point))
    total = 0.0
    for weight, slope in zip((1, 2, 2, 1), slopes):
        total += weight * slope
    return state + dt * total / 6


def compiled(name):
    """The compiled integrator; made when it is first asked for."""
    if name not in _compiled:
        log.info("compiling %s", name)
        _compiled[name] = jax.jit(STEPPERS[name])
    return _compiled[name]


def swing(name, state, steps, dt=0.01):
    step = compiled(name)
    jax.block_until_ready(step(state, dt))
    track = []
    started = time.perf_counter()
    for index in range(steps):
        state = step(state, dt)
        track.append(state)
        if index % 10 == 0:
            print(f"{name} {index}: {float(state[0]):.3f}")
    jax.block_until_ready(state)
    log.info("%s took %.3f s", name, time.perf_counter() - started)
    return jnp.stack(track)


def main():
    start = jnp.array([2.0 + 0.01 * random.random(), 2.0, 0.0, 0.0])
    for name in STEPPERS:
        print(swing(name, start, 20)[-1])


if __name__ == "__main__":
    main()
