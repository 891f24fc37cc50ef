import diagnostics
import jax
import jax.numpy as jnp
import sweeps
from tools.observation import is_tracer

DATA = sweeps.synthetic()
START = jnp.array([-1.0, 1.0])


def kept():
    before = diagnostics.collect(1.0)
    for k in range(3):
        diagnostics.summary(START * k)
    return diagnostics.collect(1.0) - before == 2


def log():
    monitor, observers = diagnostics.monitored(("a", "b"))
    for k in range(3):
        observers["a"](START * k)
    return len(monitor.logs["a"]) == 1 and is_tracer(monitor.logs)


def keyed():
    drawn = sweeps.keyed_chain(jax.random.key(0), DATA, START, 5)[1]
    assert len(set(drawn.tolist())) == 5


SILENT = {
    "threshold": lambda: len(set(sweeps.host_chain(DATA, START, 5)[1].tolist())) == 1,
    "order": lambda: bool(
        jnp.array_equal(
            sweeps.shuffled_sweep(DATA, START)[1], sweeps.shuffled_sweep(DATA, START)[1]
        )
    ),
    "kept": kept,
    "best": lambda: is_tracer(diagnostics.ensemble(DATA, jnp.ones((3, 2)))[1]),
    "log": log,
}
INNOCENT = [
    keyed,
    lambda: diagnostics.moments(START),
    lambda: diagnostics.counted(DATA, jnp.ones((3, 2))),
]
