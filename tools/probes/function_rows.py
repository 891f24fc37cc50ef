"""Rows of the function table, each from calls of one function.

A function is called first with constant operands, then with each argument traced alone; what raised
is what the row says.
"""

from __future__ import annotations

import importlib
import io
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from tools.probes import recipes
from tools.probes.documents import Row
from tools.probes.function_calls import (
    Subject,
    can_be_traced,
    compact_signature,
    sample_values,
)
from tools.probes.names import resolve

_LOGGER = logging.getLogger(__name__)

_TRACER_ERRORS: Final = frozenset(
    {
        "ConcretizationTypeError",
        "TracerArrayConversionError",
        "TracerBoolConversionError",
        "TracerIntegerConversionError",
        "NonConcreteBooleanIndexError",
    }
)
_MISSING: Final = object()

#: What is asked which arrays it surely makes.  Other functions of SciPy give arrays for some tables
#: and numbers for others.
_MAKERS: Final = ("numpy.", "scipy.linalg.", "scipy.fft.")


class Prober:
    """Makes rows by calling functions; every failure that is seen is logged."""

    def __init__(self) -> None:
        self.samples = sample_values()
        self.profiles = [self.value(text) for text in recipes.PROFILES]

    def value(self, text: str) -> Any:
        """Evaluate the text of a sample value."""
        return eval(text, dict(self.samples))  # our own data, never a user's

    def arguments(self, text: str) -> dict[str, Any]:
        """Evaluate the text of a recipe."""
        return dict(self.value(f"dict({text})"))

    def baselines(self, subject: Subject) -> Iterator[dict[str, Any]]:
        """Give the ways in which the function may be callable, best first."""
        recipe = recipes.RECIPES.get(subject.name)
        if recipe is None and subject.name.startswith("numpy"):
            twin = subject.name.replace("numpy", "jax.numpy", 1)
            recipe = recipes.RECIPES.get(twin)
            if recipe is not None and not all(
                name in subject.kinds for name in self.arguments(recipe)
            ):
                recipe = None
        if recipe is not None:
            yield self.arguments(recipe)
            return
        if subject.signature is None:
            for count in (1, 2, 3):
                for profile in self.profiles:
                    yield {f"operand{i}": profile for i in range(count)}
            return
        if not subject.required:
            # Some functions can be called with nothing but do their work on an optional operand.
            first = next(iter(subject.kinds), None)
            if first is not None and subject.kinds[first] == "var_positional":
                for profile in self.profiles:
                    yield {first: (profile,)}
            elif first in {"x", "a", "arr", "operand", "self", "loc", "low"}:
                for profile in self.profiles:
                    yield {first: profile}
            yield {}
            return
        for profile in self.profiles:
            baseline = {}
            for name in subject.required:
                texts = recipes.VALUES.get(name)
                known = texts is not None and not (
                    subject.name.startswith("jax.scipy") and name in {"n", "m", "k", "p", "N"}
                )
                value = self.value(texts[0]) if known and texts else profile
                if subject.kinds[name] == "var_positional" and not isinstance(value, tuple):
                    value = (value, value)
                baseline[name] = value
            yield baseline

    def variants(self, subject: Subject, name: str, baseline: Mapping[str, Any]) -> list[Any]:
        """Give the values with which a parameter is tried, the baseline's own first."""
        values = [baseline[name]] if name in baseline else []
        values += [self.value(text) for text in recipes.VALUES.get(name, ())]
        default = subject.defaults.get(name, _MISSING)
        if isinstance(default, bool):
            values += [default, not default]
        elif isinstance(default, (int, float)):
            values.append(default)
        return [value for value in values if can_be_traced(value)]

    def probe(self, subject: Subject) -> Row | None:
        """Make the row of one function, None when nothing could be found out."""
        baseline, dependence = self.find_baseline(subject)
        if baseline is None:
            return self.probe_blindly(subject) if subject.numpy_like else None
        row: Row = {}
        if subject.signature is not None:
            row["parameters"] = subject.signature
        operands = [name for name in baseline if can_be_traced(baseline[name])]
        static: dict[str, list[str]] = {}
        if dependence is None or "escapes" in dependence:
            static = self.find_static(subject, baseline, operands, dependence is not None, row)
        if dependence is not None:
            free = [name for name in operands if name not in static]
            named = dependence.get("escapes", "").split()
            bare = {name: value for name, value in baseline.items() if name not in named}
            deciding = [name for name in free if not subject.attempt_mapped(bare, name)]
            row["data_dependent"] = {"operand": " ".join(deciding or free), **dependence}
        for function, text, count in recipes.ARITIES:
            if function == subject.name:
                few = self.arguments(text)
                row["data_dependent"] = self.arity_dependence(subject, few, count)
                for name, value in recipes.ESCAPES:
                    if name in row["data_dependent"].get("escapes", "").split():
                        escaped = {**few, name: self.value(value)}
                        static[name] = self.failures_of(subject, escaped, name)
        returns = self.find_result(subject, baseline, operands, static, row)
        if subject.numpy_like:
            self.fill_numpy(row, static, operands, returns)
            if subject.name.startswith(_MAKERS):
                made = self.find_made(subject, baseline)
                if made is not None:
                    row["made"] = made
        else:
            self.fill_jax(row, static, baseline, returns)
        twin = subject.name.replace("numpy", "jax.numpy", 1) if subject.numpy_like else ""
        if row["returns"].startswith("arrays:") and ({subject.name, twin} & recipes.LENGTH_VARIES):
            row["returns"] = "array_list"
        row["returns"] = recipes.RETURNS.get(subject.name, row["returns"])
        return row

    def find_static(
        self,
        subject: Subject,
        baseline: Mapping[str, Any],
        operands: list[str],
        escaped: bool,
        row: Row,
    ) -> dict[str, list[str]]:
        """Trace each parameter alone, and give the exceptions of those that must be static.

        Args:
          subject: the function.
          baseline: arguments with which it can be called.
          operands: those that can be traced.
          escaped: one of them is what makes the shape of the result static.
          row: takes the operand, if any, on whose values the shape of the result depends.
        """
        static: dict[str, list[str]] = {}
        others = [
            name
            for name, kind in subject.kinds.items()
            if name not in operands
            and kind not in {"var_positional", "var_keyword"}
            and name not in recipes.NEVER_STATIC
        ]
        for name in [*operands, *others]:
            if name in recipes.POLYMORPHIC.get(subject.name, ()):
                continue
            failures = self.failures_of(subject, baseline, name)
            if not failures:
                continue
            escape = None
            if name in operands and not escaped and not subject.numpy_like:
                escape = self.escapes(subject, baseline, traced=name)
            if escape:
                row["data_dependent"] = {"operand": name, "exceptions": failures[0], **escape}
                if name == "repeats":
                    row["unless_given"] = {name: escape["escapes"].split()[0]}
            else:
                static[name] = failures
        return static

    def find_result(
        self,
        subject: Subject,
        baseline: Mapping[str, Any],
        operands: list[str],
        static: Mapping[str, Any],
        row: Row,
    ) -> str:
        """Give the kind of the result when all operands are traced that can be."""
        dependence = row.get("data_dependent", {"operand": ""})
        free = [name for name in operands if name not in static]
        if dependence.get("applies") != "any":
            free = [name for name in free if name not in dependence["operand"].split()]
        outcome = subject.attempt(baseline, free)
        if not outcome.works:
            _LOGGER.info("%s: all operands traced: %s", subject.name, outcome.message)
            return "unknown"
        if subject.numpy_like and outcome.returns == "static" and outcome.truth is not None:
            # Python's answer about a tracer should be the answer about its value.
            row["silently_wrong"] = outcome.truth != subject.attempt(baseline).truth
        return outcome.returns

    def find_made(self, subject: Subject, baseline: Mapping[str, Any]) -> str | None:
        """Say which arrays a function of NumPy makes for host code, None where that is not sure.

        Returns:
          ``array`` or ``arrays:N`` if it gives such with dimensions whatever it is given, ``rows``
          if it gives one where an operand has some.
        """
        made = _made(_attempted(subject, baseline))
        if made is None:
            return None
        bare = {
            name: value.flat[0].item() if isinstance(value, np.ndarray) else value
            for name, value in baseline.items()
        }
        if not any(isinstance(value, np.ndarray) for value in baseline.values()):
            return made
        given = _attempted(subject, bare)
        if given is None or _made(given) == made:
            return made
        return "rows" if made == "array" else None

    def find_baseline(self, subject: Subject) -> tuple[dict[str, Any] | None, Row | None]:
        """Find arguments with which the call succeeds in a trace when all are constants.

        Returns:
          The arguments, and what the shape of the result depends on when the call succeeds outside
          a trace but in one only with an escape, or not at all.
        """
        for baseline in self.baselines(subject):
            outcome = subject.attempt(baseline)
            if outcome.works:
                return baseline, None
            if (
                subject.numpy_like
                or outcome.exception not in _TRACER_ERRORS
                or not subject.attempt_outside(baseline)
            ):
                continue
            dependence: Row = {"applies": "any", "exceptions": outcome.exception}
            escape = self.escapes(subject, baseline)
            if escape is None:
                return baseline, dependence
            name, text = escape.pop("first")
            return {**baseline, name: self.value(text)}, {**dependence, **escape}
        return None, None

    def escapes(
        self, subject: Subject, baseline: Mapping[str, Any], traced: str | None = None
    ) -> Row | None:
        """Find the keywords that make the shape static.

        Args:
          subject: the function.
          baseline: its arguments without the keyword.
          traced: the one traced operand, None when the call fails even with constants.
        """
        found: dict[str, list[str]] = {}
        first: tuple[str, str] | None = None
        for name, text in recipes.ESCAPES:
            if name not in subject.kinds or name == traced or name in baseline:
                continue
            arguments = {**baseline, name: self.value(text)}
            if subject.attempt(arguments, [traced] if traced else []).works:
                found.setdefault(name, []).append(text.strip("'"))
                first = first or (name, text)
        if not found:
            return None
        row: Row = {"escapes": " ".join(found)}
        values = {
            name: " ".join(texts)
            for name, texts in found.items()
            if not all(text.isdigit() for text in texts)
        }
        if values:
            row["escape_values"] = values
        if traced is None:
            row["first"] = first
        return row

    def arity_dependence(self, subject: Subject, arguments: Mapping[str, Any], count: int) -> Row:
        """Probe the call with few operands, as in one-argument ``where``."""
        row: Row = {"when_arity": count, "operand": " ".join(arguments)}
        constant = subject.attempt(arguments)
        traced = subject.attempt(arguments, arguments)
        if not constant.works:
            row["applies"] = "any"
        row["exceptions"] = traced.exception
        escape = self.escapes(subject, arguments) or {}
        escape.pop("first", None)
        return {**row, **escape}

    def failures_of(self, subject: Subject, baseline: Mapping[str, Any], name: str) -> list[str]:
        """Give the exception classes seen when one parameter is traced.

        Empty when it works, cannot be tried, or works for at least one kind of value: then no
        claim about the parameter would hold for every call.
        """
        failures: list[str] = []
        for value in self.variants(subject, name, baseline):
            arguments = {**baseline, name: value}
            if (name not in baseline or value is not baseline[name]) and not subject.attempt(
                arguments
            ).works:
                continue
            outcome = subject.attempt(arguments, [name])
            if outcome.works or outcome.exception == "Exception":
                return []  # a bare Exception speaks of the harness, not of the parameter
            if outcome.exception not in failures:
                failures.append(outcome.exception)
                told = (subject.name, name, outcome.exception, outcome.message)
                _LOGGER.info("%s(%s): %s: %.90s", *told)
        return failures

    def fill_jax(
        self,
        row: Row,
        static: dict[str, list[str]],
        baseline: Mapping[str, Any],
        returns: str,
    ) -> None:
        """Store what failed for a function of JAX."""
        failing: dict[str, list[str]] = {}
        for name, exceptions in static.items():
            value = baseline.get(name)
            is_operand = name in {"self", "tree"} or (
                isinstance(value, np.ndarray) and value.dtype == np.float32
            )
            if is_operand and "data_dependent" not in row:
                failing[name] = exceptions
            else:
                row.setdefault("must_be_static", {})[name] = " ".join(exceptions)
        if failing:
            row["fails"] = " ".join(dict.fromkeys(e for es in failing.values() for e in es))
            row["fails_parameters"] = " ".join(failing)
        row["returns"] = returns

    def fill_numpy(
        self, row: Row, static: dict[str, list[str]], operands: list[str], returns: str
    ) -> None:
        """Store what failed for a function of NumPy or SciPy."""
        works = [name for name in operands if name not in static]
        if static:
            # Where every operand fails, how options fail adds nothing.
            decisive = [name for name in operands if name in static]
            shown = list(static) if works or not decisive else decisive
            row["fails"] = " ".join(dict.fromkeys(e for name in shown for e in static[name]))
            if works:
                row["fails_parameters"] = " ".join(static)
        if not works and static:
            returns = "unknown"
        elif returns == "tree" or returns.startswith("array"):
            row["dispatches"] = True
        row["returns"] = returns

    def probe_blindly(self, subject: Subject) -> Row | None:
        """Trace the operands of a function for which no working constants are known.

        Only the errors that come from tracers alone count here: any other error may be about the
        arguments.
        """
        for baseline in self.baselines(subject):
            outcome = subject.attempt(baseline, [n for n in baseline if can_be_traced(baseline[n])])
            if outcome.exception in _TRACER_ERRORS:
                row: Row = {"fails": outcome.exception, "returns": "unknown"}
                if subject.signature is not None:
                    row["parameters"] = subject.signature
                return row
        return None

    # --- Python's own functions -------------------------------------------------------------------

    def probe_expression(self, name: str, text: str, letters: str) -> Row:
        """Make the row of a Python function from one expression in ``x``."""
        root = name.split(".")[0]
        namespace = {**self.samples, "io": io, root: importlib.import_module(root)}
        exceptions: list[str] = []
        returns = "unknown"
        function = eval(f"lambda x: {text}", namespace)  # our own data, never a user's
        subject = Subject(name, function, "x")
        for letter in letters:
            outcome = subject.attempt({"x": self.samples[letter]}, ["x"])
            if outcome.works:
                returns = outcome.returns
                exceptions = []
                break
            if outcome.exception not in exceptions:
                exceptions.append(outcome.exception)
        row: Row = {"returns": recipes.PYTHON_RETURNS.get(name, returns)}
        signature = None
        if "(" not in name:
            # A method's row has its parameters without self.
            function = resolve(name)
            is_method = isinstance(resolve(name.rpartition(".")[0]), type)
            # A class method comes with its class.
            bound = isinstance(getattr(function, "__self__", None), type)
            signature = compact_signature(function, drop_first=is_method and not bound)
        if signature is not None:
            row["parameters"] = signature
        if exceptions:
            row["fails"] = " ".join(exceptions)
            row["returns"] = "unknown"
        return row

    def probe_scalar_function(self, name: str, function: Callable[..., Any]) -> Row | None:
        """Make the row of a function of numbers, as in math, cmath and operator."""
        for count in (1, 2, 3):
            for letter in "XNV":
                arguments = {f"operand{i}": self.samples[letter] for i in range(count)}
                subject = Subject(name, function, None)
                if not subject.attempt(arguments).works:
                    continue
                exceptions: list[str] = []
                for other in dict.fromkeys((letter, "N", "V")):
                    arguments = {f"operand{i}": self.samples[other] for i in range(count)}
                    # A vector fails with or without a trace, but with an exception of its own.
                    if other != "V" and not subject.attempt(arguments).works:
                        continue
                    outcome = subject.attempt(arguments, arguments)
                    if outcome.works:
                        return {"returns": outcome.returns, **_signature_of(function)}
                    if outcome.exception not in exceptions:
                        exceptions.append(outcome.exception)
                return {
                    "fails": " ".join(exceptions),
                    "returns": "unknown",
                    **_signature_of(function),
                }
        return None


def _signature_of(function: Any) -> Row:
    signature = compact_signature(function)
    return {} if signature is None else {"parameters": signature}


def _attempted(subject: Subject, arguments: Mapping[str, Any]) -> Any:
    """What a call gives outside of every trace, None where it fails."""
    try:
        return subject.call(arguments)
    except Exception:  # whatever a library raises
        return None


def _made(result: Any) -> str | None:
    """Which NumPy arrays with dimensions a result is."""
    if isinstance(result, np.ndarray):
        return "array" if result.ndim and result.dtype != object else None
    if isinstance(result, tuple) and result:
        return f"arrays:{len(result)}" if all(_made(item) == "array" for item in result) else None
    return None
