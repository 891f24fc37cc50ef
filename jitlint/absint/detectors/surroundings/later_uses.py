"""Whether the code around a call looks at what it passes again, below or in the next turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import Code, Place, target_names
from jitlint.absint.code.syntax import children, walk, walk_own
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name, loop_targets
from jitlint.absint.detectors.surroundings.paths import bound_beside, call_of
from jitlint.absint.detectors.surroundings.written import key_of, root_name
from jitlint.foundation.records import Record

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


class Passed(Record):
    """An argument of a call, in the function that makes it.

    Args:
      place: where the argument stands.
      around: the function, or the statement of a module, that it stands in.
      loops: the loops around it there.
      function: finds a function of the module that it stands in.
    """

    place: Place
    around: cst.CSTNode
    loops: tuple[cst.CSTNode, ...]
    function: Callable[[str], Code | None]


def passed(it: Interpreter, node: cst.CSTNode) -> Passed:
    """An argument of the code that runs.

    Args:
      it: the interpreter, in the frame that passes it.
      node: the argument.
    """
    frame = it.frame
    code = frame.code
    around = frame.parsed.statement if code is None or code.node is None else code.node

    def function(name: str) -> Code | None:
        bound = frame.module.bound(name)
        unit = bound[0].unit if len(bound) == 1 else None
        plain = unit is not None and unit.is_function and unit.cls is None
        return it.load(it.store.of_unit(unit)) if unit is not None and plain else None

    return Passed(Place(frame.parsed, node), around, tuple(frame.enclosing_loops), function)


def is_used_later(argument: Passed, entry: str | None, maker: str | None = None) -> bool:
    """Whether what is passed is looked at again after the call, where nothing else has its name.

    Args:
      argument: the argument.
      entry: the entry or attribute that matters, None if any does.
      maker: what is called, if it makes the entry anew in every call: being passed there once more
        is no use of it.
    """
    node = argument.place.node
    name = root_name(_holder(node))
    if name is None:
        return False
    parsed = argument.place.parsed
    source = parsed.source
    if any(source(each) == source(node) for each in bound_beside(parsed, argument.around, node)):
        # `state = step(state)`
        return False
    own = _passed_to(argument, maker)
    for loop in argument.loops:
        if name not in loop_targets(loop) and name not in _bound_in(loop):
            uses = _uses(argument, loop, name, entry, own)
            if maker is None or any(not binds for _, binds in uses):
                return True
    if not isinstance(node, cst.Attribute):
        return _is_read_below(argument, name, entry, own)
    if name in _bound_in(argument.around):
        # An object of this function's own.
        return _is_read_below(argument, name, None)
    # The object that holds it is there for others to look at.
    return entry is None or _is_mentioned(argument, entry)


def _is_mentioned(argument: Passed, entry: str) -> bool:
    """Whether the module with the call says the name of an entry or attribute anywhere."""
    return argument.place.parsed.unit.module.finds(rf"""[."']{re.escape(entry)}\b""")


def _holder(node: cst.CSTNode) -> cst.CSTNode:
    while isinstance(node, cst.Subscript):
        node = node.value
    return node


def _bound_in(loop: cst.CSTNode) -> frozenset[str]:
    """The names that a loop binds in its body."""
    targets = (
        inner.target
        for inner in walk_own(loop)
        if isinstance(inner, (cst.AssignTarget, cst.AnnAssign, cst.For, cst.NamedExpr))
    )
    return frozenset(name for target in targets for name in target_names(target))


def _is_read_below(
    argument: Passed, name: str, entry: str | None, own: frozenset[int] = frozenset()
) -> bool:
    """Whether a name is read, as a whole or for an entry, below the call and before it is bound."""
    end = argument.place.parsed.position(argument.place.node)[2:]
    later = [
        (where, binds)
        for where, binds in _uses(argument, argument.around, name, entry, own)
        if where > end
    ]
    if later or isinstance(argument.around, cst.FunctionDef):
        return bool(later) and not min(later)[1]
    return _is_read_in_script(argument, name, entry)


def _is_read_in_script(argument: Passed, name: str, entry: str | None) -> bool:
    """The same for a name of the module, in the statements behind the one with the call."""
    unit = argument.place.parsed.unit
    whole = re.compile(rf"(?<![\w.]){re.escape(name)}\b(?!\s*[.\[=])")
    part = re.compile(
        rf"""(?<![\w.]){re.escape(name)}(?:\.{re.escape(entry)}\b|\[["']{re.escape(entry)}["']\])"""
        if entry is not None
        else rf"(?<![\w.]){re.escape(name)}\s*[.\[]"
    )
    bound = re.compile(rf"(?<![\w.]){re.escape(name)}\b[\w\s,]*=(?!=)([^\n]*)")
    for other in unit.module.units:
        if other.is_function or other.cls is not None or other.first <= unit.last:
            continue
        if other.finds(part):
            return True
        binds = bound.match(other.text)
        if binds is not None:
            return whole.search(binds[1]) is not None
        if other.finds(whole):
            # What it is handed to may ask for other entries only.
            return entry is None or _is_mentioned(argument, entry)
    return False


def _uses(
    argument: Passed, around: cst.CSTNode, name: str, entry: str | None, own: frozenset[int]
) -> Iterator[tuple[tuple[int, int], bool]]:
    """Where a name is bound or read, as a whole or for an entry, and whether it is bound there."""
    position = argument.place.parsed.position
    stack: list[tuple[cst.CSTNode, cst.CSTNode | None]] = [(around, None)]
    while stack:
        inner, parent = stack.pop()
        if isinstance(inner, cst.Name) and inner.value == name and id(inner) not in own:
            binds = isinstance(parent, (cst.AssignTarget, cst.For)) and parent.target is inner
            if binds or _asks_for(argument, inner, parent, entry):
                yield position(inner)[:2], binds
        stack += [(child, inner) for child in children(inner)]


def _passed_to(argument: Passed, maker: str | None) -> frozenset[int]:
    """The arguments of the calls of one function."""
    source = argument.place.parsed.source
    return frozenset(
        id(arg.value)
        for inner in (walk_own(argument.around) if maker is not None else ())
        if isinstance(inner, cst.Call) and source(inner.func) == maker
        for arg in inner.args
    )


def _asks_for(
    argument: Passed, name: cst.Name, parent: cst.CSTNode | None, entry: str | None
) -> bool:
    """Whether a use of a name has to do with an entry of what it stands for."""
    if isinstance(parent, cst.Attribute):
        return parent.value is name and entry in (None, parent.attr.value)
    if isinstance(parent, cst.Param):
        return False
    if isinstance(parent, cst.Arg):
        # What it is handed to may ask for other entries only.
        asked = entry is None or _is_mentioned(argument, entry)
        return parent.value is name and asked and not _is_left_alone(argument, name, entry)
    key = None if entry is None else _key_of(parent, name)
    return key is None or key == entry


def _is_left_alone(argument: Passed, name: cst.Name, entry: str | None) -> bool:
    """Whether a function of the module that is handed something asks for other entries of it."""
    call = call_of(argument.around, name)
    if entry is None or call is None or not isinstance(call.func, cst.Name):
        return False
    name_called = call.func.value
    is_local = name_called in _bound_in(argument.around)
    code = None if is_local else argument.function(name_called)
    if code is None or code.node is None:
        return False
    given = given_by_name(code, call)
    parameter = next((each for each, value in given if value is name), None)
    # A method may look at all of it: `batch.items()`.
    called = {id(inner.func) for inner in walk(code.node.body) if isinstance(inner, cst.Call)}
    return parameter is not None and not any(
        isinstance(child, cst.Name)
        and child.value == parameter
        and (id(inner) in called or _reads(inner, child, entry))
        for inner in walk(code.node.body)
        for child in children(inner)
    )


def _reads(parent: cst.CSTNode, name: cst.Name, entry: str) -> bool:
    """Whether a use of a name may ask for an entry of what it stands for, or of another object."""
    if isinstance(parent, cst.Attribute):
        return parent.value is name and parent.attr.value == entry
    if isinstance(parent, cst.Arg):
        return parent.value is name
    key = _key_of(parent, name)
    return key is None or key == entry


def _key_of(parent: cst.CSTNode | None, name: cst.Name) -> str | None:
    """The text by which a subscript of a name asks, None for another, and for other uses."""
    return key_of(parent) if isinstance(parent, cst.Subscript) and parent.value is name else None
