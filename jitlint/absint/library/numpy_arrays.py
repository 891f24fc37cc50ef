"""NumPy's own arrays and scalars: how they are made, their methods, and ``np.vectorize``."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.library.facts import apply_fact, converted_tracer, may_be_traced
from jitlint.absint.library.registry import ANY, family, first, method
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import NumpyCall
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArrayChanged
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.python.operations import ARRAY_ERRORS
from jitlint.absint.values.domain import (
    MADE_ARRAY,
    MADE_ROWS,
    NDARRAY,
    NONE,
    STATIC,
    UNKNOWN,
    Const,
    External,
    ExternalInstance,
    Ref,
    Static,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import ListObject
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel.functions import lookup

# -- arrays and scalars made ----------------------------------------------------------------------

_SCALARS: Final = {
    f"numpy.{name}{bits}": Static(kind)
    for name, kind, sizes in (
        ("int", "int", ("", "8", "16", "32", "64")),
        ("uint", "int", ("", "8", "16", "32", "64")),
        ("float", "float", ("16", "32", "64")),
        ("bool", "bool", ("", "_")),
    )
    for bits in sizes
}
_ROW_MAKERS: Final = frozenset(
    f"numpy.{name}"
    for name in (
        "arange linspace logspace geomspace eye identity repeat stack concatenate diag tri tile"
    ).split()
)
_SHAPE_TAKERS: Final = frozenset(f"numpy.{name}" for name in ("zeros", "ones", "empty", "full"))
_MAKERS: Final = (
    _ROW_MAKERS
    | _SHAPE_TAKERS
    | {
        f"numpy.{name}"
        for name in "array asarray zeros_like ones_like full_like empty_like".split()
    }
)


def numpy_result(name: str, args: Arguments, result: Value) -> Value:
    """What a function gives, more closely where it is a NumPy array that was made just now."""
    if result != NDARRAY:
        return result
    if _holds_objects(args):
        return UNKNOWN
    if name in _MAKERS:
        return MADE_ROWS if _has_dimensions(name, args) else MADE_ARRAY
    scalar = _SCALARS.get(name)
    if scalar is None or (args.positional and _is_sequence(args.positional[0])):
        return result
    return scalar


def _has_dimensions(name: str, args: Arguments) -> bool:
    """Whether a NumPy array is made with at least one dimension."""
    given = first(args)
    if name in _ROW_MAKERS or isinstance(given, Ref):
        return True
    if isinstance(given, Tuple):
        return bool(given.items)
    kind = type_name(given) if isinstance(given, (Const, Static)) else None
    return name in _SHAPE_TAKERS and kind == "int"


def _holds_objects(args: Arguments) -> bool:
    """Whether a NumPy array is made that holds Python objects, tracers among them."""
    dtype = args.keywords.get("dtype") or (args.positional[1] if len(args.positional) > 1 else None)
    return dtype in (External("builtins.object"), Const("object"), Const("O"))


def _is_sequence(value: Value) -> bool:
    if isinstance(value, Static) and value.type in ("ndarray", None):
        return True
    return isinstance(value, (Ref, Tuple)) or value == UNKNOWN


# -- methods --------------------------------------------------------------------------------------

_CHANGES: Final = frozenset({"fill", "sort", "put", "partition", "itemset", "resize"})
_KEEPS_ROWS: Final = frozenset({"copy", "astype", "ravel", "flatten", "round", "clip", "repeat"})
_TAKES_ARRAYS: Final = frozenset({"dot", "searchsorted", "take", "compress", "choose"})


@method("ndarray", ANY)
def _array_method(
    it: Interpreter, receiver: Static, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    for value in args.positional if name in _TAKES_ARRAYS else ():
        traced = find_traced(it, value, 2)
        if traced is not None:
            called = f"NumPy array method .{name}"
            it.emit(NumpyCall, node, traced, exceptions=ARRAY_ERRORS, callee=called)
            return UNKNOWN
    if name in _CHANGES and isinstance(node, cst.Call):
        if isinstance(node.func, cst.Attribute):
            it.signal(ArrayChanged(node, node.func.value, f".{name}()"))
        return NONE
    if name == "tolist":
        made = receiver == MADE_ROWS
        return it.allocate(node, ListObject(None, STATIC, mutable=made), "tolist")
    if receiver == MADE_ROWS and name in _KEEPS_ROWS:
        return MADE_ROWS
    return STATIC if name == "item" else NDARRAY


# -- Python functions called on each element ------------------------------------------------------


@family("numpy.vectorize", "numpy.frompyfunc")
def _vectorize(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    """``np.vectorize(function, excluded={"order"})``."""
    name = f"numpy.{name}"
    fact = lookup(name)
    if fact is not None:
        apply_fact(it, fact, args, node)
    held = {key: value for key, value in args.keywords.items() if key == "excluded"}
    function = args.get(0, "pyfunc")
    if function is not None:
        held["function"] = function
    return ExternalInstance(name, tuple(sorted(held.items())))


@method("numpy.vectorize", "__call__")
@method("numpy.frompyfunc", "__call__")
def _call_vectorized(
    it: Interpreter, vectorized: ExternalInstance, _: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """Call what ``np.vectorize`` made: its arguments become NumPy arrays, but for the excluded."""
    name, held = vectorized.cls, dict(vectorized.attributes)
    function = held.get("function")
    if function is None:
        # `@np.vectorize(otypes=[float])`: the function comes now.
        if not args.positional:
            return UNKNOWN
        held["function"] = args.positional[0]
        return ExternalInstance(name, tuple(sorted(held.items())))
    if "excluded" not in held:
        places = zip(args.positional, args.nodes, strict=False)
        for value, where in (*places, *((v, node) for v in args.keywords.values())):
            traced = converted_tracer(it, value, 2)
            if traced is not None:
                fact = lookup(f"{name}.__call__")
                raised = ARRAY_ERRORS if fact is None else fact.fails_on_tracer
                called = name.replace("numpy", "np")
                it.emit(NumpyCall, node, traced, operand=where, exceptions=raised, callee=called)
                return UNKNOWN
    if any(may_be_traced(it, value) for value in args.values()):
        return UNKNOWN
    # It is given elements of arrays; what it closes over may be traced.
    elements = Arguments([STATIC for _ in args.positional], dict.fromkeys(args.keywords, STATIC))
    it.call(function, elements, node)
    return UNKNOWN
