"""Factories that give the same body again."""

import functools

import jax
import jax.numpy as jnp


@functools.lru_cache
def make_body(power):
    def body(total, x):
        return total + x**power, total

    return body


class Integrator:
    def __init__(self, dt):
        def body(_, state):
            return state + dt * (1.0 - state)

        self._body = body

    def run(self, state):
        return jax.lax.fori_loop(0, 4, self._body, state)

    @staticmethod
    def half(state):
        return 0.5 * state

    def maybe(self, flag, state):
        return jax.lax.cond(flag, Integrator.half, jnp.negative, state)


def powers(rows):
    return [jax.lax.scan(make_body(2), 0.0, row)[0] for row in rows]


def integrated(states):
    integrator = Integrator(0.1)
    return [integrator.maybe(True, integrator.run(state)) for state in states]


@jax.jit
def scored(rows):
    totals = []
    for row in rows:
        totals.append(jax.lax.scan(lambda c, x: (c + x, None), 0.0, row)[0])
    return jnp.stack(totals)
