"""Audio filters, each compiled once however often it is asked for."""

from functools import cache, partial

import jax
import jax.numpy as jnp


def gain(signal, amount):
    return amount * signal


def clip(signal, limit):
    return jnp.clip(signal, -limit, limit)


def echo(signal, delay, feedback):
    return signal + feedback * jnp.roll(signal, delay)


FILTERS = {"gain": gain, "clip": clip}
COMPILED = {name: jax.jit(fn) for name, fn in FILTERS.items()}


@cache
def echo_filter(delay):
    """A compiled echo for a delay; made when first wanted."""

    @jax.jit
    def run(signal, feedback):
        return echo(signal, delay, feedback)

    return run


class Bank:
    """Compiled chains by their names."""

    def __init__(self):
        self._chains = {}
        self.built = 0

    def chain(self, *names):
        """The chain of the named filters."""
        if names not in self._chains:

            def run(signal, amounts):
                for name, amount in zip(names, amounts):
                    signal = FILTERS[name](signal, amount)
                return signal

            self._chains[names] = jax.jit(run)
            self.built += 1
        return self._chains[names]


class Limiter:
    """Compiles its own method when it is made."""

    def __init__(self, limit):
        self.limit = limit
        self.apply = jax.jit(self._apply)

    def _apply(self, signal):
        return clip(signal, self.limit)


def loudness_step(signal, rate):
    """Move a signal's loudness towards one."""
    slope = jax.grad(lambda s: (jnp.mean(s**2) - 1.0) ** 2)(signal)
    return signal - rate * slope


def normalise(signal, steps=3):
    """Made before the loop, used within."""
    step = jax.jit(partial(loudness_step, rate=0.1))
    slope = jax.jit(jax.grad(lambda s: jnp.mean(s**2)))
    sizes = []
    for _ in range(steps):
        signal = step(signal)
        sizes.append(float(jnp.abs(slope(signal)).max()))
    return signal, sizes


def render(signals, delays=(1, 2, 1, 2)):
    """Every signal through everything."""
    bank, limiter = Bank(), Limiter(0.9)
    rendered = []
    for signal in signals:
        for delay in delays:
            signal = echo_filter(delay)(signal, 0.3)
        signal = bank.chain("gain", "clip")(signal, (2.0, 0.8))
        signal = COMPILED["gain"](limiter.apply(signal), 0.5)
        rendered.append(jax.jit(gain)(signal, 1.1))
    return rendered, bank.built


def main():
    time_axis = jnp.linspace(0.0, 1.0, 16)
    signals = [jnp.sin(frequency * time_axis) for frequency in (5.0, 9.0, 13.0)]
    louder = jax.jit(lambda s: 1.5 * s)
    rendered, built = render([louder(signal) for signal in signals])
    print(built, "chain built;", normalise(rendered[0])[1])


if __name__ == "__main__":
    main()
