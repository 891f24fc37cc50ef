"""Of which names others are made, by the assignments in a piece of code."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.functions import target_names
from jitlint.absint.code.syntax import children, walk, walk_own
from jitlint.absint.detectors.surroundings.loop_variables import changed_object
from jitlint.absint.detectors.surroundings.written import values_in
from jitlint.absint.detectors.variants.numeric import is_data
from jitlint.absint.values.domain import Unknown

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def origins(
    it: Interpreter,
    around: cst.CSTNode,
    names: Set[str],
    of: frozenset[str],
    *,
    chosen: bool = True,
) -> frozenset[str]:
    """Those of some names of which others are made, by assignments in a piece of code.

    Args:
      it: the interpreter.
      around: the code.
      names: the names that are looked for.
      of: the others.
      chosen: whether they are also made of what the tests are about under which they are assigned.
    """
    if not of or not names:
        return frozenset()
    made = it.written(_assigned if chosen else _computed, around)
    changed = it.written(_changed, around)
    waiting, seen = [*of], {*of}
    while waiting:
        name = waiting.pop()
        said = {each for each in changed.get(name, ()) if _decides(it, each)}
        more = said.union(made.get(name, ())) - seen
        seen |= more
        waiting += more
    return frozenset(seen & names)


def goes_on(it: Interpreter, loop: cst.CSTNode, name: str) -> bool:
    """Whether a loop makes what has a name of what it was before: ``x = step(x, rate)``."""
    made = it.written(_computed, loop).get(name, frozenset())
    return name in origins(it, loop, frozenset({name}), made, chosen=False)


def _decides(it: Interpreter, name: str) -> bool:
    """Whether what is put into an object is seen to be no data: ``config.count = count``.

    Data is a result that is kept there, ``self.state = step(self.state, batch)``.
    """
    value = it.look_up(name)
    return not isinstance(value, Unknown) and not is_data(it, value)


def _assigned(around: cst.CSTNode) -> Mapping[str, frozenset[str]]:
    """The names that a piece of code assigns to, with those that their values are made of.

    So are the names in the tests that choose among several.
    """
    return _made_of(around, chosen=True)


def _computed(around: cst.CSTNode) -> Mapping[str, frozenset[str]]:
    """The names that a piece of code assigns to, with those in what it assigns."""
    return _made_of(around, chosen=False)


def _made_of(around: cst.CSTNode, *, chosen: bool) -> Mapping[str, frozenset[str]]:
    made: dict[str, frozenset[str]] = {}
    waiting: list[tuple[cst.CSTNode, frozenset[str]]] = [(around, frozenset())]
    while waiting:
        node, tested = waiting.pop()
        if isinstance(node, cst.Assign):
            used = tested.union(values_in(node.value))
            for target in node.targets:
                for name in target_names(target.target):
                    made[name] = made.get(name, frozenset()) | used
        elif isinstance(node, cst.If):
            inside = tested | _tested(node.test) if chosen else tested
            waiting += [(child, inside) for child in children(node)]
        elif node is around or not isinstance(node, (cst.BaseExpression, *_SCOPES)):
            waiting += [(child, tested) for child in children(node)]
    return made


def _changed(around: cst.CSTNode) -> Mapping[str, frozenset[str]]:
    """The objects that a piece of code puts something into, with the names in that."""
    found: dict[str, frozenset[str]] = {}
    for node in walk_own(around):
        if isinstance(node, cst.Assign):
            for name in frozenset[str]().union(*(changed_object(t.target) for t in node.targets)):
                found[name] = found.get(name, frozenset()).union(values_in(node.value))
    return found


_SCOPES: Final = (cst.FunctionDef, cst.ClassDef)


def _tested(test: cst.BaseExpression) -> frozenset[str]:
    """The names that a test is about."""
    sides = (inner.left for inner in walk(test) if isinstance(inner, cst.Comparison))
    compared = {side.value for side in sides if isinstance(side, cst.Name)}
    return frozenset(values_in(test)) | compared
