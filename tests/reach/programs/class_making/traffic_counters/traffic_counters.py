"""Counters of a road: classes that are made in several ways, with compiled methods."""

import functools
import typing

import jax
import jax.numpy as jnp


class Lane:
    """One object for each name."""

    _known = {}

    def __new__(cls, name, speed=1.0):
        if name not in cls._known:
            lane = super().__new__(cls)
            lane.name, lane.speed = name, speed
            lane.passed = 0
            cls._known[name] = lane
        return cls._known[name]

    @jax.jit  # expect: JIT309 @lane
    def flow(self, density):
        return self.speed * density * (1.0 - density)

    @functools.partial(jax.jit, static_argnums=0)
    def count(self, density):
        self.passed += density  # expect: JIT204 @passed
        return density


class Tolls(typing.NamedTuple):
    """Prices by class of vehicle."""

    car: float
    truck: float

    def due(self, weight):
        if weight > 3.5:  # expect: JIT101 @weight
            return self.truck
        return self.car


@jax.jit
def revenue(tolls, weights):
    return jnp.stack([tolls.due(weight) for weight in weights]).sum()


Road = type("Road", (), {"lanes": 2, "width": lambda self, x: x * self.lanes})


def make_meter(**options):
    """A class with defaults that the caller chooses."""

    class Meter(Road):
        limit = options.get("limit", 10.0)
        strict = options.get("strict", False)

        def read(self, x):
            value = self.width(x)
            if self.strict:
                return min(value, self.limit)  # expect: JIT110 @limit
            return jnp.minimum(value, self.limit)

    return Meter


StrictMeter = make_meter(strict=True)
read_strict = jax.jit(StrictMeter().read)
read_loose = jax.jit(make_meter()().read)


def make_converter():
    """Its parameter was renamed."""

    def converted(speed, units="km"):
        return speed * {"km": 1.0, "mile": 1.6}[units]

    return jax.jit(converted, static_argnames=("unit",))  # expect: JIT305 @unit


def main():
    lane = Lane("left")
    print(lane.count(0.5), read_loose(3.0), revenue(Tolls(1.0, 5.0), [jnp.float32(2.0)]))


if __name__ == "__main__":
    main()
