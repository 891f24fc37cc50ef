"""Places that made-up calls reach, in code that needs more than arrays before it can be called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.verify.plan import Plan
from jitlint.verify.session import verify

MODULES = {
    "a guard on what a module holds": """
import contextlib

import jax

_frames = []


@contextlib.contextmanager
def frame(name):
    _frames.append(name)
    try:
        yield
    finally:
        _frames.pop()


@jax.jit
def run(x):
    if not _frames:
        raise RuntimeError("no frame is open")
    if x.sum() > 0:  # here
        return x
    return -x
""",
    "a name that a table lacks": """
import jax
import jax.numpy as jnp

_METHODS = {"sum": jnp.sum}


def register(name, function):
    _METHODS[name] = function


def method(name):
    if name not in _METHODS:
        raise ValueError(name)
    return _METHODS[name]


@jax.jit
def run(x):
    low = method("lowest")(x)
    if x.sum() > 0:  # here
        return x - low
    return -x
""",
    "a method that subclasses fill in": """
from abc import ABC, abstractmethod

import jax
import jax.numpy as jnp


class Environment(ABC):
    @abstractmethod
    def advance(self, state): ...


class Walk(Environment):
    def advance(self, state):
        if jnp.abs(state).max() > 3:  # here
            return jnp.zeros_like(state)
        return state + 1


def rollout(env: Environment, start):
    return jax.lax.scan(lambda s, _: (env.advance(s), None), start, None, length=3)[0]
""",
    "arguments without names": """
import jax


def launch(*arguments, **options):
    if not arguments or not options:
        raise SystemExit("usage")

    @jax.jit
    def step(x):
        if x.sum() > options["limit"]:  # here
            return x
        return -x

    return step(arguments[0])
""",
    "the state of an optimiser": """
import jax
import optax


def warm_up(count):
    if count < 10:  # here
        return 0.1 * count
    return 1.0


OPTIMISER = optax.chain(optax.scale_by_adam(), optax.scale_by_schedule(warm_up))


@jax.jit
def step(params, state, grads):
    return OPTIMISER.update(grads, state, params)
""",
    "fields whose annotations are types": """
import jax


class Settings:
    limit: float

    def __init_subclass__(cls):
        for name, kind in cls.__annotations__.items():
            setattr(cls, name, kind(1))


class Strict(Settings):
    limit: float


@jax.jit
def run(x):
    return x if x.sum() > Strict.limit else -x  # here
""",
    "what is refused where it is defined": """
import jax


def filtered(signal, taps):  # here
    return signal * taps.reshape(-1)


fast = jax.jit(filtered, static_argnames="taps")
""",
    "a derivative by hand": """
import jax
import jax.numpy as jnp


@jax.custom_gradient
def clipped(x):
    def rule(g):
        if g > 1.0:  # here
            return (jnp.ones_like(g),)
        return (g,)

    return x, rule
""",
    "a cache that an earlier call has filled": """
import functools

import jax
import jax.numpy as jnp


@functools.lru_cache
def taps(order):
    return jnp.ones(order) / order  # here


def plain(x):
    return jnp.convolve(x, taps(2))


smooth = jax.jit(plain)
""",
    "shapes of which another place has compiled one": """
import jax
import numpy as np


@jax.jit
def total(rows):
    return rows.sum()


def train():
    rows = np.ones((18, 3))
    for start in range(0, 18, 4):
        total(rows[start : start + 4])
    for part in np.array_split(rows, 5):
        total(part)  # here
""",
    "a namespace": """
import jax


class Monitor:
    best = None


MONITOR = Monitor()


@jax.jit
def watched(x):
    vars(MONITOR)["best"] = x.max()  # here
    return x
""",
    "a function that only a registry reaches": """
import functools

import jax

RULES = {}


def rule(name):
    def decorate(function):
        RULES[name] = function
        return function

    return decorate


@rule("whole")
def whole(x):
    return x.sum()


@rule("half")
def half(x):
    return x.sum() / 2 if x.sum() > 0 else x.sum()  # here


@functools.partial(jax.jit, static_argnames="name")
def score(x, name):
    return RULES[name](x)
""",
    "what must be awaited": """
import asyncio

import jax


async def answer(x):
    @jax.jit
    def respond(x):
        return x if x > 0 else -x  # here

    await asyncio.sleep(0)
    return respond(x)
""",
    "a rule that another name for the gradient runs": """
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def limited(limit, x):
    return jnp.clip(x, -limit, limit)


def _forward(limit, x):
    return limited(limit, x), x


def _backward(limit, x, g):
    if g.sum() > 0:  # here
        g = g / 2
    return (jnp.where(jnp.abs(x) < limit, g, 0.0),)


limited.defvjp(_forward, _backward)


def total(x):
    return limited(2, x).sum()


slope = jax.jit(jax.grad(total))
""",
    "parameters that Haiku makes": """
import haiku as hk
import jax


def network(x):
    hidden = hk.Linear(4)(x)
    return hidden if hidden.min() > 0 else -hidden  # here


NETWORK = hk.without_apply_rng(hk.transform(network))


@jax.jit
def run(params, x):
    return NETWORK.apply(params, x)
""",
    "streams of keys for a module of NNX": """
from flax import nnx


class Counter(nnx.Module):
    def __init__(self, width: int, *, rngs: nnx.Rngs):
        self.layer = nnx.Linear(width, width, rngs=rngs)

    def __call__(self, x):
        x = self.layer(x)
        return x if x.sum() > 0 else -x  # here


@nnx.jit
def run(width, rngs, x):
    return Counter(2, rngs=rngs)(x)
""",
    "words of a text": """
import jax
import jax.numpy as jnp

LEXICON = "the cat sat on the mat"


@jax.jit
def embedded(numbers):
    return numbers * 2.0 if numbers.sum() > 0 else numbers  # here


def read(line):
    words = line.lower().split()
    return embedded(jnp.asarray([len(word) for word in words], jnp.float32))
""",
    "a single value that an object holds": """
import jax
import jax.numpy as jnp


class Archive:
    def __init__(self, floor):
        self.floor = floor
        self.insert = jax.jit(self._insert)

    def _insert(self, cells, fitness):
        best = max(self.floor, fitness)  # here
        return cells + best
""",
    "one function of several that a model is": """
from functools import partial

import jax


class Fitting:
    def __init__(self, model):
        self.model = model

    @partial(jax.jit, static_argnums=0)
    def rollout(self, state, inputs):
        state, outputs = jax.lax.scan(self.model, state, inputs)
        return state if outputs[-1] > 1.0 else outputs  # here
""",
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("project").resolve()
    (folder / "pyproject.toml").touch()
    names = {f"module_{number}": title for number, title in enumerate(MODULES)}
    for name, title in names.items():
        (folder / f"{name}.py").write_text(MODULES[title])
    files = sorted(folder.glob("*.py"))
    found = analyze(root=folder, targets=[folder], options=AnalysisOptions(listing=True))
    wanted = [
        report
        for report in found.diagnostics
        if "# here" in Path(report.filename).read_text().splitlines()[report.location.row - 1]
    ]
    plan = Plan(
        root=folder,
        files=files,
        reports=wanted,
        everything=found.diagnostics,
        platforms=["cpu"],
        traced=found.traced,
        sketched=found.sketched,
    )
    outcome = verify(plan)
    assert outcome.failures == []
    return {names[Path(r["filename"]).stem]: r["verdicts"][0] for r in outcome.reports}


@pytest.mark.jax
@pytest.mark.slow
@pytest.mark.parametrize("title", MODULES)
def test_the_place_is_confirmed(verdicts: dict[str, Any], title: str) -> None:
    verdict = verdicts[title]
    assert verdict["verdict"] == "confirmed", verdict
    assert verdict["evidence"]["by"] == "a made-up call"
