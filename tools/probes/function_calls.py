"""Calls of library functions inside a trace: how they are made, and what comes of them.

Nothing is compiled: the calls are only traced.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jitlint.jaxmodel.functions import JAX_ERRORS, parse_signature
from tools.probes.names import spelled


def sample_values() -> dict[str, Any]:
    """Make the values that recipes speak of; see ``tools.probes.recipes``."""
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
    leaves = jax.tree.leaves(value, is_leaf=lambda leaf: leaf is None)
    return bool(leaves) and all(
        isinstance(leaf, (bool, int, float, complex, np.ndarray, np.generic, jax.Array))
        for leaf in leaves
    )


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
        """Call the function with arguments given by parameter name.

        It gets copies of the arrays: some functions change theirs, and the next one that is asked
        would be told something else.
        """
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        complete = True  # no positional parameter was left out so far
        for name, kind in self.kinds.items():
            if name not in arguments:
                complete = complete and kind == "var_positional"
                continue
            value = _copied(arguments[name])
            if kind == "var_positional":
                positional.extend(value)
            elif kind == "positional" or (kind == "either" and complete):
                positional.append(value)
            elif kind == "var_keyword":
                keywords.update(value)
            else:
                keywords[name] = value
        if not self.kinds:
            positional = [_copied(value) for value in arguments.values()]
        return self.function(*positional, **keywords)

    def attempt(self, arguments: Mapping[str, Any], traced: Iterable[str] = ()) -> Outcome:
        """Call the function inside a trace.

        Args:
          arguments: every argument by parameter name.
          traced: the parameters whose values arrive as tracers; the others are constants.
        """
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

    def attempt_mapped(self, arguments: Mapping[str, Any], name: str) -> bool:
        """Tell whether the call succeeds under ``vmap`` when one argument is mapped.

        The others keep their values there, as nothing is staged.
        """
        mapped = jax.tree.map(lambda leaf: jax.numpy.asarray(leaf)[None], arguments[name])

        def body(value: Any) -> Any:
            self.call({**arguments, name: value})
            return jax.numpy.zeros(())

        try:
            jax.vmap(body)(mapped)
        except Exception:  # any failure means that its values are needed
            return False
        return True


def compact_signature(function: Any, drop_first: bool = False) -> str | None:
    """Write a signature in the form that ``parse_signature`` reads, None when there is none."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    if parameters and parameters[0].name == "args" and hasattr(function, "nin"):
        # A ufunc object of JAX: its own signature hides the operands behind *args.
        return " ".join(["x", "y", "z"][: function.nin]) + " / out= where="
    return spelled(parameters[1:] if drop_first else parameters)


def _copied(value: Any) -> Any:
    """Give the value with copies of NumPy's arrays in it."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in {tuple, list}:
        return type(value)(map(_copied, value))
    return value
