"""Filters are classes that a function makes; flags of a class switch its checks."""

import functools

import jax
import jax.numpy as jnp


class Filter:
    """Smooths a signal.

    A subclass may switch checks on, or choose how the edges are treated.
    """

    checked = False
    edges = "wrap"
    warn_above = None

    def kernel(self, n):
        return jnp.ones(n) / n

    @functools.partial(jax.jit, static_argnums=(0, 2))
    def apply(self, signal, n=3):
        if self.checked:
            if jnp.isnan(signal).any():  # expect: JIT101 @nan
                raise ValueError("nan in the signal")
        mode = "same" if self.edges == "wrap" else "valid"
        smooth = jnp.convolve(signal, self.kernel(n), mode=mode)
        if self.warn_above is not None and smooth.max() > self.warn_above:  # expect: JIT101 @loud
            jax.debug.print("the signal is loud")
        return smooth


class CheckedFilter(Filter):
    checked = True


class LoudFilter(Filter):
    warn_above = 10.0


class Gaussian(Filter):
    edges = "cut"

    def kernel(self, n):
        weights = jnp.exp(-0.5 * jnp.linspace(-2.0, 2.0, n) ** 2)
        return weights / weights.sum()


def make_recursive(order):
    """A class for recursive filters of an order."""

    class Recursive(Filter):
        """Feeds its output back."""

        taps = order

        def __init__(self, decay=0.5):
            self.decay = decay
            self.peaks = []

        @functools.partial(jax.jit, static_argnums=0)
        def run(self, signal):
            state = jnp.zeros(self.taps)
            total = []
            for sample in signal:
                state = jnp.roll(state, 1).at[0].set(sample + self.decay * state.sum())
                total.append(state[0])
            self.peaks.append(jnp.stack(total).max())  # expect: JIT202 @peaks
            return jnp.stack(total)

        @functools.partial(jax.jit, static_argnums=0)
        def settled(self, signal):
            small = jnp.abs(signal) < 0.1
            return True in list(small)  # expect: JIT110 @settled

    return Recursive


First = make_recursive(1)
Third = make_recursive(3)


def main():
    signal = jnp.sin(jnp.arange(6.0))
    print(Filter().apply(signal), Gaussian().apply(signal))
    print(Third(0.2).run(signal))


if __name__ == "__main__":
    main()
