"""False reports that are planted, as by a rule that says too much, are refuted by real calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Diagnostic
from jitlint.verify.plan import Plan
from jitlint.verify.session import verify_all
from tests.verify.made_up import report_at
from tools import score

pytestmark = pytest.mark.jax

#: conditions of which something else decides, or that only look at what is known while tracing
GUARDED = """\
import jax
import jax.numpy as jnp
import numpy as np

SCALES = np.array([1.0, 2.0])
CHECKS = {"finite": False}
DEBUG = False


@jax.jit
def checked(x):
    if DEBUG and x.sum() > 3:
        raise ValueError("too large")
    if CHECKS["finite"] and not jnp.isfinite(x).all():
        raise ValueError("not finite")
    return x


@jax.jit
def eager_only(x):
    if isinstance(x, jax.core.Tracer) or x.sum() > 0:
        return x
    return -x


@jax.jit
def sized(x):
    largest = np.max(x.shape)
    return x * np.sum(SCALES) / largest if x.ndim > 0 else x


def slope(x):
    return checked(x) * np.prod(SCALES) if len(SCALES) == 2 or x > 0 else x


__jitlint_cases__ = [
    lambda: checked(jnp.ones(3)),
    lambda: eager_only(jnp.ones(3)),
    lambda: sized(jnp.ones(3)),
    lambda: jax.jit(jax.grad(slope))(1.0),
]
"""

_TRACER = ("TracerBoolConversionError",)
_FIXTURES = (
    "JIT101_branch_on_traced_value/shape_choices.py",
    "JIT104_boolean_operator_on_traced_value/option_defaults.py",
    "JIT106_numpy_call_on_traced_value/static_tables.py",
)


def _planted(path: Path) -> Iterator[Diagnostic]:
    """A report on what a traced function holds: conditions, their operands, calls of NumPy."""
    found = analyze(root=path.parent, targets=[path], options=AnalysisOptions(listing=True))
    traced = {one.row for one in found.traced}
    for function in ast.walk(ast.parse(path.read_text())):
        if not isinstance(function, ast.FunctionDef):
            continue
        rows = {function.lineno, *(one.lineno for one in function.decorator_list)}
        for node in ast.walk(function) if rows & traced else ():
            if isinstance(node, ast.If | ast.IfExp):
                yield report_at(path, node.test, "JIT101", function.name, _TRACER)
            elif isinstance(node, ast.BoolOp):
                for operand in node.values:
                    yield report_at(path, operand, "JIT104", function.name, _TRACER)
            elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith("np."):
                raised = ("TracerArrayConversionError",)
                yield report_at(path, node, "JIT106", function.name, raised)


def _verdicts(path: Path, cases: Path | None) -> list[tuple[str, str]]:
    reports = [*_planted(path)]
    plan = Plan(
        root=path.parent,
        files=[path],
        reports=reports,
        everything=reports,
        platforms=["cpu"],
        cases=cases,
        seconds=30.0,
    )
    found = verify_all([plan]).reports
    return [(f"{r['code']} {r['location']['row']}", r["verdicts"][0]["verdict"]) for r in found]


def test_guarded_and_short_circuited_conditions_are_refuted(tmp_path: Path) -> None:
    path = tmp_path / "guarded.py"
    path.write_text(GUARDED)
    verdicts = _verdicts(path, None)
    assert len(verdicts) > 10
    assert {verdict for _, verdict in verdicts} == {"refuted"}, verdicts


@pytest.mark.slow
@pytest.mark.parametrize("name", _FIXTURES)
def test_planted_reports_of_innocent_code_are_refuted(name: str, tmp_path: Path) -> None:
    source = score.FIXTURES / name
    path = tmp_path / source.name
    path.write_text(source.read_text())
    verdicts = _verdicts(path, score.fixture_cases(source))
    refuted = [one for one in verdicts if one[1] == "refuted"]
    assert not [one for one in verdicts if one[1] == "confirmed"], verdicts
    # What is left also runs outside of a trace, which says nothing of one.
    left = [one for one in verdicts if one not in refuted]
    assert len(refuted) >= 0.8 * len(verdicts), left
