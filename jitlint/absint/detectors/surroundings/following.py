"""Targets that a function sets to what follows from the object alone that they belong to.

``self.optimizer = optax.adam(self.rate)``, ``config["size"] = config["rows"] * config["columns"]``:
whoever runs the function again would set them to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import libcst as cst
from msgspec import Struct

from jitlint.absint.code.functions import Code, bindings_of, parameters_of, target_names
from jitlint.absint.code.syntax import children, walk, walk_own
from jitlint.absint.detectors.surroundings.paths import parts_of
from jitlint.absint.detectors.surroundings.written import key_of

#: builtins that give something else in every call
CONSUMING: Final = frozenset({"id", "input", "iter", "next", "object", "open"})


class _Binding(Struct, frozen=True):
    """What a statement binds.

    Attributes and entries have names of their own: ``self.size``, ``config["n"]``.

    Args:
      bound: the names that it binds.
      targets: what it assigns to.
      value: what it binds them to, None where that is not known.
      names: the names in that value, and in the tests that the statement is under.
    """

    bound: frozenset[str]
    targets: tuple[cst.CSTNode, ...] = ()
    value: cst.CSTNode | None = None
    names: frozenset[str] = frozenset()


def following(code: Code, root: str, is_known: Callable[[str], bool]) -> dict[int, frozenset[str]]:
    """The targets below a name that are set to what follows from that name alone.

    Args:
      code: the function.
      root: the name of an object in it: ``self`` of ``self.size``, ``config`` of ``config["n"]``.
      is_known: whether a name from outside of the function stands for the same in every call.

    Returns:
      By the ``id`` of the target, the names that its value and the tests around it use.
    """
    assert code.node is not None
    body = code.node.body
    bindings = list(_bindings(body, ()))
    known = {name for binding in bindings if binding.value is not None for name in binding.bound}
    local = code.bound_names - {root}
    outside = {name for binding in bindings for name in binding.names} - code.bound_names - {root}
    unknown = (local - known) | {n for n in outside if n.isidentifier() and not is_known(n)}
    unknown |= {parameter.name for parameter in code.parameters} - {root}
    grown = True
    while grown:
        grown = False
        for binding in bindings:
            if not binding.bound <= unknown | {root} and (
                binding.value is None or binding.names & unknown
            ):
                unknown |= binding.bound - {root}
                grown = True
    return {
        id(target): binding.names
        for binding in bindings
        if binding.value is not None and not binding.names & unknown
        for target in binding.targets
        if isinstance(target, (cst.Attribute, cst.Subscript))
        and isinstance(target.value, cst.Name)
        and target.value.value == root
        # `self.calls = self.calls + 1` is another one each time.
        and not any(target.deep_equals(inner) for inner in walk(binding.value))
    }


def _bindings(node: cst.CSTNode, tests: tuple[cst.CSTNode, ...]) -> Iterator[_Binding]:
    """The bindings of a piece of code; what runs in a loop and its kin has no known value."""
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        yield _Binding(frozenset({node.name.value}), (), node, _names(node, *tests))
    elif isinstance(node, cst.Assign):
        targets = tuple(each.target for each in node.targets)
        bound = frozenset(name for target in targets for name in _bound_by(target))
        yield _Binding(bound, targets, node.value, _names(node.value, *tests))
    elif isinstance(node, cst.If):
        for branch in children(node):
            yield from _bindings(branch, (*tests, node.test))
    elif isinstance(node, (cst.BaseSuite, cst.Else, cst.SimpleStatementLine)):
        for child in children(node):
            yield from _bindings(child, tests)
    else:
        for inner in walk_own(node):
            target = getattr(inner, "target", None)
            held = () if target is None else _bound_by(target)
            yield _Binding(frozenset(bindings_of(inner)).union(held))


def _bound_by(target: cst.CSTNode) -> Iterator[str]:
    """The names that an assignment to a target binds, and the attributes and entries."""
    yield from target_names(target)
    for part in parts_of(target):
        if (name := _part_of(part)) is not None:
            yield name


def _part_of(node: cst.CSTNode) -> str | None:
    """What stands for an attribute, or an entry with a text for its key, of what has a name."""
    if not isinstance(node, (cst.Attribute, cst.Subscript)) or not isinstance(node.value, cst.Name):
        return None
    if isinstance(node, cst.Attribute):
        return f"{node.value.value}.{node.attr.value}"
    text = key_of(node)
    return None if text is None else f"{node.value.value}[{text!r}]"


def _names(*nodes: cst.CSTNode) -> frozenset[str]:
    """The names from outside in expressions and definitions."""
    return frozenset(name for node in nodes for name in _free(node))


def _free(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, (cst.FunctionDef, cst.Lambda)):
        own = {parameter.name for parameter in parameters_of(node)}
        for child in children(node):
            yield from (name for name in _free(child) if name not in own)
    elif isinstance(node, (cst.Attribute, cst.Arg)):
        if (name := _part_of(node)) is not None:
            yield name
        yield from _free(node.value)
    else:
        if (name := _part_of(node)) is not None:
            yield name
        for child in children(node):
            yield from _free(child)
