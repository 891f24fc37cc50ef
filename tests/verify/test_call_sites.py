"""What calls in a module's text pass, evaluated without the call."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jitlint.verify.driving.calling.call_sites import CallSites
from tests.verify.made_up import verified

_TEXT = """\
import operator

RATES = {"slow": 1, "fast": 10}


def make_step(add, rate):
    def step(state, amount, *, twice=False):
        return add(state, rate * amount)

    return step


def first_state(width):
    return [0] * width


def scaled(values, factor):
    return [value * factor for value in values]


class Model:
    def __init__(self, width, key):
        self.width = width


def train(key, epochs=3, loader=None):
    step = make_step(operator.add, RATES["fast"])
    state, other = first_state(4), 1
    for amount in [5, 6]:
        state = step(state, amount, twice=True)
    for batch in loader:
        scaled(batch, epochs)
    return scaled([i for i in range(other)], epochs), Model(width=len(state), key=key)
"""


def _guess(name: str) -> Any:
    return {"key": "a key"}[name]


@pytest.fixture
def sites() -> tuple[CallSites, ModuleType]:
    module = ModuleType("trained")
    exec(_TEXT, vars(module))
    return CallSites(ast.parse(_TEXT), vars(module), _guess), module


def _names(function: Any) -> list[str]:
    code = (function.__init__ if isinstance(function, type) else function).__code__
    count = code.co_argcount + code.co_kwonlyargcount
    return [name for name in code.co_varnames[:count] if name != "self"]


def test_what_is_passed(sites: tuple[CallSites, ModuleType]) -> None:
    calls, module = sites

    def passed(function: Any) -> dict[str, Any]:
        return calls.passed(function, _names(function))

    assert passed(module.first_state) == {"width": 4}
    # The name of what a factory returns.
    made = passed(module.make_step)
    assert made["rate"] == 10
    assert made["add"] is module.operator.add
    inner = passed(module.make_step(**made))
    assert inner == {"state": [0, 0, 0, 0], "amount": 5, "twice": True}
    # What the first call does not tell, the second one may; a class is called like a function.
    assert passed(module.scaled) == {"factor": 3, "values": [0]}
    assert passed(module.Model) == {"width": 4, "key": "a key"}
    # Nobody says what a loader is.
    assert passed(module.train) == {}


def test_a_value_that_raises_or_never_comes_is_left_out() -> None:
    text = (
        "def forever():\n    while True:\n        pass\n"
        "def f(a, b, c):\n    return a\n"
        "def g():\n    f(1 / 0, 2, forever())\n"
    )
    module = ModuleType("endless")
    exec(text, vars(module))
    found = CallSites(ast.parse(text), vars(module), _guess).passed(module.f, ["a", "b", "c"])
    assert found == {"b": 2}


_PROGRAMS = {
    "optimizer": """\
import time

import jax
import jax.numpy as jnp
import optax


def init_params(key, width=4):
    return {"w": jax.random.normal(key, (width, 2)), "b": jnp.zeros(2)}


def make_step(optimizer):
    @jax.jit
    def step(params, opt_state, x):
        started = time.time()
        grads = jax.grad(lambda p: jnp.sum((x @ p["w"] + p["b"]) ** 2))(params)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, started

    return step


def train(key, batches):
    params = init_params(key)
    optimizer = optax.adam(0.1)
    step = make_step(optimizer)
    opt_state = optimizer.init(params)
    for x in batches:
        params, opt_state, _ = step(params, opt_state, x)
    return params
""",
    "changed": """\
from functools import partial

import jax


class Agent:
    def __init__(self, width):
        self.width = width
        self.epsilon = 1.0

    @partial(jax.jit, static_argnums=0)
    def explore(self, values):
        return values * self.epsilon

    def run(self, values, turns):
        for _ in range(turns):
            values = self.explore(values)
            self.epsilon = self.epsilon * 0.9
        return values
""",
    "constructor": """\
import jax


class Layer:
    def __init__(self, depth=3):
        self.depth = depth
        self.advance = jax.jit(self._step, static_argnums=(4,))

    def _step(self, state, forcing, count):
        return state + forcing * self.depth

    def run(self, state, forcing):
        return self.advance(state, forcing, 2)
""",
}


@pytest.mark.jax
@pytest.mark.parametrize(
    ("name", "code"), [("optimizer", "JIT207"), ("changed", "JIT311"), ("constructor", "JIT305")]
)
def test_it_is_confirmed(tmp_path: Path, name: str, code: str) -> None:
    path = tmp_path / f"{name}.py"
    path.write_text(_PROGRAMS[name])
    reports = verified(path)
    assert {report["code"] for report in reports} == {code}
    for report in reports:
        assert report["verdicts"][0]["verdict"] == "confirmed", report["verdicts"]
