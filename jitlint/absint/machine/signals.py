"""What the machine tells those who watch it.

A signal says what happens in the interpreted program, and no more: whether that is worth an event
is for its observers to find out (:mod:`jitlint.absint.detectors`).  Nobody here knows them: a
detector registers itself with :func:`observes` when it is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.values.buffers import Buffers
from jitlint.absint.values.domain import Array, Function, Ref, Static, Transformed, Tree, Value
from jitlint.absint.values.heap import Slot
from jitlint.foundation.records import Record

if TYPE_CHECKING:
    from jitlint.absint.machine.arguments import Arguments
    from jitlint.absint.machine.interpreter import Interpreter


class Signal(Record):
    """Something happens at the current point of the program."""


_Kind = TypeVar("_Kind", bound=Signal)
_Observer = TypeVar("_Observer", bound=Callable[..., bool | None])

#: who is told of each kind of signal; true is returned where a tracer was found to stay behind
OBSERVERS: dict[type[Signal], list[Callable[[Interpreter, Any], bool | None]]] = {}


def observes(kind: type[Signal]) -> Callable[[_Observer], _Observer]:
    """Register who is told of a kind of signal."""

    def register(observer: _Observer) -> _Observer:
        OBSERVERS.setdefault(kind, []).append(observer)
        return observer

    return register


#: what detectors keep in the state of the program
SLOTS: list[type[Slot]] = []
_Kept = TypeVar("_Kept", bound=type[Slot])


def in_state(kind: _Kept) -> _Kept:
    """Register a class of slots: each state holds one, made without arguments at first."""
    SLOTS.append(kind)
    return kind


# -- changes: something that may be older than the code that runs is not what it was ---------------


class Change(Signal):
    """An object, a name or an attribute is changed."""


class ContentsChanged(Change):
    """A list, dict or set is changed.

    Args:
      ref: the container.
      value: what is put into it, None if nothing is.
      node: the code that does it.
      receiver: the container as the code writes it.
      action: what is done, in words of Python: ``.append()``, ``item assignment``, ``+=``.
    """

    ref: Ref
    value: Value | None
    node: cst.CSTNode
    receiver: cst.CSTNode | str
    action: str


class ArrayChanged(Change):
    """A NumPy array is changed in place; it has no identity here, the name that holds it has.

    Args:
      node: the code that does it.
      array: the array as the code writes it.
      action: what is done, in words of Python.
    """

    node: cst.CSTNode
    array: cst.CSTNode
    action: str = "item assignment"


class OuterNameBound(Change):
    """A ``nonlocal`` or ``global`` name is bound.

    Args:
      name: the name.
      env: the frame whose variable it is, None for a module's.
      value: what it is bound to.
      node: where that is written, None where it is not.
    """

    name: str
    env: int | None
    value: Value
    node: cst.CSTNode | None


class AttributeSet(Change):
    """An attribute of an object, class, module or function is set.

    Args:
      owner: whose attribute it is.
      value: what it is set to.
      node: the code that does it.
      name: the attribute, None if only the code tells.
    """

    owner: Value
    value: Value
    node: cst.CSTNode
    name: str | None = None


class AttributeLost(Change):
    """What an attribute of an object was set to is there no longer, or need not be.

    Args:
      owner: whose attribute it is.
      name: the attribute, None if it may be any.
    """

    owner: Ref
    name: str | None = None


class Advanced(Change):
    """An element, or all that are left, are taken from an iterator.

    Args:
      value: the iterator.
      source: that, as the code writes it.
      node: what does so: a call, or a loop.
    """

    value: Value
    source: cst.CSTNode
    node: cst.CSTNode


#: something that holds a value: a variable of a frame or module, an attribute, an entry; its kind,
#: what it belongs to and its name there
Cell = tuple[str, Any, str]


class CapturedRead(Signal):
    """A trace whose code does not run again reads what may be older than it.

    Args:
      cell: what it reads.
      value: its value.
      node: the code that does so.
    """

    cell: Cell
    value: Value
    node: cst.CSTNode


class CellChanged(Signal):
    """Something that may be older than the code that runs is given a value, None for a part."""

    cell: Cell
    node: cst.CSTNode
    value: Value | None


# -- calls ----------------------------------------------------------------------------------------


class FunctionCalled(Signal):
    """Host code calls a function of the project."""

    function: Function
    args: Arguments
    node: cst.CSTNode


class FunctionEntered(Signal):
    """A function of the project begins to run, in a trace or not, where functions are listed.

    Args:
      code: the function.
      arguments: its parameters, by name.
    """

    code: Code
    arguments: Mapping[str, Value]


class FunctionTraced(Signal):
    """A function of the project begins to run in a trace; a call that is recalled is none."""

    code: Code
    arguments: Mapping[str, Value]


class UnknownCalled(Signal):
    """Something is called of which nothing is known."""

    args: Arguments
    node: cst.CSTNode


class HostCalled(Signal):
    """A library function acts on the host, or gives what the host alone can say.

    Args:
      kind: in what way: see :mod:`jitlint.jaxmodel.effects`.
      args: what it is given.
      node: the call.
      mode: the position of the argument that says whether a file is written, if one does.
      name: its qualified name; empty for a method.
    """

    kind: str
    args: Arguments
    node: cst.CSTNode
    mode: int | None = None
    name: str = ""


class KeyMade(Signal):
    """A trace makes a random key of a constant."""

    node: cst.CSTNode


class NumbersDrawn(Signal):
    """Random numbers are drawn with a key.

    Args:
      key: the key, as far as it is known.
      node: the call.
    """

    key: Value
    node: cst.CSTNode


class CachedCalled(Signal):
    """A function is called whose body runs once for equal arguments."""

    callee: Code


class CacheEntered(Signal):
    """A function is asked for something that it keeps: it runs only if it never ran for the like.

    Args:
      function: the function.
      key: what it keeps its results by.
    """

    function: Function
    key: tuple[Value, ...]


class CacheLeft(Signal):
    """Such a function has given what it keeps; this says what :class:`CacheEntered` said."""

    function: Function
    key: tuple[Value, ...]


class ResultKept(Signal):
    """A function that keeps its results returns one.

    Args:
      value: the result.
      node: the expression that gives it.
    """

    value: Value
    node: cst.CSTNode


class TypeTestFailed(Signal):
    """A Python scalar would pass a type test, and the tracer that it became does not.

    Args:
      value: the tracer.
      node: the test.
      python_type: the type of the scalar.
    """

    value: Array
    node: cst.CSTNode
    python_type: str


class ArrayExpected(Signal):
    """A type test is written for arrays, and a tracer passes it.

    Args:
      node: the test.
    """

    node: cst.CSTNode


class AskedAsArray(Signal):
    """A tracer that a Python scalar became is asked for what only arrays have, such as its shape.

    Args:
      value: the tracer.
    """

    value: Array


class ValueRefused(Signal):
    """A traced value certainly raises here, and that is reported.

    Args:
      value: the value at fault.
    """

    value: Array | Tree


class ConstantStaged(Signal):
    """A trace that is compiled takes up an array that is no tracer, as a constant of its program.

    Args:
      value: the array, whose size is known.
      node: the operation.
    """

    value: Array | Static
    node: cst.CSTNode


class DtypeAsked(Signal):
    """JAX is asked for a dtype.

    Args:
      dtype: what is passed for it.
      node: where that stands.
      callee: what it is passed to; the call, or the function where that is the dtype itself.
    """

    dtype: Value
    node: cst.CSTNode
    callee: cst.CSTNode


class LoopLeft(Signal):
    """A loop over something has come to its end.

    Args:
      node: the loop, or the part of a comprehension that is one.
      iterable: what it went over.
      items: its elements, if all are known.
      worked: whether JAX was given operations in it.
    """

    node: cst.For | cst.CompFor
    iterable: Value
    items: Sequence[Value] | None
    worked: bool


class TraceLeft(Signal):
    """What a transform was applied to is left, by a return or else because every path raises.

    Args:
      transform: the qualified name of the transform.
      function: what it was applied to.
      result: what it returned, None if every path raises.
      node: the call that made the transform run it; what applied the transform where nothing does.
    """

    transform: str
    function: Value
    result: Value | None
    node: cst.CSTNode


class ResultDropped(Signal):
    """An expression stands as a statement."""

    node: cst.BaseExpression


# -- functions and what is made of them -----------------------------------------------------------


class Kept(Signal):
    """A value is stored where it outlives the iteration of a loop or the call that made it.

    ``holder`` is the object that has it as an attribute, None where something else holds it.
    """

    value: Value | None
    holder: Value | None = None


class Received(Signal):
    """A name of the current frame is bound to a value; the node is where that is written."""

    value: Value
    node: cst.CSTNode | None = None


class ArgumentRebuilt(Signal):
    """The containers in an argument are made anew for the trace that begins.

    Args:
      made: the argument as the trace has it.
      node: where it stands in the call.
    """

    made: Value
    node: cst.CSTNode


class ArraysRead(Signal):
    """Host code does something for which the arrays in some values must be there.

    Args:
      operands: these values, and where the code writes them.
      deep: whether arrays in containers are read, too.
    """

    operands: Sequence[tuple[Value, cst.CSTNode]]
    deep: bool


class BuffersDonated(Signal):
    """Host code has given arrays to a transformed function, which reused their memory.

    Args:
      buffers: where each of the arrays was.
      node: the call.
    """

    buffers: Sequence[Buffers]
    node: cst.CSTNode


class TransformApplied(Signal):
    """A transform is applied to a function.

    Args:
      made: what that gives.
      argument: the function as the code writes it, None under a decorator.
      node: the use of the transform.
      static: the parameters that it leaves as they are, as far as they are known.
    """

    made: Transformed
    argument: cst.CSTNode | None
    node: cst.CSTNode
    static: frozenset[str]


class ControlFlowCalled(Signal):
    """Host code calls control flow, which compiles the functions that it is given.

    Args:
      transform: its qualified name.
      functions: each with the code that gives it, None where that is not known.
      node: the call.
    """

    transform: str
    functions: tuple[tuple[Value, cst.CSTNode | None], ...]
    node: cst.CSTNode


class CacheCleared(Signal):
    """Host code clears what JAX has compiled.

    Args:
      function: the jitted function that forgets its programs, None if all do.
      node: the call.
    """

    function: Transformed | None
    node: cst.CSTNode


class TransformedCalled(Signal):
    """Host code calls what a transform made.

    Args:
      function: what is called.
      maker: the call whose result is called at once, ``make_step(model)(x)``; None otherwise.
    """

    function: Transformed
    maker: cst.Call | None = None


class TransformedLeft(Signal):
    """Host code comes back from a call of what a transform made.

    Args:
      function: what was called.
      static: the values that it was compiled for, by position or name.
      node: the call.
    """

    function: Transformed
    static: tuple[tuple[int | str, Value], ...]
    node: cst.CSTNode


class UncalledTraced(Signal):
    """What a transform made was traced although no visible code calls it: others will."""

    function: Transformed


class UncalledRefused(Signal):
    """What a transform made takes nobody's call, as one declares a parameter that it traces."""

    function: Transformed
    parameter: str
    cls: str


class ArgumentPassed(Signal):
    """What a transform made is given an argument.

    Args:
      function: what is called.
      value: the argument, as it is passed.
      parameter: the name of the parameter, its position behind a star where that is not known.
      node: where the argument stands.
      static: whether it stays as it is, and is hashed; else it is traced.
    """

    function: Transformed
    value: Value
    parameter: str
    node: cst.CSTNode
    static: bool


class SolverCalled(Signal):
    """A solver of a library is called that is compiled for the numbers it is given.

    Args:
      name: its qualified name.
      numbers: those of its parameters that may be numbers, what is given for each, and where that
        stands.
      node: the call.
    """

    name: str
    numbers: Sequence[tuple[str, Value, cst.CSTNode]]
    node: cst.CSTNode


class OperandPassed(Signal):
    """Control flow of JAX, or a solver, is given an operand, every leaf of which it traces.

    Args:
      value: the operand, as it is passed.
      node: where it stands.
      role: what it is, for explanations.
    """

    value: Value
    node: cst.CSTNode
    role: str
