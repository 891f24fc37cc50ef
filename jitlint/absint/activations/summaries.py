"""Summaries: what a call gave and changed, for later calls of the function with like arguments.

A call is like another if its arguments look the same (see ``likeness``).  What it gave then holds
again, with the objects of the one call in place of those of the other.  A call that changed objects
that are older than itself changes them the same way again, as long as that reaches beyond no trace:
whether a change does is a matter of the traces around the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import libcst as cst

from jitlint.absint.activations.likeness import Given
from jitlint.absint.machine.in_force import Reached, is_reached
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Cell
from jitlint.absint.values.buffers import NO_BUFFERS, Buffer, Buffers, new_buffer
from jitlint.absint.values.domain import (
    Array,
    Class,
    Function,
    Level,
    Origin,
    Ref,
    Tree,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import (
    HeapObject,
    Instance,
    State,
    Variables,
)
from jitlint.absint.values.traversal import (
    lies_elsewhere,
    parts_of,
    reachable,
    rebuilt,
    rebuilt_object,
)
from jitlint.foundation.records import Record

#: objects that a call changed: contents before and after
Changes = dict[int, tuple[Any, Any]]
#: whether a trace runs, and for each object that a call is given whether it is older than that
Side = tuple[bool, ...]


class Summary(Record):
    """What came of a call.

    Args:
      result: what it returned.
      given: the objects and traced values that it was given.
      trace: the number of the trace that it ran in.
      closure: the frames around the function.
      made: the objects made by it that the result or a changed object leads to.
      changes: what it changed.
      consulted: the objects of modules that it looked at, as they were before it.
      side: None if it stored nothing; else on which side of the innermost trace it did so.
      operations: how many operations it gave JAX in a trace, at least.
      captured: what it read of what may be older than the trace.
      in_force: the statements above which the bindings of names counted that it has read.
    """

    result: Value
    given: Given
    trace: int
    closure: tuple[int, ...]
    made: dict[int, HeapObject]
    changes: Changes
    consulted: Mapping[int, HeapObject]
    side: Side | None
    operations: int
    captured: Mapping[Cell, Any]
    in_force: Reached


def changes_of(it: Interpreter, since: int, before: State, after: State) -> Changes | None:
    """The objects that a call did not make, and changed.

    Args:
      it: the interpreter.
      since: its clock when the call began.
      before: the state in which it was called.
      after: the state at its end.

    Returns:
      Contents before and after; None if an object is not known any more.
    """
    old, new = before.heap, after.heap
    if after.base is not before and not old.keys() <= new.keys():
        return None
    base = {} if after.base is None else after.base.heap
    made_at = it.made_at
    found: Changes = {}
    for id_, contents in new.items():
        was = old.get(id_)
        if was is contents:
            continue
        if was is None:
            was = base.get(id_)
            if was is None or was is contents:
                continue
        # The same place makes an object of the same number again: that is another object.
        older = made_at.get(id_, 0) <= since
        if older and (was != contents or lies_elsewhere(was, contents)):
            found[id_] = was, contents
    return found


def side_of(it: Interpreter, given: Given) -> Side:
    """On which side of the innermost trace the objects are that a call is given."""
    number = it.trace_number
    if not number:
        return (False,)
    born = it.made_in
    return (True, *[born.get(id_, 0) < number for id_ in given.refs])


def carry_over(
    it: Interpreter,
    since: int,
    values: Iterable[Value],
    before: State,
    after: State,
    changes: Changes,
) -> dict[int, HeapObject]:
    """Put what a call changed and made into the state of its caller.

    What nothing leads to any more, such as its variables, stays behind.

    Args:
      it: the interpreter.
      since: its clock when the call began.
      values: what it returned.
      before: the state in which it was called; it becomes the one that it left behind.
      after: the state at its end.
      changes: what it changed.

    Returns:
      The objects made by it that are still in reach.
    """
    heap = after.heap
    roots = list(values)
    for id_, (_, contents) in changes.items():
        before.share(id_, contents)
        roots.extend(parts_of(contents))
    made: dict[int, HeapObject] = {}
    made_at = it.made_at
    for id_ in reachable(roots, heap):
        if made_at.get(id_, 0) > since and id_ in heap:
            made[id_] = heap[id_]
    for id_, contents in made.items():
        before.share(id_, contents)
    return made


def found_by(
    it: Interpreter, since: int, consulted: Iterable[int], before: State, changes: Changes
) -> dict[int, HeapObject]:
    """What a call found in the objects of modules that it looked at."""
    found = {}
    for id_ in consulted:
        contents = changes[id_][0] if id_ in changes else before.get(id_)
        if contents is not None and it.made_at.get(id_, 0) <= since:
            found[id_] = contents
    return found


def replay(
    it: Interpreter, summary: Summary, function: Function, given: Given, node: cst.CSTNode
) -> Value | None:
    """The result of an earlier call with like arguments, its objects made anew for this one.

    Returns:
      The result, None if the function has to be run again.
    """
    if summary.side is not None and summary.side != side_of(it, given):
        return None
    if not _finds(it, summary):
        return None
    renewal = _Renewal(it, summary, function, given)
    ids = renewal.ids
    changes = summary.changes
    if changes and not _applies(it, summary, ids):
        return None
    it.operations += summary.operations
    it.captures(
        {
            (kind, owner if kind in ("name", "class") else ids.get(owner, owner), name): read
            for (kind, owner, name), read in summary.captured.items()
        }
    )
    for id_ in summary.made:
        ids[id_] = it.new_id("replay", id_, id(node), it.frame.env, it.frame.turns)
    for id_, contents in summary.made.items():
        it.state.put(ids[id_], renewal.contents(contents))
    for id_, (was, contents) in changes.items():
        target = ids.get(id_, id_)
        if isinstance(contents, Variables):
            variables = it.variables(target)
            for name, value in contents.items():
                if was.get(name) is not value:
                    variables[name] = renewal.value(value)
        else:
            it.state.put(target, renewal.contents(contents))
    return renewal.value(summary.result)


def _finds(it: Interpreter, summary: Summary) -> bool:
    """Whether what any code can reach is as a call found it: objects of modules, and names."""
    for (module, name), row in summary.in_force.items():
        if not is_reached(it, module, name, row):
            return False
    get = it.state.get
    # The key has compared what the calls are given.
    passed = summary.given.refs
    for id_, was in summary.consulted.items():
        now = get(id_)
        if now is not was and now != was and id_ not in passed:
            return False
    it.consulted.update(summary.consulted)
    it.in_force.update(summary.in_force)
    return True


def _applies(it: Interpreter, summary: Summary, ids: Mapping[int, int]) -> bool:
    """Whether what a call changed is here as it was there."""
    given = set(summary.given.refs)
    for id_, (was, contents) in summary.changes.items():
        if id_ in given:
            # The key has compared it.
            continue
        now = it.contents(ids.get(id_, id_))
        if isinstance(contents, Variables):
            if not isinstance(now, Variables):
                return False
            for name, value in contents.items():
                old = was.get(name)
                if old != value and now.get(name) != old:
                    return False
        elif now is not was and now != was:
            return False
    return True


class _Renewal:
    """What came of one call, put in the terms of another.

    Objects get the numbers that they have for the other call, traced values come from where its
    arguments come from.

    Args:
      it: the interpreter, in the caller's frame.
      summary: of the one call.
      function: what is called.
      given: what the other call is given.
    """

    def __init__(self, it: Interpreter, summary: Summary, function: Function, given: Given) -> None:
        before = summary.given
        pairs = [*zip(before.refs, given.refs, strict=False)]
        pairs += zip(summary.closure, function.closure, strict=False)
        #: numbers of objects there and here, where they differ
        self.ids = {old: new for old, new in pairs if old != new}
        self._origins: dict[int, Origin | None] = {}
        self._traces: dict[int, int] = {}
        self._buffers: dict[Buffer, Buffers] = {}
        if summary.trace != it.trace_number:
            self._traces[summary.trace] = it.trace_number
        for old, new in zip(before.traced, given.traced, strict=False):
            if old.origin is not new.origin and old.origin is not None:
                self._origins.setdefault(id(old.origin), new.origin)
            for buffer in old.buffers:
                self._buffers.setdefault(buffer, new.buffers)
            if isinstance(old, Array) and isinstance(new, Array) and old.trace != new.trace:
                self._traces.setdefault(old.trace, new.trace)

    def value(self, value: Value) -> Value:
        """A value in the other call's terms."""
        rule = _RENEWALS.get(type(value))
        return rebuilt(value, self.value) if rule is None else rule(self, value)

    def contents(self, contents: HeapObject) -> HeapObject:
        """The contents of an object in the other call's terms."""
        contents = rebuilt_object(contents, self.value)
        if type(contents) is Instance and contents.cls.closure:
            contents.cls = self.cls(contents.cls)
        return contents

    def _origin(self, origin: Origin | None) -> Origin | None:
        if origin is None or not self._origins:
            return origin
        if id(origin) in self._origins:
            return self._origins[id(origin)]
        previous = self._origin(origin.previous)
        if previous is origin.previous:
            return origin
        return Origin(origin.place, origin.note, previous)

    def _moved(self, buffers: Buffers, *, fitting: bool = False) -> Buffers:
        """Buffers that were given, and others in place of those that the call made.

        An array is in one of its buffers, and a tracer may be ``fitting`` each of them.
        """
        moved = NO_BUFFERS
        for buffer in buffers:
            target = self._buffers.get(buffer)
            if target is None:
                target = self._buffers[buffer] = NO_BUFFERS if fitting else new_buffer()
            if not (target or fitting):
                return NO_BUFFERS
            moved |= target
        return moved

    def array(self, value: Array) -> Value:
        """A traced array."""
        origin, trace = self._origin(value.origin), self._traces.get(value.trace, value.trace)
        if origin is value.origin and trace == value.trace and not value.buffers:
            return value
        buffers = self._moved(value.buffers, fitting=value.level is not Level.CONCRETE)
        return value.replace(origin=origin, trace=trace, buffers=buffers)

    def tree(self, value: Tree) -> Value:
        """A pytree."""
        origin = self._origin(value.origin)
        if origin is value.origin and not value.buffers:
            return value
        buffers = self._moved(value.buffers, fitting=value.level is not Level.CONCRETE)
        return value.replace(origin=origin, buffers=buffers)

    def unknown(self, value: Unknown) -> Value:
        """What may be an array."""
        return value.replace(buffers=self._moved(value.buffers)) if value.buffers else value

    def ref(self, value: Ref) -> Value:
        """An object."""
        number = self.ids.get(value.id)
        return value if number is None else Ref(number)

    def function(self, value: Function) -> Value:
        """A function: its frames, and what its defaults hold."""
        closure = tuple([self.ids.get(env, env) for env in value.closure])
        moved = value if closure == value.closure else Function(value.code, closure, value.defaults)
        return rebuilt(moved, self.value)

    def cls(self, value: Class) -> Class:
        """A class: the frames of the function that made it."""
        closure = tuple([self.ids.get(env, env) for env in value.closure])
        return value if closure == value.closure else Class(value.definition, value.module, closure)


_RENEWALS: Mapping[type[Value], Callable[[_Renewal, Any], Value]] = {
    Array: _Renewal.array,
    Tree: _Renewal.tree,
    Unknown: _Renewal.unknown,
    Ref: _Renewal.ref,
    Function: _Renewal.function,
    Class: _Renewal.cls,
}
