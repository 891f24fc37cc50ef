"""Builtins and ``itertools`` that give an iterator: ``enumerate``, ``zip``, ``map`` ..."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import libcst as cst

from jitlint.absint.library.concretization import compares, reports_bound
from jitlint.absint.library.registry import Call, model
from jitlint.absint.limits import APART
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Advanced
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.operations.iteration import taken_apart
from jitlint.absint.program.special_methods import call_special
from jitlint.absint.values.domain import INT, NONE, UNKNOWN, Const, Range, Ref, Tuple, Value
from jitlint.absint.values.heap import ListObject
from jitlint.absint.values.lattice import Elements, join, join_all
from jitlint.absint.values.statics import constant


def _iterator(it: Interpreter, call: Call, element: Value, role: str = "iterator") -> Value:
    """An iterator whose elements are not told apart."""
    return it.allocate(call.node, ListObject(None, element, iterator=True), role)


def _listed(it: Interpreter, call: Call, items: tuple[Value, ...]) -> Value:
    """An iterator all of whose elements are known; JAX's own functions give lists of them."""
    made = ListObject(items, join_all(items), iterator=not call.name.startswith("safe_"))
    return it.allocate(call.node, made, call.name)


@contextmanager
def _in_loop(it: Interpreter, node: cst.CSTNode) -> Iterator[None]:
    """What a call does for each element happens in a loop."""
    it.frame.enclosing_loops.append(node)
    try:
        yield
    finally:
        it.frame.enclosing_loops.pop()


model("iter", "itertools.accumulate", "itertools.cycle")(
    lambda it, call: _iterator(it, call, it.iterate(call.first, call.node)[0])
)
model("itertools.count")(lambda it, call: _iterator(it, call, INT))


@model("itertools.islice")
def _slice_of(it: Interpreter, call: Call) -> Value:
    element, items = it.iterate(call.first, call.node)
    reported = reports_bound(it, call, 1, "itertools.islice")
    if reported is not None:
        return reported
    bounds = [constant(value) for value in call.positional[1:]]
    contents = it.contents(call.first) if isinstance(call.first, Ref) else None
    # What is left of an iterator is not known.
    begun = isinstance(contents, ListObject) and contents.iterator
    if items is None or begun or call.starred or not _are_bounds(bounds):
        return _iterator(it, call, element)
    return _listed(it, call, tuple(items)[slice(*bounds)])


def _are_bounds(bounds: Sequence[Any]) -> bool:
    """Whether constants bound a slice of an iterator: stop; start, stop and perhaps a step."""
    numbers = all(bound is None or (type(bound) is int and bound >= 0) for bound in bounds)
    return 0 < len(bounds) < 4 and numbers and (len(bounds) < 3 or bounds[2] != 0)


@model("itertools.repeat")
def _repeat(it: Interpreter, call: Call) -> Value:
    return reports_bound(it, call, 1, "itertools.repeat") or _iterator(it, call, call.first)


@model("next")
def _next(it: Interpreter, call: Call) -> Value:
    if call.positional:
        it.signal(Advanced(call.first, call.place(), call.node))
    element = call_special(it, call.first, "__next__", call.node)
    if element is None:
        element, _ = it.iterate(call.first, call.node)
    return element if call.second is None else join(element, call.second)


@model("reversed")
def _reversed(it: Interpreter, call: Call) -> Value:
    made = call_special(it, call.first, "__reversed__", call.node)
    if made is not None:
        return made
    if isinstance(call.first, Range):
        return call.first
    element, items = it.iterate(call.first, call.node)
    backwards = None if items is None else tuple(items)[::-1]
    iterator = ListObject(backwards, element, iterator=True)
    return it.allocate(call.node, iterator, "reversed")


@model("itertools.chain")
def _chain(it: Interpreter, call: Call) -> Value:
    parts = [it.iterate(value, call.node) for value in call.positional]
    if call.args.star is not None:
        parts.append((it.iterate(call.args.star, call.node)[0], None))
    return _joined(it, call, parts)


@model("itertools.chain.from_iterable")
def _chain_of(it: Interpreter, call: Call) -> Value:
    row, rows = it.iterate(call.first, call.node)
    if rows is None:
        return _iterator(it, call, it.iterate(row, call.node)[0], "chain")
    return _joined(it, call, [it.iterate(value, call.node) for value in rows])


def _joined(it: Interpreter, call: Call, parts: Sequence[Elements]) -> Value:
    """An iterator that goes through one sequence after the other."""
    if all(items is not None for _, items in parts):
        items = [item for _, known in parts for item in known or ()]
        if len(items) <= it.limits.items:
            return _listed(it, call, tuple(items))
    # An empty one says nothing of the elements.
    elements = [element for element, items in parts if items is None or len(items) > 0]
    return _iterator(it, call, join_all(elements), "chain")


@model("filter", "itertools.filterfalse", "itertools.takewhile", "itertools.dropwhile")
def _filter(it: Interpreter, call: Call) -> Value:
    if len(call.positional) < 2:
        return UNKNOWN
    function, iterable = call.positional[:2]
    element, _ = it.iterate(iterable, call.node)
    answer = element if function == NONE else it.call(function, Arguments([element]), call.node)
    traced = sure_array(answer)
    if traced is not None:
        return compares(it, call, traced, call.place(1))
    return _iterator(it, call, element, "filter")


@model("itertools.compress")
def _compress(it: Interpreter, call: Call) -> Value:
    data, selectors = call.args.get(0, "data"), call.args.get(1, "selectors")
    if data is None or selectors is None or call.args.star is not None:
        return UNKNOWN
    traced = sure_array(it.iterate(selectors, call.node)[0])
    if traced is not None:
        place = call.args.node(1, "selectors")
        return compares(it, call, traced, place, "itertools.compress")
    return _iterator(it, call, it.iterate(data, call.node)[0], "compress")


@model("enumerate")
def _enumerate(it: Interpreter, call: Call) -> Value:
    element, items = it.iterate(call.first, call.node)
    given = call.args.get(1, "start")
    start = 0 if given is None else constant(given)
    if items is not None and isinstance(start, int):
        pairs = (Tuple((Const(number), item)) for number, item in enumerate(items, start))
        return _listed(it, call, tuple(pairs))
    return _iterator(it, call, Tuple((INT, element)), "enumerate")


@model("zip", "itertools.product", "itertools.zip_longest",
       "jax.util.safe_zip", "jax._src.util.safe_zip", "jax.api_util.safe_zip")  # fmt: skip
def _zip(it: Interpreter, call: Call) -> Value:
    if call.args.star is not None:
        return UNKNOWN
    parts = [it.iterate(value, call.node) for value in call.positional]
    if call.name != "product" and parts and all(items is not None for _, items in parts):
        rows = zip(*(items or () for _, items in parts), strict=False)
        return _listed(it, call, tuple(map(Tuple, rows)))
    element = Tuple(tuple(element for element, _ in parts))
    made = ListObject(None, element, iterator=not call.name.startswith("safe_"))
    return it.allocate(call.node, made, "zip")


@model("itertools.pairwise")
def _pairwise(it: Interpreter, call: Call) -> Value:
    element, _ = it.iterate(call.first, call.node)
    return _iterator(it, call, Tuple((element, element)), "pairwise")


@model("itertools.combinations", "itertools.permutations",
       "itertools.combinations_with_replacement")  # fmt: skip
def _combinations(it: Interpreter, call: Call) -> Value:
    element, _ = it.iterate(call.first, call.node)
    size = constant(call.args.get(1, "r"))
    if type(size) is int and 0 < size <= APART:
        return _iterator(it, call, Tuple((element,) * size), "combinations")
    row = it.allocate(call.node, ListObject(None, element), "row")
    return _iterator(it, call, row, "combinations")


@model("itertools.groupby")
def _groupby(it: Interpreter, call: Call) -> Value:
    element, items = it.iterate(call.first, call.node)
    function = call.args.get(1, "key")
    key = element
    if function is not None and function != NONE:
        key = it.call(function, Arguments([element]), call.node)
    traced = sure_array(key)
    if traced is not None and (items is None or len(items) > 1):
        return compares(it, call, traced, call.place(), "itertools.groupby")
    group = _iterator(it, call, element, "group")
    return _iterator(it, call, Tuple((key, group)), "groupby")


@model("map", "jax.util.safe_map", "jax._src.util.safe_map", "jax.api_util.safe_map")
def _map(it: Interpreter, call: Call) -> Value:
    if len(call.positional) < 2:
        return UNKNOWN
    function = call.positional[0]
    parts = [it.iterate(value, call.node) for value in call.positional[1:]]
    with _in_loop(it, call.node):
        if all(items is not None and taken_apart(it, items, APART) for _, items in parts):
            rows = zip(*(items or () for _, items in parts), strict=False)
            results = []
            for index, row in enumerate(rows):
                with it.frame.turn(index):
                    results.append(it.call(function, Arguments(list(row)), call.node))
            return _listed(it, call, tuple(results))
        result = it.call(function, Arguments([element for element, _ in parts]), call.node)
        made = ListObject(None, result, iterator=not call.name.startswith("safe_"))
        return it.allocate(call.node, made, "map")


@model("itertools.starmap")
def _starmap(it: Interpreter, call: Call) -> Value:
    if len(call.positional) < 2:
        return UNKNOWN
    row, _ = it.iterate(call.positional[1], call.node)
    element, items = it.iterate(row, call.node)
    given = Arguments(star=element) if items is None else Arguments(list(items))
    with _in_loop(it, call.node):
        result = it.call(call.positional[0], given, call.node)
    return _iterator(it, call, result, "starmap")
