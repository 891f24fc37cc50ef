"""Intervals: immutable, made by ``__new__``, and registered as pytrees."""

import jax
import jax.numpy as jnp


class Interval:
    """All numbers from ``low`` to ``high``."""

    __slots__ = ("low", "high")

    def __new__(cls, low, high=None):
        if isinstance(low, Interval):
            return low
        self = object.__new__(cls)
        self.low = low
        self.high = low if high is None else high
        return self

    def __add__(self, other):
        other = Interval(other)
        return Interval(self.low + other.low, self.high + other.high)

    def __mul__(self, other):
        other = Interval(other)
        if self.low >= 0 and other.low >= 0:  # expect: JIT101 @signs
            return Interval(self.low * other.low, self.high * other.high)
        ends = jnp.stack(
            [
                self.low * other.low,
                self.low * other.high,
                self.high * other.low,
                self.high * other.high,
            ]
        )
        return Interval(ends.min(), ends.max())

    def __contains__(self, value):
        return bool(self.low <= value) and bool(value <= self.high)  # expect: JIT105 @contains

    def width(self):
        return self.high - self.low

    def tightened(self):
        """The interval cut at whole numbers."""
        return Interval(float(jnp.ceil(self.low)), self.high)  # expect: JIT105 @ceiling


jax.tree_util.register_pytree_node(
    Interval, lambda i: ((i.low, i.high), None), lambda _, ends: Interval(*ends)
)


@jax.jit
def area(width, height):
    return (width * height).width()


@jax.jit
def shifted(interval, by):
    return interval + by


@jax.jit
def clamp(interval, value):
    return value if value in interval else interval.low


@jax.jit
def rounded(interval):
    return interval.tightened().width()


class Ladder(tuple):
    """Rungs in rising order; a tuple by its own constructor."""

    def __new__(cls, *rungs):
        return super().__new__(cls, rungs)

    def reach(self, height):
        """The highest rung that is not above a height."""
        found = self[0]
        for rung in self[1:]:
            if rung > height:  # expect: JIT101 @rung
                break
            found = rung
        return found


@jax.jit
def climb(height):
    """Fixed rungs, traced height."""
    return Ladder(0.0, 1.0, 2.5).reach(height)


if __name__ == "__main__":
    wide, tall = Interval(1.0, 2.0), Interval(3.0)
    print(shifted(wide, 1.0).width(), area(wide, tall), clamp(wide, 1.5), rounded(wide), climb(1.2))
