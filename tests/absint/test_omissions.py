"""What is left out of traced code is told of, and budgets that run out leave the rest found."""

from __future__ import annotations

import pytest

from jitlint.absint.limits import Limits
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.analysis import coordinator
from jitlint.analysis.options import AnalysisOptions
from tests.linting import analysis


def _omitted(source: str) -> list[tuple[str, str]]:
    return [(item.reason, item.function) for item in analysis(source).omissions]


def _codes(source: str) -> list[str]:
    return [item.code for item in analysis(source).diagnostics]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return method(x)", "unknown-callee"),
        ("return scipy.fft.fftn(some.thing(x))", "unknown-callee"),
        ("return getattr(unlisted, method)(x)", "unknown-callee"),
        ("return unlisted.transform(x)", "unknown-library"),
        ("refuse(x)\n        return x", "no-return"),
    ],
)
def test_why(body, reason):
    source = f"""
    import unlisted

    def refuse(x):
        raise NotImplementedError

    def build(method):
        @jax.jit
        def step(x):
            {body.replace(chr(10), chr(10) + "    ")}
        return step
    """
    assert (reason, "build.step") in _omitted(source)


def test_code_outside_of_traces_is_none_of_our_business():
    assert _omitted("def run(method, x):\n    return method(x)\n\njax.jit(run)\n") == [
        ("unknown-callee", "run")
    ]
    assert _omitted("def run(method, x):\n    return method(x)\n") == []


def test_what_tests_replace_is_told_of():
    source = """
    from unittest.mock import patch

    def scale(x):
        return x * 2

    @jax.jit
    def step(x):
        return scale(x)

    @patch("lib.scale")
    def test_step(scale):
        step(1.0)
    """
    assert ("replaced", "step") in _omitted(source)


def test_static_parameters_that_are_not_known_are_told_of():
    source = """
    def build(settled):
        def step(x):
            return x if x > 0 else -x

        return jax.jit(step, static_argnums=settled)
    """
    assert _omitted(source) == [("static", "build")]
    assert _codes(source) == []


@pytest.mark.parametrize(
    "settled", ["list(range(1, 7))", "tuple(range(1, 7))", "[*range(1, 7)]", "range(1, 7)"]
)
def test_static_parameters_that_are_counted_are_known(settled):
    source = f"""
    def step(x, a, b, c, d, e, f):
        if a:
            return x
        return x if x > 0 else -x

    run = jax.jit(step, static_argnums={settled})
    """
    assert _omitted(source) == []
    assert _codes(source) == ["JIT101"]


def test_what_is_withheld_is_told_of():
    source = """
    import os

    if os.environ.get("FAST"):
        def scale(x):
            return x if x > 0 else -x
    else:
        def scale(x):
            return jnp.abs(x)

    @jax.jit
    def step(x):
        return scale(x)
    """
    assert _omitted(source) == [("alternatives", "scale")]
    assert _codes(source) == []
    agreeing = source.replace("return jnp.abs(x)", "return float(x)")
    assert sorted(_codes(agreeing)) == ["JIT101", "JIT105"]
    assert _omitted(agreeing) == []


def test_what_objects_of_frameworks_hold_is_told_of():
    source = """
    import equinox as eqx

    def grow(weight):
        if weight.sum() > 0:
            return weight * 2
        return weight

    @eqx.filter_jit
    def run(x):
        layer = eqx.nn.Linear(2, 2, key=jax.random.key(0))
        return eqx.tree_at(lambda node: node.weight, layer, replace_fn=grow)(x)
    """
    assert ("unknown-callee", "grow") in _omitted(source)


def test_exceptions_that_are_made_are_known():
    source = """
    @jax.jit
    def f(x):
        if x.ndim > 2:
            raise ValueError(f"{x.ndim}")
        return x
    """
    assert _omitted(source) == []


def test_a_long_chain_of_calls_is_followed():
    links = [f"def f{i}(x):\n    return f{i + 1}(x + {i})\n" for i in range(60)]
    links.append("def f60(x):\n    if x > 0:\n        return x\n    return -x\n")
    assert _codes("\n".join([*links, "step = jax.jit(f0)\n"])) == ["JIT101"]


def test_an_endless_chain_of_calls_is_told_of():
    links = [f"def f{i}(x):\n    return f{i + 1}(x + {i})\n" for i in range(100)]
    source = "\n".join([*links, "def f100(x):\n    return x\n", "step = jax.jit(f0)\n"])
    assert [reason for reason, _ in _omitted(source)] == ["depth"]


def test_a_function_that_uses_up_its_steps_is_finished():
    """A loop of three unlike passes over 375 rows, and a fault behind it."""
    rows = "\n".join(
        f"            y{i + 1} = jnp.sin(x * {i} + size) + y{i} * 2" for i in range(375)
    )
    source = f"""
    @jax.jit
    def step(x):
        y0 = x
        for size in (1, 2.5, x):
{rows}
        if y375 > 0:
            return helper(y375)
        return y375

    def helper(y):
        return y
    """
    found = analysis(source, AnalysisOptions(budget_scale=0.25))
    assert [item.code for item in found.diagnostics] == ["JIT101"]
    assert ("steps", "step") in {(item.reason, item.function) for item in found.omissions}
    assert not analysis(source, AnalysisOptions(budget_scale=4)).omissions


def test_a_function_of_a_module_that_is_no_definition_is_called_in_many_ways():
    calls = ", ".join(f"run(step, {n})" for n in range(10))
    source = f"""
    run = lambda f, n: f(jnp.ones(3), n)

    @jax.jit
    def step(x, n):
        if n > 3:
            return x
        return x * n

    def main():
        return [{calls}]
    """
    assert _codes(source) == ["JIT101"]


@pytest.mark.parametrize(
    "rest",
    [
        "if not is_traced(x, name):\n        y = float(x)\n    return y",
        "if is_traced(x, name):\n        return y\n    return float(x)",
        "if is_traced(x, name):\n        pass\n    elif x > 0:\n        y = -x\n    return y",
    ],
)
@pytest.mark.parametrize("calls", [3, 60])
def test_what_a_budget_costs_is_no_reason_for_a_report(rest, calls):
    lines = "\n".join(f'        x = guarded(x, "call {n}")' for n in range(calls))
    many = "\n".join(f"    found.append(name + '{n}')" for n in range(8))
    source = f"""
def is_traced(x, name):
    found = []
{many}
    return isinstance(x, jax.core.Tracer)

def guarded(x, name):
    y = x
    {rest}

@jax.jit
def step(x):
    if True:
{lines}
    return x

@jax.jit
def fails(x):
    return float(x)
"""
    found = analysis(source)
    assert [item.code for item in found.diagnostics] == ["JIT105"]
    assert ("contexts" in {item.reason for item in found.omissions}) == (calls > 20)


def test_what_a_function_makes_for_itself_is_followed_as_often_as_that():
    count = 40
    steps = "\n".join(f"def step_{n}(x):\n    return x if x > {n} else -x\n" for n in range(count))
    calls = "\n".join(f"    total += solve(step_{n}, x, 'step {n}')" for n in range(count))
    more = "\n".join(f"        found['more {n}'] = name" for n in range(8))
    source = f"""
def solve(step, x, name):
    def started(state):
        found = dict(state)
        found["name"] = name
{more}
        value = found["x"]
        return value, found

    value, _ = started({{"x": x, "name": None}})
    return step(value)

{steps}

@jax.jit
def main(x):
    total = 0.0
{calls}
    return total
"""
    assert _codes(source) == ["JIT101"] * count


def test_the_statements_of_a_script_share_their_steps(monkeypatch):
    """A script that computes outside of jit ends; what it jits is found all the same."""
    spent = []
    begin = Interpreter.begin_steps

    def watched(it, most=None):
        spent.append(it.steps)
        begin(it, most)

    monkeypatch.setattr(Interpreter, "begin_steps", watched)
    # A quarter of what there is.
    few = Limits(steps_per_root=5_000, module_steps=15_000, last_steps=9_000)
    monkeypatch.setattr(coordinator, "Limits", lambda: few)
    parts = "".join(
        f"def part{n}(x, tag):\n"
        + f"    x = (x + {n}) * (x - {n}) / (x + 1)\n" * 10
        + "    return x\n\n"
        for n in range(40)
    )
    sums = "".join(
        "    x = " + " + ".join(f"part{n}(x, tag)" for n in range(first, first + 4)) + "\n"
        for first in range(0, 40, 4)
    )
    calls = "\n".join(f"total = work(total, 'run {n}')" for n in range(15))
    source = f"""
import jax
import jax.numpy as jnp

{parts}

def work(x, tag):
{sums}
    return jnp.sum(x)

total = 1.0
{calls}

@jax.jit
def sign(x):
    return 1 if x > 0 else -1

sign(total)
"""
    assert _codes(source) == ["JIT101"]
    # All of them, one by one, would take over 67,000.
    assert 15_000 < sum(spent) < 50_000
