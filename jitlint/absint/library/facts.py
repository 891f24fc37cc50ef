"""What the tables of functions say of a call: parameters that must be static, shapes, failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final

import libcst as cst

from jitlint.absint.library.comparisons import compares
from jitlint.absint.library.registry import callee, first
from jitlint.absint.library.results import fact_result
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import (
    Conversion,
    DataDependentShape,
    NumpyCall,
    StaticParameter,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced, level_of, sure_array, sure_tree
from jitlint.absint.python.operations import BOOL_ERRORS, sequence_items
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    Level,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.jaxmodel.functions import FunctionFact, Parameter


class Bound:
    """Arguments of a library call by parameter name."""

    __slots__ = ("nodes", "values")

    def __init__(self, parameters: Sequence[Parameter] | None, args: Arguments) -> None:
        self.values: dict[str, Value] = {}
        self.nodes: dict[str, cst.CSTNode] = {}
        positional = [p for p in parameters or () if p.kind in ("positional", "either")]
        variadic = next((p for p in parameters or () if p.kind == "var_positional"), None)
        for parameter, value in zip(positional, args.positional, strict=False):
            self.values[parameter.name] = value
        for parameter, where in zip(positional, args.nodes, strict=False):
            self.nodes[parameter.name] = where
        rest = args.positional[len(positional) :]
        if variadic is not None and rest:
            self.values[variadic.name] = rest[0] if len(rest) == 1 else Tuple(tuple(rest))
            if len(args.nodes) > len(positional):
                self.nodes[variadic.name] = args.nodes[len(positional)]
        self.values.update(args.keywords)
        self.nodes.update(args.keyword_nodes)


def may_be_traced(it: Interpreter, value: Value) -> bool:
    """Whether a value may hold a tracer: it does, or nothing is known of it."""
    return value == UNKNOWN or level_of(it, value) is not None


def apply_fact(
    it: Interpreter,
    fact: FunctionFact,
    args: Arguments,
    node: cst.CSTNode,
    receiver: Array | None = None,
) -> Value:
    """Judge a call by its row and give its result."""
    bound = Bound(fact.parameters, args)
    if (
        reports_static(it, fact.must_be_static, bound, node, fact.unless_given)
        or _reports_shape(it, fact, bound, args, node, receiver)
        or _reports_failure(it, fact, bound, args, node)
    ):
        return UNKNOWN
    operands = [*([receiver] if receiver is not None else []), *args.values()]
    return fact_result(it, fact, bound.values, operands, node)


# -- parameters that must be static ---------------------------------------------------------------

#: what other spellings of an argument give (``n``, ``(n, 2)``)
_STATIC_ERRORS: Final = (
    "jax.errors.ConcretizationTypeError",
    "jax.errors.TracerIntegerConversionError",
    "jax.errors.TracerBoolConversionError",
    "TypeError",
    "ValueError",
)


def reports_static(
    it: Interpreter,
    must_be_static: Mapping[str, tuple[str, ...]],
    bound: Bound,
    node: cst.CSTNode,
    unless_given: Mapping[str, str] | None = None,
) -> bool:
    """Report a traced argument of a parameter that must be static; True if reported."""
    for parameter, seen in must_be_static.items():
        value = bound.values.get(parameter)
        if value is None or (unless_given and unless_given.get(parameter) in bound.values):
            continue
        traced = _static_tracer(it, value)
        if traced is not None:
            it.emit(
                StaticParameter,
                node,
                traced,
                operand=bound.nodes.get(parameter, node),
                exceptions=(*seen, *(error for error in _STATIC_ERRORS if error not in seen)),
                callee=callee(it, node),
                parameter=parameter,
            )
            return True
    return False


def _static_tracer(it: Interpreter, value: Value) -> Array | Tree | None:
    """The tracer in what must be static, itself or among the items of a shape."""
    traced = sure_array(value)
    if traced is not None:
        return traced
    if isinstance(value, Tree) and value.level is Level.ABSTRACT:
        return value
    found = None if isinstance(value, Static) else sequence_items(it, value)
    if found is None:
        return None
    element, items = found
    for item in (element,) if items is None else items:
        inner = _static_tracer(it, item) if isinstance(item, Tuple) else sure_array(item)
        if isinstance(inner, Array):
            return inner
        tree = sure_tree(item)
        if tree is not None:
            return tree
    return None


# -- shapes that depend on values -----------------------------------------------------------------


def _reports_shape(
    it: Interpreter,
    fact: FunctionFact,
    bound: Bound,
    args: Arguments,
    node: cst.CSTNode,
    receiver: Array | None,
) -> bool:
    rule = fact.data_dependent
    if rule is None or args.star is not None or args.star_keywords is not None:
        return False
    if rule.when_arity is not None and len(args.positional) != rule.when_arity:
        return False
    for escape in rule.escapes:
        given = bound.values.get(escape, NONE)
        if given == NONE:
            continue
        allowed = rule.escape_values.get(escape)
        if allowed is None or not isinstance(given, Const) or str(given.value) in allowed:
            return False
    operands = [bound.values[name] for name in rule.operand if name in bound.values]
    if receiver is not None and "self" in rule.operand:
        operands.append(receiver)
    if not operands and receiver is None:
        operands = args.positional[:1]
    traced = next(
        (found for value in operands if (found := find_traced(it, value, 2)) is not None), None
    )
    if traced is None and not (rule.applies == "any" and it.frame.context.staging):
        return False
    it.emit(
        DataDependentShape,
        node,
        traced,
        operand=next((bound.nodes[name] for name in rule.operand if name in bound.nodes), node),
        exceptions=tuple(dict.fromkeys((*rule.exceptions, BOOL_ERRORS[0]))),
        callee=callee(it, node),
        escape=f"{rule.escapes[0]}=" if rule.escapes else None,
    )
    return True


# -- operands that must not be traced -------------------------------------------------------------

#: NumPy makes an array of a list, but for these, which swap its items
_SWAP_ITEMS: Final = frozenset({"numpy.random.shuffle", "numpy.random.Generator.shuffle"})


def _reports_failure(
    it: Interpreter, fact: FunctionFact, bound: Bound, args: Arguments, node: cst.CSTNode
) -> bool:
    if not fact.fails_on_tracer:
        return False
    root = fact.name.partition(".")[0]
    converts_arrays = root in ("numpy", "scipy")
    orders = root in ("bisect", "heapq")
    depth = 2 if converts_arrays and fact.name not in _SWAP_ITEMS else 0
    for value, where in _operands(fact, bound, args):
        if orders and isinstance(value, Tuple) and value.items:
            # Entries are compared by their first parts.
            value = value.items[0]
        traced = None if value is None else converted_tracer(it, value, depth)
        if traced is None or (fact.silently_wrong and traced.level is not Level.ABSTRACT):
            continue
        called = callee(it, node)
        if orders:
            compares(it, node, traced, called, where)
        elif converts_arrays:
            raised = () if fact.silently_wrong else fact.fails_on_tracer
            it.emit(
                NumpyCall, node, traced, operand=where, exceptions=raised, callee=called,
                silent=fact.silently_wrong,
            )  # fmt: skip
        else:
            operand, raised = where or receiver_node(node), fact.fails_on_tracer
            it.emit(Conversion, node, traced, operand=operand, exceptions=raised, callee=called)
        return True
    return False


def _operands(
    fact: FunctionFact, bound: Bound, args: Arguments
) -> Sequence[tuple[Value | None, cst.CSTNode | None]]:
    """The arguments of a call that must not be traced, and where they stand."""
    operand = first(args)
    positional = list(zip_longest(args.positional, args.nodes[: len(args.positional)]))
    if fact.silently_wrong:
        return positional[: len(args.nodes)]
    if fact.dispatches_to_method and isinstance(operand, (Tuple, Ref)):
        # A list of tracers has no such method: NumPy converts each of them.
        return positional[:1]
    if fact.name == "numpy.searchsorted" and isinstance(operand, (Array, Tree)):
        return ()
    if fact.fails_parameters:
        return [(bound.values.get(name), bound.nodes.get(name)) for name in fact.fails_parameters]
    named = [(value, args.keyword_nodes.get(name)) for name, value in args.keywords.items()]
    return [*positional, *named]


def converted_tracer(it: Interpreter, value: Value, depth: int) -> Array | Tree | None:
    """The tracer that a function which needs its value would be given, None if none for sure."""
    traced = find_traced(it, value, depth, Level.VALUE)
    return sure_tree(traced) if isinstance(traced, Tree) else traced


def receiver_node(node: cst.CSTNode) -> cst.CSTNode:
    """The object whose method is called, the call itself if it is none of a method."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return node.func.value
    return node
