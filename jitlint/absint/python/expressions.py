"""Evaluation of expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from jitlint.absint.machine.events import BooleanOperation, Branch, Conversion, Hash
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Kept
from jitlint.absint.machine.tracers import sure_array, sure_tree
from jitlint.absint.machine.verbs import EXPRESSIONS, Handler
from jitlint.absint.python import assignment, attributes, calls, narrowing, operations
from jitlint.absint.python.special_methods import call_special
from jitlint.absint.values.domain import (
    BOOL,
    FALSE,
    STR,
    TRUE,
    UNKNOWN,
    Array,
    Const,
    Level,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, ListObject, SetObject
from jitlint.absint.values.lattice import join, join_all


def expression(kind: type) -> Callable[[Any], Any]:
    """Register a handler for an expression class."""

    def register(handler: Handler) -> Handler:
        EXPRESSIONS[kind] = handler
        return handler

    return register


# -- literals -------------------------------------------------------------------------------------


@expression(cst.Integer)
def _integer(it: Interpreter, node: cst.Integer) -> Value:
    return Const(int(node.value.replace("_", ""), 0) if len(node.value) < 40 else 10**39)


@expression(cst.Float)
def _float(it: Interpreter, node: cst.Float) -> Value:
    return Const(float(node.value))


@expression(cst.Imaginary)
def _imaginary(it: Interpreter, node: cst.Imaginary) -> Value:
    return Const(complex(node.value))


@expression(cst.SimpleString)
def _string(it: Interpreter, node: cst.SimpleString) -> Value:
    value = _literal(node)
    return STR if value is None else Const(value)


def _literal(node: cst.SimpleString) -> str | bytes | None:
    """The value of a string; compiling each one is more than most need."""
    text = node.value
    quote = text[0]
    if quote in "'\"" and "\\" not in text:
        width = 3 if text[:3] == quote * 3 else 1
        return text[width:-width]
    return node.evaluated_value


@expression(cst.ConcatenatedString)
def _side_by_side(it: Interpreter, node: cst.ConcatenatedString) -> Value:
    if node.evaluated_value is not None:
        return Const(node.evaluated_value)
    parts: list[Value] = []
    rest: cst.BaseExpression = node
    while isinstance(rest, cst.ConcatenatedString):
        parts += _shown_parts(it, rest.left)
        rest = rest.right
    return operations.shown(it, *parts, *_shown_parts(it, rest))


@expression(cst.FormattedString)
def _formatted(it: Interpreter, node: cst.FormattedString) -> Value:
    return operations.shown(it, *_shown_parts(it, node))


def _shown_parts(it: Interpreter, node: cst.BaseExpression) -> list[Value]:
    """The values that a formatted string shows."""
    parts: list[Value] = []
    for part in node.parts if isinstance(node, cst.FormattedString) else ():
        if type(part) is cst.FormattedStringExpression:
            value = it.ev(part.expression)
            if part.format_spec and part.conversion is None:
                traced = sure_array(value, Level.VALUE) or sure_tree(value)
                if traced is not None and any(
                    type(p) is not cst.FormattedStringText or p.value.strip()
                    for p in part.format_spec
                    if isinstance(p, (cst.FormattedStringExpression, cst.FormattedStringText))
                ):
                    it.emit(
                        Conversion,
                        part.expression,
                        traced,
                        exceptions=("TypeError",),
                        callee="format specification",
                    )
                    value = UNKNOWN
                for inner in part.format_spec:
                    if type(inner) is cst.FormattedStringExpression:
                        it.ev(inner.expression)
            text = operations.text_of(it, value, part.expression)
            parts.append(value if text is None else text)
    return parts


@expression(cst.Ellipsis)
def _ellipsis(it: Interpreter, node: cst.Ellipsis) -> Value:
    return Const(...)


# -- displays -------------------------------------------------------------------------------------


def _elements(
    it: Interpreter, elements: Sequence[cst.BaseElement]
) -> tuple[tuple[Value, ...] | None, Value]:
    """The elements of a display: all of them if known, and one value that stands for each."""
    items: list[Value] | None = []
    extra: list[Value] = []
    for element in elements:
        value = it.ev(element.value)
        if type(element) is cst.StarredElement:
            part, known = operations.iterate(it, value, element.value)
            if known is None:
                items = None
                extra.append(part)
            elif items is not None:
                items.extend(known)
            extra.extend(known or ())
        else:
            if items is not None:
                items.append(value)
            extra.append(value)
    if items is not None and len(items) > it.limits.items:
        items = None
    return (None if items is None else tuple(items)), join_all(extra)


@expression(cst.Tuple)
def _tuple(it: Interpreter, node: cst.Tuple) -> Value:
    items, element = _elements(it, node.elements)
    if items is None:
        return it.allocate(node, ListObject(None, element), "tuple")
    return Tuple(items)


@expression(cst.List)
def _list(it: Interpreter, node: cst.List) -> Value:
    items, element = _elements(it, node.elements)
    for item in items or ():
        it.signal(Kept(item))
    return it.allocate(node, ListObject(items, element, mutable=True))


@expression(cst.Set)
def _set(it: Interpreter, node: cst.Set) -> Value:
    values = [it.ev(element.value) for element in node.elements]
    for element, value in zip(node.elements, values, strict=True):
        if _check_hashable(it, value, element.value, "set element"):
            break
    return it.allocate(node, SetObject(join_all(values), mutable=True))


@expression(cst.Dict)
def _dict(it: Interpreter, node: cst.Dict) -> Value:
    items: dict[Any, Value] = {}
    rest: Value | None = None
    for element in node.elements:
        if type(element) is cst.DictElement:
            key = it.ev(element.key)
            value = it.ev(element.value)
            _check_hashable(it, key, element.key, "dict key")
            it.signal(Kept(value))
            if isinstance(key, Const):
                items[key.value] = value
            else:
                rest = value if rest is None else join(rest, value)
        elif type(element) is cst.StarredDictElement:
            other = it.ev(element.value)
            contents = calls.dict_contents(it, other)
            if contents is None:
                rest = UNKNOWN if not isinstance(other, Tree) else other
            else:
                items.update(contents.items)
                if contents.rest is not None:
                    rest = contents.rest if rest is None else join(rest, contents.rest)
    return it.allocate(node, DictObject(items, rest))


def _check_hashable(it: Interpreter, value: Value, node: cst.CSTNode, construct: str) -> bool:
    traced = operations.hashed_tracer(it, value)
    if traced is not None:
        it.emit(Hash, node, traced, exceptions=operations.HASH_ERRORS, construct=construct)
    else:
        call_special(it, value, "__hash__", node)
    return traced is not None


# -- comprehensions -------------------------------------------------------------------------------


def _comprehend(
    it: Interpreter, node: cst.CompFor, produce: Callable[[], Value]
) -> tuple[list[Value], bool]:
    """Run a comprehension; the values produced, and whether they are all, in order."""
    from jitlint.absint.code.functions import target_names

    iterable = it.ev(node.iter)
    element, items = operations.iterate(it, iterable, node.iter)
    names = list(target_names(node.target))
    variables = it.variables(it.frame.env)
    saved = {name: variables.get(name) for name in names}
    produced: list[Value] = []
    exact = items is not None and len(items) <= 8
    it.frame.turns.append(node)
    try:
        for item in items if exact and items is not None else [element]:
            assignment.assign(it, node.target, item, node.iter)
            # One more level of nesting, or the element itself.
            kept, sure = _one_turn(it, node, produce)
            produced.extend(kept)
            exact = exact and sure
    finally:
        it.frame.turns.pop()
        variables = it.variables(it.frame.env)
        for name, value in saved.items():
            if value is None:
                variables.pop(name, None)
            else:
                variables[name] = value
    return produced, exact


def _one_turn(
    it: Interpreter, node: cst.CompFor, produce: Callable[[], Value]
) -> tuple[list[Value], bool]:
    sure = True
    restore = it.state.copy()
    for test in node.ifs:
        decided = operations.condition(it, test.test, Branch, construct="comprehension if")
        if decided is False:
            return [], sure
        if decided is None:
            sure = False
        narrowing.assume(it, test.test, True)
    if node.inner_for_in is not None:
        result, inner = _comprehend(it, node.inner_for_in, produce)
        sure = sure and inner
    else:
        result = [produce()]
    if node.ifs:
        # What a test narrowed holds for this turn only.
        env = it.frame.env
        it.variables(env).update(restore.get(env) or {})
    return result, sure


@expression(cst.ListComp)
def _list_comprehension(it: Interpreter, node: cst.ListComp) -> Value:
    values, exact = _comprehend(it, node.for_in, lambda: it.ev(node.elt))
    for value in values:
        it.signal(Kept(value))
    items = tuple(values) if exact else None
    return it.allocate(node, ListObject(items, join_all(values), mutable=True))


@expression(cst.GeneratorExp)
def _generator(it: Interpreter, node: cst.GeneratorExp) -> Value:
    values, exact = _comprehend(it, node.for_in, lambda: it.ev(node.elt))
    made = ListObject(tuple(values) if exact else None, join_all(values))
    return it.allocate(node, made, "generator")


@expression(cst.SetComp)
def _set_comprehension(it: Interpreter, node: cst.SetComp) -> Value:
    values, _ = _comprehend(it, node.for_in, lambda: it.ev(node.elt))
    for value in values:
        _check_hashable(it, value, node.elt, "set element")
    return it.allocate(node, SetObject(join_all(values), mutable=True))


@expression(cst.DictComp)
def _dict_comprehension(it: Interpreter, node: cst.DictComp) -> Value:
    items: dict[Any, Value] = {}
    rest: Value | None = None

    def produce() -> Value:
        nonlocal rest
        key = it.ev(node.key)
        _check_hashable(it, key, node.key, "dict key")
        value = it.ev(node.value)
        it.signal(Kept(value))
        if isinstance(key, Const):
            items[key.value] = value
        else:
            rest = value if rest is None else join(rest, value)
        return value

    _, exact = _comprehend(it, node.for_in, produce)
    if not exact and items:
        joined = join_all(items.values())
        rest = joined if rest is None else join(rest, joined)
    return it.allocate(node, DictObject(items if exact else {}, rest))


# -- operators ------------------------------------------------------------------------------------


@expression(cst.BinaryOperation)
def _binary(it: Interpreter, node: cst.BinaryOperation) -> Value:
    left = it.ev(node.left)
    right = it.ev(node.right)
    return operations.binary(it, type(node.operator), left, right, node, node.left, node.right)


@expression(cst.Comparison)
def _comparison(it: Interpreter, node: cst.Comparison) -> Value:
    return operations.comparison(it, node)


@expression(cst.UnaryOperation)
def _unary(it: Interpreter, node: cst.UnaryOperation) -> Value:
    if type(node.operator) is cst.Not:
        value = it.ev(node.expression)
        decided = operations.truth(it, value, node.expression, BooleanOperation, operator="not")
        return BOOL if decided is None else (FALSE if decided else TRUE)
    value = it.ev(node.expression)
    return join_all(_apply_unary(it, node, member) for member in members_of(value))


def _apply_unary(it: Interpreter, node: cst.UnaryOperation, value: Value) -> Value:
    if isinstance(value, (Array, Tree)):
        if isinstance(value, Tree) and value.container:
            return UNKNOWN
        dtype = value.dtype if isinstance(value, Array) else None
        rank = value.rank if isinstance(value, Array) else None
        return operations.array_result(it, (value,), dtype=dtype, rank=rank, node=node)
    if isinstance(value, Const) and isinstance(value.value, (int, float, complex)):
        if type(node.operator) is cst.Minus:
            return Const(-value.value)
        if type(node.operator) is cst.Plus:
            return Const(+value.value)
        return Static("int")
    if isinstance(value, Static):
        return Static("int") if value.type == "bool" else value
    name = _UNARY.get(type(node.operator))
    result = None if name is None else call_special(it, value, name, node)
    return UNKNOWN if result is None else result


_UNARY = {cst.Minus: "__neg__", cst.Plus: "__pos__", cst.BitInvert: "__invert__"}


@expression(cst.BooleanOperation)
def _boolean(it: Interpreter, node: cst.BooleanOperation) -> Value:
    is_or = type(node.operator) is cst.Or
    left = it.ev(node.left)
    decided = operations.truth(
        it, left, node.left, BooleanOperation, operator="or" if is_or else "and"
    )
    if decided is is_or:
        return left
    with narrowing.assumed(it, node.left, not is_or):
        try:
            right = it.ev(node.right)
        except Terminated:
            return left
    if decided is (not is_or):
        return right
    if sure_array(left) is not None:
        return UNKNOWN
    return join(_surviving(left, is_or), right)


def _surviving(value: Value, truth: bool) -> Value:
    """The alternatives of the left operand that can be the result."""
    if not isinstance(value, Union):
        return value
    from jitlint.absint.values.domain import known_bool

    kept = [member for member in value.members if known_bool(member) is not (not truth)]
    return join_all(kept, default=value)


@expression(cst.IfExp)
def _conditional(it: Interpreter, node: cst.IfExp) -> Value:
    decided = operations.condition(it, node.test, Branch, construct="conditional expression")
    results: list[Value] = []
    for truth, branch in ((True, node.body), (False, node.orelse)):
        if decided is (not truth):
            continue
        with narrowing.assumed(it, node.test, truth):
            try:
                results.append(it.ev(branch))
            except Terminated:
                continue
    if not results:
        raise Terminated
    return join_all(results)


@expression(cst.NamedExpr)
def _walrus(it: Interpreter, node: cst.NamedExpr) -> Value:
    value = it.ev(node.value)
    assignment.assign(it, node.target, value, node.value)
    return value


@expression(cst.Lambda)
def _lambda(it: Interpreter, node: cst.Lambda) -> Value:
    code = it.store.of_node(node, it.frame.parsed, it.frame.qualname)
    return calls.make_function(it, code)


@expression(cst.Attribute)
def _attribute(it: Interpreter, node: cst.Attribute) -> Value:
    value = it.ev(node.value)
    name = node.attr.value
    return join_all(
        attributes.get_attribute(it, member, name, node) for member in members_of(value)
    )


@expression(cst.Subscript)
def _subscript(it: Interpreter, node: cst.Subscript) -> Value:
    return operations.subscript(it, node)


@expression(cst.Call)
def _call(it: Interpreter, node: cst.Call) -> Value:
    return calls.call_expression(it, node)


@expression(cst.Await)
def _await(it: Interpreter, node: cst.Await) -> Value:
    it.ev(node.expression)
    return UNKNOWN


@expression(cst.Yield)
def _yield(it: Interpreter, node: cst.Yield) -> Value:
    value: Value = UNKNOWN
    if type(node.value) is cst.From:
        value, _ = operations.iterate(it, it.ev(node.value.item), node.value.item)
    elif node.value is not None:
        value = it.ev(node.value)
    frame = it.frame
    frame.yielded = value if frame.yielded is None else join(frame.yielded, value)
    return UNKNOWN
