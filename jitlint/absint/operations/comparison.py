"""Comparison: order and equality, identity, and membership."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from typing import Any, Final

import libcst as cst

from jitlint.absint.events import (
    BooleanOperation,
    BuiltinComparison,
    Event,
)
from jitlint.absint.machine.always import ARRAYS, SEQUENCE
from jitlint.absint.machine.clock_signals import DurationCompared
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import TypeTestFailed
from jitlint.absint.machine.tracers import (
    array_result,
    find_traced,
    sure_array,
    sure_tree,
)
from jitlint.absint.machine.verbs import evaluates
from jitlint.absint.operations.arithmetic import as_number, operands_of
from jitlint.absint.operations.hashing import emit_hash, has_text_keys, hashed_tracer
from jitlint.absint.operations.identity import are_identical, are_one_definition
from jitlint.absint.operations.iteration import may_be_filled, sequence_items
from jitlint.absint.operations.operators import METHODS, REFLECTED, SYMBOLS, overload_of
from jitlint.absint.operations.settings import shown_apart, shown_within
from jitlint.absint.operations.types import check_type_test, type_test
from jitlint.absint.program.buffers import reads
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.special_methods import (
    call_special,
    compared_fields,
    defines,
    ordered_fields,
)
from jitlint.absint.values.domain import (
    BOOL,
    FALSE,
    MADE_ROWS,
    NDARRAY,
    NONE,
    REPORTED,
    STATIC,
    TRUE,
    UNKNOWN,
    Array,
    Const,
    Duration,
    EnumMember,
    External,
    ExternalInstance,
    Level,
    MadeArray,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join_all
from jitlint.absint.values.statics import is_number, may_be_aliases, python_type
from jitlint.absint.values.told import has_key
from jitlint.jaxmodel.concretization import BOOL_ERRORS

_EQUALITY: Final = (cst.Equal, cst.NotEqual)
#: identity is none of values, and membership has rules of its own
_ASK_NO_VALUE: Final = frozenset({cst.Is, cst.IsNot, cst.In, cst.NotIn})


@evaluates(cst.Comparison)
def comparison(
    it: Interpreter,
    node: cst.Comparison,
    event: type[Event] = BooleanOperation,
    details: dict[str, Any] | None = None,
) -> Value:
    """A comparison; a chain asks each but its last link for its truth."""
    details = {"operator": "chained comparison"} if details is None else details
    left = it.ev(node.left)
    results: list[Value] = []
    for index, target in enumerate(node.comparisons):
        right = it.ev(target.comparator)
        if right != NONE and type(target.operator) not in _ASK_NO_VALUE:
            reads(it, ((left, node.left), (right, target.comparator)))
        result = _shown(it, left, target) or compare(it, type(target.operator), left, right, node)
        results.append(result)
        if index < len(node.comparisons) - 1:
            if it.truth(result, node, event, **details) is False:
                return FALSE
            if sure_array(result) is not None:
                # One report a condition; the later links are not asked again.
                for rest in node.comparisons[index + 1 :]:
                    it.ev(rest.comparator)
                return UNKNOWN
        left = right
    return join_all(results)


def _shown(it: Interpreter, left: Value, target: cst.ComparisonTarget) -> Value | None:
    """Whether a display lists a value, as far as tests of the value have told."""
    if type(target.operator) not in (cst.In, cst.NotIn):
        return None
    found = shown_within(it, left, target.comparator)
    if found is None or type(target.operator) is cst.In:
        return found
    return FALSE if found == TRUE else TRUE


def compare(it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode) -> Value:
    """The value of one comparison."""
    if isinstance(left, ExternalInstance) and left.cls == "jitlint.type":
        return _of_types(it, op, left, right, node)
    if op in (cst.Is, cst.IsNot):
        if (
            isinstance(left, Array)
            and left.python_type == "bool"
            and isinstance(right, Const)
            and isinstance(right.value, bool)
            and left.level is Level.ABSTRACT
        ):
            it.signal(TypeTestFailed(left, node, "bool"))
        return _identity(it, op, left, right)
    if op in (cst.In, cst.NotIn):
        found = _membership(it, left, right, node)
        if op is cst.NotIn and isinstance(found, Const):
            return Const(not found.value)
        return found
    if type(left) is type(right) is Duration and it.trace is None:
        it.signal(DurationCompared(left, right, node))
    if isinstance(left, Union) or isinstance(right, Union):
        order = op not in _EQUALITY
        ways = [operands_of(value) if order else members_of(value) for value in (left, right)]
        return join_all(_possible(it, op, ways, node))
    overload = overload_of(left) or overload_of(right)
    if overload is not None:
        return overload(it, op, left, right, node)
    if op in METHODS and any(_defines(it, op, value) for value in (left, right)):
        return _rich_comparison(it, op, left, right, node)
    if op in _EQUALITY and shown_apart(left, right):
        return Const(op is cst.NotEqual)
    if isinstance(left, EnumMember) and isinstance(right, EnumMember):
        if op in _EQUALITY and not may_be_aliases(left, right):
            return Const((left.name == right.name) is (op is cst.Equal))
        return BOOL
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return Const(bool(getattr(operator, METHODS[op])(left.value, right.value)))
        except Exception:  # the program's own error
            return UNKNOWN
    if isinstance(left, (Array, Tree)) or isinstance(right, (Array, Tree)):
        return _of_arrays(it, op, left, right, node)
    if _compares_elements(it, op, left, right, node):
        return UNKNOWN
    scalar = _tells_scalar(op, left, right)
    if scalar is not None:
        return BOOL.of_rank(scalar)
    if isinstance(left, (Const, Static)) and isinstance(right, (Const, Static)):
        if "ndarray" not in (python_type(left), python_type(right)):
            return BOOL
        return MadeArray(dimensions=True) if MADE_ROWS in (left, right) else NDARRAY
    if op not in _EQUALITY and (_are_unordered(left, right) or _are_unordered(right, left)):
        if it.is_caught("TypeError"):
            return UNKNOWN
        # The program's own error.
        raise Terminated
    same = are_one_definition(it, left, right) if op in _EQUALITY else None
    if same is not None:
        return Const(same is (op is cst.Equal))
    static = (Const, Static, Tuple, External)
    if all(isinstance(v, static) and find_traced(it, v) is None for v in (left, right)):
        return BOOL
    return _rich_comparison(it, op, left, right, node)


def _defines(it: Interpreter, op: type, value: Value) -> bool:
    """Whether a named tuple compares in a way of its own."""
    names = {METHODS[op], METHODS[REFLECTED.get(op, op)], *(("eq",) if op is cst.NotEqual else ())}
    return any(defines(it, value, f"__{name}__") for name in names)


def _possible(
    it: Interpreter, op: type, ways: Sequence[Sequence[Value]], node: cst.CSTNode
) -> list[Value]:
    """What comes of the pairs that can be compared."""
    results = []
    for left, right in product(*ways):
        with suppress(Terminated):
            results.append(compare(it, op, left, right, node))
    if not results:
        raise Terminated
    return results


def _are_unordered(left: Value, right: Value) -> bool:
    """Whether Python orders no such two: a tuple and a number, ``(3,) >= 0``."""
    return (
        isinstance(left, Tuple)
        and left.cls is None
        and isinstance(right, Const)
        and python_type(right) in ("bool", "float", "int")
    )


def _tells_scalar(op: type, left: Value, right: Value) -> bool | None:
    """How ``x.ndim > 0`` or ``x.shape == ()`` comes out where ``x`` is a scalar.

    None where the comparison does not tell scalars from all other arrays.
    """
    if not isinstance(left, Static) or left.scalar is not False:
        if not isinstance(right, Static) or right.scalar is not False or op not in REFLECTED:
            return None
        left, right, op = right, left, REFLECTED[op]
    assert isinstance(left, Static)
    if left.type == "shape":
        return op is cst.Equal if right == Tuple(()) and op in _EQUALITY else None
    number = right.value if isinstance(right, Const) else None
    # Of a scalar it is 0, of all others at least 1.
    if number not in (0, 1) or type(number) is not int:
        return None
    sides = {getattr(operator, METHODS[op])(n, number) for n in (1, 2, 9)}
    mine = getattr(operator, METHODS[op])(0, number)
    return None if mine in sides else bool(mine)


def _of_types(
    it: Interpreter, op: type, left: ExternalInstance, types: Value, node: cst.CSTNode
) -> Value:
    """``type(x) is float``, ``type(x) in (int, float)`` for an array."""
    value = dict(left.attributes)["of"]
    check_type_test(it, value, types, node)
    if type_test(it, value, types) is not False:
        # One of a class derived from a type is not of that type itself.
        return BOOL
    return FALSE if op in (cst.Is, cst.Equal, cst.In) else TRUE


def _identity(it: Interpreter, op: type, left: Value, right: Value) -> Value:
    outcomes = {are_identical(it, a, b) for a in members_of(left) for b in members_of(right)}
    same = outcomes.pop() if len(outcomes) == 1 else None
    return BOOL if same is None else Const(same if op is cst.Is else not same)


# -- arrays ---------------------------------------------------------------------------------------


def _of_arrays(it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode) -> Value:
    mine, other = (left, right) if isinstance(left, (Array, Tree)) else (right, left)
    if op in _EQUALITY:
        text = isinstance(other, Const) and (other.value is None or type(other.value) is bytes)
        if text or python_type(other) == "str":
            return BOOL if isinstance(mine, Tree) else (FALSE if op is cst.Equal else TRUE)
        numeric = isinstance(other, Array) or is_number(other)
        if isinstance(mine, Array) and mine.python_type is None:
            # Arrays are compared with arrays and numbers; a text would be written out.
            bare = isinstance(other, Tree) and not other.container
            numeric = numeric or bare or other in (UNKNOWN, REPORTED, STATIC)
        if not numeric and python_type(other) != "ndarray":
            # Containers, classes and unknown objects also compare by ==.
            return UNKNOWN
    elif isinstance(other, (Tuple, Ref)) or (isinstance(other, Tree) and other.container):
        return UNKNOWN
    if isinstance(mine, Tree) and mine.container:
        return UNKNOWN
    rank = mine.rank if isinstance(mine, Array) and is_number(other) else None
    pair = (as_number(left, right), as_number(right, left))
    return array_result(it, pair, dtype="bool", rank=rank, node=node, operator=True)


# -- objects --------------------------------------------------------------------------------------


def _compares_elements(
    it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode
) -> bool:
    """``[x] == [1.0]``: lists and tuples compare element by element and ask each result."""
    mine, other = _elements_of(it, left, op), _elements_of(it, right, op)
    if mine is None or other is None or type(left) is not type(right):
        return False
    if len(mine) != len(other) and op in _EQUALITY:
        return False
    for a, b in zip(mine, other, strict=False):
        traced = sure_array(a) or sure_array(b)
        if traced is None:
            if a == b and isinstance(a, Const):
                continue
            return False
        if a is b or not all(isinstance(v, Array) or is_number(v) for v in (a, b)):
            return False
        symbol = SYMBOLS[op]
        it.emit(BuiltinComparison, node, traced, exceptions=BOOL_ERRORS, builtin=symbol)
        return True
    return False


def _elements_of(it: Interpreter, value: Value, op: type) -> Sequence[Value] | None:
    if isinstance(value, Tuple):
        return value.items
    contents = it.contents(value) if isinstance(value, Ref) else None
    if isinstance(contents, Instance):
        return (compared_fields if op in _EQUALITY else ordered_fields)(it, value)
    return contents.items if isinstance(contents, ListObject) else None


def _rich_comparison(
    it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode
) -> Value:
    """A comparison that a class of the project defines."""
    result = call_special(it, left, f"__{METHODS[op]}__", node, right)
    if result is None and op is cst.NotEqual:
        # Unless it is defined, it is the negation of `==`.
        result = call_special(it, left, "__eq__", node, right)
        if result is not None:
            it.truth(result, node, BuiltinComparison, builtin="!=")
            return BOOL
    if result is None:
        result = call_special(it, right, f"__{METHODS[REFLECTED[op]]}__", node, left)
    if result is None and op not in _EQUALITY:
        result = _total_ordering(it, left, right, node)
    return UNKNOWN if result is None else result


def _total_ordering(it: Interpreter, left: Value, right: Value, node: cst.CSTNode) -> Value | None:
    """What ``functools.total_ordering`` makes of the one order that a class defines."""
    contents = it.contents(left) if isinstance(left, Ref) else None
    if not isinstance(contents, Instance):
        return None
    if "functools.total_ordering" not in class_info(it, contents.cls).decorators:
        return None
    for name in ("__lt__", "__le__", "__gt__", "__ge__"):
        result = call_special(it, left, name, node, right)
        if result is not None:
            it.truth(result, node, BuiltinComparison, builtin=name)
            return BOOL
    return None


# -- membership -----------------------------------------------------------------------------------


def _membership(it: Interpreter, left: Value, right: Value, node: cst.CSTNode) -> Value:
    if isinstance(right, External) and right.name == "os.environ":
        it.item(right, left, node)
        return BOOL
    if (there := has_key(right, left)) is not None:
        return Const(there)
    contents = it.contents(right) if isinstance(right, Ref) else None
    if isinstance(contents, (DictObject, SetObject)):
        return _in_keys(it, left, right, contents, node)
    traced = sure_array(left)
    container = sure_array(right)
    if container is not None and python_type(left) == "str":
        # Nobody looks for a text in an array: it is a dict, whatever else it is taken for.
        return UNKNOWN
    if container is not None:
        if isinstance(left, (Array, Const, Static)) or sure_tree(left) is not None:
            return _sought(it, node, container, ARRAYS)
        return UNKNOWN
    found = sequence_items(it, right)
    guessed = sure_tree(left) if traced is None else None
    if guessed is not None and found is not None and is_number(found[0]):
        return _sought(it, node, guessed, SEQUENCE)
    asked = call_special(it, right, "__contains__", node, left)
    if asked is not None:
        # `in` asks what the method gives for its truth.
        it.truth(asked, node, BuiltinComparison, builtin="in")
        return BOOL
    if found is not None:
        return _in_sequence(it, left, traced, *found, node)
    if traced is not None and isinstance(right, Static) and right.type == "range":
        _sought(it, node, traced, SEQUENCE)
    if traced is not None and _is_given(right):
        errors = (*BOOL_ERRORS, "TypeError")
        return it.emit(BuiltinComparison, node, traced, exceptions=errors, builtin="in")
    if isinstance(left, (Const, Static)) and isinstance(right, (Const, Static)):
        texts = [v.value for v in (left, right) if isinstance(v, Const) and type(v.value) is str]
        return Const(texts[0] in texts[1]) if len(texts) == 2 else BOOL
    return UNKNOWN


def _is_given(value: Value) -> bool:
    """Whether a value is part of a pytree that a trace is given, and no object of a class.

    An array and a sequence compare their elements, and a dict wants a hash of what is sought.
    """
    return type(value) is Tree and value.level is Level.ABSTRACT and not value.keyed


def _sought(it: Interpreter, node: cst.CSTNode, traced: Array | Tree, container: str) -> Value:
    """What is sought among arrays or numbers is compared with each of them."""
    always = frozenset({container})
    return it.emit(
        BuiltinComparison, node, traced, exceptions=BOOL_ERRORS, builtin="in", always=always
    )


def _in_keys(
    it: Interpreter,
    left: Value,
    right: Value,
    contents: DictObject | SetObject,
    node: cst.CSTNode,
) -> Value:
    traced = hashed_tracer(it, left)
    if traced is not None and not (isinstance(traced, Tree) and has_text_keys(contents)):
        construct = "dict key" if isinstance(contents, DictObject) else "set look-up"
        sought = node.left if isinstance(node, cst.Comparison) else node
        emit_hash(it, node, traced, sought, construct)
        return UNKNOWN
    if isinstance(contents, SetObject) or contents.rest is not None or may_be_filled(it, right):
        return BOOL
    return FALSE if isinstance(left, Const) and left.value not in contents.items else BOOL


def _compares_values(member: Value) -> bool:
    """Whether what an array is compared with by ``==`` is an array or a number, too."""
    bare = sure_tree(member) is not None
    return bare or is_number(member) or isinstance(member, Array) or member == NDARRAY


def _in_sequence(
    it: Interpreter,
    left: Value,
    traced: Array | None,
    element: Value,
    items: Sequence[Value] | None,
    node: cst.CSTNode,
) -> Value:
    for member in [element] if items is None else items:
        if traced is not None:
            fault = traced if all(map(_compares_values, members_of(member))) else None
        else:
            fault = sure_array(member) if is_number(left) else None
        if fault is not None:
            return _sought(it, node, fault, SEQUENCE)
    if traced is not None:
        return BOOL if items is None else FALSE
    if isinstance(left, Const) and items is not None and all(isinstance(i, Const) for i in items):
        return Const(left in items)
    return BOOL if isinstance(left, (Const, Static)) else UNKNOWN
