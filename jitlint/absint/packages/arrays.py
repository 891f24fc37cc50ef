"""Methods of JAX's arrays; NumPy's arrays and scalars, and ``np.vectorize``."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.events import Conversion, NumpyCall
from jitlint.absint.library.extents import asked_size
from jitlint.absint.library.registry import ANY, Call, method, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.clock_signals import WorkDispatched
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArrayChanged, DtypeAsked
from jitlint.absint.machine.tracers import array_result, find_traced
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.packages.facts import apply_fact, converted_tracer, may_be_traced, receiver_node
from jitlint.absint.packages.results import dtype_argument
from jitlint.absint.values.domain import (
    MADE_ROWS,
    NDARRAY,
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Const,
    External,
    ExternalInstance,
    Level,
    MadeArray,
    Ref,
    Static,
    TextArray,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import ListObject
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel.concretization import ARRAY_ERRORS
from jitlint.jaxmodel.functions import array_method, lookup

# -- methods of JAX's arrays ----------------------------------------------------------------------


@method("jax.Array", "astype")
def _astype(it: Interpreter, call: Call) -> Value:
    asked = call.args.get(0, "dtype")
    if asked is not None:
        it.signal(DtypeAsked(asked, call.args.node(0, "dtype") or call.node, call.node))
    dtype = dtype_argument(asked)
    rank = call.receiver.rank
    return array_result(it, (call.receiver,), dtype=dtype, rank=rank, node=call.node)


@method("jax.Array", ANY)
def _array_method(it: Interpreter, call: Call) -> Value:
    """``x.sum(axis=0)`` for an array or tracer."""
    fact = array_method(call.name)
    if fact is None:
        return UNKNOWN
    if not fact.fails_on_tracer:
        return apply_fact(it, fact, call)
    level, missing = call.receiver.level, fact.fails_on_tracer == ("AttributeError",)
    if missing and fact.parameters == () and (call.positional or call.keywords):
        # It is no array: `mesh.clone(value=x)`.
        return UNKNOWN
    if level is Level.CONCRETE and call.name == "block_until_ready":
        receiver: Array = call.receiver
        return receiver
    if level is Level.CONCRETE and call.name in ("item", "tolist"):
        return STATIC
    if level is Level.VALUE and call.name == "item":
        return STATIC
    if level is Level.ABSTRACT or (level is Level.VALUE and not missing):
        place, callee = receiver_node(call.node), f".{call.name}()"
        raised = fact.fails_on_tracer
        call.report(it, Conversion, call.receiver, raised, place, callee=callee)
    return UNKNOWN


@method("jax.Array.at.indexed", ANY)
def _update(it: Interpreter, call: Call) -> Value:
    """``x.at[i].set(y)``."""
    array = dict(call.receiver.attributes)["array"]
    dtype = array.dtype if isinstance(array, Array) else None
    if it.trace is None:
        it.signal(WorkDispatched("update", call.node))
    like = () if call.name == "get" else (array,)
    return array_result(it, (array, *call.args.values()), dtype=dtype, node=call.node, like=like)


# -- NumPy arrays and scalars made ----------------------------------------------------------------

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


def _functions(names: str) -> frozenset[str]:
    return frozenset(f"numpy.{name}" for name in names.split())


_ROW_MAKERS: Final = _functions(
    """arange linspace logspace geomspace eye identity repeat stack concatenate diag tri tile
    vstack hstack dstack column_stack outer fromiter ascontiguousarray"""
)
_SHAPE_TAKERS: Final = _functions("zeros ones empty full")
_MAKERS: Final = (
    _ROW_MAKERS
    | _SHAPE_TAKERS
    | _functions("array asarray zeros_like ones_like full_like empty_like broadcast_to copy")
)
_CONVERTERS: Final = _functions("array asarray")
#: of arrays that hold Python objects, tracers among them
_OBJECT_DTYPES: Final = (External("builtins.object"), Const("object"), Const("O"))


def numpy_result(it: Interpreter, name: str, call: Call, result: Value) -> Value:
    """What a function gives, more closely where it is a NumPy array that was made just now."""
    # Host code has no tracers, of which object arrays might be made.
    on_host = it.trace is None and not it.under
    if result != NDARRAY and not (result == UNKNOWN and on_host):
        return result
    if name in _MAKERS:
        if (call.keywords.get("dtype") or call.second) in _OBJECT_DTYPES:
            return UNKNOWN
        dimensions = _has_dimensions(name, call.first)
        of_texts = name in _CONVERTERS and _holds_texts(it, call)
        return (TextArray if of_texts else MadeArray)(dimensions=dimensions)
    if name in _SCALARS:
        is_array = result != NDARRAY or (call.positional and _is_sequence(call.first))
        return result if is_array else _SCALARS[name]
    return _made_for_host(it, name, call) or result


#: options that leave it at one array
_PLAIN_OPTIONS: Final = frozenset(
    "axis copy decimals dtype fill_value k n norm order reps repeats shift size".split()
)


def _made_for_host(it: Interpreter, name: str, call: Call) -> Value | None:
    """What NumPy or SciPy surely makes of what is no array of JAX, None where that is not sure."""
    fact = lookup(name)
    if fact is None or call.starred or not call.keywords.keys() <= _PLAIN_OPTIONS:
        return None
    if call.keywords.get("dtype") in _OBJECT_DTYPES:
        return None
    if asked_size(name, call):
        return MADE_ROWS
    if fact.dispatches_to_method and not all(_is_of_host(it, each) for each in call.positional):
        return None
    needed = sum(not each.has_default for each in fact.parameters or ())
    kind, _, count = fact.made.partition(":")
    if kind == "array" or (kind == "rows" and any(map(_has_rows, call.positional))):
        return MADE_ROWS
    if kind == "arrays" and not call.keywords and len(call.positional) <= needed:
        return Tuple((MADE_ROWS,) * int(count))
    return None


def _is_of_host(it: Interpreter, value: Value) -> bool:
    """Whether a value is certainly no array of JAX, and no object that may be one."""
    return isinstance(value, (Const, Static)) or (
        isinstance(value, Ref) and isinstance(it.contents(value), ListObject)
    )


def _has_rows(value: Value) -> bool:
    return value == MADE_ROWS or isinstance(value, Ref)


def _holds_texts(it: Interpreter, call: Call) -> bool:
    """Whether what becomes a NumPy array is surely a sequence of strings, and stays one."""
    if call.keywords.get("dtype") is not None or call.second is not None:
        return False
    found = sequence_items(it, call.first)
    items = None if found is None else found[1]
    return bool(items) and all(
        isinstance(item, (Const, Static)) and type_name(item) == "str" for item in items or ()
    )


def _has_dimensions(name: str, given: Value) -> bool:
    """Whether a NumPy array is made with at least one dimension."""
    if name in _ROW_MAKERS or isinstance(given, Ref):
        return True
    if isinstance(given, Tuple):
        return bool(given.items)
    kind = type_name(given) if isinstance(given, (Const, Static)) else None
    return name in _SHAPE_TAKERS and kind == "int"


def _is_sequence(value: Value) -> bool:
    if isinstance(value, Static) and value.type in ("ndarray", None):
        return True
    return isinstance(value, (Ref, Tuple)) or value == UNKNOWN


# -- methods of NumPy arrays ----------------------------------------------------------------------

_CHANGES: Final = frozenset({"fill", "sort", "put", "partition", "itemset", "resize"})
_KEEPS_ROWS: Final = frozenset({"copy", "astype", "ravel", "flatten", "round", "clip", "repeat"})
_TAKES_ARRAYS: Final = frozenset({"dot", "searchsorted", "take", "compress", "choose"})


@method("ndarray", ANY)
def _numpy_method(it: Interpreter, call: Call) -> Value:
    name, node = call.name, call.node
    for value in call.positional if name in _TAKES_ARRAYS else ():
        traced = find_traced(it, value, 2)
        if traced is not None:
            callee = f"NumPy array method .{name}"
            return call.report(it, NumpyCall, traced, ARRAY_ERRORS, callee=callee)
    if name in _CHANGES and isinstance(node, cst.Call):
        if isinstance(node.func, cst.Attribute):
            it.signal(ArrayChanged(node, node.func.value, f".{name}()"))
        return NONE
    made = call.receiver == MADE_ROWS
    if name == "tolist":
        return it.allocate(node, ListObject(None, STATIC, mutable=made), "tolist")
    if made and name in _KEEPS_ROWS:
        return MadeArray(dimensions=True)
    return STATIC if name == "item" else NDARRAY


# -- Python functions called on each element ------------------------------------------------------


@model("numpy.vectorize", "numpy.frompyfunc")
def _vectorize(it: Interpreter, call: Call) -> Value:
    """``np.vectorize(function, excluded={"order"})``."""
    name = f"numpy.{call.name}"
    fact = lookup(name)
    if fact is not None:
        apply_fact(it, fact, call)
    held = {key: value for key, value in call.keywords.items() if key == "excluded"}
    function = call.args.get(0, "pyfunc")
    if function is not None:
        held["function"] = function
    return ExternalInstance(name, tuple(sorted(held.items())))


@method("numpy.vectorize numpy.frompyfunc", "__call__")
def _call_vectorized(it: Interpreter, call: Call) -> Value:
    """Call what ``np.vectorize`` made: its arguments become NumPy arrays, but for the excluded."""
    name, held = call.receiver.cls, dict(call.receiver.attributes)
    function = held.get("function")
    if function is None:
        # `@np.vectorize(otypes=[float])`: the function comes now.
        held["function"] = call.first
        return ExternalInstance(name, tuple(sorted(held.items()))) if call.positional else UNKNOWN
    if "excluded" not in held:
        places = zip(call.positional, call.args.nodes, strict=False)
        for value, place in (*places, *((value, call.node) for value in call.keywords.values())):
            traced = converted_tracer(it, value, 2)
            if traced is not None:
                fact = lookup(f"{name}.__call__")
                raised = ARRAY_ERRORS if fact is None else fact.fails_on_tracer
                callee = name.replace("numpy", "np")
                return call.report(it, NumpyCall, traced, raised, place, callee=callee)
    if not may_be_traced(it, call):
        # It is given elements of arrays; what it closes over may be traced.
        keywords: dict[str, Value] = dict.fromkeys(call.keywords, STATIC)
        it.call(function, Arguments([STATIC] * len(call.positional), keywords), call.node)
    return UNKNOWN
