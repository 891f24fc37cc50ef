import warnings

import jax
import jax.numpy as jnp
import seir_forecast as p

from tools.observation import is_tracer

RATES = p.Rates(jnp.float32(0.6), jnp.float32(0.2), jnp.float32(0.1))


class Clock:
    reads = 0

    @classmethod
    def now(cls):
        cls.reads += 1
        return original.now()


original = p.datetime


def month():
    p.datetime = Clock
    try:
        for _ in range(3):
            p.peak(p.outbreak(population=900.0), RATES)
    finally:
        p.datetime = original
    return 0 < Clock.reads <= 2


def drift():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            p.peak(p.outbreak(population=800.0), RATES)
    texts = [str(one.message) for one in caught if "drifted" in str(one.message)]
    return len(texts) == 1 and "Tracer" in texts[0]


def seed():
    draws = [float(p.scenario(RATES, 0.1).contact) for _ in range(3)]
    return draws[0] == draws[1] == draws[2]


def counted():
    curve, bodies = p.peak(p.outbreak(), RATES)
    assert int(bodies) <= 2
    assert not is_tracer(curve)


HOSTILE = {}
EXPECT = {}
SILENT = {
    "month": month,
    "days": lambda: p.simulate(p.outbreak(), RATES, 10)[1] <= 2,
    "drift": drift,
    "seed": seed,
    "residuals": lambda: is_tracer(p.calibrate(RATES, [5.0, 6.0])[1]),
}
INNOCENT = [
    counted,
    lambda: p.headline(p.simulate(p.outbreak(), RATES, 4)[0]),
]
