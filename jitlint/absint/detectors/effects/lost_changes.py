"""Changes of containers that JAX made anew for a trace, which nobody outside of it ever sees.

Every container among the arguments of a transformed function is taken apart and put together again
for the trace.  What the function changes in place there is lost with it, unless it returns the
container or what it has put there.  That does harm where the code around the call goes on with its
own container as if it had been changed.
"""

from __future__ import annotations

import re

import libcst as cst
from msgspec import Struct, field

from jitlint.absint.detectors.effects.restoring import is_restored
from jitlint.absint.detectors.surroundings.later_uses import Passed, is_used_later, passed
from jitlint.absint.detectors.surroundings.written import key_of
from jitlint.absint.events import ArgumentMutationLost, event_key
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    ArgumentRebuilt,
    AttributeSet,
    ContentsChanged,
    TraceLeft,
    observes,
)
from jitlint.absint.values.domain import Ref, Value
from jitlint.absint.values.heap import DictObject, Instance, ListObject
from jitlint.absint.values.traversal import parts_of, reachable

#: names an event
_Key = tuple[int, str]


class _Rebuilt(Struct, frozen=True, eq=False):
    """A container that was made anew for a trace.

    Args:
      trace: the number of the trace.
      callee: the function that is traced, as the code calls it.
      argument: what it was passed as.
    """

    trace: int
    callee: str
    argument: Passed


class _Change(Struct, frozen=True, eq=False):
    """A change of such a container.

    Args:
      key: of the event that tells of it.
      ref: the container.
      value: what was put there.
      entry: under which name, None where that is not known.
      argument: what the container was passed as.
      maker: the function that is traced, if it makes the entry anew in every call.
    """

    key: _Key
    ref: Ref
    value: Value
    entry: str | None
    argument: Passed
    maker: str | None


class Changes(Struct, eq=False):
    """What is known of rebuilt containers.

    Args:
      rebuilt: by the number of the object.
      open: the changes of each trace that runs.
      lost: the events of changes that were lost in some trace.
    """

    rebuilt: dict[int, _Rebuilt] = field(default_factory=dict)
    open: dict[int, list[_Change]] = field(default_factory=dict)
    lost: set[_Key] = field(default_factory=set)

    def fork(self) -> Changes:
        """For an analysis that goes on from here: the traces of this one have ended."""
        return Changes()


@observes(ArgumentRebuilt)
def _rebuilt(it: Interpreter, rebuilt: ArgumentRebuilt) -> None:
    trace = it.trace
    if trace is None:
        return
    call = trace.node
    callee = it.text(call.func if isinstance(call, cst.Call) else call)
    place = rebuilt.node
    if place is call and isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute):
        # `system.step(x)`: the receiver.
        place = call.func.value
    known = _Rebuilt(trace.number, callee, passed(it, place))
    containers = it.observations(Changes).rebuilt
    for id_ in reachable([rebuilt.made], it.state.heap):
        if it.made_in.get(id_) == trace.number:
            containers[id_] = known


@observes(ContentsChanged)
def _contents_changed(it: Interpreter, change: ContentsChanged) -> None:
    if change.value is not None:
        node = change.node
        entry = key_of(node) if isinstance(node, cst.Subscript) else None
        _changed(it, change.ref, change.value, node, change.receiver, change.action, entry)


@observes(AttributeSet)
def _attribute_set(it: Interpreter, change: AttributeSet) -> None:
    owner, node = change.owner, change.node
    if isinstance(owner, Ref) and isinstance(node, cst.Attribute) and it.setting is None:
        _changed(it, owner, change.value, node, node.value, "assignment", node.attr.value)


def _changed(
    it: Interpreter,
    ref: Ref,
    value: Value,
    node: cst.CSTNode,
    container: cst.CSTNode | str,
    action: str,
    entry: str | None,
) -> None:
    if it.trace is None:
        return
    notes = it.observations(Changes)
    rebuilt = notes.rebuilt.get(ref.id)
    if rebuilt is None or all(trace.number != rebuilt.trace for trace in it.traces()):
        return
    # Another call of the code around this is given a container of its own.
    it.reached_out += 1
    if is_restored(it.frame, node):
        return
    it.note(ArgumentMutationLost, node, operand=container, action=action, callee=rebuilt.callee)
    key = event_key(node, ArgumentMutationLost)
    if key in it.events:
        maker = rebuilt.callee if _is_added(it, ref, node, entry) else None
        found = _Change(key, ref, value, entry, rebuilt.argument, maker)
        notes.open.setdefault(rebuilt.trace, []).append(found)


def _is_added(it: Interpreter, ref: Ref, node: cst.CSTNode, entry: str | None) -> bool:
    """Whether a dict is given an entry that nobody passed, and that nobody asks for beforehand."""
    contents = it.contents(ref)
    if entry is None or not isinstance(contents, DictObject):
        return False
    if contents.rest is not None or entry in contents.items:
        return False
    word = rf"""["']{re.escape(entry)}["']"""
    asks = rf"""\w\(\s*{word}|{word}\s+(?:not\s+)?in\b"""
    return re.search(asks, it.frame.parsed.unit.text) is None


@observes(TraceLeft)
def _left(it: Interpreter, left: TraceLeft) -> None:
    trace = it.trace
    if trace is None or trace.env != it.frame.env:
        # Something inside is left that begins no trace.
        return
    notes = it.observations(Changes)
    changes = notes.open.pop(trace.number, None)
    if not changes:
        return
    values, objects = _held_by(it, left.result)
    for change in changes:
        returned = left.result is None or change.ref.id in objects or id(change.value) in values
        if not returned and is_used_later(change.argument, change.entry, change.maker):
            notes.lost.add(change.key)
    for change in changes:
        if change.key not in notes.lost:
            it.withdraw(change.key)


def _held_by(it: Interpreter, value: Value | None) -> tuple[set[int], set[int]]:
    """The identities of the values in a value, and the numbers of the objects."""
    values: set[int] = set()
    objects: set[int] = set()
    stack = [] if value is None else [value]
    while stack:
        part = stack.pop()
        values.add(id(part))
        if isinstance(part, Ref):
            if part.id in objects:
                continue
            objects.add(part.id)
            contents = it.contents(part)
            if isinstance(contents, (ListObject, DictObject, Instance)):
                stack.extend(parts_of(contents))
        else:
            stack.extend(parts_of(part))
    return values, objects
