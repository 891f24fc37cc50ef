"""What Python's operators ask of abstract values: truth, arithmetic, comparison, subscripts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import (
    BooleanOperation,
    BuiltinComparison,
    Conversion,
    DataDependentShape,
    Event,
    Hash,
    NumpyCall,
    PythonIndex,
    TypeTest,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import HostCalled
from jitlint.absint.machine.tracers import (
    comparable_tracer,
    find_traced,
    level_of,
    sure_array,
    sure_tree,
)
from jitlint.absint.python import narrowing
from jitlint.absint.python.special_methods import (
    call_special,
    compared_fields,
    hashed_fields,
    ordered_fields,
    shown_fields,
)
from jitlint.absint.values.domain import (
    BOOL,
    FALSE,
    INT,
    MADE_ROWS,
    NDARRAY,
    SHAPE,
    STATIC,
    STR,
    TRUE,
    UNKNOWN,
    Array,
    Certainty,
    Class,
    Const,
    EnumMember,
    External,
    ExternalInstance,
    Flag,
    Level,
    MadeArray,
    Origin,
    Ref,
    Slice,
    Static,
    Text,
    Tree,
    Tuple,
    Union,
    Value,
    known_bool,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join, join_all, type_name

BOOL_ERRORS: Final = ("jax.errors.TracerBoolConversionError", "ValueError")
INDEX_ERRORS: Final = ("jax.errors.TracerIntegerConversionError", "TypeError")
ARRAY_ERRORS: Final = ("jax.errors.TracerArrayConversionError",)
SLICE_ERRORS: Final = ("IndexError",)
HASH_ERRORS: Final = ("TypeError",)
MASK_ERRORS: Final = ("jax.errors.NonConcreteBooleanIndexError",)
FORMAT_ERRORS: Final = ("TypeError", "jax.errors.ConcretizationTypeError")

AUGMENTED: Final[dict[type, type]] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.MatrixMultiplyAssign: cst.MatrixMultiply,
    cst.DivideAssign: cst.Divide,
    cst.ModuloAssign: cst.Modulo,
    cst.BitAndAssign: cst.BitAnd,
    cst.BitOrAssign: cst.BitOr,
    cst.BitXorAssign: cst.BitXor,
    cst.LeftShiftAssign: cst.LeftShift,
    cst.RightShiftAssign: cst.RightShift,
    cst.PowerAssign: cst.Power,
    cst.FloorDivideAssign: cst.FloorDivide,
}

_FOLD: Final[dict[type, Callable[[Any, Any], Any]]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.BitAnd: operator.and_,
    cst.BitOr: operator.or_,
}
_BITWISE = (cst.BitAnd, cst.BitOr, cst.BitXor)
_ORDER: Final[dict[type, Callable[[Any, Any], Any]]] = {
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
}
_FOLD_LIMIT = 10_000


# -- traced values --------------------------------------------------------------------------------


def array_result(
    it: Interpreter,
    operands: Iterable[Value],
    *,
    dtype: str | None = None,
    rank: int | None = None,
    node: cst.CSTNode | None = None,
    operator: bool = False,
) -> Array:
    """The array that a JAX operation makes of its operands.

    ``operator`` tells a Python operator, which works on other things than arrays too, from a
    function of JAX.

    Inside jit every result is a tracer, whatever the operands are.
    """
    level = Level.CONCRETE
    trace = 0
    source: Array | Tree | None = None
    for operand in operands:
        if type(operand) is Array and operand.trace > trace:
            trace = operand.trace
        found = level_of(it, operand)
        if found is not None and found > level:
            level = found
        traced = find_traced(it, operand)
        if traced is not None and (source is None or traced.certainty > source.certainty):
            source = traced
    origin: Origin | None = None if source is None else source.origin
    certainty = Certainty.SURE if source is None else source.certainty
    if it.frame.context.staging:
        if level is not Level.ABSTRACT and node is not None:
            origin = it.origin(node, "every JAX operation is traced here, even of constants")
        level = Level.ABSTRACT
        trace = it.staging_trace(trace)
        if source is None or (certainty is Certainty.GUESS and not operator):
            certainty = Certainty.SURE
    elif level is Level.VALUE and dtype in ("bool", "int"):
        # Comparisons and integer results are not differentiated: their value is there.
        level = Level.CONCRETE
    return Array(level, certainty=certainty, dtype=dtype, rank=rank, origin=origin, trace=trace)


# -- truth ----------------------------------------------------------------------------------------


def condition(
    it: Interpreter, test: cst.BaseExpression, event: type[Event], **details: Any
) -> bool | None:
    """Evaluate a condition; report by ``event`` where Python asks a traced value for its truth."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        inner = condition(it, test.expression, event, **details)
        return None if inner is None else not inner
    if type(test) is cst.BooleanOperation:
        stop = type(test.operator) is cst.Or
        it.asked = False
        left = condition(it, test.left, event, **details)
        if left is stop:
            return stop
        if it.asked:
            # One report a condition: the rest is evaluated, but not asked for its truth.
            with narrowing.assumed(it, test.left, not stop):
                it.ev(test.right)
            it.asked = True
            return None
        with narrowing.assumed(it, test.left, not stop):
            right = condition(it, test.right, event, **details)
        if right is stop and left is not None:
            return stop
        if left is (not stop) and right is (not stop):
            return not stop
        return stop if right is stop else None
    if type(test) is cst.Comparison and len(test.comparisons) > 1:
        return truth(it, comparison(it, test, event, details), test, event, **details)
    decided = truth(it, it.ev(test), test, event, **details)
    if decided is None and it.state.assumed:
        key = narrowing.stable_key(test)
        return None if key is None else it.state.assumed.get(key)
    return decided


def truth(
    it: Interpreter, value: Value, node: cst.CSTNode, event: type[Event], **details: Any
) -> bool | None:
    """The truth of a value, None if not known; reports a tracer."""
    known = known_bool(value)
    if known is not None:
        return known
    if type(value) is Flag:
        return it.state.assumed.get(value.name)
    traced = sure_array(value)
    if traced is not None:
        it.emit(event, node, traced, exceptions=BOOL_ERRORS, **details)
        return None
    if isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, ListObject) and contents.items is not None:
            return bool(contents.items)
        if isinstance(contents, DictObject) and not contents.items and contents.rest is None:
            return False
        if isinstance(contents, Instance):
            return _instance_truth(it, value, node, event, details)
    return None


def _instance_truth(
    it: Interpreter, value: Ref, node: cst.CSTNode, event: type[Event], details: dict[str, Any]
) -> bool | None:
    """The truth of an object, which its class may define by ``__bool__`` or ``__len__``."""
    for name in ("__bool__", "__len__"):
        result = call_special(it, value, name, node)
        if result is None:
            continue
        traced = sure_array(result)
        if traced is not None:
            errors = ("TypeError",) if name == "__bool__" else INDEX_ERRORS
            it.emit(event, node, traced, exceptions=errors, **details)
            return None
        return known_bool(result)
    return None


# -- arithmetic -----------------------------------------------------------------------------------


def binary(
    it: Interpreter,
    op: type,
    left: Value,
    right: Value,
    node: cst.CSTNode,
    left_node: cst.CSTNode,
    right_node: cst.CSTNode,
) -> Value:
    """The value of ``left op right``."""
    if isinstance(left, Union) or isinstance(right, Union):
        with it.doubting():
            return join_all(
                binary(it, op, a, b, node, left_node, right_node)
                for a in members_of(left)
                for b in members_of(right)
            )
    if op is cst.Modulo and isinstance(left, (Const, Static)) and type_name(left) == "str":
        return _percent_format(it, left, right, node)
    if isinstance(left, (Array, Tree)) or isinstance(right, (Array, Tree)):
        return _array_arithmetic(it, op, left, right, node, left_node, right_node)
    if isinstance(left, Const) and isinstance(right, Const):
        return _fold(op, left, right)
    if isinstance(left, (Const, Static)) and isinstance(right, (Const, Static)):
        return _static_arithmetic(op, left, right)
    if op is cst.BitOr and _is_type(left) and _is_type(right):
        return Tuple((*_types(left), *_types(right)))
    sequence = _concatenate(it, op, left, right, node)
    if sequence is not None:
        return sequence
    return _overloaded(it, op, left, right, node)


def _is_type(value: Value) -> bool:
    return isinstance(value, (External, Class)) or (
        isinstance(value, Tuple) and all(_is_type(item) for item in value.items)
    ) or value == Const(None)  # fmt: skip


def _types(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Tuple) else (value,)


def _array_arithmetic(
    it: Interpreter,
    op: type,
    left: Value,
    right: Value,
    node: cst.CSTNode,
    left_node: cst.CSTNode,
    right_node: cst.CSTNode,
) -> Value:
    pair = (left, right)
    for mine, other in ((left, right), (right, left)):
        if isinstance(mine, (Array, Tree)) and isinstance(other, (Tuple, Ref)):
            if isinstance(other, Ref) and not isinstance(it.contents(other), ListObject):
                return _overloaded(it, op, left, right, node)
            # A list or tuple times a tracer: Python repeats a sequence by an integer.
            _check_repetition(it, op, mine, node, left_node if mine is left else right_node)
            return UNKNOWN
        if isinstance(mine, Tree) and mine.container:
            return Tree(mine.level, certainty=mine.certainty, container=True, origin=mine.origin)
        if isinstance(other, (Const, Static)) and type_name(other) == "str":
            _check_repetition(it, op, mine, node, left_node if mine is left else right_node)
            return UNKNOWN
    pair = (_as_number(left, right, op), _as_number(right, left, op))
    dtype = None
    if op in _BITWISE:
        kinds = {v.dtype if isinstance(v, Array) else _python_dtype(v) for v in pair}
        dtype = "bool" if kinds == {"bool"} else None
    rank = None
    ranks = [v.rank if isinstance(v, Array) else _python_rank(v) for v in pair]
    if None not in ranks:
        rank = max(r for r in ranks if r is not None)
    return array_result(it, pair, dtype=dtype, rank=rank, node=node, operator=True)


def _check_repetition(
    it: Interpreter, op: type, count: Value, node: cst.CSTNode, where: cst.CSTNode
) -> None:
    """``[0] * n``: Python asks what a list, tuple or text is multiplied by for an integer."""
    traced = (sure_array(count) or sure_tree(count)) if op is cst.Multiply else None
    if traced is not None:
        it.emit(
            PythonIndex,
            node,
            traced,
            operand=where,
            exceptions=("TypeError",),
            construct="sequence repetition",
        )


#: operators that no text and no tuple has
_OF_NUMBERS: Final = (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Power, cst.MatrixMultiply)


def _as_number(value: Value, other: Value, op: type | None = None) -> Value:
    """What is reckoned or compared with a number is one, whatever it was guessed to be."""
    if (
        isinstance(value, Tree)
        and value.certainty is Certainty.GUESS
        and (op in _OF_NUMBERS or _python_rank(other) == 0 or isinstance(other, Array))
    ):
        return Array(value.level, origin=value.origin)
    return value


def _python_dtype(value: Value) -> str | None:
    return type_name(value) if isinstance(value, (Const, Static)) else None


def _python_rank(value: Value) -> int | None:
    kind = _python_dtype(value)
    return 0 if kind in ("int", "float", "bool", "complex") else None


def _fold(op: type, left: Const, right: Const) -> Value:
    function = _FOLD.get(op)
    if function is None:
        return _static_arithmetic(op, left, right)
    for side in (left.value, right.value):
        if isinstance(side, (int, float)) and abs(side) > _FOLD_LIMIT**3:
            return _static_arithmetic(op, left, right)
        if isinstance(side, (str, bytes)) and len(side) > _FOLD_LIMIT:
            return _static_arithmetic(op, left, right)
    if op is cst.Multiply and not all(
        isinstance(side.value, (int, float)) for side in (left, right)
    ):
        return _static_arithmetic(op, left, right)
    try:
        return Const(function(left.value, right.value))
    except Exception:  # the program's own error, not ours to report
        return STATIC


def _static_arithmetic(op: type, left: Const | Static, right: Const | Static) -> Value:
    kinds = {type_name(left), type_name(right)}
    if None in kinds:
        return STATIC
    if "ndarray" in kinds:
        return MADE_ROWS if MADE_ROWS in (left, right) else NDARRAY
    if kinds == {"shape"}:
        return SHAPE
    if kinds & {"str"}:
        return STR
    if op is cst.Divide and kinds <= {"int", "bool", "float"}:
        return Static("float")
    if kinds <= {"int", "bool"}:
        return BOOL if op in _BITWISE and kinds == {"bool"} else INT
    if kinds <= {"int", "float", "bool"}:
        return Static("float")
    return STATIC


def _concatenate(
    it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode
) -> Value | None:
    if op is cst.Add:
        if isinstance(left, Tuple) and isinstance(right, Tuple):
            return Tuple(left.items + right.items)
        a, b = sequence_items(it, left), sequence_items(it, right)
        if a is not None and b is not None:
            if isinstance(left, Ref):
                items = None if a[1] is None or b[1] is None else (*a[1], *b[1])
                element = _join_elements(a, b)
                lists = it.is_mutable(left)
                return it.allocate(node, ListObject(items, element, mutable=lists))
            return it.allocate(node, ListObject(None, _join_elements(a, b)), "tuple")
    if op is cst.Multiply:
        for sequence, count in ((left, right), (right, left)):
            found = sequence_items(it, sequence)
            if found is None or not isinstance(count, (Const, Static)):
                continue
            element, parts = found
            if isinstance(count, Const) and parts is not None and type(count.value) is int:
                repeated = tuple(parts) * min(max(count.value, 0), it.limits.items)
                if 0 <= count.value * len(parts) <= it.limits.items:
                    if isinstance(sequence, Tuple):
                        return Tuple(repeated)
                    lists = isinstance(sequence, Ref) and it.is_mutable(sequence)
                    return it.allocate(node, ListObject(repeated, element, mutable=lists))
            lists = isinstance(sequence, Ref) and it.is_mutable(sequence)
            return it.allocate(node, ListObject(None, element, mutable=lists))
    return None


def _join_elements(
    a: tuple[Value, Sequence[Value] | None], b: tuple[Value, Sequence[Value] | None]
) -> Value:
    if a[1] is not None and len(a[1]) == 0:
        return b[0]
    if b[1] is not None and len(b[1]) == 0:
        return a[0]
    return join(a[0], b[0])


_DUNDER: Final[dict[type, str]] = {
    cst.Add: "add",
    cst.Subtract: "sub",
    cst.Multiply: "mul",
    cst.Divide: "truediv",
    cst.FloorDivide: "floordiv",
    cst.Modulo: "mod",
    cst.Power: "pow",
    cst.MatrixMultiply: "matmul",
    cst.BitAnd: "and",
    cst.BitOr: "or",
    cst.BitXor: "xor",
    cst.LeftShift: "lshift",
    cst.RightShift: "rshift",
}


def _overloaded(it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode) -> Value:
    name = _DUNDER.get(op)
    for mine, other, dunder in ((left, right, f"__{name}__"), (right, left, f"__r{name}__")):
        result = call_special(it, mine, dunder, node, other)
        if result is not None:
            return result
    if isinstance(left, Ref) and isinstance(right, Ref) and op is cst.BitOr:
        a, b = it.contents(left), it.contents(right)
        if isinstance(a, DictObject) and isinstance(b, DictObject):
            rest = a.rest if b.rest is None else b.rest
            return it.allocate(node, DictObject({**a.items, **b.items}, rest))
    return UNKNOWN


def extend_in_place(it: Interpreter, left: Value, right: Value) -> bool:
    """``list += iterable`` changes the list itself; True when that was what happened."""
    if isinstance(left, Ref) and isinstance(it.contents(left), ListObject):
        contents = it.edit(left)
        found = sequence_items(it, right)
        if found is None:
            element = _element_of(right)
            contents.element = element if contents.items == () else join(contents.element, element)
            contents.items = None
        else:
            mine = (contents.element, contents.items)
            contents.element = _join_elements(mine, found)
            contents.items = (
                None
                if contents.items is None
                or found[1] is None
                or len(contents.items) + len(found[1]) > it.limits.items
                else (*contents.items, *found[1])
            )
        return True
    return False


def _element_of(value: Value) -> Value:
    if isinstance(value, (Array, Tree)):
        return value.replace()
    return UNKNOWN


def _percent_format(
    it: Interpreter, left: Const | Static, right: Value, node: cst.CSTNode
) -> Value:
    import re

    if isinstance(left, Const):
        specs = re.findall(r"%(?:\([^)]*\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?([a-zA-Z%])", left.value)
        specs = [spec for spec in specs if spec != "%"]
        items = list(right.items) if isinstance(right, Tuple) else [right]
        for spec, item in zip(specs, items, strict=False):
            traced = sure_array(item) or sure_tree(item)
            if spec in "diouxXeEfFgGc" and traced is not None:
                it.emit(Conversion, node, traced, exceptions=FORMAT_ERRORS, callee="% formatting")
                return STR
    return shown(it, right)


def shown(it: Interpreter, *parts: Value) -> Static:
    """The text of some values: it shows a tracer where one of them does."""
    for part in parts:
        tracer = text_tracer(it, part) or find_traced(it, part)
        if tracer is not None:
            return Text(tracer)
    return STR


def text_of(it: Interpreter, value: Value, node: cst.CSTNode) -> Value | None:
    """The text that an object gives of itself, None if its class defines none."""
    for name in ("__str__", "__repr__"):
        text = call_special(it, value, name, node)
        if text is not None:
            return text
    return None


def text_tracer(it: Interpreter, value: Value, depth: int = 2) -> Array | Tree | None:
    """The tracer whose representation is in a text or a container of texts, None if in none."""
    if isinstance(value, Text):
        return value.tracer
    if not depth:
        return None
    parts: Iterable[Value] = ()
    if isinstance(value, Union):
        depth, parts = depth + 1, value.members
    elif isinstance(value, Tuple):
        parts = value.items
    elif isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, ListObject):
            parts = (contents.element,) if contents.items is None else contents.items
        elif isinstance(contents, DictObject):
            parts = contents.items.values()
        else:
            parts = shown_fields(it, value) or ()
            for part in parts:
                tracer = find_traced(it, part)
                if tracer is not None:
                    return tracer
    for part in parts:
        found = text_tracer(it, part, depth - 1)
        if found is not None:
            return found
    return None


# -- comparison -----------------------------------------------------------------------------------


def comparison(
    it: Interpreter,
    node: cst.Comparison,
    event: type[Event] | None = None,
    details: dict[str, Any] | None = None,
) -> Value:
    """A comparison; a chain asks each but its last link for its truth."""
    left_node: cst.CSTNode = node.left
    left = it.ev(node.left)
    result: Value = UNKNOWN
    results: list[Value] = []
    for index, target in enumerate(node.comparisons):
        right = it.ev(target.comparator)
        result = compare(it, type(target.operator), left, right, node, left_node, target.comparator)
        results.append(result)
        if index < len(node.comparisons) - 1:
            if event is None or details is None:
                decided = truth(it, result, node, BooleanOperation, operator="chained comparison")
            else:
                decided = truth(it, result, node, event, **details)
            if decided is False:
                return FALSE
            if sure_array(result) is not None:
                # One report a condition; the later links are not asked again.
                for rest in node.comparisons[index + 1 :]:
                    it.ev(rest.comparator)
                return UNKNOWN
        left, left_node = right, target.comparator
    if len(results) > 1:
        return join_all(results)
    return result


def compare(
    it: Interpreter,
    op: type,
    left: Value,
    right: Value,
    node: cst.CSTNode,
    left_node: cst.CSTNode,
    right_node: cst.CSTNode,
) -> Value:
    """The value of one comparison."""
    if isinstance(left, ExternalInstance) and left.cls == "jitlint.type":
        return _type_comparison(it, left, right, node)
    if op in (cst.Is, cst.IsNot):
        if (
            isinstance(left, Array)
            and left.python_type == "bool"
            and isinstance(right, Const)
            and isinstance(right.value, bool)
            and left.level is Level.ABSTRACT
        ):
            it.emit(TypeTest, node, left, operand=left_node, test=it.text(node), python_type="bool")
        return _identity(op, left, right)
    if op in (cst.In, cst.NotIn):
        found = _membership(it, left, right, node)
        if op is cst.NotIn and isinstance(found, Const):
            return Const(not found.value)
        return found
    if isinstance(left, Union) or isinstance(right, Union):
        return join_all(
            compare(it, op, a, b, node, left_node, right_node)
            for a in members_of(left)
            for b in members_of(right)
        )
    if isinstance(left, EnumMember) and isinstance(right, EnumMember):
        if op in (cst.Equal, cst.NotEqual) and not _are_aliases(left, right):
            return Const((left.name == right.name) is (op is cst.Equal))
        return BOOL
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return Const(bool(_ORDER[op](left.value, right.value)))
        except Exception:  # the program's own error
            return UNKNOWN
    if isinstance(left, (Array, Tree)) or isinstance(right, (Array, Tree)):
        return _array_comparison(it, op, left, right, node)
    if _compares_elements(it, op, left, right, node):
        return UNKNOWN
    if isinstance(left, (Const, Static)) and isinstance(right, (Const, Static)):
        return NDARRAY if "ndarray" in {type_name(left), type_name(right)} else BOOL
    static = (Const, Static, Tuple, External)
    if (
        isinstance(left, static)
        and isinstance(right, static)
        and find_traced(it, left) is None
        and find_traced(it, right) is None
    ):
        return BOOL
    return _rich_comparison(it, op, left, right, node)


_RICH: Final[dict[type, str]] = {
    cst.LessThan: "__lt__",
    cst.LessThanEqual: "__le__",
    cst.GreaterThan: "__gt__",
    cst.GreaterThanEqual: "__ge__",
    cst.Equal: "__eq__",
    cst.NotEqual: "__ne__",
}


def _compares_elements(
    it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode
) -> bool:
    """``[x] == [1.0]``: lists and tuples compare element by element and ask each result."""
    mine, other = _elements_of(it, left, op), _elements_of(it, right, op)
    if mine is None or other is None or type(left) is not type(right):
        return False
    if len(mine) != len(other) and op in (cst.Equal, cst.NotEqual):
        return False
    for a, b in zip(mine, other, strict=False):
        traced = sure_array(a) or sure_array(b)
        if traced is None:
            if a == b and isinstance(a, Const):
                continue
            return False
        if a is b or not all(isinstance(v, Array) or _python_rank(v) == 0 for v in (a, b)):
            return False
        symbol = _SYMBOLS.get(op, "==")
        it.emit(BuiltinComparison, node, traced, exceptions=BOOL_ERRORS, builtin=symbol)
        return True
    return False


_SYMBOLS: Final[dict[type, str]] = {
    cst.NotEqual: "!=",
    cst.LessThan: "<",
    cst.LessThanEqual: "<=",
    cst.GreaterThan: ">",
    cst.GreaterThanEqual: ">=",
}


def _elements_of(it: Interpreter, value: Value, op: type) -> Sequence[Value] | None:
    if isinstance(value, Tuple):
        return value.items
    contents = it.contents(value) if isinstance(value, Ref) else None
    if isinstance(contents, Instance):
        equality = op in (cst.Equal, cst.NotEqual)
        return compared_fields(it, value) if equality else ordered_fields(it, value)
    return contents.items if isinstance(contents, ListObject) else None


def _rich_comparison(
    it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode
) -> Value:
    """A comparison that a class of the project defines."""
    result = call_special(it, left, _RICH[op], node, right)
    if result is None and op is cst.NotEqual:
        # Unless it is defined, it is the negation of `==`.
        result = call_special(it, left, "__eq__", node, right)
        if result is not None:
            truth(it, result, node, BuiltinComparison, builtin="!=")
            return BOOL
    if result is None:
        result = call_special(it, right, _RICH[_REFLECTED[op]], node, left)
    if result is None and op not in (cst.Equal, cst.NotEqual):
        result = _total_ordering(it, left, right, node)
    return UNKNOWN if result is None else result


_REFLECTED: Final[dict[type, type]] = {
    cst.LessThan: cst.GreaterThan,
    cst.LessThanEqual: cst.GreaterThanEqual,
    cst.GreaterThan: cst.LessThan,
    cst.GreaterThanEqual: cst.LessThanEqual,
    cst.Equal: cst.Equal,
    cst.NotEqual: cst.NotEqual,
}


def _total_ordering(it: Interpreter, left: Value, right: Value, node: cst.CSTNode) -> Value | None:
    """What ``functools.total_ordering`` makes of the one order that a class defines."""
    from jitlint.absint.program.classes import class_info

    contents = it.contents(left) if isinstance(left, Ref) else None
    if not isinstance(contents, Instance):
        return None
    if "functools.total_ordering" not in class_info(it, contents.cls).decorators:
        return None
    for name in ("__lt__", "__le__", "__gt__", "__ge__"):
        result = call_special(it, left, name, node, right)
        if result is not None:
            truth(it, result, node, BuiltinComparison, builtin=name)
            return BOOL
    return None


def _type_comparison(
    it: Interpreter, left: ExternalInstance, types: Value, node: cst.CSTNode
) -> Value:
    """``type(x) is float``, ``type(x) in (int, float)`` for an array."""
    from jitlint.absint.library.builtin_models import check_type_test

    array = dict(left.attributes)["of"]
    check_type_test(it, array, types, node)
    return BOOL


def _array_comparison(
    it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode
) -> Value:
    other = right if isinstance(left, (Array, Tree)) else left
    mine = left if isinstance(left, (Array, Tree)) else right
    if op in (cst.Equal, cst.NotEqual):
        if isinstance(other, Const) and (
            other.value is None or isinstance(other.value, (str, bytes))
        ):
            if isinstance(mine, Tree):
                return BOOL
            return FALSE if op is cst.Equal else TRUE
        if isinstance(other, Static) and type_name(other) == "str":
            return BOOL if isinstance(mine, Tree) else (FALSE if op is cst.Equal else TRUE)
        numeric = isinstance(other, Array) or _python_rank(other) == 0
        if other == UNKNOWN and isinstance(mine, Array) and mine.python_type is None:
            # Arrays are compared with arrays and numbers; a text would be written out.
            numeric = True
        numeric = numeric or (isinstance(other, Static) and other.type == "ndarray")
        if not numeric or (isinstance(mine, Tree) and mine.container):
            # Containers, classes and unknown objects also compare by ==.
            return UNKNOWN
    elif isinstance(other, (Tuple, Ref)) or (isinstance(other, Tree) and other.container):
        return UNKNOWN
    if isinstance(mine, Tree) and mine.container:
        return UNKNOWN
    rank = mine.rank if isinstance(mine, Array) and _python_rank(other) == 0 else None
    pair = (_as_number(left, right), _as_number(right, left))
    return array_result(it, pair, dtype="bool", rank=rank, node=node, operator=True)


def _identity(op: type, left: Value, right: Value) -> Value:
    results = set()
    for a in members_of(left):
        for b in members_of(right):
            results.add(_same(a, b))
    if len(results) == 1:
        (same,) = results
        if same is not None:
            return Const(same if op is cst.Is else not same)
    return BOOL


def _same(left: Value, right: Value) -> bool | None:
    if isinstance(left, EnumMember) and isinstance(right, EnumMember):
        return None if _are_aliases(left, right) else left.name == right.name
    if isinstance(left, Const) and isinstance(right, Const):
        if left.value is None or right.value is None or isinstance(left.value, bool):
            return left == right
        return None if left == right else False
    for mine, other in ((left, right), (right, left)):
        if isinstance(other, Const) and (other.value is None or isinstance(other.value, bool)):
            if isinstance(mine, (Array, Tuple, Ref)):
                return False
            if isinstance(mine, Static):
                return False if mine.type is not None and mine.type != "bool" else None
            if not isinstance(mine, (Tree, Static, ExternalInstance, Const)) and mine != UNKNOWN:
                return False
    return None


def _are_aliases(left: EnumMember, right: EnumMember) -> bool:
    """Whether two names may stand for one member: those of other classes, or of mixed ones."""
    return left.name.rpartition(".")[0] != right.name.rpartition(".")[0]


def _membership(it: Interpreter, left: Value, right: Value, node: cst.CSTNode) -> Value:
    if isinstance(left, ExternalInstance) and left.cls == "jitlint.type":
        return _type_comparison(it, left, right, node)
    traced = sure_array(left)
    if isinstance(right, External) and right.name == "os.environ":
        get_item(it, right, left, node)
        return BOOL
    if isinstance(right, Ref) and isinstance(it.contents(right), (DictObject, SetObject)):
        contents = it.contents(right)
        held = hashed_tracer(it, left)
        if held is not None and not (isinstance(held, Tree) and _has_text_keys(contents)):
            construct = "dict key" if isinstance(contents, DictObject) else "set look-up"
            sought = node.left if isinstance(node, cst.Comparison) else node
            it.emit(Hash, node, held, operand=sought, exceptions=HASH_ERRORS, construct=construct)
            return UNKNOWN
        closed = isinstance(contents, DictObject) and contents.rest is None
        closed = closed and not _may_be_filled(it, right)
        if closed and isinstance(left, Const) and left.value not in contents.items:
            return FALSE
        return BOOL
    container = sure_array(right)
    if container is not None:
        if isinstance(left, (Array, Const, Static)) or sure_tree(left) is not None:
            it.emit(BuiltinComparison, node, container, exceptions=BOOL_ERRORS, builtin="in")
        return UNKNOWN
    if traced is None and isinstance(left, Tree):
        guessed = sure_tree(left)
        numbers = sequence_items(it, right)
        if guessed is not None and numbers is not None and _python_rank(numbers[0]) == 0:
            it.emit(BuiltinComparison, node, guessed, exceptions=BOOL_ERRORS, builtin="in")
            return UNKNOWN
    asked = call_special(it, right, "__contains__", node, left)
    if asked is not None:
        # `in` asks what the method gives for its truth.
        truth(it, asked, node, BuiltinComparison, builtin="in")
        return BOOL
    found = sequence_items(it, right)
    if found is None:
        if traced is not None and isinstance(right, Static) and right.type == "range":
            it.emit(BuiltinComparison, node, traced, exceptions=BOOL_ERRORS, builtin="in")
        if isinstance(left, (Const, Static)) and isinstance(right, (Const, Static)):
            return BOOL
        return UNKNOWN
    element, items = found
    members = list(items) if items is not None else [element]
    for member in members:
        if isinstance(member, Union):
            continue
        if traced is not None and (
            _python_rank(member) == 0 or isinstance(member, Array) or member == NDARRAY
        ):
            it.emit(BuiltinComparison, node, traced, exceptions=BOOL_ERRORS, builtin="in")
            return UNKNOWN
        inner = sure_array(member)
        if inner is not None and traced is None and _python_rank(left) == 0:
            it.emit(BuiltinComparison, node, inner, exceptions=BOOL_ERRORS, builtin="in")
            return UNKNOWN
    if traced is not None:
        return BOOL if items is None else FALSE
    if isinstance(left, Const) and items is not None and all(isinstance(i, Const) for i in items):
        return Const(left in items)
    if isinstance(left, (Const, Static)):
        return BOOL
    return UNKNOWN


# -- iteration ------------------------------------------------------------------------------------


def join_items(items: Sequence[Value]) -> Value:
    """One value that stands for every element; Unknown for no elements."""
    return join_all(items)


def sequence_items(it: Interpreter, value: Value) -> tuple[Value, Sequence[Value] | None] | None:
    """(element, elements if all are known) of a list or tuple, None for anything else."""
    if isinstance(value, Tuple):
        return join_items(value.items), value.items
    if isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, ListObject):
            return contents.element, contents.items
    if isinstance(value, Static) and value.type == "shape":
        return INT, None
    return None


def iterate(
    it: Interpreter, value: Value, node: cst.CSTNode
) -> tuple[Value, Sequence[Value] | None]:
    """What iterating gives: (element, all elements if known)."""
    if isinstance(value, Union):
        parts = [iterate(it, member, node) for member in value.members]
        return join_all(part[0] for part in parts), None
    found = sequence_items(it, value)
    if found is not None:
        if found[1] is not None and not found[1] and _may_be_filled(it, value):
            return UNKNOWN, None
        return found
    if isinstance(value, Array):
        if value.rank == 0:
            return UNKNOWN, None
        rank = None if value.rank is None else value.rank - 1
        return array_result(it, (value,), dtype=value.dtype, rank=rank, node=node), None
    if isinstance(value, Tree):
        if value.keyed:
            return UNKNOWN, None
        if value.container:
            return value.replace(container=False), None
        # Iterating a dict gives its keys: until it is used as a number, an element may be a text.
        return value.replace(certainty=Certainty.GUESS), None
    if isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, DictObject):
            if not contents.items and _may_be_filled(it, value):
                return STATIC, None
            if contents.rest is None and len(contents.items) <= it.limits.items:
                keys = tuple(Const(key) for key in contents.items)
                return join_items(keys) if keys else UNKNOWN, keys
            return STATIC, None
        if isinstance(contents, SetObject):
            return contents.element, None
        if isinstance(contents, Instance):
            from jitlint.absint.program.members import iterate_instance

            return iterate_instance(it, value, node)
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        text = value.value
        if isinstance(text, str) and len(text) <= 8:
            letters = tuple(Const(letter) for letter in text)
            return join_items(letters) if letters else STR, letters
        return STR, None
    if isinstance(value, Static):
        if value.type in ("range", "shape"):
            return INT, None
        return (NDARRAY if value.type == "ndarray" else STATIC), None
    return UNKNOWN, None


def _may_be_filled(it: Interpreter, value: Value) -> bool:
    """Whether a container comes from outside of the trace, so that it need not be empty here."""
    trace = it.trace
    return (
        trace is not None and isinstance(value, Ref) and it.made_in.get(value.id, 0) < trace.number
    )


# -- subscripts -----------------------------------------------------------------------------------


def subscript_index(it: Interpreter, node: cst.Subscript) -> Value:
    """The value between the brackets: one index, a slice, or a tuple of them."""
    parts: list[Value] = []
    for element in node.slice:
        part = element.slice
        if type(part) is cst.Index:
            value = it.ev(part.value)
            parts.append(value)
        elif type(part) is cst.Slice:
            bounds = [
                Const(None) if bound is None else it.ev(bound)
                for bound in (part.lower, part.upper, part.step)
            ]
            parts.append(Slice((bounds[0], bounds[1], bounds[2])))
    if len(parts) == 1 and not _is_tuple_subscript(node):
        return parts[0]
    return Tuple(tuple(parts))


def _is_tuple_subscript(node: cst.Subscript) -> bool:
    last = node.slice[-1]
    unpacked = isinstance(last.slice, cst.Index) and bool(last.slice.star)
    return unpacked or isinstance(last.comma, cst.Comma)


def subscript(it: Interpreter, node: cst.Subscript) -> Value:
    """``value[index]`` as an expression."""
    receiver = it.ev(node.value)
    index = subscript_index(it, node)
    if isinstance(receiver, Union) and sum(m != Const(None) for m in receiver.members) > 1:
        with it.doubting():
            return join_all(get_item(it, member, index, node) for member in receiver.members)
    return join_all(get_item(it, member, index, node) for member in members_of(receiver))


def get_item(it: Interpreter, receiver: Value, index: Value, node: cst.CSTNode) -> Value:
    """What a subscript gives, with the reports of a wrong index."""
    if isinstance(receiver, Array):
        return index_array(it, receiver, index, node)
    if isinstance(receiver, Tree):
        parts = index.items if isinstance(index, Tuple) else (index,)
        if any(isinstance(part, Array) and part.dtype == "bool" for part in parts):
            # Only an array is indexed by a mask.
            return index_array(it, Array(receiver.level, origin=receiver.origin), index, node)
        _check_slices(it, index, node, of_array=True)
        certainty = receiver.certainty
        if certainty is Certainty.GUESS and isinstance(index, Const) and type(index.value) is str:
            # No key of a dict has items by name: what was iterated holds containers of tracers.
            certainty = Certainty.SURE
        return receiver.replace(certainty=certainty, container=False, keyed=False)
    if isinstance(receiver, Tuple):
        return _index_tuple(it, receiver, index, node)
    if isinstance(receiver, Ref):
        return _index_object(it, receiver, index, node)
    if isinstance(receiver, (Const, Static)):
        return _index_static(it, receiver, index, node)
    if isinstance(receiver, External):
        if receiver.name == "os.environ":
            it.signal(HostCalled("environment", Arguments(), node))
            return STR
        return receiver
    if isinstance(receiver, ExternalInstance) and receiver.cls == "jax.Array.at":
        array = dict(receiver.attributes)["array"]
        if isinstance(array, Array):
            index_array(it, array, index, node)
        return ExternalInstance("jax.Array.at.indexed", (("array", array),))
    if isinstance(receiver, Class):
        return receiver
    if isinstance(receiver, ExternalInstance) and receiver.cls.startswith("flax.nnx."):
        boxed = dict(receiver.attributes).get("value")
        return UNKNOWN if boxed is None else get_item(it, boxed, index, node)
    return UNKNOWN


def index_array(it: Interpreter, receiver: Array, index: Value, node: cst.CSTNode) -> Array:
    """``x[index]`` for an array: masks and traced slice bounds have no static shape."""
    for part in index.items if isinstance(index, Tuple) else (index,):
        mask = sure_array(part)
        if mask is not None and mask.dtype == "bool":
            it.emit(
                DataDependentShape,
                node,
                mask,
                operand=key_node(node),
                exceptions=MASK_ERRORS,
                callee="boolean mask",
                escape=None,
            )
            break
    _check_slices(it, index, node, of_array=True)
    return array_result(it, (receiver, index), dtype=receiver.dtype, node=node)


def _check_slices(it: Interpreter, index: Value, node: cst.CSTNode, *, of_array: bool) -> bool:
    for part in index.items if isinstance(index, Tuple) else (index,):
        if not isinstance(part, Slice):
            continue
        for bound in part.parts:
            traced = sure_array(bound) or sure_tree(bound)
            if traced is not None:
                it.emit(
                    PythonIndex,
                    node,
                    traced,
                    operand=key_node(node),
                    exceptions=SLICE_ERRORS if of_array else INDEX_ERRORS,
                    construct="slice bound",
                    of_array=of_array,
                )
                return True
    return False


def hashed_tracer(it: Interpreter, value: Value) -> Array | Tree | None:
    """A tracer that hashing a value would ask for its hash, None if there is none for sure."""
    traced: Array | Tree | None = sure_array(value) or sure_tree(value)
    if traced is None and isinstance(value, Tuple):
        held = find_traced(it, value, 2)
        traced = held if isinstance(held, Array) else None
    if traced is None and isinstance(value, Ref):
        for part in hashed_fields(it, value) or ():
            traced = traced or sure_array(part)
    return traced


def sorted_tracer(element: Value, items: Sequence[Value] | None) -> Array | Tree | None:
    """A tracer that sorting a sequence asks: it is compared with what stands beside it."""
    if items is None:
        return sure_array(element)
    if len(items) < 2 or UNKNOWN in items:
        return None
    # Beside a number stands a number.
    numbers = any(_python_rank(item) == 0 for item in items)
    tracers = map(comparable_tracer if numbers else sure_array, items)
    return next((tracer for tracer in tracers if tracer is not None), None)


def hashes_element(
    it: Interpreter,
    element: Value,
    items: Sequence[Value] | None,
    node: cst.CSTNode,
    operand: cst.CSTNode,
) -> bool:
    """Report a traced value among what an iterable puts into a set; True if reported.

    Where only one value stands for all, it may be the keys of a dict as well as an array's rows.
    """
    candidates = (sure_array(element),) if items is None else (hashed_tracer(it, i) for i in items)
    traced = next((candidate for candidate in candidates if candidate is not None), None)
    if traced is not None:
        it.emit(
            Hash, node, traced, operand=operand, exceptions=HASH_ERRORS, construct="set element"
        )
    return traced is not None


def _index_tuple(it: Interpreter, receiver: Tuple, index: Value, node: cst.CSTNode) -> Value:
    if isinstance(index, Const) and isinstance(index.value, int):
        if -len(receiver.items) <= index.value < len(receiver.items):
            return receiver.items[index.value]
        return UNKNOWN
    if isinstance(index, Slice):
        cut = _known_slice(index)
        if cut is not None and cut.step != 0:
            return Tuple(receiver.items[cut])
        if _check_slices(it, index, node, of_array=False):
            return UNKNOWN
        return it.allocate(node, ListObject(None, join_items(receiver.items)))
    return _index_sequence(it, join_items(receiver.items), index, node, "tuple index")


def _index_sequence(
    it: Interpreter, element: Value, index: Value, node: cst.CSTNode, construct: str
) -> Value:
    traced = sure_array(index)
    if traced is None and isinstance(index, Tree):
        traced = None if index.container else index  # type: ignore[assignment]
    if traced is not None and traced.level is Level.ABSTRACT:
        it.emit(
            PythonIndex,
            node,
            traced,
            operand=key_node(node),
            exceptions=INDEX_ERRORS,
            construct=construct,
        )
        return UNKNOWN
    return element


def _known_slice(index: Slice) -> slice | None:
    if all(isinstance(p, Const) and isinstance(p.value, (int, type(None))) for p in index.parts):
        return slice(*(p.value for p in index.parts))  # type: ignore[attr-defined]
    return None


def _index_object(it: Interpreter, receiver: Ref, index: Value, node: cst.CSTNode) -> Value:
    contents = it.contents(receiver)
    if isinstance(contents, ListObject):
        if isinstance(index, Slice):
            cut = _known_slice(index)
            if cut is not None and contents.items is not None and cut.step != 0:
                items = contents.items[cut]
                return it.allocate(node, ListObject(items, join_items(items)))
            if _check_slices(it, index, node, of_array=False):
                return UNKNOWN
            return it.allocate(node, ListObject(None, contents.element))
        if (
            contents.items is not None
            and isinstance(index, Const)
            and isinstance(index.value, int)
            and not isinstance(index.value, bool)
        ):
            if -len(contents.items) <= index.value < len(contents.items):
                return contents.items[index.value]
            return UNKNOWN
        return _index_sequence(it, contents.element, index, node, "list index")
    if isinstance(contents, DictObject):
        if check_key(it, receiver, index, node):
            return UNKNOWN
        if isinstance(index, Const) and index.value in contents.items:
            return contents.items[index.value]
        if isinstance(index, Const):
            return UNKNOWN if contents.rest is None else contents.rest
        parts = [*contents.items.values(), *([contents.rest] if contents.rest else [])]
        return join_all(parts)
    if isinstance(contents, Instance):
        return call_special(it, receiver, "__getitem__", node, index) or UNKNOWN
    return UNKNOWN


def key_node(node: cst.CSTNode) -> cst.CSTNode:
    """What stands between the brackets of a subscript, or is looked up by a method."""
    if isinstance(node, cst.Subscript) and len(node.slice) == 1:
        part = node.slice[0].slice
        return part.value if isinstance(part, cst.Index) else part
    if isinstance(node, cst.Call) and node.args:
        return node.args[0].value
    return node


def check_key(it: Interpreter, receiver: Value, index: Value, node: cst.CSTNode) -> bool:
    """Report a traced key of a dict or index of a list that is stored to; True if reported."""
    if not isinstance(receiver, Ref):
        return False
    contents = it.contents(receiver)
    traced: Array | Tree | None = sure_array(index)
    if isinstance(contents, (DictObject, SetObject)):
        traced = hashed_tracer(it, index)
        if isinstance(traced, Tree) and _has_text_keys(contents):
            # The key may be a text that a caller marks static.
            return False
        if traced is None:
            return False
        it.emit(
            Hash, node, traced, operand=key_node(node), exceptions=HASH_ERRORS, construct="dict key"
        )
        return True
    if traced is not None and isinstance(contents, ListObject):
        it.emit(
            PythonIndex,
            node,
            traced,
            operand=key_node(node),
            exceptions=INDEX_ERRORS,
            construct="list index",
        )
        return True
    return False


def _has_text_keys(contents: DictObject | SetObject) -> bool:
    if isinstance(contents, SetObject):
        element = contents.element
        if not isinstance(element, (Const, Static)):
            return True
        return type_name(element) in (None, "str")
    return not contents.items or any(isinstance(key, str) for key in contents.items)


def _index_static(
    it: Interpreter, receiver: Const | Static, index: Value, node: cst.CSTNode
) -> Value:
    kind = type_name(receiver)
    if kind == "ndarray":
        traced = find_traced(it, index, 1) or _slice_tracer(index)
        if isinstance(traced, Array) or (traced is not None and sure_tree(index) is not None):
            it.emit(
                NumpyCall,
                node,
                traced,
                operand=key_node(node),
                exceptions=(*ARRAY_ERRORS, *INDEX_ERRORS),
                callee="NumPy array index",
            )
            return UNKNOWN
        return MADE_ROWS if isinstance(receiver, MadeArray) and _cuts(index) else NDARRAY
    if kind == "str":
        traced = sure_array(index) or _slice_tracer(index)
        if traced is not None:
            it.emit(
                PythonIndex,
                node,
                traced,
                operand=key_node(node),
                exceptions=INDEX_ERRORS,
                construct="string index",
            )
            return UNKNOWN
        return STR
    if kind in ("shape", "range"):
        if isinstance(index, Slice):
            if _check_slices(it, index, node, of_array=False):
                return UNKNOWN
            return SHAPE
        return _index_sequence(it, INT, index, node, "tuple index")
    return UNKNOWN if find_traced(it, index) is not None else STATIC


def _cuts(index: Value) -> bool:
    """Whether an index of a NumPy array leaves a dimension."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    return any(isinstance(part, Slice) for part in parts)


def _slice_tracer(index: Value) -> Array | Tree | None:
    for part in index.items if isinstance(index, Tuple) else (index,):
        for bound in part.parts if isinstance(part, Slice) else ():
            traced = sure_array(bound) or sure_tree(bound)
            if traced is not None:
                return traced
    return None


def numpy_store(
    it: Interpreter,
    target: cst.Subscript,
    index: Value,
    value: Value,
    source: cst.CSTNode,
) -> bool:
    """``a[i] = x`` on a NumPy array: neither may be traced; True when one is."""
    traced = find_traced(it, index, 1) or _slice_tracer(index)
    callee = "NumPy array index"
    if traced is None:
        traced = sure_array(value)
        callee = "NumPy array assignment"
    if traced is not None:
        it.emit(
            NumpyCall,
            target,
            traced,
            operand=it.text(target if callee == "NumPy array index" else source),
            exceptions=(*ARRAY_ERRORS, "ValueError", *INDEX_ERRORS),
            callee=callee,
        )
    return traced is not None
