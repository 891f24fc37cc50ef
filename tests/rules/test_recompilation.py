"""The words of the rules on the compilation cache, for what the interpreter reports."""

from __future__ import annotations

from typing import Any

import pytest

from jitlint.absint import events
from jitlint.diagnostics import Severity
from jitlint.rules.base import Finding
from jitlint.rules.registry import rules_for


def _finding(event_type: type[events.Event], operand: str, **fields: Any) -> Finding:
    event = event_type(place=None, function="f", chain=None, operand=operand, **fields)
    (finding,) = [f for rule in rules_for(event_type) if (f := rule.check(event)) is not None]
    return finding


def test_a_decorated_function_in_a_loop_is_named() -> None:
    made = {"callee": "jax.jit", "made": "nested function", "caller": None}
    message = _finding(events.JitInLoop, "step", **made).message
    assert message.startswith("The nested function `step` is compiled again in every turn")


def test_a_function_called_from_a_loop_is_named() -> None:
    made = {"callee": "jax.jit", "made": "bound method", "caller": "evaluate"}
    message = _finding(events.JitInLoop, "self.step", **made).message
    assert "the loop that calls `evaluate`: a bound method is a new object at every" in message


def test_a_loop_is_named_by_the_function_that_has_it() -> None:
    made = {"callee": "jax.jit", "made": "lambda", "caller": "fit", "around": "main"}
    message = _finding(events.JitInLoop, "lambda x: x", **made).message
    assert "in every turn of the loop in `main` that calls `fit`: a lambda" in message


@pytest.mark.parametrize(
    ("python_type", "phrase", "cure"),
    [
        ("list", "a `list` cannot", "Pass a tuple."),
        ("array", "an `array` cannot", "Do not make `axes` static"),
        ("NumPy array", "a NumPy array cannot", "Do not make `axes` static"),
        ("tuple that holds a list", "a tuple that holds a list cannot", "hashable too"),
        ("`Grid` dataclass with `eq` and no hash", "a `Grid` dataclass with", "frozen=True"),
        ("`Mode` with `__eq__` and no `__hash__`", "a `Mode` with `__eq__`", "a `__hash__`"),
    ],
)
def test_an_unhashable_type_and_its_cure(python_type: str, phrase: str, cure: str) -> None:
    fields = {"parameter": "axes", "python_type": python_type}
    message = _finding(events.UnhashableStaticArgument, "value", **fields).message
    assert phrase in message and cure in message and "``" not in message


def test_a_positional_only_parameter_has_no_name_for_jit() -> None:
    message = _finding(
        events.UnknownStaticArgument,
        '"turns"',
        option="static_argnames",
        wrong="'turns'",
        target="rotate",
        parameters=("image", "turns"),
    ).message
    assert message.endswith("Give its position instead: the parameter is positional-only.")


def test_a_position_beyond_the_parameters() -> None:
    message = _finding(
        events.UnknownStaticArgument,
        "2",
        option="static_argnums",
        wrong="2",
        target="rotate",
        parameters=("image", "turns"),
    ).message
    assert "`rotate` has no positional parameter 2" in message and "`image`, `turns`" in message


@pytest.mark.parametrize("certain", [True, False])
def test_a_string_for_an_array(certain: bool) -> None:
    finding = _finding(
        events.NonArrayArgument,
        '{"name": "first"}',
        certain=certain,
        parameter="tree",
        python_type="str",
        callee="combine",
    )
    # The operand holds the string; it is none itself.
    assert 'With `{"name": "first"}`, a `str` reaches the parameter `tree`' in finding.message
    assert finding.severity is (Severity.ERROR if certain else Severity.WARNING)
