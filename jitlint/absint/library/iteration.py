"""Builtins and ``itertools`` that give an iterator: ``enumerate``, ``zip``, ``map`` ..."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import libcst as cst

from jitlint.absint.library.comparisons import compares
from jitlint.absint.library.registry import callee, family, first, model, node_at
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.python.calls import constant
from jitlint.absint.python.operations import iterate
from jitlint.absint.python.special_methods import call_special
from jitlint.absint.values.domain import INT, NONE, UNKNOWN, Const, External, Ref, Tuple, Value
from jitlint.absint.values.heap import DictObject, ListObject
from jitlint.absint.values.lattice import join, join_all


def _iterator(it: Interpreter, node: cst.CSTNode, element: Value, role: str = "iterator") -> Value:
    """An iterator whose elements are not told apart."""
    return it.allocate(node, ListObject(None, element), role)


def _listed(it: Interpreter, node: cst.CSTNode, items: tuple[Value, ...], role: str) -> Value:
    """An iterator all of whose elements are known."""
    return it.allocate(node, ListObject(items, join_all(items)), role)


@contextmanager
def _in_loop(it: Interpreter, node: cst.CSTNode) -> Iterator[None]:
    """What a call does for each element happens in a loop."""
    it.frame.turns.append(node)
    try:
        yield
    finally:
        it.frame.turns.pop()


# -- the same elements ----------------------------------------------------------------------------


@model("iter", "itertools.accumulate", "itertools.chain.from_iterable", "itertools.cycle",
       "itertools.islice")  # fmt: skip
def _iter(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return _iterator(it, node, iterate(it, first(args), node)[0])


@model("itertools.count", "itertools.repeat")
def _count(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return _iterator(it, node, INT)


@model("next")
def _next(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, _ = iterate(it, first(args), node)
    return element if len(args.positional) < 2 else join(element, args.positional[1])


@model("reversed")
def _reversed(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    made = call_special(it, first(args), "__reversed__", node)
    if made is not None:
        return made
    element, items = iterate(it, first(args), node)
    backwards = None if items is None else tuple(items)[::-1]
    return it.allocate(node, ListObject(backwards, element), "reversed")


@model("itertools.chain")
def _chain(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    elements = [iterate(it, value, node)[0] for value in args.positional]
    return _iterator(it, node, join_all(elements), "chain")


@model("filter", "itertools.filterfalse", "itertools.takewhile", "itertools.dropwhile")
def _filter(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    function, iterable = args.positional[:2]
    element, _ = iterate(it, iterable, node)
    answer = element if function == NONE else it.call(function, Arguments([element]), node)
    traced = sure_array(answer)
    if traced is not None:
        return compares(it, node, traced, callee(it, node), node_at(args, node, 1))
    return _iterator(it, node, element, "filter")


@model("itertools.compress")
def _compress(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    data, selectors = args.get(0, "data"), args.get(1, "selectors")
    if data is None or selectors is None or args.star is not None:
        return UNKNOWN
    traced = sure_array(iterate(it, selectors, node)[0])
    if traced is not None:
        return compares(it, node, traced, "itertools.compress", args.node(1, "selectors"))
    return _iterator(it, node, iterate(it, data, node)[0], "compress")


# -- elements put together ------------------------------------------------------------------------


@model("enumerate")
def _enumerate(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, items = iterate(it, first(args), node)
    given = args.get(1, "start")
    start = 0 if given is None else constant(given)
    if items is not None and isinstance(start, int):
        pairs = (Tuple((Const(number), item)) for number, item in enumerate(items, start))
        return _listed(it, node, tuple(pairs), "enumerate")
    return _iterator(it, node, Tuple((INT, element)), "enumerate")


@family("zip", "itertools.product", "itertools.zip_longest")
def _zip(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if args.star is not None:
        return UNKNOWN
    parts = [iterate(it, value, node) for value in args.positional]
    if name != "product" and parts and all(items is not None for _, items in parts):
        rows = zip(*(items or () for _, items in parts), strict=False)
        return _listed(it, node, tuple(map(Tuple, rows)), "zip")
    return _iterator(it, node, Tuple(tuple(element for element, _ in parts)), "zip")


@model("itertools.pairwise")
def _pairwise(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, _ = iterate(it, first(args), node)
    return _iterator(it, node, Tuple((element, element)), "pairwise")


@model("itertools.combinations", "itertools.permutations",
       "itertools.combinations_with_replacement")  # fmt: skip
def _combinations(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, _ = iterate(it, first(args), node)
    size = constant(args.get(1, "r"))
    if type(size) is int and 0 < size <= 8:
        return _iterator(it, node, Tuple((element,) * size), "combinations")
    return _iterator(it, node, _iterator(it, node, element, "row"), "combinations")


@model("itertools.groupby")
def _groupby(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, items = iterate(it, first(args), node)
    function = args.get(1, "key")
    key = element
    if function is not None and function != NONE:
        key = it.call(function, Arguments([element]), node)
    traced = sure_array(key)
    if traced is not None and (items is None or len(items) > 1):
        return compares(it, node, traced, "itertools.groupby", node_at(args, node))
    group = _iterator(it, node, element, "group")
    return _iterator(it, node, Tuple((key, group)), "groupby")


# -- a function called for each element -----------------------------------------------------------


@model("map")
def _map(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    function = args.positional[0]
    parts = [iterate(it, value, node) for value in args.positional[1:]]
    with _in_loop(it, node):
        if all(items is not None and len(items) <= 8 for _, items in parts):
            rows = zip(*(items or () for _, items in parts), strict=False)
            results = tuple(
                _own_container(it, function, it.call(function, Arguments(list(row)), node), node, i)
                for i, row in enumerate(rows)
            )
            return _listed(it, node, results, "map")
        result = it.call(function, Arguments([element for element, _ in parts]), node)
        return _iterator(it, node, result, "map")


def _own_container(
    it: Interpreter, function: Value, made: Value, node: cst.CSTNode, index: int
) -> Value:
    """A container that a builtin made for one element: ``map(list, rows)`` makes many."""
    contents = it.contents(made) if isinstance(made, Ref) else None
    if not isinstance(function, External) or not isinstance(contents, (ListObject, DictObject)):
        return made
    return it.allocate(node, contents.copy(), f"map {index}")


@model("itertools.starmap")
def _starmap(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    row, _ = iterate(it, args.positional[1], node)
    element, items = iterate(it, row, node)
    given = Arguments(star=element) if items is None else Arguments(list(items))
    with _in_loop(it, node):
        result = it.call(args.positional[0], given, node)
    return _iterator(it, node, result, "starmap")
