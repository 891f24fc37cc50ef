"""Containers that functions fill anew before they read them: nobody meets what a trace has left.

``where = [slice(None)] * 4`` in the function around, and in a loop's body ``where[0] = i`` above
``x.at[tuple(where)]`` (observed under JAX 0.10.2: a tracer stays in the list, nothing raises, and
what is computed is right).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Set

import libcst as cst

from jitlint.absint.code.functions import ParsedUnit, parameters_of, target_names
from jitlint.absint.code.syntax import walk, walk_own
from jitlint.absint.detectors.surroundings.paths import in_order
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.project.own_keywords import own_keywords

_Function = cst.FunctionDef | cst.Lambda


def serves_its_functions(it: Interpreter, container: object, node: cst.CSTNode) -> bool:
    """Whether a container of the function around is filled anew by each of those that read it.

    Args:
      it: the interpreter.
      container: what is changed, a node if the code names it.
      node: what changes it, in the function that runs.
    """
    code, parsed = it.frame.code, it.frame.parsed
    if code is None or not isinstance(container, cst.Name):
        return False
    name, function = container.value, code.node
    if (code.name, name) in it.written(own_keywords, code.unit):
        # Keywords that it completes for another function.
        return True
    if not isinstance(node, cst.Subscript) or function is None or name in code.bound_names:
        return False
    around = next((n for n in parsed.above(function) if isinstance(n, cst.FunctionDef)), None)
    return around is not None and parsed.answer(
        (_is_scratch, around, name), lambda: _is_scratch(parsed, around, name)
    )


def _is_scratch(parsed: ParsedUnit, around: cst.FunctionDef, name: str) -> bool:
    """Whether functions nested in another one set all items of a name that they set above reads."""
    bound = sum(
        _is_named(each.target, name)
        for inner in walk_own(around)
        if isinstance(inner, cst.Assign)
        for each in inner.targets
    )
    own = sum(_is_named(inner, name) for inner in in_order(around))
    if own > bound + len(_items_set(parsed, around, name)):
        # Whoever is handed it, or asks it below, meets what is left in it.
        return False
    nested = [n for n in walk(around.body) if isinstance(n, (cst.FunctionDef, cst.Lambda))]
    users = [n for n in nested if any(_is_named(i, name) for i in in_order(n))]
    keys = {key for user in users for key in _items_set(parsed, user, name).values()}
    return all(_is_filled_above_reads(parsed, user, name, keys) for user in users)


def _is_filled_above_reads(parsed: ParsedUnit, user: _Function, name: str, keys: Set[str]) -> bool:
    items, due = _items_set(parsed, user, name), set(keys)
    always = {id(item) for item in _always_set(user)}
    for inner in in_order(user):
        if id(inner) in items and id(inner) in always:
            due.discard(items[id(inner)])
        elif _is_named(inner, name) and due and not _is_within(parsed, inner, items):
            return False
    return True


def _is_within(parsed: ParsedUnit, node: cst.CSTNode, items: Collection[int]) -> bool:
    return any(id(outer) in items for outer in parsed.above(node))


def _always_set(function: _Function) -> Iterator[cst.Subscript]:
    """The items that statements of a function itself set, in each call the same ones."""
    own = {each.name for each in parameters_of(function)}
    own.update(
        name
        for inner in walk_own(function)
        if isinstance(inner, cst.Assign)
        for each in inner.targets
        for name in target_names(each.target)
    )
    lines = function.body.body if isinstance(function.body, cst.IndentedBlock) else ()
    for line in lines:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            for each in small.targets if isinstance(small, cst.Assign) else ():
                target = each.target
                if isinstance(target, cst.Subscript) and own.isdisjoint(
                    name.value
                    for part in target.slice
                    for name in walk(part)
                    if isinstance(name, cst.Name)
                ):
                    yield target


def _items_set(parsed: ParsedUnit, function: _Function, name: str) -> dict[int, str]:
    """The items of a name that a function itself sets, with their keys as the code writes them."""
    return {
        id(each.target): parsed.source(each.target)
        for inner in walk_own(function)
        if isinstance(inner, cst.Assign)
        for each in inner.targets
        if isinstance(each.target, cst.Subscript) and _is_named(each.target.value, name)
    }


def _is_named(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name
