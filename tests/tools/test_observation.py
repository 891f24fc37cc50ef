"""What is observed from outside: leaked tracers, effects, other values of the same shapes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.labels.checking import verify_many

PROGRAM = """
import functools
import logging
import sys
import warnings

import jax
import jax.numpy as jnp

history = []
table = {"best": {}}
last = None
log = logging.getLogger("program")


class Counter:
    total = 0.0

    def __init__(self):
        self.calls = 0
        self.seen = None


counter = Counter()


def make():
    kept = 0.0

    @jax.jit
    def step(x):
        nonlocal kept
        kept = x
        return x

    return step


step = make()


@jax.jit
def with_default(x, into=[]):
    into.append(x)
    return x


def stores(x):
    global last
    last = x
    history.append([x])
    table["best"]["x"] = x
    counter.seen = x
    Counter.total = x
    return x


def silent(x):
    inside = [x]
    inside.append(x)
    return x
"""

CASES = """
import jax
import jax.numpy as jnp
import numpy as np
import program as m

from jitlint.verify.driving.calling.arrays import other_values
from tools.observation import effects, leaked

SCOPE = vars(m)
X = jnp.arange(3.0)


def gives(found, expected):
    found = set(found)
    assert found == expected, f"{found} is not {expected}"


def leaks():
    gives(leaked(SCOPE), set())
    jax.grad(lambda x: m.stores(x).sum())(X)
    gives(
        leaked(SCOPE),
        {"last", "history[0][0]", "table['best']['x']", "counter.seen", "Counter.total"},
    )
    m.stores(X)
    m.history.clear()
    gives(leaked(SCOPE), set())
    m.step(X), m.with_default(X)
    gives(leaked(SCOPE), {"step.kept", "with_default.__defaults__[0][0]"})


def host_effects():
    def write(x):
        with open("written.txt", "a") as file:
            file.write("x")

    gives(effects(lambda: m.silent(X), SCOPE), set())
    gives(effects(lambda: print("x"), SCOPE), {"output"})
    gives(effects(lambda: m.sys.stderr.write("x"), SCOPE), {"output"})
    gives(effects(lambda: m.log.debug("x"), SCOPE), {"log"})
    gives(effects(lambda: m.warnings.warn("x"), SCOPE), {"warning"})
    gives(effects(lambda: write(X), SCOPE), {"written.txt"})
    gives(effects(lambda: write(X), SCOPE), {"written.txt"})
    traced = jax.jit(lambda x: jax.debug.callback(write, x))
    gives(effects(lambda: traced(X), SCOPE), {"written.txt"})
    traced = jax.jit(lambda x: jax.debug.print("{}", x))
    gives(effects(lambda: traced(X), SCOPE), {"output"})


def state_effects():
    def count():
        m.counter.calls += 1

    gives(effects(count, SCOPE), {"counter.calls"})
    gives(effects(lambda: m.table.update(more=1), SCOPE), {"table['more']"})


def values():
    key = jax.random.key(0)
    arguments = [X, {"n": np.ones(2, np.int8), "flag": True, "rate": 0.1}, "name", key]
    same = other_values(arguments, 0)
    assert np.array_equal(same[0], X) and same[3] is key
    other = other_values(arguments, 2)
    assert np.array_equal(other[0], X + 2) and other[0].dtype == X.dtype
    assert np.array_equal(other[1]["n"], [3, 3]) and other[1]["n"].dtype == np.int8
    assert (other[1]["flag"], other[1]["rate"], other[2]) == (True, 0.1, "name")
    assert not np.array_equal(jax.random.key_data(other[3]), jax.random.key_data(key))


INNOCENT = [leaks, host_effects, state_effects, values]
"""


@pytest.mark.jax
def test_observation(tmp_path: Path) -> None:
    program = tmp_path / "observed" / "program.py"
    program.parent.mkdir()
    program.write_text(PROGRAM, encoding="utf-8")
    cases = tmp_path / "cases.py"
    cases.write_text(CASES, encoding="utf-8")
    results = verify_many([(program, cases)])
    bad = [
        f"{result.innocent}: {result.message or result.why}" for result in results if not result.ok
    ]
    assert len(results) == 4 and not bad, "\n".join(bad)
