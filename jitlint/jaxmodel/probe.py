"""Regenerate ``data/functions.json`` by running the installed JAX.

Run as ``python -m jitlint.jaxmodel.probe [--check | --write] [--only PREFIX]``.  Every public
function of the covered modules is called inside a trace, first with constant operands, then with
each argument traced alone; what raised is what the table says.  Nothing is compiled: the calls are
only traced.  A function that cannot be called keeps its stored row, marked as documentation.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import io
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jitlint.jaxmodel import recipes
from jitlint.jaxmodel.functions import DATA_FILE, JAX_ERRORS, parse_signature

Row = dict[str, Any]

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


# --- samples and outcomes -------------------------------------------------------------------------


def sample_values() -> dict[str, Any]:
    """Make the values that recipes speak of; see ``jitlint.jaxmodel.recipes``."""
    import math

    import jax
    import jax.numpy as jnp
    import numpy as np

    vector = np.array([0.1, 0.2, 0.3, 0.4], dtype=np.float32)
    return {
        "V": vector,
        "M": np.arange(1, 13, dtype=np.float32).reshape(3, 4) / 13,
        "S": (np.eye(3) * 2 + 0.5).astype(np.float32),
        "T": np.arange(1, 25, dtype=np.float32).reshape(2, 3, 4) / 25,
        "Q": np.ones((1, 2, 4, 4), dtype=np.float32),
        "I": np.array([0, 1, 1, 3], dtype=np.int32),
        "B": np.array([True, False, True, True]),
        "X": 0.5,
        "N": 2,
        "C": np.array([1 + 1j, 2, 3, 4], dtype=np.complex64),
        "KEY": jax.random.key(0),
        "np": np,
        "jnp": jnp,
        "lax": jax.lax,
        "jax": jax,
        "math": math,
    }


@dataclass(frozen=True)
class Outcome:
    """What one traced call did.

    Args:
      exception: the public class name of what was raised, empty when the call succeeded.
      message: first line of the exception's text.
      returns: kind of the result, in the words of ``FunctionFact.returns``.
      truth: the result itself when it is a boolean.
    """

    exception: str = ""
    message: str = ""
    returns: str = "unknown"
    truth: bool | None = None

    @property
    def works(self) -> bool:
        """Whether the call succeeded."""
        return not self.exception


def public_exception(error: BaseException) -> str:
    """Name the nearest public class of an exception: one of jax.errors or a builtin."""
    for cls in type(error).__mro__:
        if cls.__name__ in JAX_ERRORS and cls.__module__.startswith("jax"):
            return cls.__name__
        if cls.__module__ == "builtins":
            return cls.__name__
    return "Exception"


def classify(result: Any) -> str:
    """Give the kind of a result, in the words of ``FunctionFact.returns``."""
    import jax

    if isinstance(result, jax.core.Tracer):
        return "array"
    if result is None:
        return "none"
    if isinstance(result, (tuple, list)) and result:
        if all(isinstance(item, jax.core.Tracer) for item in result):
            return f"arrays:{len(result)}"
    elif callable(result) and not isinstance(result, type):
        return "callable"
    leaves = jax.tree.leaves(result)
    return "tree" if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves) else "static"


def can_be_traced(value: Any) -> bool:
    """Tell whether a sample could arrive as a traced value: numbers, arrays, nests of them."""
    import jax
    import numpy as np

    leaves = jax.tree.leaves(value, is_leaf=lambda leaf: leaf is None)
    return bool(leaves) and all(
        isinstance(leaf, (bool, int, float, complex, np.ndarray, np.generic, jax.Array))
        for leaf in leaves
    )


# --- calls ----------------------------------------------------------------------------------------


@dataclass
class Subject:
    """A function under probe.

    Args:
      name: its qualified name.
      function: the object itself.
      signature: compact signature as the table stores it, None when Python cannot tell.
      numpy_like: True for NumPy and SciPy, which are not expected to accept tracers.
    """

    name: str
    function: Callable[..., Any]
    signature: str | None
    numpy_like: bool = False
    kinds: dict[str, str] = field(init=False)
    defaults: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        parameters = () if self.signature is None else parse_signature(self.signature)
        self.kinds = {parameter.name: parameter.kind for parameter in parameters}
        self.required = [
            parameter.name
            for parameter in parameters
            if not parameter.has_default and parameter.kind != "var_keyword"
        ]
        self.defaults = {}
        if self.signature is not None:
            for parameter in inspect.signature(self.function).parameters.values():
                if parameter.default is not inspect.Parameter.empty:
                    self.defaults[parameter.name] = parameter.default

    def call(self, arguments: Mapping[str, Any]) -> Any:
        """Call the function with arguments given by parameter name."""
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        complete = True  # no positional parameter was left out so far
        for name, kind in self.kinds.items():
            if name not in arguments:
                complete = complete and kind == "var_positional"
                continue
            value = arguments[name]
            if kind == "var_positional":
                positional.extend(value)
            elif kind == "positional" or (kind == "either" and complete):
                positional.append(value)
            elif kind == "var_keyword":
                keywords.update(value)
            else:
                keywords[name] = value
        if not self.kinds:
            positional = list(arguments.values())
        return self.function(*positional, **keywords)

    def attempt(self, arguments: Mapping[str, Any], traced: Iterable[str] = ()) -> Outcome:
        """Call the function inside a trace.

        Args:
          arguments: every argument by parameter name.
          traced: the parameters whose values arrive as tracers; the others are constants.
        """
        import jax

        names = [name for name in traced if name in arguments]
        outcome: list[Outcome] = []

        def body(values: dict[str, Any]) -> None:
            result = self.call({**arguments, **values})
            truth = bool(result) if type(result).__name__ in {"bool", "bool_"} else None
            seen = Outcome(returns=classify(result), truth=truth)
            outcome.append(seen)

        program: Callable[..., Any] = body
        if "axis_name" in arguments:
            program = jax.vmap(body, in_axes=None, axis_name=arguments["axis_name"], axis_size=2)
        try:
            jax.make_jaxpr(program)({name: arguments[name] for name in names})
        except Exception as error:  # whatever a library raises is the measurement
            if outcome:  # the call itself succeeded; the harness around it objected
                return outcome[0]
            text = str(error).strip().splitlines()
            return Outcome(public_exception(error), text[0] if text else "")
        return outcome[0] if outcome else Outcome("Exception", "nothing was called")

    def attempt_outside(self, arguments: Mapping[str, Any]) -> bool:
        """Tell whether the call succeeds outside any trace."""
        if "axis_name" in arguments:
            return False
        try:
            self.call(arguments)
        except Exception:  # any failure means that this is no way to call it
            return False
        return True


def compact_signature(function: Any, drop_first: bool = False) -> str | None:
    """Write a signature in the form that ``parse_signature`` reads, None when there is none."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    kinds = inspect.Parameter
    tokens: list[str] = []
    if parameters and parameters[0].name == "args" and hasattr(function, "nin"):
        # A ufunc object of JAX: its own signature hides the operands behind *args.
        return " ".join(["x", "y", "z"][: function.nin]) + " / out= where="
    positional_only = star = False
    for parameter in parameters[1:] if drop_first else parameters:
        if positional_only and parameter.kind is not kinds.POSITIONAL_ONLY:
            tokens.append("/")
            positional_only = False
        if parameter.kind is kinds.VAR_POSITIONAL:
            tokens.append(f"*{parameter.name}")
            star = True
            continue
        if parameter.kind is kinds.VAR_KEYWORD:
            tokens.append(f"**{parameter.name}")
            continue
        if parameter.kind is kinds.POSITIONAL_ONLY:
            positional_only = True
        if parameter.kind is kinds.KEYWORD_ONLY and not star:
            tokens.append("*")
            star = True
        has_default = parameter.default is not kinds.empty
        tokens.append(parameter.name + ("=" if has_default else ""))
    if positional_only:
        tokens.append("/")
    return " ".join(tokens)


# --- probing one function -------------------------------------------------------------------------


class Prober:
    """Makes rows by calling functions.

    Args:
      stored: the rows of the stored table, for what cannot be called.
    """

    def __init__(self, stored: Mapping[str, Row]) -> None:
        self.stored = stored
        self.samples = sample_values()
        self.profiles = [self.value(text) for text in recipes.PROFILES]
        self.notes: list[str] = []

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
        static: dict[str, list[str]] = {}
        operands = [name for name in baseline if can_be_traced(baseline[name])]
        others = [
            name
            for name, kind in subject.kinds.items()
            if name not in operands
            and kind not in {"var_positional", "var_keyword"}
            and name not in recipes.NEVER_STATIC
        ]
        if dependence is not None and "escapes" not in dependence:
            others = []  # nothing else can be tried on a call that never succeeds
        for name in [*operands, *others]:
            if name in recipes.POLYMORPHIC.get(subject.name, ()):
                continue
            if dependence is not None and "escapes" not in dependence:
                continue
            failures = self.failures_of(subject, baseline, name)
            if not failures:
                continue
            escape = None
            if dependence is None and name in operands and not subject.numpy_like:
                escape = self.escapes(subject, baseline, traced=name)
            if escape:
                row["data_dependent"] = {"operand": name, "exceptions": failures[0], **escape}
                if name in {"repeats"}:
                    row["unless_given"] = {name: escape["escapes"].split()[0]}
            else:
                static[name] = failures
        if dependence is not None:
            row["data_dependent"] = {
                "operand": " ".join(n for n in operands if n not in static),
                **dependence,
            }
        for function, text, count in recipes.ARITIES:
            if function == subject.name:
                few = self.arguments(text)
                row["data_dependent"] = self.arity_dependence(subject, few, count)
                for name, value in recipes.ESCAPES:
                    if name in row["data_dependent"].get("escapes", "").split():
                        escaped = {**few, name: self.value(value)}
                        static[name] = self.failures_of(subject, escaped, name)
        free = [name for name in operands if name not in static]
        if "data_dependent" in row and row["data_dependent"].get("applies") != "any":
            free = [n for n in free if n not in row["data_dependent"]["operand"].split()]
        outcome = subject.attempt(baseline, free)
        returns = outcome.returns if outcome.works else "unknown"
        if subject.numpy_like and returns == "static" and outcome.truth is not None:
            # Python's answer about a tracer should be the answer about its value.
            row["silently_wrong"] = outcome.truth != subject.attempt(baseline).truth
        if not outcome.works and dependence is None:
            self.notes.append(f"{subject.name}: all operands traced: {outcome.message}")
        if subject.numpy_like:
            self.fill_numpy(row, static, operands, returns)
        else:
            self.fill_jax(subject, row, static, baseline, returns)
        twin = subject.name.replace("numpy", "jax.numpy", 1) if subject.numpy_like else ""
        if row["returns"].startswith("arrays:") and ({subject.name, twin} & recipes.LENGTH_VARIES):
            row["returns"] = "array_list"
        row["returns"] = recipes.RETURNS.get(subject.name, row.get("returns", returns))
        return row

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
                self.notes.append(
                    f"{subject.name}({name}): {outcome.exception}: {outcome.message[:90]}"
                )
        return failures

    def fill_jax(
        self,
        subject: Subject,
        row: Row,
        static: dict[str, list[str]],
        baseline: Mapping[str, Any],
        returns: str,
    ) -> None:
        """Store what failed for a function of JAX."""
        import numpy as np

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


# --- the whole table ------------------------------------------------------------------------------


def resolve(qualified: str) -> Any:
    """Import what a dotted name means.

    Raises:
      AttributeError: when a part of the name does not exist.
      ImportError: when the root module cannot be imported.
    """
    parts = qualified.split(".")
    found: Any = importlib.import_module(parts[0])
    for index, part in enumerate(parts[1:], start=1):
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(".".join(parts[: index + 1]))
            except ImportError:
                raise AttributeError(qualified) from None
    return found


def public_names(module: Any) -> list[str]:
    """Give the public names of a module, sorted, without modules and what typing brings in."""
    names = []
    # SciPy's modules import much that is not theirs, and say what is.
    declared = module.__all__ if module.__name__.startswith("scipy") else dir(module)
    for name in sorted(set(declared)):
        if name.startswith("_") or name in {"annotations", "Any", "test"}:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(module, name, _MISSING)
        if value is _MISSING or inspect.ismodule(value):
            continue
        names.append(name)
    # The name that a function gives itself comes before its other names, so that it has the row.
    return sorted(
        names, key=lambda name: (getattr(getattr(module, name), "__name__", "") != name, name)
    )


class TableBuilder:
    """Collects the sections of the table.

    Args:
      stored: the stored document.
      only: prefix of the names to probe; all others keep their stored row.
    """

    def __init__(self, stored: Mapping[str, Any], only: str = "") -> None:
        self.stored = stored
        self.stored_rows: Mapping[str, Row] = stored.get("functions", {})
        self.only = only
        self.prober = Prober(self.stored_rows)
        self.rows: dict[str, Row] = {}
        self.aliases: dict[str, str] = {}
        self.constants: dict[str, str] = {}
        self.attributes: dict[str, str] = {}
        self.modules: set[str] = set(recipes.OTHER_MODULES)
        self.seen: dict[
            tuple[str, int], tuple[str, Any]
        ] = {}  # keeps the objects alive, so ids stay theirs

    def build(self) -> dict[str, Any]:
        """Probe everything and give the document."""
        import jax
        import numpy

        self.add_jax()
        self.add_array_members()
        self.add_python()
        self.add_numpy()
        versions = {
            "jax": jax.__version__,
            "numpy": numpy.__version__,
            "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        }
        try:
            import scipy  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            self.keep_rows("scipy.")
            self.modules.update(recipes.SCIPY_MODULES)
        else:
            versions["scipy"] = scipy.__version__
            self.add_scipy()
        if self.only:
            for name, row in self.stored_rows.items():
                self.rows.setdefault(name, row)
        return {
            "aliases": self.aliases,
            "attributes": self.attributes,
            "constants": self.constants,
            "functions": self.rows,
            "modules": sorted(self.modules),
            "versions": versions,
        }

    def keep_rows(self, prefix: str) -> None:
        """Take the stored rows of a library that is not installed."""
        sections: list[tuple[str, dict[str, Any]]] = [
            ("functions", self.rows),
            ("aliases", self.aliases),
            ("constants", self.constants),
        ]
        for title, section in sections:
            kept: Mapping[str, Any] = self.stored.get(title, {})
            section.update({name: row for name, row in kept.items() if name.startswith(prefix)})

    def store(self, name: str, row: Row | None) -> None:
        """Store a probed row, or the stored one as documentation when nothing was found out."""
        if row is None:
            kept = self.stored_rows.get(name)
            if kept is None:
                return
            row = {**kept, "evidence": "doc"}
            if name in recipes.RETURNS:
                row["returns"] = recipes.RETURNS[name]
        elif "documented_static" in self.stored_rows.get(name, {}):
            documented = [
                parameter
                for parameter in self.stored_rows[name]["documented_static"].split()
                if parameter not in row.get("must_be_static", {})
            ]
            if documented:
                row["documented_static"] = " ".join(documented)
        self.rows[name] = {
            key: value
            for key, value in row.items()
            if value not in ("", {}, None, False) or key == "parameters"
        }
        if self.rows[name].get("returns") == "array":
            del self.rows[name]["returns"]  # the loader's default

    def wanted(self, name: str) -> bool:
        """Tell whether a name is to be probed in this run."""
        return name.startswith(self.only)

    def add_object(self, name: str, value: Any, numpy_like: bool, classes: bool = False) -> None:
        """Add one public object of a module: as constant, alias or row."""
        import numpy

        if name in recipes.SKIPPED:
            self.store(name, None)
            return
        if name.startswith("jax.lax.") and name.endswith("_p"):
            return  # a primitive, which user programs do not call
        if getattr(type(value), "__module__", "") in {"typing", "types"} and hasattr(
            value, "__origin__"
        ):
            self.constants[name] = "type"
            return
        if value is None or isinstance(value, (bool, int, float, complex, str, tuple, list, dict)):
            self.constants[name] = "static"
            return
        if isinstance(value, numpy.dtype):
            self.constants[name] = "static"
            return
        if isinstance(value, type):
            if isinstance(getattr(value, "dtype", None), numpy.dtype):
                self.constants[name] = "dtype"  # jax.numpy.float32 and its like
            elif issubclass(value, numpy.generic):
                self.constants[name] = "dtype"
                if not numpy_like:
                    return  # an abstract class of scalars, such as jax.numpy.floating
            elif issubclass(value, BaseException) or not (classes or name in recipes.RECIPES):
                self.constants[name] = "type"
                self.store(name, None)
                return
        elif not callable(value):
            self.constants[name] = "static"
            return
        # NumPy's own functions that jax.numpy exports keep a row under each library's name.
        identity = (name.split(".", maxsplit=1)[0], id(value))
        twin = self.seen.get(identity)
        if twin is not None and not isinstance(value, type):
            self.aliases[name] = twin[0]
            return
        self.seen[identity] = (name, value)
        if not self.wanted(name):
            return
        signature = compact_signature(value)
        if self.constants.get(name) == "dtype" and not numpy_like:
            self.store(name, {"parameters": "x"})  # a scalar type called as a conversion
            return
        subject = Subject(name, value, signature, numpy_like)
        self.store(name, self.prober.probe(subject))

    def add_jax(self) -> None:
        """Add the functions of JAX."""
        for module_name in recipes.JAX_MODULES:
            try:
                module = resolve(module_name)
            except (AttributeError, ImportError):
                continue  # a module that this release of JAX does not have
            self.modules.add(module_name)
            for name in public_names(module):
                self.add_object(f"{module_name}.{name}", getattr(module, name), numpy_like=False)
        for name in sorted({*recipes.RECIPES, *recipes.RETURNS, *self.stored_rows}):
            if name.count(".") != 1 or not name.startswith("jax.") or name in self.rows:
                continue
            try:
                value = resolve(name)
            except AttributeError:
                continue
            self.add_object(name, value, numpy_like=False)

    def add_array_members(self) -> None:
        """Add the attributes and methods of a tracer."""
        import jax
        import jax.numpy as jnp

        concrete = jnp.ones((3, 4))
        members: dict[str, Any] = {}

        def body(tracer: Any) -> None:
            for name in sorted({n for n in dir(concrete) if not n.startswith("_")}):
                try:
                    members[name] = getattr(tracer, name)
                except Exception as error:  # whatever reading it raises is the measurement
                    members[name] = error
                if isinstance(members[name], jax.core.Tracer):
                    members[name] = "array"

        jax.make_jaxpr(body)(concrete)
        for name, value in members.items():
            if name == "at":
                self.attributes[name] = "at"
            elif isinstance(value, Exception) or (
                not isinstance(value, str) and callable(value) and not isinstance(value, type)
            ):
                self.add_array_member(name, concrete, value)
            else:
                self.attributes[name] = "array" if value == "array" else "static"
        self.add_array_member("__getitem__", concrete, None)
        for name in ("__array__", "__dlpack__"):
            self.add_array_member(name, concrete, None)
        for name in recipes.NUMPY_ONLY_ATTRIBUTES:
            self.attributes.setdefault(name, "missing AttributeError")
        for name in recipes.NUMPY_ONLY_METHODS:
            self.rows.setdefault(
                f"jax.Array.{name}", {"fails": "AttributeError", "returns": "unknown"}
            )

    def add_array_member(self, name: str, concrete: Any, value: Any) -> None:
        """Add a method, or an attribute that cannot be read from a tracer."""
        import jax.numpy as jnp

        try:
            method = getattr(concrete, name)
        except Exception:  # some attributes cannot be read from any array
            method = None
        if isinstance(value, Exception) and (method is None or not callable(method)):
            exception = public_exception(value)
            absent = exception in {"AttributeError", "NotImplementedError"}
            kind = "missing" if absent else "concretizes"
            self.attributes[name] = f"{kind} {exception}"
            return
        qualified = f"jax.Array.{name}"
        if not self.wanted(qualified):
            return
        signature = compact_signature(method)
        if isinstance(value, AttributeError):
            missing: Row = {"fails": "AttributeError", "returns": "unknown"}
            if signature is not None:
                missing["parameters"] = signature
            self.store(qualified, missing)
            return

        def called(self_: Any, *args: Any, **kwargs: Any) -> Any:
            return getattr(jnp.asarray(self_), name)(*args, **kwargs)

        parameters: list[inspect.Parameter] = []
        if signature is not None:
            parameters = list(inspect.signature(method).parameters.values())
        first = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        called.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [first, *parameters]
        )
        subject = Subject(qualified, called, compact_signature(called))
        row = self.prober.probe(subject)
        if row is not None:
            row.pop("fails_parameters", None)
            row.pop("parameters", None)
            if signature is not None:
                row["parameters"] = signature
            dependence = row.get("data_dependent")
            if dependence is not None and "escapes" not in dependence:
                del row["data_dependent"]  # .item(): it needs the value, not the shape
                row["fails"] = dependence["exceptions"]
                row["returns"] = "unknown"
        self.store(qualified, row)

    def add_python(self) -> None:
        """Add builtins and the standard library."""
        for name, (text, letters) in recipes.PYTHON_CALLS.items():
            if self.wanted(name):
                self.store(name, self.prober.probe_expression(name, text, letters))
            self.modules.add(name.split(".")[0])
        for module_name in ("math", "cmath", "operator"):
            self.modules.add(module_name)
            module = importlib.import_module(module_name)
            for name in public_names(module):
                qualified = f"{module_name}.{name}"
                value = getattr(module, name)
                if not callable(value):
                    self.constants[qualified] = "static"
                elif qualified not in recipes.PYTHON_CALLS and self.wanted(qualified):
                    self.store(qualified, self.prober.probe_scalar_function(qualified, value))

    def add_numpy(self) -> None:
        """Add the functions of NumPy."""
        for module_name in recipes.NUMPY_MODULES:
            module = resolve(module_name)
            self.modules.add(module_name)
            for name in public_names(module):
                value = getattr(module, name)
                qualified = f"{module_name}.{name}"
                if qualified in recipes.PYTHON_CALLS:
                    continue
                if isinstance(value, type) and name in {"ndarray", "generic", "dtype", "object_"}:
                    self.constants[qualified] = "type"
                    self.store(qualified, None)
                    continue
                self.add_object(qualified, value, numpy_like=True, classes=name in {"vectorize"})

    def add_scipy(self) -> None:
        """Add the functions of SciPy."""
        for module_name in recipes.SCIPY_MODULES:
            module = resolve(module_name)
            self.modules.add(module_name)
            for name in public_names(module):
                value = getattr(module, name)
                if module_name == "scipy.interpolate" or not isinstance(value, type):
                    self.add_object(f"{module_name}.{name}", value, numpy_like=True, classes=True)
        for distribution in recipes.SCIPY_DISTRIBUTIONS:
            for method in recipes.SCIPY_DISTRIBUTION_METHODS:
                name = f"scipy.stats.{distribution}.{method}"
                value = getattr(resolve(f"scipy.stats.{distribution}"), method, None)
                if value is not None and self.wanted(name):
                    self.store(name, self.prober.probe_blindly(Subject(name, value, None, True)))


def build_table(only: str = "") -> tuple[dict[str, Any], list[str]]:
    """Run the probe.

    Args:
      only: prefix of the names to probe; everything when empty.

    Returns:
      The document, and notes on what was seen, for a reader who wants to judge a row.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    # Some functions print when an option asks them to; the output here is the comparison.
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        builder = TableBuilder(stored_document(), only)
        return builder.build(), builder.prober.notes


def stored_document() -> dict[str, Any]:
    """Read the stored table, an empty document when there is none."""
    if not DATA_FILE.exists():
        return {}
    document: dict[str, Any] = json.loads(DATA_FILE.read_bytes())
    return document


def dumps(document: Mapping[str, Any]) -> str:
    """Write the document with one line a row, sorted, so that differences can be read."""
    sections = []
    for title in sorted(document):
        content = document[title]
        if isinstance(content, list):
            lines = ",\n".join(json.dumps(item) for item in content)
            sections.append(f'"{title}": [\n{lines}\n]')
        else:
            lines = ",\n".join(
                f"{json.dumps(key)}: {json.dumps(content[key], sort_keys=True)}"
                for key in sorted(content)
            )
            sections.append(f'"{title}": {{\n{lines}\n}}')
    return "{\n" + ",\n".join(sections) + "\n}\n"


def differences(stored: Mapping[str, Any], probed: Mapping[str, Any]) -> list[str]:
    """List the rows in which two documents differ, one line each.

    Builtins and the standard library count only when both were made under the same Python: their
    functions and signatures change with it.
    """
    lines: list[str] = []
    same_python = _version(stored, "python") == _version(probed, "python")
    for title in ("aliases", "attributes", "constants", "functions"):
        old, new = stored.get(title, {}), probed.get(title, {})
        for key in sorted({*old, *new}):
            if title != "attributes" and not same_python and _is_pythons_own(key):
                continue
            if key not in new:
                lines.append(f"{title}: {key}: gone (was {json.dumps(old[key], sort_keys=True)})")
            elif key not in old:
                lines.append(f"{title}: {key}: new {json.dumps(new[key], sort_keys=True)}")
            elif old[key] != new[key]:
                lines.append(f"{title}: {key}: {_changes(old[key], new[key])}")
    gone, new_modules = set(stored.get("modules", ())), set(probed.get("modules", ()))
    lines += [f"modules: {name}: gone" for name in sorted(gone - new_modules)]
    lines += [f"modules: {name}: new" for name in sorted(new_modules - gone)]
    return lines


def _version(document: Mapping[str, Any], name: str) -> str | None:
    version: str | None = document.get("versions", {}).get(name)
    return version


def _is_pythons_own(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] not in {"jax", "numpy", "scipy"}


def _changes(old: Any, new: Any) -> str:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return f"{old!r} -> {new!r}"
    return "; ".join(
        f"{key}: {old.get(key)!r} -> {new.get(key)!r}"
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key)
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and give the exit code: 1 when ``--check`` found differences."""
    parser = argparse.ArgumentParser(prog="python -m jitlint.jaxmodel.probe", description=__doc__)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--check", action="store_true", help="print what differs (the default)")
    group.add_argument("--write", action="store_true", help="rewrite the stored table")
    parser.add_argument("--only", default="", metavar="PREFIX", help="probe only these names")
    parser.add_argument("--notes", action="store_true", help="print every failure that was seen")
    options = parser.parse_args(arguments)
    document, notes = build_table(options.only)
    if options.notes:
        sys.stdout.writelines(f"{note}\n" for note in notes)
    found = differences(stored_document(), document)
    sys.stdout.writelines(f"{line}\n" for line in found)
    if options.write:
        DATA_FILE.write_text(dumps(document), encoding="utf-8")
        return 0
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
