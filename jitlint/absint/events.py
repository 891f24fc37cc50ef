"""Events: what the abstract interpreter saw happen, without an opinion.

An event is a semantic fact about one place of the program ("Python asked this traced value for a
bool, in an ``if``").  A rule decides whether that deserves a report and words it.  Events carry
everything a rule needs, so that no rule ever walks a tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Common part of every event.

    Args:
      place: an opaque handle of the node at fault; the engine turns it into rows and columns.
      function: qualified name of the function whose body was interpreted.
      chain: opaque steps from the transform to this place; located by the engine on demand.
      operand: the user's own source text of the value that is traced, on one line.
      certain: False when the value is traced only if a caller passes an argument that has a
        default, and no call is visible: such reports are warnings.
      exceptions: dotted names of the exception classes that can occur here; empty when nothing
        is raised.
    """

    place: Any
    function: str
    chain: Any
    operand: str
    certain: bool = True
    exceptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Event):
    """Python chose a branch by a traced value.

    ``construct`` is one of ``if``, ``elif``, ``conditional expression``, ``comprehension if``,
    ``match``.
    """

    construct: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop(Event):
    """A ``while`` asked a traced value whether to go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion(Event):
    """An ``assert`` asked a traced value for its truth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BooleanOperation(Event):
    """A boolean operator asked a traced operand for its truth.

    ``operator`` is ``and``, ``or``, ``not`` or ``chained comparison``.
    """

    operator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion(Event):
    """A traced value was converted to a Python scalar, list or formatted text.

    ``callee`` is what the user wrote: ``float``, ``int``, ``.item()``, ``math.sin``,
    ``format specification``, ``% formatting`` ...
    """

    callee: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumpyCall(Event):
    """NumPy or SciPy (or a NumPy array's own indexing) was given a traced value.

    ``callee`` is the function as the user would write it (``np.sin``) or a short description
    (``NumPy array index``); ``silent`` is True where nothing raises but the result is wrong
    (``np.array_equal``).
    """

    callee: str
    silent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonIndex(Event):
    """Python needed an integer index.

    ``construct`` is ``list index``, ``tuple index``, ``string index``, ``slice bound``, ``range``
    or ``sequence repetition``; ``of_array`` tells a slice of an array from one of a list.
    """

    construct: str
    of_array: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticParameter(Event):
    """A traced value reached a parameter that JAX needs at trace time.

    ``callee`` as the user would write it (``jnp.zeros``), ``parameter`` by its name (``shape``).
    """

    callee: str
    parameter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataDependentShape(Event):
    """The shape of a result would depend on traced values.

    ``callee`` as the user would write it, or ``boolean mask``; ``escape`` is the keyword that makes
    the shape static (``size=``), None where there is none.
    """

    callee: str
    escape: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinComparison(Event):
    """A builtin compared traced values.

    ``builtin`` is ``min``, ``max``, ``sorted``, ``any``, ``all``, ``in`` ...
    """

    builtin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hash(Event):
    """A traced value was hashed.

    ``construct`` is ``dict key``, ``set element``, ``hash()`` or ``argument of a cached function``.
    """

    construct: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeTest(Event):
    """A type test on a Python scalar that arrives as a tracer, so it silently fails.

    ``test`` is the whole test as written; ``python_type`` the type the user expects (``int``).
    """

    test: str
    python_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwallowedError(Event):
    """A ``try`` catches the error that tracing raises inside it.

    ``handler`` is the caught class as written (``Exception``, or empty for a bare except);
    ``inside`` names what would raise (``if``, ``float`` ...).
    """

    handler: str
    inside: str
