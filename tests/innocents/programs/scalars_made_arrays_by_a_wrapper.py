"""Looks like a fault of JIT306.

A wrapper turns Python numbers into arrays before Equinox sees them.

Afterwards filter_jit finds nothing to make static but the strings.
"""
import functools

import equinox as eqx
import jax
import jax.numpy as jnp


def numbers_to_arrays(tree):
    def convert(leaf):
        return jnp.asarray(leaf) if isinstance(leaf, (int, float)) else leaf

    return jax.tree.map(convert, tree)


def compile(fn, backends={"equinox": eqx.filter_jit}):
    program = backends["equinox"](fn)

    @functools.wraps(fn)
    def call(*args, **kwargs):
        return program(*numbers_to_arrays(args), **numbers_to_arrays(kwargs))

    return call


class Oscillator(eqx.Module):
    stiffness: jax.Array
    damping: jax.Array


@compile
def step(oscillator, state, time, dt, drive="sine"):
    position, velocity = state
    force = jnp.sin(time) if drive == "sine" else 0.0
    force = force - oscillator.stiffness * position - oscillator.damping * velocity
    return position + dt * velocity, velocity + dt * force


def simulate(oscillator, steps):
    state, time = (jnp.float32(1.0), jnp.float32(0.0)), 0.0
    for index in range(steps):
        state = step(oscillator, state, time, dt=0.01 / (1 + index), drive="sine")
        time += 0.01
    return state


if __name__ == "__main__":
    events = []
    jax.monitoring.register_event_duration_secs_listener(lambda name, *_, **__: events.append(name))
    oscillator = Oscillator(jnp.float32(1.0), jnp.float32(0.1))
    simulate(oscillator, 2)
    before = sum("backend_compile" in name for name in events)
    position, velocity = simulate(oscillator, 20)
    assert sum("backend_compile" in name for name in events) == before
    assert 0.9 < float(position) < 1.0
