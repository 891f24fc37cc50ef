"""Hazards that show on the host, or when a program runs again: confirmed and refuted, under JAX.

The reports are made up.  HERE marks the reported place of each, in what ``run()`` reaches; the main
block of each module calls that once.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jitlint.verify.plan import Plan
from jitlint.verify.session import verify
from tests.verify.made_up import made_up_report

pytestmark = pytest.mark.jax

HEADER = """\
import contextlib
import dataclasses
import datetime
import functools
import time
import timeit
from time import perf_counter

import jax
import jax.numpy as jnp
import numpy as np


"""
TIMED = """
@jax.jit
def work(x):
    return jnp.sin(x) * 2


class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *_):
        self.seconds = time.perf_counter() - self.start


def bench(function, x):
    start = time.time()
    function(x)
    return time.time() - start


"""

# code, kind of hazard, expected verdict, the module
CASES: dict[str, tuple[str, str, str, str]] = {
    # -- 208, 311: values that a trace has read
    "global": (
        "JIT208",
        "stale",
        "confirmed",
        """
rate = 1.0
@jax.jit
def f(x):
    return x * «rate»
def run():
    global rate
    f(1.0)
    rate = 2.0
    f(1.0)
""",
    ),
    "entry": (
        "JIT208",
        "stale",
        "confirmed",
        """
settings = {"rate": 1.0}
@jax.jit
def f(x):
    return x * «settings["rate"]»
def run():
    for rate in (1.0, 2.0):
        settings["rate"] = rate
        f(1.0)
""",
    ),
    "container": (
        "JIT208",
        "stale",
        "confirmed",
        """
weights = [1.0]
@jax.jit
def f(x):
    return sum(w * x for w in «weights»)
def run():
    f(1.0)
    weights.append(2.0)
    f(1.0)
""",
    ),
    "asked_for": (
        "JIT208",
        "stale",
        "confirmed",
        """
settings = {}
@jax.jit
def f(x):
    return x * «settings.get("rate", 1.0)»
def run():
    f(1.0)
    settings["rate"] = 2.0
    f(1.0)
""",
    ),
    "enclosing": (
        "JIT208",
        "stale",
        "confirmed",
        """
def run():
    rate = 1.0
    @jax.jit
    def f(x):
        return x * «rate»
    f(1.0)
    rate = 2.0
    f(1.0)
""",
    ),
    "set_before": (
        "JIT208",
        "stale",
        "refuted",
        """
settings = {"rate": 1.0}
@jax.jit
def f(x):
    return x * «settings["rate"]»
def run():
    settings["rate"] = 2.0
    f(1.0)
    f(1.0)
""",
    ),
    "traced_anew": (
        "JIT208",
        "stale",
        "refuted",
        """
settings = {"rate": 1.0}
@jax.jit
def f(x, n):
    return x * «settings["rate"]»
def run():
    for rate in (1.0, 2.0):
        settings["rate"] = rate
        jax.clear_caches()
        f(1.0, 1)
        f(1.0, 1)
""",
    ),
    "static_self": (
        "JIT311",
        "stale",
        "confirmed",
        """
class Model:
    def __init__(self):
        self.scale = 1.0
    @functools.partial(jax.jit, static_argnums=0)
    def f(self, x):
        return x * «self.scale»
def run():
    model = Model()
    model.f(1.0)
    model.scale = 2.0
    model.f(1.0)
""",
    ),
    "other_self": (
        "JIT311",
        "stale",
        "refuted",
        """
class Model:
    def __init__(self, scale):
        self.scale = scale
    @functools.partial(jax.jit, static_argnums=0)
    def f(self, x):
        return x * «self.scale»
def run():
    for scale in (1.0, 2.0):
        model = Model(scale)
        model.f(1.0)
        model.f(1.0)
""",
    ),
    # -- 210: iterators
    "next": (
        "JIT210",
        "stale",
        "confirmed",
        """
numbers = iter(range(100))
@jax.jit
def f(x):
    return x + «next(numbers)»
def run():
    f(1.0)
    f(1.0)
""",
    ),
    "for_over_iterator": (
        "JIT210",
        "stale",
        "confirmed",
        """
def run():
    numbers = (n for n in range(100))
    @jax.jit
    def f(x):
        «for n in numbers:»
            return x + n
    f(1.0)
    f(1.0)
    next(numbers)
""",
    ),
    "own_iterator": (
        "JIT210",
        "stale",
        "inconclusive",
        """
@jax.jit
def f(x):
    numbers = iter([1, 2, 3])
    return x + «next(numbers)»
def run():
    f(1.0)
    f(1.0)
""",
    ),
    # -- 213: keys
    "constant_key": (
        "JIT213",
        "stale",
        "confirmed",
        """
@jax.jit
def f(x):
    key = «jax.random.key(0)»
    return x + jax.random.normal(key, x.shape)
def run():
    f(jnp.ones(3))
    f(jnp.ones(3))
""",
    ),
    "constant_key_in_scan": (
        "JIT213",
        "stale",
        "confirmed",
        """
@jax.jit
def f(x):
    def step(carry, _):
        x, key = carry
        key, sub = jax.random.split(key)
        return (x + jax.random.uniform(sub), key), None
    return jax.lax.scan(step, (x, «jax.random.PRNGKey(0)»), None, length=3)[0][0]
def run():
    f(1.0)
    f(1.0)
""",
    ),
    "folded_key": (
        "JIT213",
        "stale",
        "refuted",
        """
@jax.jit
def f(x, n):
    key = jax.random.fold_in(«jax.random.key(0)», n)
    return x + jax.random.normal(key, x.shape)
def run():
    f(jnp.ones(3), 0)
    f(jnp.ones(3), 1)
""",
    ),
    # -- 215: the same draws again
    "draw_again": (
        "JIT215",
        "silently-wrong",
        "confirmed",
        """
def f(key):
    return jax.random.normal(key, (2,)), «jax.random.normal(key, (2,))»
def run():
    f(jax.random.key(0))
""",
    ),
    "draw_of_each_turn": (
        "JIT215",
        "silently-wrong",
        "confirmed",
        """
@jax.jit
def f(key, x):
    for _ in range(3):
        x = x + «jax.random.normal(key, (2,))»
    return x
def run():
    f(jax.random.key(0), 1.0)
""",
    ),
    "draw_of_each_iteration": (
        "JIT215",
        "silently-wrong",
        "confirmed",
        """
@jax.jit
def f(key, x):
    return jax.lax.fori_loop(0, 3, lambda _, x: x + «jax.random.normal(key)», x)
def run():
    f(jax.random.key(0), 1.0)
""",
    ),
    "draw_with_other_keys": (
        "JIT215",
        "silently-wrong",
        "refuted",
        """
def f(key):
    return [«jax.random.normal(each, (2,))» for each in jax.random.split(key, 3)]
def run():
    f(jax.random.key(0))
""",
    ),
    "draw_in_several_calls": (
        "JIT215",
        "silently-wrong",
        "inconclusive",
        """
def f(key):
    return «jax.random.normal(key, (2,))»
def run():
    f(jax.random.key(0))
    f(jax.random.key(0))
""",
    ),
    # -- 209: caches
    "lru_cache": (
        "JIT209",
        "leaks",
        "confirmed",
        """
@functools.lru_cache(maxsize=None)
def table(n):
    return «jnp.arange(n)»
@jax.jit
def f(x):
    return x + table(3)
def run():
    f(jnp.ones(3))
""",
    ),
    "cached_property": (
        "JIT209",
        "leaks",
        "confirmed",
        """
class Grid:
    @functools.cached_property
    def points(self):
        points = jnp.linspace(0.0, 1.0, 3)
        return «points»
grid = Grid()
@jax.jit
def f(x):
    return x + grid.points
def run():
    f(jnp.ones(3))
""",
    ),
    "cache_of_numpy": (
        "JIT209",
        "leaks",
        "refuted",
        """
@functools.cache
def table(n):
    return «np.arange(n)»
@jax.jit
def f(x):
    return x + table(3)
def run():
    f(jnp.ones(3))
""",
    ),
    # -- 214: changes of arguments
    "lost_item": (
        "JIT214",
        "silently-wrong",
        "confirmed",
        """
@jax.jit
def f(state):
    «state["x"]» = state["x"] + 1
    return state["x"].sum()
def other(state):
    return state
def run():
    state = {"x": jnp.ones(3)}
    f(state)
    return other(state)
""",
    ),
    "lost_update": (
        "JIT214",
        "silently-wrong",
        "confirmed",
        """
@jax.jit
def f(state):
    «state.update(x=state["x"] + 1)»
def run():
    state = {"x": jnp.ones(3)}
    f(state)
    return state
""",
    ),
    "returned_container": (
        "JIT214",
        "silently-wrong",
        "refuted",
        """
def change(state):
    «state["x"]» = state["x"] + 1
@jax.jit
def f(state):
    change(state)
    return {"all": [state, 1.0]}
def run():
    state = {"x": jnp.ones(3)}
    f(state)
    return state
""",
    ),
    "returned_value": (
        "JIT214",
        "silently-wrong",
        "refuted",
        """
@jax.jit
def f(state):
    «state["x"]» = state["x"] + 1
    return state["x"]
def run():
    state = {"x": jnp.ones(3)}
    f(state)
    return state
""",
    ),
    "own_copy": (
        "JIT214",
        "silently-wrong",
        "inconclusive",
        """
@jax.jit
def f(state):
    state = dict(state)
    «state["x"]» = state["x"] + 1
    return state["x"].sum()
def run():
    state = {"x": jnp.ones(3)}
    f(state)
    return state
""",
    ),
    # -- 303, 306, 307, 312, 313: compilations
    "rebuilt": (
        "JIT303",
        "recompiles",
        "confirmed",
        """
def norm(x):
    return «jax.jit(lambda v: jnp.sqrt((v * v).sum()))»(x)
def run():
    for _ in range(3):
        norm(jnp.ones(3))
""",
    ),
    "static_number": (
        "JIT306",
        "recompiles",
        "confirmed",
        """
@functools.partial(jax.jit, static_argnames="n")
def f(x, n):
    return x * n
def run():
    for n in range(4):
        «f(jnp.ones(3), n)»
""",
    ),
    "static_settings": (
        "JIT306",
        "recompiles",
        "confirmed",
        """
class Settings:
    rate = 1.0
@functools.partial(jax.jit, static_argnames="settings")
def f(x, settings):
    return x * settings.rate
def run():
    for _ in range(4):
        «f(jnp.ones(3), Settings())»
""",
    ),
    "made_for_a_call": (
        "JIT306",
        "recompiles",
        "confirmed",
        """
class Band:
    def __init__(self, low):
        self.low = low
@functools.partial(jax.jit, static_argnames="band")
def f(x, band):
    return jnp.where(x > band.low, x, 0.0)
def run():
    for _ in range(4):
        f(jnp.ones(3), band=«Band(0.1)»)
""",
    ),
    "made_equal": (
        "JIT306",
        "recompiles",
        "refuted",
        """
@dataclasses.dataclass(frozen=True)
class Band:
    low: float
@functools.partial(jax.jit, static_argnames="band")
def f(x, band):
    return jnp.where(x > band.low, x, 0.0)
def run():
    for _ in range(4):
        f(jnp.ones(3), band=«Band(0.1)»)
""",
    ),
    "same_number": (
        "JIT306",
        "recompiles",
        "refuted",
        """
@functools.partial(jax.jit, static_argnames="n")
def f(x, n):
    return x * n
def run():
    for _ in range(4):
        «f(jnp.ones(3), 2)»
""",
    ),
    "growing": (
        "JIT307",
        "recompiles",
        "confirmed",
        """
@jax.jit
def f(x):
    return x.sum()
def run():
    tokens = [1]
    for _ in range(3):
        «f(np.array(tokens))»
        tokens.append(2)
""",
    ),
    "padded": (
        "JIT307",
        "recompiles",
        "refuted",
        """
@jax.jit
def f(x):
    return x.sum()
def run():
    for n in range(3):
        «f(np.pad(np.ones(n), (0, 4 - n)))»
""",
    ),
    "eager_scan": (
        "JIT312",
        "recompiles",
        "confirmed",
        """
def run():
    x = jnp.ones(())
    for _ in range(3):
        x, _ = «jax.lax.scan(lambda c, e: (c + e, e), x, jnp.ones(3))»
""",
    ),
    "eager_scan_of_one": (
        "JIT312",
        "recompiles",
        "refuted",
        """
def step(c, e):
    return c + e, e
def run():
    x = jnp.ones(())
    for _ in range(3):
        x, _ = «jax.lax.scan(step, x, jnp.ones(3))»
""",
    ),
    "cleared": (
        "JIT313",
        "recompiles",
        "confirmed",
        """
@jax.jit
def f(x):
    return x + 1
def run():
    for _ in range(3):
        f(np.ones(3))
        «jax.clear_caches()»
""",
    ),
    "cleared_in_vain": (
        "JIT313",
        "recompiles",
        "refuted",
        """
@jax.jit
def f(x):
    return x + 1
def run():
    f(np.ones(3))
    for _ in range(3):
        «jax.clear_caches()»
""",
    ),
    # -- 310: donated buffers
    "donated": (
        "JIT310",
        "raises",
        "confirmed",
        """
@functools.partial(jax.jit, donate_argnums=0)
def f(x):
    return x + 1
def run():
    x = jnp.ones(3)
    y = f(x)
    return «x» + y
""",
    ),
    "donated_shape": (
        "JIT310",
        "raises",
        "refuted",
        """
@functools.partial(jax.jit, donate_argnums=0)
def f(x):
    return x + 1
def run():
    x = jnp.ones(3)
    x = f(x)
    return «x» + 1
""",
    ),
    # -- 314: arrays in programs
    "captured": (
        "JIT314",
        "bloats",
        "confirmed",
        """
table = np.random.default_rng(0).normal(size=100_000)
@jax.jit
def f(n):
    return jnp.asarray(«table»)[n]
def run():
    f(3)
""",
    ),
    "captured_zeros": (
        "JIT314",
        "bloats",
        "refuted",
        """
table = jnp.zeros(100_000)
@jax.jit
def f(n):
    return «table»[n]
def run():
    f(3)
""",
    ),
    # -- 401, 402: clocks
    "not_waited": (
        "JIT401",
        "mismeasured",
        "confirmed",
        f"""{TIMED}
def run():
    start = time.perf_counter()
    work(jnp.ones(3))
    return «time.perf_counter()» - start
""",
    ),
    "imported_by_name": (
        "JIT401",
        "mismeasured",
        "confirmed",
        f"""{TIMED}
def run():
    start = perf_counter()
    y = work(jnp.ones(3))
    seconds = «perf_counter()» - start
    return seconds, y
""",
    ),
    "dates": (
        "JIT401",
        "mismeasured",
        "confirmed",
        f"""{TIMED}
def run():
    start = datetime.datetime.now()
    y = work(jnp.ones(3))
    seconds = («datetime.datetime.now()» - start).total_seconds()
    return seconds, y
""",
    ),
    "own_timer": (
        "JIT401",
        "mismeasured",
        "confirmed",
        f"""{TIMED}
def run():
    x = jnp.ones(3)
    with «Timer()» as timer:
        work(x)
    return timer.seconds
""",
    ),
    "timed_by_timeit": (
        "JIT401",
        "mismeasured",
        "confirmed",
        f"""{TIMED}
def run():
    x = jnp.ones(3)
    return «timeit.timeit(lambda: work(x), number=3)»
""",
    ),
    "handed_over": (
        "JIT401",
        "mismeasured",
        "confirmed",
        f"""{TIMED.replace("return time.time() - start", "return «time.time()» - start")}
def run():
    return bench(work, jnp.ones(3))
""",
    ),
    "compiled_ahead": (
        "JIT401",
        "mismeasured",
        "confirmed",
        f"""{TIMED}
def run():
    x = jnp.ones(3)
    compiled = work.lower(x).compile()
    start = time.perf_counter()
    y = compiled(x)
    return «time.perf_counter()» - start, y
""",
    ),
    "ahead_and_waited": (
        "JIT401",
        "mismeasured",
        "refuted",
        f"""{TIMED}
def run():
    x = jnp.ones(3)
    compiled = work.lower(x).compile()
    start = time.perf_counter()
    compiled(x).block_until_ready()
    return «time.perf_counter()» - start
""",
    ),
    "waited": (
        "JIT401",
        "mismeasured",
        "refuted",
        f"""{TIMED}
def run():
    x = jnp.ones(3)
    start = time.perf_counter()
    jax.block_until_ready([work(x), work(x)])
    return «time.perf_counter()» - start
""",
    ),
    "converted": (
        "JIT401",
        "mismeasured",
        "refuted",
        f"""{TIMED}
def run():
    x = jnp.ones(3)
    start = time.perf_counter()
    for _ in range(3):
        x = work(x)
    np.asarray(x)
    return «time.perf_counter()» - start
""",
    ),
    "timer_waits": (
        "JIT401",
        "mismeasured",
        "refuted",
        f"""{TIMED}
def run():
    x = jnp.ones(3)
    with «Timer()» as timer:
        print(work(x))
    return timer.seconds
""",
    ),
    "on_the_host": (
        "JIT401",
        "mismeasured",
        "refuted",
        f"""{TIMED}
def run():
    start = time.perf_counter()
    sum(range(1000))
    return «time.perf_counter()» - start
""",
    ),
    "compiles_too": (
        "JIT402",
        "mismeasured",
        "confirmed",
        f"""{TIMED}
def run():
    x = np.ones(3)
    start = time.perf_counter()
    work(x).block_until_ready()
    return «time.perf_counter()» - start
""",
    ),
    "warm": (
        "JIT402",
        "mismeasured",
        "refuted",
        f"""{TIMED}
def run():
    x = np.ones(3)
    work(x)
    start = time.perf_counter()
    work(x).block_until_ready()
    return «time.perf_counter()» - start
""",
    ),
    # -- 403: dtypes
    "dtype": (
        "JIT403",
        "silently-wrong",
        "confirmed",
        """
def run():
    return jnp.zeros(3, dtype=«jnp.float64»)
""",
    ),
    "dtype_in_trace": (
        "JIT403",
        "silently-wrong",
        "confirmed",
        """
@jax.jit
def f(x):
    return x.astype(«"float64"»)
def run():
    f(jnp.ones(3))
""",
    ),
    "scalar": (
        "JIT403",
        "silently-wrong",
        "confirmed",
        """
def run():
    return «jnp.float64(0.1)»
""",
    ),
    "with_x64": (
        "JIT403",
        "silently-wrong",
        "refuted",
        """
jax.config.update("jax_enable_x64", True)
def run():
    return jnp.zeros(3, dtype=«jnp.float64»)
""",
    ),
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Mapping[str, Any]]:
    folder = tmp_path_factory.mktemp("host")
    reports = [
        made_up_report(folder, name, code, kind, HEADER + body.lstrip(), ("RuntimeError",), calls=1)
        for name, (code, kind, _, body) in CASES.items()
    ]
    plan = Plan(
        root=folder,
        files=[Path(item.filename) for item in reports],
        reports=reports,
        everything=reports,
        platforms=["cpu"],
    )
    return {item["fingerprint"]: item["verdicts"][0] for item in verify(plan).reports}


@pytest.mark.parametrize("name", CASES)
def test_verdict(verdicts: Mapping[str, Mapping[str, Any]], name: str) -> None:
    verdict = verdicts[name]
    assert verdict["verdict"] == CASES[name][2], verdict
    assert verdict["evidence"]["summary"]
    assert verdict["inputs"] == f"the main block of {name}.py"
