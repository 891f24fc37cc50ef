import heat_rod
import jax.numpy as jnp
from heat_rod import marching, probes
from tools.observation import is_tracer, printed

ROD = heat_rod.bump()


def reading():
    probe = probes.Probe(2)
    heat_rod.march(ROD, 5, probe)
    return len(probe.readings) < 5 and is_tracer(probe.readings)


def peak():
    probe = probes.Probe(2)
    heat_rod.settle(ROD, probe)
    return is_tracer(probe.peak)


def steepest():
    text = printed(lambda: [marching.relax(jnp.ones(9) * k, 0.1) for k in range(3)])
    return text.count("steepest") == 1 and "JitTracer" in text


def offline():
    probe = probes.Probe(0)
    probe.offline(jnp.ones((3, 4)))
    assert not is_tracer(probe.readings)


SILENT = {
    "reading": reading,
    "peak": peak,
    "steepest": steepest,
    "age": lambda: len({float(marching.relax(jnp.ones(7), 0.1)[2]) for _ in range(3)}) == 1,
}
INNOCENT = [
    offline,
    lambda: marching.euler(ROD.temperature, 0.1),
    lambda: marching.flux(jnp.ones(4)),
]
