"""Looks like a fault of JIT101.

A single dispatch on the type tells tracers from numbers.

The fast exit is taken only for values that are known; a tracer is dispatched
to the overload that says "not known".
"""
import functools

import jax
import jax.numpy as jnp


@functools.singledispatch
def known(value):
    return True


@known.register(jax.core.Tracer)
def _(value):
    return False


def heating_power(temperature, setpoint, gain):
    error = setpoint - temperature
    if known(error) and error <= 0.0:
        return 0.0
    return jnp.clip(gain * error, 0.0, 2000.0)


fast_power = jax.jit(heating_power)


def simulate(power, temperature, hours):
    history = []
    for _ in range(hours):
        temperature = temperature + 0.001 * power(temperature, 21.0, 150.0) - 0.2
        history.append(temperature)
    return jnp.stack(history)


if __name__ == "__main__":
    slow = simulate(heating_power, jnp.float32(18.0), 12)
    fast = simulate(fast_power, jnp.float32(18.0), 12)
    assert jnp.allclose(slow, fast)
    assert float(fast_power(25.0, 21.0, 150.0)) == 0.0
    assert heating_power(25.0, 21.0, 150.0) == 0.0
