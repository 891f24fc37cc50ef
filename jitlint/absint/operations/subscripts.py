"""Subscripts: what ``value[index]`` gives, and which indices Python needs to know."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Final

import libcst as cst

from jitlint.absint.events import DataDependentShape, NumpyCall, PythonIndex
from jitlint.absint.machine.always import facts_of_mask, facts_of_operands
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.clock_signals import Asked
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import HostCalled
from jitlint.absint.machine.tracers import (
    array_result,
    comparable_tracer,
    find_traced,
    first_tracer,
    sure_array,
    sure_tree,
)
from jitlint.absint.machine.verbs import evaluates, items_of
from jitlint.absint.operations.hashing import emit_hash, has_text_keys, hashed_tracer
from jitlint.absint.operations.operators import overload_of
from jitlint.absint.program.buffers import reads, taken_out
from jitlint.absint.program.captures import note_entry
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.dict_classes import entries_of
from jitlint.absint.program.special_methods import call_special
from jitlint.absint.values.buffers import part_of
from jitlint.absint.values.domain import (
    INT,
    MADE_ROWS,
    NDARRAY,
    NONE,
    SHAPE,
    STATIC,
    STR,
    UNKNOWN,
    Array,
    Certainty,
    Class,
    Const,
    External,
    ExternalInstance,
    Level,
    MadeArray,
    Outside,
    Ref,
    Slice,
    Static,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.extents import Extent
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import guessed, join_all, type_name
from jitlint.absint.values.statics import known_slice
from jitlint.absint.values.traversal import parts_of
from jitlint.jaxmodel.concretization import ARRAY_ERRORS, INDEX_ERRORS, MASK_ERRORS, SLICE_ERRORS

#: libraries that have objects which only note an index: ``numpy.s_[i]``
_MODELLED: Final = frozenset({"jax", "numpy"})


@evaluates(cst.Subscript)
def _subscript(it: Interpreter, node: cst.Subscript) -> Value:
    receiver = it.ev(node.value)
    index = subscript_index(it, node)
    several = type(receiver) is Union and sum(m != NONE for m in receiver.members) > 1
    with it.speculating() if several else nullcontext():
        value = it.item(receiver, index, node)
    if it.trace is not None:
        note_entry(it, receiver, index, value, node)
    return value


def subscript_index(it: Interpreter, node: cst.Subscript) -> Value:
    """The value between the brackets: one index, a slice, or a tuple of them."""
    parts: list[Value] = []
    for element in node.slice:
        part = element.slice
        if type(part) is cst.Index:
            parts.append(it.ev(part.value))
        elif type(part) is cst.Slice:
            lower, upper, step = (
                NONE if bound is None else it.ev(bound)
                for bound in (part.lower, part.upper, part.step)
            )
            parts.append(Slice((lower, upper, step)))
    if len(parts) == 1 and not _is_tuple_subscript(node):
        return parts[0]
    return Tuple(tuple(parts))


def _is_tuple_subscript(node: cst.Subscript) -> bool:
    last = node.slice[-1]
    unpacked = type(last.slice) is cst.Index and bool(last.slice.star)
    return unpacked or type(last.comma) is cst.Comma


def key_node(node: cst.CSTNode) -> cst.CSTNode:
    """What stands between the brackets of a subscript, or is looked up by a method."""
    if isinstance(node, cst.Subscript) and len(node.slice) == 1:
        part = node.slice[0].slice
        return part.value if isinstance(part, cst.Index) else part
    if isinstance(node, cst.Call) and node.args:
        return node.args[0].value
    return node


# -- indices --------------------------------------------------------------------------------------


def _parts(index: Value) -> tuple[Value, ...]:
    return index.items if isinstance(index, Tuple) else (index,)


def slice_tracer(index: Value) -> Array | Tree | None:
    """A traced bound of a slice in an index, None if there is none."""
    bounds = (b for part in _parts(index) if isinstance(part, Slice) for b in part.parts)
    return first_tracer(map(comparable_tracer, bounds))


def _emit_index(
    it: Interpreter,
    node: cst.CSTNode,
    traced: Array | Tree,
    construct: str,
    exceptions: tuple[str, ...] = INDEX_ERRORS,
    **details: Any,
) -> Value:
    """Report that Python needs an integer where a traced value stands."""
    return it.emit(
        PythonIndex,
        node,
        traced,
        operand=key_node(node),
        exceptions=exceptions,
        construct=construct,
        **details,
    )


def _check_slices(it: Interpreter, index: Value, node: cst.CSTNode, *, of_array: bool) -> bool:
    """Report a traced bound of a slice; True if reported."""
    traced = slice_tracer(index)
    if traced is not None:
        errors = SLICE_ERRORS if of_array else INDEX_ERRORS
        _emit_index(it, node, traced, "slice bound", errors, of_array=of_array)
    return traced is not None


def check_key(it: Interpreter, receiver: Value, index: Value, node: cst.CSTNode) -> bool:
    """Report a traced key of a dict or index of a list that is stored to; True if reported."""
    contents = it.contents(receiver) if isinstance(receiver, Ref) else None
    if isinstance(contents, (DictObject, SetObject)):
        key = hashed_tracer(it, index)
        if key is None or (isinstance(key, Tree) and has_text_keys(contents)):
            # What may be a text can be one that a caller marks static.
            return False
        emit_hash(it, node, key, key_node(node), "dict key")
        return True
    traced = sure_array(index) if isinstance(contents, ListObject) else None
    if traced is not None:
        _emit_index(it, node, traced, "list index")
    return traced is not None


# -- values ---------------------------------------------------------------------------------------


@items_of(object, Value)
def _unknown(it: Interpreter, receiver: Value, index: Value, node: cst.CSTNode) -> Value:
    return _gathered(it, index, node)


def _gathered(it: Interpreter, index: Value, node: cst.CSTNode) -> Value:
    """What anything gives that can be indexed by a tracer: an array, or a pytree of them."""
    if _check_slices(it, index, node, of_array=True):
        return UNKNOWN
    traced = first_tracer(map(comparable_tracer, _parts(index)))
    if traced is None:
        return UNKNOWN
    return Tree(traced.level, certainty=traced.certainty, origin=traced.origin)


@items_of(Unknown)
def _unidentified(it: Interpreter, receiver: Unknown, index: Value, node: cst.CSTNode) -> Value:
    gathered = _gathered(it, index, node)
    if receiver.buffers and gathered is UNKNOWN:
        if isinstance(index, Slice):
            reads(it, ((receiver, node),))
        return Unknown(buffers=part_of(receiver.buffers))
    return gathered


@items_of(Union)
def _any_of(it: Interpreter, receiver: Union, index: Value, node: cst.CSTNode) -> Value:
    return join_all([it.item(member, index, node) for member in receiver.members])


@items_of(Array)
def index_array(it: Interpreter, receiver: Array, index: Value, node: cst.CSTNode) -> Array:
    """``x[index]`` for an array: masks and traced slice bounds have no static shape."""
    reads(it, ((receiver, node.value if isinstance(node, cst.Subscript) else node),))
    masks = (mask for mask in map(sure_array, _parts(index)) if mask and mask.dtype == "bool")
    mask = next(masks, None)
    if mask is not None:
        it.emit(
            DataDependentShape,
            node,
            mask,
            operand=key_node(node),
            exceptions=MASK_ERRORS,
            callee="boolean mask",
            escape=None,
            always=facts_of_mask(receiver, index),
        )
    elif any(isinstance(part, Array) and part.dtype == "bool" for part in _parts(index)):
        # How many elements there are the mask tells, which is waited for.
        it.signal(Asked((index,), (key_node(node),)))
    _check_slices(it, index, node, of_array=True)
    extent = _extent_of_part(receiver.extent, index)
    return array_result(it, (receiver, index), dtype=receiver.dtype, node=node, extent=extent)


def _extent_of_part(extent: Extent | None, index: Value) -> Extent | None:
    """The size of what slices and integers that are known leave of an array.

    Args:
      extent: the size of the array, None if it is not known.
      index: what stands between the brackets.
    """
    parts = _parts(index)
    if extent is None or len(parts) > len(extent.shape):
        return None
    lengths: list[int] = []
    for length, part in zip(extent.shape, parts, strict=False):
        cut = known_slice(part) if isinstance(part, Slice) else None
        if cut is not None:
            lengths.append(len(range(length)[cut]))
        elif not isinstance(part, Const) or type(part.value) is not int:
            return None
    return Extent((*lengths, *extent.shape[len(parts) :]), extent.uniform, extent.outside)


@items_of(Tree)
def _tree(it: Interpreter, receiver: Tree, index: Value, node: cst.CSTNode) -> Value:
    if any(isinstance(part, Array) and part.dtype == "bool" for part in _parts(index)):
        # Only an array is indexed by a mask.
        return index_array(it, Array(receiver.level, origin=receiver.origin), index, node)
    _check_slices(it, index, node, of_array=True)
    certainty = receiver.certainty
    if certainty is Certainty.GUESS and isinstance(index, Const) and type(index.value) is str:
        # No key of a dict has items by name: what was iterated holds containers of tracers.
        certainty = Certainty.SURE
    return receiver.replace(
        certainty=certainty, container=False, keyed=False, buffers=part_of(receiver.buffers)
    )


@items_of(Tuple)
def _tuple(it: Interpreter, receiver: Tuple, index: Value, node: cst.CSTNode) -> Value:
    if isinstance(index, Slice):
        cut = known_slice(index)
        if cut is not None:
            return Tuple(receiver.items[cut])
    return _in_sequence(it, join_all(receiver.items), receiver.items, index, node, "tuple index")


@items_of(ListObject)
def _list(it: Interpreter, receiver: Ref, index: Value, node: cst.CSTNode) -> Value:
    contents = it.contents(receiver)
    if contents.pushed and contents.items is None and index == Const(-1):
        last: Value = contents.pushed[-1][1]
        return last
    return _in_sequence(it, contents.element, contents.items, index, node, "list index")


def _in_sequence(
    it: Interpreter,
    element: Value,
    items: tuple[Value, ...] | None,
    index: Value,
    node: cst.CSTNode,
    construct: str,
) -> Value:
    if isinstance(index, Slice):
        cut = known_slice(index)
        if cut is not None and items is not None:
            return it.allocate(node, ListObject(items[cut], join_all(items[cut])))
        if _check_slices(it, index, node, of_array=False):
            return UNKNOWN
        return it.allocate(node, ListObject(None, element))
    if items is not None and isinstance(index, Const) and isinstance(index.value, int):
        return items[index.value] if -len(items) <= index.value < len(items) else UNKNOWN
    return _checked_element(it, element, index, node, construct, items or (element,))


def _checked_element(
    it: Interpreter,
    element: Value,
    index: Value,
    node: cst.CSTNode,
    construct: str,
    items: tuple[Value, ...],
) -> Value:
    traced = sure_array(index)
    bare = index if isinstance(index, Tree) and not index.container else traced
    if bare is not None and bare.level is Level.ABSTRACT:
        return _emit_index(it, node, bare, construct, always=facts_of_operands(items))
    one = taken_out(it, element)
    return guessed(one) if is_guess(index, node) else one


@items_of(DictObject)
def _dict(it: Interpreter, receiver: Ref, index: Value, node: cst.CSTNode) -> Value:
    contents = it.contents(receiver)
    if check_key(it, receiver, index, node):
        return UNKNOWN
    if isinstance(index, Const):
        found: Value | None = contents.items.get(index.value)
        return taken_out(it, contents.elsewhere or UNKNOWN) if found is None else found
    found = taken_out(it, join_all(parts_of(contents)))
    if not is_guess(index, node, contents):
        return found
    return guessed(found, others=contents.registry)


def is_guess(index: Value, node: cst.CSTNode, contents: DictObject | None = None) -> bool:
    """Whether nothing in the program says which entries an index may name.

    A table of functions is there for all that it is asked for by those who call; what a registry
    holds may be for other purposes, and what is read from outside is one of many at a time.

    Args:
      index: it.
      node: the subscript or call.
      contents: the dict, None for a sequence.
    """
    if isinstance(index, Const):
        return False
    if isinstance(index, Outside) or (contents is not None and contents.registry):
        return isinstance(index, Outside) or not isinstance(index, Static)
    key = key_node(node)
    if isinstance(key, cst.Attribute):
        return not (isinstance(key.value, cst.Name) and key.value.value == "self")
    return isinstance(key, (cst.Call, cst.Subscript)) and key is not node


@items_of(Instance)
def _instance(it: Interpreter, receiver: Ref, index: Value, node: cst.CSTNode) -> Value:
    given = call_special(it, receiver, "__getitem__", node, index)
    entries = entries_of(it, receiver) if given is None else None
    return given or (UNKNOWN if entries is None else it.item(entries, index, node))


@items_of(Const, Static)
def _static(it: Interpreter, receiver: Const | Static, index: Value, node: cst.CSTNode) -> Value:
    kind = type_name(receiver)
    if kind == "ndarray":
        traced = find_traced(it, index, 1) or slice_tracer(index)
        if isinstance(traced, Array) or (traced is not None and sure_tree(index) is not None):
            return it.emit(
                NumpyCall,
                node,
                traced,
                operand=key_node(node),
                exceptions=(*ARRAY_ERRORS, *INDEX_ERRORS),
                callee="NumPy array index",
            )
        # A slice leaves a dimension.
        cut = any(isinstance(part, Slice) for part in _parts(index))
        found = MADE_ROWS if isinstance(receiver, MadeArray) and cut else NDARRAY
        extent = _extent_of_part(receiver.extent, index) if isinstance(receiver, Static) else None
        return found if extent is None else found.of_extent(extent)
    if kind == "str":
        traced = sure_array(index) or slice_tracer(index)
        if traced is not None:
            return _emit_index(it, node, traced, "string index")
        return STR
    if kind in ("shape", "range"):
        if isinstance(index, Slice):
            return UNKNOWN if _check_slices(it, index, node, of_array=False) else SHAPE
        element = _dimension(receiver, index)
        return _checked_element(it, element, index, node, "tuple index", (element,))
    return UNKNOWN if find_traced(it, index) is not None else STATIC


def _dimension(shape: Const | Static, index: Value) -> Static:
    """An item of a shape, with its value where that is known."""
    extent = shape.extent if isinstance(shape, Static) else None
    place = index.value if isinstance(index, Const) else None
    if extent is None or type(place) is not int:
        return INT
    lengths = dict(enumerate(extent.shape))
    length = lengths.get(place + len(lengths) if place < 0 else place)
    if length is None:
        return INT
    return INT.of_extent(Extent((length,), extent.uniform, extent.outside))


@items_of(External, Class)
def _named(it: Interpreter, receiver: External | Class, index: Value, node: cst.CSTNode) -> Value:
    if receiver == External("os.environ"):
        it.signal(HostCalled("environment", Arguments(), node))
        return Outside("str")
    if isinstance(receiver, External) and receiver.name.partition(".")[0] not in _MODELLED:
        gathered = _gathered(it, index, node)
        if gathered != UNKNOWN:
            return gathered
    if isinstance(receiver, Class) and class_info(it, receiver).kind == "enum":
        # A member by its name: ``Color["RED"]``.
        text = index.value if isinstance(index, Const) else None
        return it.attribute(receiver, text, node) if isinstance(text, str) else STATIC
    # A generic class with its parameters: ``Box[int]``.
    return receiver


@items_of(ExternalInstance)
def _external_instance(
    it: Interpreter, receiver: ExternalInstance, index: Value, node: cst.CSTNode
) -> Value:
    overload = overload_of(receiver)
    if overload is not None:
        return overload(it, cst.Subscript, receiver, index, node)
    attributes = dict(receiver.attributes)
    if receiver.cls == "jax.Array.at":
        array = attributes["array"]
        if isinstance(array, Array):
            index_array(it, array, index, node)
        return ExternalInstance("jax.Array.at.indexed", (("array", array),))
    return UNKNOWN
