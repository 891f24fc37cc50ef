"""The same draw in two statements of a script, or of the cells of a notebook.

``x = random.normal(key, (8,))`` and ``noise = random.normal(key, (8,))``: the noise is ``x``.  What
shows that it matters is a statement further down that uses both; who draws again for the same name,
or looks at the two one by one, begins anew or shows that they are the same.
"""

from __future__ import annotations

import re
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Place
from jitlint.absint.code.syntax import UnsupportedSyntaxError, called_name, walk
from jitlint.absint.detectors.surroundings.clocks import MEASURING
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.project.units import Unit

#: prints, or asks whether things are the same
_SHOWING: Final = re.compile(r"^(?:print|display|assert)\b|==|allclose|array_equal|equal\(")


def drawn_above(it: Interpreter, call: cst.Call, names: frozenset[str]) -> Place | None:
    """The same draw in a statement further up in the code of a module, both of which are used.

    Args:
      it: the interpreter, in a statement of the module.
      call: a call of a sampler.
      names: the names that it is made of.
    """
    frame = it.frame
    module, unit = frame.module, frame.parsed.unit
    target = _bound_to(frame.parsed.statement, call)
    if target is None or unit.indented or any("." in name for name in names):
        return None
    if any(map(module.has_word, MEASURING)):
        # What a measurement works with may be anything.
        return None
    bound = [each.unit for name in names for each in it.project.bindings(module, name)]
    for earlier in reversed(_plain(it, called_name(call), unit)):
        found = _same_in(it, earlier, call)
        if found is None:
            continue
        first = _bound_to(found.parsed.statement, found.node)
        changed = any(_stands_between(earlier, each, unit) for each in bound)
        if changed or first in (None, target):
            return None
        return found if _are_used(it, str(first), target, unit) else None
    return None


def _same_in(it: Interpreter, unit: Unit, call: cst.Call) -> Place | None:
    """Where a statement makes the same call."""
    try:
        parsed = it.store.parse(unit)
    except UnsupportedSyntaxError:
        return None
    nodes = (node for node in walk(parsed.statement) if isinstance(node, cst.Call))
    same = next((node for node in nodes if node.deep_equals(call)), None)
    return None if same is None else Place(parsed, same)


def _stands_between(first: Unit, middle: Unit, last: Unit) -> bool:
    """Whether a statement is the first of two others, or stands between them."""
    return middle is first or (first.begins_above(middle) and middle.begins_above(last))


def _plain(it: Interpreter, name: str, unit: Unit) -> list[Unit]:
    """The statements above one that say a name, whatever happens."""
    return [
        each
        for each in it.frame.module.units_with(name)
        if not (each.is_function or each.indented) and each.cls is None and each.begins_above(unit)
    ]


def _bound_to(statement: cst.CSTNode, call: cst.CSTNode) -> str | None:
    """The name that a statement gives what a call gives, or what is made of it."""
    lines = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
    for small in lines:
        if isinstance(small, cst.Assign) and any(inner is call for inner in walk(small.value)):
            target = small.targets[0].target
            return target.value if isinstance(target, cst.Name) else None
    return None


def _are_used(it: Interpreter, first: str, second: str, unit: Unit) -> bool:
    """Whether a statement below makes something of two names, neither of them bound again before.

    One that prints or compares them shows that they are the same.
    """
    module = it.frame.module
    both = {id(each) for each in module.units_with(first)}
    bound = [b.unit for name in (first, second) for b in it.project.bindings(module, name)]
    for each in module.units_with(second):
        if id(each) not in both or not unit.begins_above(each) or each.is_function:
            continue
        again = any(unit.begins_above(other) and other.begins_above(each) for other in bound)
        return not (again or _SHOWING.search(each.text))
    return False
