"""What no trace can take or give back: neither arrays, nor numbers, nor pytrees of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import libcst as cst

from jitlint.absint.code.declarations import decorator_names
from jitlint.absint.code.functions import Code, Place
from jitlint.absint.events import NonArrayArgument, NonArrayResult, TracedSelf, event_key
from jitlint.absint.limits import ARGUMENT_LEVELS
from jitlint.absint.machine.given import OTHER, Given, application_of, kind_of_given
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    ArgumentPassed,
    OperandPassed,
    TraceLeft,
    TransformApplied,
    UncalledRefused,
    observes,
)
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.pytrees import is_never_pytree
from jitlint.absint.program.signatures import parameter_node
from jitlint.absint.values.domain import (
    BoundMethod,
    Class,
    Const,
    EnumMember,
    External,
    ExternalInstance,
    Function,
    Origin,
    Partial,
    Ref,
    Slice,
    Static,
    TextArray,
    Transformed,
    Tuple,
    Value,
    base_function,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import type_name
from jitlint.foundation.certainty import DECLARED
from jitlint.jaxmodel import functions
from jitlint.jaxmodel.leaves import (
    ARRAYS_ALONE,
    CHECKS_RESULTS,
    EQUINOX_MODULE,
    FILTERED,
    HOLDERS,
    OPAQUE_LEAVES,
    TEXTS_OF_BRANCHES,
)
from jitlint.jaxmodel.transforms import CHECKS_ARGUMENTS, TRACES_SELF
from jitlint.jaxmodel.wording import trace_note

_ERROR: Final = ("TypeError",)
#: objects of libraries that are neither arrays nor pytrees of arrays
_OPAQUE: Final = frozenset(
    {
        "logging.Logger",
        "io.TextIOWrapper",
        "pathlib.Path",
        "numpy.random.Generator",
        "numpy.random.RandomState",
        "random.Random",
        "SummaryWriter",
        "optax.GradientTransformation",
        "optax.GradientTransformationExtraArgs",
        "jitlint.transformed",
    }
)


def traced_by(function: Transformed) -> Origin:
    """The origin of what a transform refuses: the place where it was applied."""
    return Origin(function.place, trace_note(function.transform))


def called_name(function: Transformed) -> str:
    """The name of the function under a transform, as reports give it."""
    target = base_function(function)
    return function.transform if target is None else target.code.name


@observes(ArgumentPassed)
def _argument_passed(it: Interpreter, passed: ArgumentPassed) -> None:
    function = passed.function
    if passed.static or function.transform not in CHECKS_ARGUMENTS:
        return
    if passed.parameter in ("self", "cls"):
        # Who jits a method is told at the transform.
        return
    culprit = _not_an_array(it, passed.value)
    if culprit is not None:
        it.note(
            NonArrayArgument,
            passed.node,
            origin=given_by(passed),
            exceptions=_ERROR,
            parameter=passed.parameter,
            python_type=culprit.kind,
            callee=called_name(function),
            holder=culprit.holder or "",
            instead=FILTERED.get(function.transform, "") if culprit.filtered else "",
        )


@observes(UncalledRefused)
def _uncalled_refused(it: Interpreter, refused: UncalledRefused) -> None:
    """Nobody calls it, and whoever did as it says would be refused."""
    function, node = refused.function, refused.function.place.node
    target = base_function(function)
    if target is None or event_key(node, TracedSelf) in it.events:
        return
    code, name = target.code, refused.parameter
    parameter = next((each for each in code.parameters if each.name == name), None)
    if parameter is None or code.parsed is None:
        return
    kind = "str" if refused.cls == "str" else OTHER
    applied, note = application_of(function, code), trace_note(function.transform)
    traced = Given(function.place, note, applied, name, kind, DECLARED)
    place = Place(code.parsed, parameter_node(code, parameter))
    it.note(
        NonArrayArgument,
        node,
        origin=Origin(place, f"`{name}` is declared to be {refused.cls}", traced),
        exceptions=_ERROR,
        parameter=refused.parameter,
        python_type=refused.cls,
        callee=called_name(function),
        declared=True,
    )


def given_by(passed: ArgumentPassed) -> Origin:
    """The same for an argument, with what is known of its parameter."""
    value = passed.value
    kind = "function" if _lasts(value) else kind_of_given(value)
    return _given(passed.function, passed.parameter, kind)


def _given(function: Transformed, parameter: str, kind: str) -> Origin:
    target = base_function(function)
    if target is None:
        return traced_by(function)
    note, applied = trace_note(function.transform), application_of(function, target.code)
    return Given(function.place, note, applied, parameter, kind)


def _lasts(value: Value) -> bool:
    """Whether a function or class is the same object in every call."""
    if isinstance(value, Function):
        return not value.closure and value.code.name != "<lambda>"
    return isinstance(value, (Class, External))


class _Culprit(NamedTuple):
    """What no trace can take.

    Args:
      kind: what it is.
      holder: the class of the object that has it among its leaves, None if it stands for itself.
      filtered: whether Equinox' transforms keep it out of the trace.
    """

    kind: str
    holder: str | None = None
    filtered: bool = False


def _not_an_array(it: Interpreter, value: Value, depth: int = ARGUMENT_LEVELS) -> _Culprit | None:
    """What a value is, or has among its leaves, that no trace can take; None if it may take all."""
    kind = _member_kind(it, value) if isinstance(value, EnumMember) else _opaque_kind(value)
    if kind is not None and not _is_bound_module(it, value):
        return _Culprit(kind)
    if depth == 0:
        return None
    parts: Iterable[Value] = ()
    if isinstance(value, Tuple):
        if value.cls == External("builtins.range"):
            return _Culprit("range")
        parts = value.items
    elif isinstance(value, ExternalInstance):
        return _library_object(it, value, depth)
    elif isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, SetObject):
            return _Culprit("set")
        if isinstance(contents, ListObject) and it.is_mutable(value):
            parts = contents.items or ()
        elif isinstance(contents, DictObject):
            parts = contents.items.values()
        elif isinstance(contents, Instance):
            if is_never_pytree(it, contents.cls):
                if value.id in it.by_use or (contents.extensible and depth < ARGUMENT_LEVELS):
                    # That it is passed here tells as much as what is asked of it, or as how the
                    # field of another object is annotated.
                    return None
                return _Culprit(contents.cls.definition.name)
            return _leaf_of(it, contents, depth)
    found = (_not_an_array(it, part, depth - 1) for part in parts)
    return next((culprit for culprit in found if culprit is not None), None)


def _is_bound_module(it: Interpreter, value: Value) -> bool:
    """Whether a method takes its object along as a pytree, as those of Equinox' modules do.

    Observed under Equinox 0.13.8; special methods are left alone.
    """
    if not isinstance(value, BoundMethod) or not isinstance(value.receiver, Ref):
        return False
    contents = it.contents(value.receiver)
    return (
        not isinstance(contents, Instance)
        or EQUINOX_MODULE in class_info(it, contents.cls).externals
    )


def _member_kind(it: Interpreter, member: EnumMember) -> str | None:
    """The enumeration of a member, if its members are no numbers."""
    assert isinstance(member.cls, Class)
    return member.cls.definition.name if is_never_pytree(it, member.cls) else None


def _opaque_kind(value: Value) -> str | None:
    """What a value by itself is that no trace can take."""
    if isinstance(value, TextArray):
        return "NumPy array of strings"
    if isinstance(value, (Const, Static)):
        kind = type_name(value)
        return kind if kind in ("str", "bytes", "range", "dtype") else None
    if isinstance(value, Partial):
        return None if value.pytree else "partial"
    if isinstance(value, (Function, BoundMethod, Transformed)):
        return "function"
    if isinstance(value, Class):
        return "class"
    if isinstance(value, External):
        return None if functions.lookup(value.name) is None else "function"
    if isinstance(value, ExternalInstance):
        return value.cls.rpartition(".")[2] if value.cls in _OPAQUE else None
    return "slice" if isinstance(value, Slice) else None


def _library_object(it: Interpreter, value: ExternalInstance, depth: int) -> _Culprit | None:
    """What a layer of Equinox has among its leaves."""
    name = value.cls.rpartition(".")[2]
    if any(held == ARRAYS_ALONE for held, _ in value.attributes):
        return None
    if value.cls in OPAQUE_LEAVES:
        return _Culprit(OPAQUE_LEAVES[value.cls], name, filtered=True)
    holds = HOLDERS.get(value.cls)
    held = None if holds is None else dict(value.attributes).get(holds[1])
    culprit = None if held is None else _not_an_array(it, held, depth - 1)
    return None if culprit is None else _Culprit(culprit.kind, culprit.holder or name, True)


def _leaf_of(it: Interpreter, contents: Instance, depth: int) -> _Culprit | None:
    """What the fields of an object have among their leaves that are no static ones."""
    info = class_info(it, contents.cls)
    if info.pytree != "leaves" or not info.complete or "" in info.decorators:
        return None
    for made in info.fields:
        value = contents.attributes.get(made.name)
        how = made.declared.specifier
        if value is None or made.name in info.static or made.declared.is_class_variable:
            continue
        if how is not None and how.name.rpartition(".")[2] != "field":
            # A function of the project may make the field static.
            continue
        culprit = _not_an_array(it, value, depth - 1)
        if culprit is not None:
            name = culprit.holder or contents.cls.definition.name
            return _Culprit(culprit.kind, name, EQUINOX_MODULE in info.externals)
    return None


@observes(OperandPassed)
def _operand_passed(it: Interpreter, passed: OperandPassed) -> None:
    culprit = _not_an_array(it, passed.value)
    if culprit is not None:
        it.note(
            NonArrayArgument,
            passed.node,
            origin=it.origin(passed.node, f"{passed.role} is traced"),
            exceptions=_ERROR,
            parameter="",
            python_type=culprit.kind,
            callee=passed.role,
            holder=culprit.holder or "",
        )


def _returned(it: Interpreter, code: Code) -> Origin:
    """Where a function returns what it does: its only return, or else the function."""
    assert code.parsed is not None and code.node is not None
    if isinstance(code.node, cst.Lambda):
        return Origin(Place(code.parsed, code.node.body), "returned here")
    returns = [node for node in code.own_nodes if isinstance(node, cst.Return) and node.value]
    if len(returns) == 1 and returns[0].value is not None:
        return Origin(Place(code.parsed, returns[0].value), "returned here")
    return Origin(Place(code.parsed, code.node), f"`{code.name}` returns it")


@observes(TraceLeft)
def _trace_left(it: Interpreter, left: TraceLeft) -> None:
    """What a call gives back of a trace must be arrays, too; the call is where JAX says so."""
    if left.result is None or left.transform not in CHECKS_RESULTS:
        return
    outer = None if it.trace is None else it.trace.outer
    if left.transform in TEXTS_OF_BRANCHES and outer is None:
        return
    culprit = _not_an_array(it, left.result)
    if culprit is None or not isinstance(left.node, cst.Call):
        return
    if any(event_key(arg.value, NonArrayArgument) in it.events for arg in left.node.args):
        # It is refused before it could be returned.
        return
    target = base_function(left.function)
    code = None if target is None else target.code
    if code is None or code.node is None or code.is_generator or code.is_async:
        return
    if any(
        event.exceptions and event.function == code.qualname and event.place.parsed is code.parsed
        for event in it.events.values()
    ):
        # It raises before it returns.
        return
    it.note(
        NonArrayResult,
        left.node,
        origin=_returned(it, code),
        exceptions=_ERROR,
        python_type=culprit.kind,
        callee=code.name,
        transform=left.transform,
        holder=culprit.holder or "",
    )


@observes(TransformApplied)
def _transform_applied(it: Interpreter, applied: TransformApplied) -> None:
    """A transform of a method traces ``self``, where the class is no pytree."""
    function = applied.made
    target = function.function
    if function.transform not in TRACES_SELF or not isinstance(target, Function):
        return
    unit = target.code.unit
    if (
        unit.cls is None
        or target.closure
        or target.code.node is None
        or unit.name != target.code.name
    ):
        return
    decorators = decorator_names(unit)
    if "staticmethod" in decorators:
        return
    positional = [p for p in target.code.parameters if p.kind in ("positional", "positional-only")]
    first = positional[0].name if positional else ""
    # Else it is static, or the class is used as a namespace of functions.
    if first in applied.static or first not in ("self", "cls"):
        return
    owner = Class(unit.cls, unit.module)
    if "classmethod" not in decorators and not is_never_pytree(it, owner):
        return
    it.note(
        TracedSelf,
        applied.node,
        operand=target.code.name,
        origin=_given(function, first, OTHER),
        exceptions=_ERROR,
        cls=unit.cls.name,
        callee=function.transform,
    )
