"""Builtins that compare values or ask many for their truth: ``max``, ``sorted``, ``any`` ..."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from jitlint.absint.library.registry import callee, family, first, model, node_at
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import BuiltinComparison
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import comparable_tracer, sure_array
from jitlint.absint.python.calls import constant
from jitlint.absint.python.operations import (
    BOOL_ERRORS,
    array_result,
    compare,
    iterate,
    sorted_tracer,
    truth,
)
from jitlint.absint.values.domain import (
    BOOL,
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    Const,
    Level,
    Ref,
    Static,
    Tree,
    Value,
    members_of,
)
from jitlint.absint.values.heap import Instance, ListObject
from jitlint.absint.values.lattice import join_all, type_name


def compares(
    it: Interpreter,
    node: cst.CSTNode,
    traced: Array | Tree,
    builtin: str,
    operand: cst.CSTNode | None = None,
) -> Value:
    """A builtin asks a traced value, or a comparison of two, for its truth."""
    it.emit(
        BuiltinComparison, node, traced, operand=operand, exceptions=BOOL_ERRORS, builtin=builtin
    )
    return UNKNOWN


def compare_objects(
    it: Interpreter,
    candidates: Sequence[Value],
    node: cst.CSTNode,
    builtin: str,
    op: type = cst.LessThan,
) -> None:
    """Compare objects of the project's classes as ``max``, ``min`` and sorting do."""
    if len(candidates) < 2 or not all(isinstance(c, Ref) for c in candidates[:2]):
        return
    left, right = candidates[1], candidates[0]
    if isinstance(it.contents(left), Instance):  # type: ignore[arg-type]
        result = compare(it, op, left, right, node, node, node)
        truth(it, result, node, BuiltinComparison, builtin=builtin)


@family("min", "max")
def _extreme(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if "key" in args.keywords:
        return _by_key(it, args, node, callee(it, node))
    if len(args.positional) == 1:
        value = args.positional[0]
        if isinstance(value, Array):
            if value.level is Level.ABSTRACT:
                return compares(it, node, value, callee(it, node), node_at(args, node))
            return array_result(it, (value,), rank=0, node=node)
        element, items = iterate(it, value, node)
        candidates = list(items) if items is not None else [element, element]
    else:
        candidates = list(args.positional)
        if args.star is not None:
            candidates.extend([args.star] if candidates else [args.star, args.star])
    if len(candidates) > 1:
        for candidate in candidates:
            traced = comparable_tracer(candidate)
            if traced is not None:
                where = _node_of(args, candidate, node)
                return compares(it, node, traced, callee(it, node), where)
        op = cst.GreaterThan if name == "max" else cst.LessThan
        compare_objects(it, candidates, node, callee(it, node), op)
    constants = [constant(candidate) for candidate in candidates]
    if constants and all(isinstance(c, (int, float)) for c in constants):
        return Const((min if name == "min" else max)(constants))
    joined = join_all(candidates)
    if isinstance(joined, (Const, Static)) and type_name(joined) != "ndarray":
        return Static(type_name(joined))
    return UNKNOWN if UNKNOWN in members_of(joined) else joined


def _node_of(args: Arguments, value: Value, node: cst.CSTNode) -> cst.CSTNode:
    for candidate, where in zip(args.positional, args.nodes, strict=False):
        if candidate is value:
            return where
    return node_at(args, node)


def _by_key(it: Interpreter, args: Arguments, node: cst.CSTNode, builtin: str) -> Value:
    """Compare what ``key=`` makes of the elements; the result is one of them."""
    element, items = (
        iterate(it, args.positional[0], node)
        if len(args.positional) == 1
        else (join_all(args.positional), args.positional)
    )
    traced = comparable_tracer(it.call(args.keywords["key"], Arguments([element]), node))
    if traced is not None and (items is None or len(items) > 1):
        return compares(it, node, traced, builtin, node_at(args, node))
    return element


@model("sorted")
def _sorted(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if args.keywords.get("key", NONE) != NONE:
        return it.allocate(node, ListObject(None, _by_key(it, args, node, "sorted")))
    element, items = iterate(it, first(args), node)
    traced = sorted_tracer(element, items)
    if traced is not None:
        return compares(it, node, traced, "sorted", node_at(args, node))
    if items is None or len(items) > 1:
        compare_objects(it, list(items or (element, element)), node, "sorted")
    # The order of static things is not followed, their kinds are.
    return it.allocate(node, ListObject(None, element, mutable=True))


@family("any", "all")
def _any_all(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, items = iterate(it, first(args), node)
    candidates = (element,) if items is None else items
    for candidate in candidates:
        traced = sure_array(candidate)
        if traced is not None:
            return compares(it, node, traced, callee(it, node), node_at(args, node))
    stops = name == "any"
    known = [constant(candidate) for candidate in candidates]
    if all(answer is (not stops) for answer in known):
        return Const(not stops)
    if items is not None and any(answer is stops for answer in known):
        return Const(stops)
    if stops and known == [True] and "Tracer" in it.frame.parsed.source(node):
        # Without a leaf there is no tracer to be kept either.
        return TRUE
    return BOOL
