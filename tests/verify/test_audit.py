"""What an audit finds where nothing is reported: silent faults, by real calls and made-up ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jitlint.diagnostics import TracedFunctionReport
from jitlint.verify.plan import Plan
from jitlint.verify.session import verify

pytestmark = [pytest.mark.jax, pytest.mark.slow]

_FAULTS = """\
import functools
import random
import time

import jax
import jax.numpy as jnp
import numpy as np

SCALE = 2.0
SEED = jax.random.key(0)
LOSSES = []


class Model:
    def __init__(self):
        self.calls = 0
        self.last = None


MODEL = Model()
OTHER = Model()


@jax.jit
def step(x):
    print("step")  # JIT201
    LOSSES.append(1)  # JIT202
    MODEL.calls = 3  # JIT204
    OTHER.last = x  # JIT204
    return x + random.random() * SCALE  # JIT207, JIT208


@jax.jit
def noise(x):
    key = jax.random.PRNGKey(0)  # JIT213
    return x + jax.random.normal(key, x.shape)


@jax.jit
def reseeded(x):
    return x + jax.random.normal(SEED, x.shape)  # JIT208


def double(x):
    return x * 2


def run_all(xs):
    return [jax.jit(lambda x: x + 1)(x) for x in xs]  # JIT303


def sizes():
    for size in range(1, 6):
        grown(jnp.ones(size))  # JIT3


@jax.jit
def grown(x):
    return x.sum()


def unnamed():
    total = jax.jit(lambda x: x.sum())
    for size in range(1, 6):
        total(jnp.ones(size))  # JIT3


def timed(x):
    start = time.perf_counter()
    grown(x)
    return time.perf_counter() - start  # JIT401, JIT402


def table():
    return jnp.zeros(3, dtype=jnp.float64)  # JIT403


def rescale(value):
    global SCALE, SEED
    SCALE = value
    SEED = jax.random.key(int(value))


if __name__ == "__main__":
    step(jnp.ones(3))
    reseeded(jnp.ones(3))
    rescale(4.0)
    step(jnp.ones(3))
    reseeded(jnp.ones(3))
    noise(jnp.ones(3))
    noise(jnp.ones(3))
    run_all([jnp.ones(2)] * 3)
    sizes()
    unnamed()
    timed(jnp.ones(1000))
    table()
"""

_HARMLESS = """\
import _datetime
import datetime
import logging
import sys
import time

import jax
import jax.numpy as jnp

# Compiled code takes the class for that of C.
assert sys.modules["datetime"].datetime is _datetime.datetime
logger = logging.getLogger(__name__)
SEEN = []
SCOPES = []


class Box:
    def __init__(self, value):
        self.value = value
        self.parts = []

    def fill(self, value):
        self.value = value
        self.parts.append(value)
        return self


@jax.jit
def boxed(x):
    box = Box(x).fill(x + 1)
    names = []
    names.append("a")
    table = {}
    table["x"] = box.value
    return table["x"] * len(names)


def host(x):
    print("on the host")
    logger.info("on the host")
    SEEN.append(float(x))
    return x


def waited(x):
    boxed(x).block_until_ready()
    start = time.perf_counter()
    boxed(x).block_until_ready()
    return time.perf_counter() - start


@jax.jit
def drawn(key, x):
    return x + jax.random.normal(key, x.shape)


class Scope:
    def __enter__(self):
        SCOPES.append(self)
        return self

    def __exit__(self, *raised):
        SCOPES.pop()


@jax.jit
def scoped(x):
    with Scope():
        return x + 1


def _where(x):
    # What JAX compiles for `jnp.where` has the same name.
    return x


def padded():
    return [jnp.where(jnp.ones(size) > 0, 1.0, 0.0) for size in range(1, 6)]


if __name__ == "__main__":
    _where(padded())
    for turn in range(3):
        boxed(jnp.ones(3))
        host(jnp.ones(()))
        scoped(jnp.ones(3))
        waited(jnp.ones(3))
        drawn(jax.random.key(turn), jnp.ones(3))
"""

_UNCALLED = """\
import jax
import jax.numpy as jnp


@jax.jit
def clipped(x, limit):
    if x.sum() > limit:  # raises
        return x
    return x * 2


@jax.jit
def chosen(x, mask):
    return x[mask > 0].sum()
"""

_CONFTEST = """\
import jax
import pytest

jax.config.update("jax_enable_x64", True)


class Pair:
    pass


# Twice would be an error.
jax.tree_util.register_pytree_node(Pair, lambda pair: ((), None), lambda data, parts: Pair())


@pytest.fixture
def limit():
    return 1.0
"""
_SET_UP = """\
import jax
import jax.numpy as jnp

# Made while the module is imported, which pytest does after it has run `conftest.py`.
RATES = jnp.ones(3)
assert RATES.dtype == "float64"


@jax.jit
def clipped(x, limit):
    if x.sum() > limit:  # raises
        return x
    return x * 2


def test_clipped(limit):
    clipped(RATES, limit)
"""

_REFUSED = """\
import jax
import jax.numpy as jnp

jax.config.update("jax_numpy_dtype_promotion", "strict")
jax.config.update("jax_debug_key_reuse", True)


@jax.jit
def added(x, number):
    return x + number


@jax.jit
def drawn(key):
    return jax.random.normal(key) + jax.random.uniform(key)


if __name__ == "__main__":
    try:
        drawn(jax.random.key(0))
    finally:
        added(jnp.ones(3), jnp.ones(3, jnp.int32))
"""


def _missed(folder: Path, text: str, traced: dict[str, int] | None = None) -> list[dict[str, Any]]:
    """What an audit of a module says, of which nothing is reported."""
    path = folder / "subject.py"
    path.write_text(text)
    functions = [
        TracedFunctionReport(str(path), row, name, transform="jax.jit", parameters={}, trace=())
        for name, row in (traced or {}).items()
    ]
    plan = Plan(
        root=folder,
        files=[path],
        reports=[],
        everything=[],
        platforms=["cpu"],
        also=[path],
        traced=functions,
    )
    outcome = verify(plan)
    assert outcome.failures == []
    return outcome.missed


def test_silent_faults_are_seen(tmp_path: Path) -> None:
    found = _missed(tmp_path, _FAULTS)
    expected = {
        (row, code.strip())
        for row, line in enumerate(_FAULTS.splitlines(), 1)
        if "# JIT" in line
        for code in line.partition("# ")[2].split(",")
    }
    assert {(one["location"]["row"], one["rule"]) for one in found} == expected
    assert all(one["implausible"] is None for one in found)
    kinds = {one["rule"]: one["kind"] for one in found}
    assert kinds["JIT401"] == kinds["JIT402"] == "mismeasured"
    leak = [one for one in found if one["kind"] == "leaks"]
    assert ["holds" in one["summary"] for one in leak] == [True]


def test_harmless_places_are_not(tmp_path: Path) -> None:
    assert _missed(tmp_path, _HARMLESS) == []


def test_what_nothing_calls_is_called(tmp_path: Path) -> None:
    rows = {"clipped": _UNCALLED[: _UNCALLED.index("def clipped")].count("\n") + 1}
    rows["chosen"] = _UNCALLED[: _UNCALLED.index("def chosen")].count("\n") + 1
    found = _missed(tmp_path, _UNCALLED, rows)
    branch = [one for one in found if one["exception"] == "TracerBoolConversionError"]
    assert [one["location"]["row"] for one in branch] == [7]
    assert branch[0]["implausible"] is None
    assert branch[0]["by"] == "a made-up call"
    masks = [one for one in found if one["exception"] == "NonConcreteBooleanIndexError"]
    assert [one["implausible"] for one in masks] == ["a traced mask as an index"]


def test_what_jax_refuses_with_or_without_tracing_is_no_fault(tmp_path: Path) -> None:
    assert _missed(tmp_path, _REFUSED) == []


def test_tests_are_set_up_before_they_are_imported(tmp_path: Path) -> None:
    for name, text in {"conftest.py": _CONFTEST, "test_clipped.py": _SET_UP}.items():
        (tmp_path / name).write_text(text)
    files = sorted(tmp_path.glob("*.py"))
    plan = Plan(
        root=tmp_path,
        files=files,
        reports=[],
        everything=[],
        platforms=["cpu"],
        also=files[1:],
    )
    outcome = verify(plan)
    assert outcome.failures == []
    (one,) = outcome.missed
    assert (one["exception"], one["by"]) == ("TracerBoolConversionError", "a call of your code")


def test_a_module_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    path = tmp_path / "test_absent.py"
    path.write_text("import no_such_module_anywhere\n\n\ndef test_nothing():\n    pass\n")
    outcome = verify(
        Plan(
            root=tmp_path,
            files=[path],
            reports=[],
            everything=[],
            platforms=["cpu"],
            also=[path],
        )
    )
    assert outcome.not_run == []
    (failure,) = outcome.failures
    assert "test_absent.py" in failure
    assert "no_such_module_anywhere" in failure
