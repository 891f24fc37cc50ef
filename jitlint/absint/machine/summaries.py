"""Summaries: what a call gave and changed, for later calls of the function with like arguments.

A call is like another if its arguments look the same (:class:`_Snapshot`): the same values, and
objects of the same structure and contents, whatever their identity.  What it gave then holds again,
with the objects of the one call in place of those of the other.  A call that changed objects that
are older than itself changes them the same way again, as long as that reaches beyond no trace:
whether a change does is a matter of the traces around the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import libcst as cst

from jitlint.absint.machine.frames import Context, Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    Array,
    ArrayMethod,
    BoundMethod,
    Cached,
    ContainerMethod,
    Descriptor,
    ExternalInstance,
    Function,
    Origin,
    Partial,
    Ref,
    Slice,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import (
    DictObject,
    HeapObject,
    Instance,
    ListObject,
    SetObject,
    Slot,
    State,
    Variables,
)
from jitlint.foundation.records import record

if TYPE_CHECKING:
    from jitlint.absint.machine.arguments import Arguments

#: objects that a call changed: contents before and after
Changes = dict[int, tuple[Any, Any]]
#: whether a trace runs, and for each object that a call is given whether it is older than that
Side = tuple[bool, ...]


@record()
class Given:
    """What a call is given that the key of another call may have in its place.

    Args:
      refs: objects, in the order in which the arguments lead to them.
      traced: traced values, likewise; the key does not tell where they come from.
    """

    refs: list[int]
    traced: list[Array | Tree]


@record()
class Summary:
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
    """

    result: Value
    given: Given
    trace: int
    closure: tuple[int, ...]
    made: dict[int, HeapObject]
    changes: Changes
    consulted: Mapping[int, HeapObject]
    side: Side | None


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
        if was is None:
            was = base.get(id_)
        # The same place makes an object of the same number again: that is another object.
        older = was is not None and made_at.get(id_, 0) <= since
        if older and was is not contents and was != contents:
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
        roots.extend(_contents_values(contents))
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
    for id_ in summary.made:
        ids[id_] = it.new_id("replay", id_, id(node), it.frame.env)
    for id_, contents in summary.made.items():
        it.state.put(ids[id_], renewal.contents(contents))
    for id_, (was, contents) in changes.items():
        target = ids.get(id_, id_)
        if isinstance(contents, Variables):
            variables = it.variables(target)
            for name, value in contents.items():
                if was.get(name) != value:
                    variables[name] = renewal.value(value)
        else:
            it.state.put(target, renewal.contents(contents))
    return renewal.value(summary.result)


def _finds(it: Interpreter, summary: Summary) -> bool:
    """Whether the objects of modules, which any code can reach, are as a call found them."""
    get = it.state.get
    # The key has compared what the calls are given.
    passed = summary.given.refs
    for id_, was in summary.consulted.items():
        now = get(id_)
        if now is not was and now != was and id_ not in passed:
            return False
    it.consulted.update(summary.consulted)
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


# -- comparing calls ------------------------------------------------------------------------------


class _TooLargeError(Exception):
    """A value has more parts than a summary may compare."""


class _Snapshot:
    """A structural picture of values, in which heap objects are numbered in the order met."""

    def __init__(self, it: Interpreter) -> None:
        self.it = it
        self.refs: list[int] = []
        self.traced: list[Array | Tree] = []
        #: numbers of heap objects, and of captured variables by (frame, name)
        self.index: dict[int | tuple[int, str], int] = {}
        self.size = 0

    def take(self, value: Value) -> Any:
        self.size += 1
        if self.size > self.it.limits.snapshot:
            raise _TooLargeError
        rule = _SNAPSHOTS.get(type(value))
        return value if rule is None else rule(self, value)

    def tracer(self, value: Array | Tree) -> Any:
        self.traced.append(value)
        return value

    def ref(self, value: Ref) -> Any:
        return self._object(value.id)

    def tuple(self, value: Tuple) -> Any:
        return ("tuple", tuple([self.take(item) for item in value.items]))

    def union(self, value: Union) -> Any:
        return ("union", tuple([self.take(member) for member in value.members]))

    def slice(self, value: Slice) -> Any:
        return ("slice", tuple([self.take(part) for part in value.parts]))

    def bound(self, value: BoundMethod) -> Any:
        return ("bound", self.take(value.function), self.take(value.receiver))

    def partial(self, value: Partial) -> Any:
        return (
            "partial",
            self.take(value.function),
            tuple([self.take(arg) for arg in value.args]),
            tuple([(name, self.take(arg)) for name, arg in value.keywords]),
        )

    def transformed(self, value: Transformed) -> Any:
        return (
            "transformed",
            value.transform,
            self.take(value.function),
            tuple([(name, self.take(arg)) for name, arg in value.options]),
        )

    def wrapped(self, value: Cached | Descriptor) -> Any:
        return (type(value).__name__, self.take(value.function))

    def method(self, value: ContainerMethod | ArrayMethod) -> Any:
        return (type(value).__name__, value.name, self.take(value.receiver))

    def external(self, value: ExternalInstance) -> Any:
        return (
            "external",
            value.cls,
            tuple([(name, self.take(arg)) for name, arg in value.attributes]),
        )

    def _object(self, id_: int) -> Any:
        known = self.index.get(id_)
        if known is not None:
            return ("seen", known)
        number = self.index[id_] = len(self.refs)
        self.refs.append(id_)
        contents = self.it.contents(id_)
        if isinstance(contents, ListObject):
            items = None if contents.items is None else tuple(map(self.take, contents.items))
            return ("list", number, items, self.take(contents.element))
        if isinstance(contents, DictObject):
            return (
                "dict",
                number,
                tuple((repr(key), self.take(value)) for key, value in contents.items.items()),
                None if contents.rest is None else self.take(contents.rest),
            )
        if isinstance(contents, SetObject):
            return ("set", number, self.take(contents.element))
        if isinstance(contents, Instance):
            return (
                "instance",
                number,
                contents.cls,
                tuple((name, self.take(v)) for name, v in contents.attributes.items()),
            )
        return ("gone", id_)

    def function(self, value: Function) -> Any:
        code = value.code
        captured: list[Any] = []
        if value.closure and code.node is not None:
            state = self.it.state
            frames = [(env, state.get(env)) for env in value.closure]
            frames = [frame for frame in frames if type(frame[1]) is Variables]
            for name in code.free_names if frames else ():
                for env, variables in frames:
                    if name in variables:
                        key = (env, name)
                        seen = self.index.get(key)
                        if seen is not None:
                            captured.append((name, "seen", seen))
                        else:
                            self.index[key] = len(self.index)
                            captured.append((name, self.take(variables[name])))
                        break
        defaults = tuple([(name, self.take(default)) for name, default in value.defaults])
        return ("function", id(code), tuple(captured), defaults)


_SNAPSHOTS: Mapping[type[Value], Callable[[_Snapshot, Any], Any]] = {
    Array: _Snapshot.tracer,
    Tree: _Snapshot.tracer,
    Ref: _Snapshot.ref,
    Function: _Snapshot.function,
    Tuple: _Snapshot.tuple,
    Union: _Snapshot.union,
    Slice: _Snapshot.slice,
    BoundMethod: _Snapshot.bound,
    Partial: _Snapshot.partial,
    Transformed: _Snapshot.transformed,
    Cached: _Snapshot.wrapped,
    Descriptor: _Snapshot.wrapped,
    ContainerMethod: _Snapshot.method,
    ArrayMethod: _Snapshot.method,
    ExternalInstance: _Snapshot.external,
}


def key_of(
    it: Interpreter, function: Function, args: Arguments, context: Context
) -> tuple[Any, Given]:
    """What two calls have in common if one stands for the other, and what it is given.

    Returns:
      The key, None where the arguments are too large to compare.
    """
    snapshot = _Snapshot(it)
    try:
        key = (
            context.staging,
            context.cached,
            context.disabled,
            it.in_doubt,
            _is_guarded(it.frame),
            _flags(it.state),
            snapshot.take(function),
            tuple(snapshot.take(value) for value in args.positional),
            tuple((name, snapshot.take(value)) for name, value in sorted(args.keywords.items())),
            None if args.star is None else snapshot.take(args.star),
            None if args.star_keywords is None else snapshot.take(args.star_keywords),
        )
    except (_TooLargeError, RecursionError):
        return None, Given([], [])
    return key, Given(snapshot.refs, snapshot.traced)


def _flags(state: State) -> frozenset[tuple[str, bool]]:
    """What is assumed of objects, and of how the code runs, wherever that stands."""
    assumed = state.assumed
    if not assumed:
        return _NOTHING
    return frozenset([item for item in assumed.items() if item[0][0] == "<"])


_NOTHING: frozenset[tuple[str, bool]] = frozenset()


def _is_guarded(frame: Frame | None) -> bool:
    """Whether an active frame has a ``try`` around the current point."""
    while frame is not None:
        if frame.tries:
            return True
        frame = frame.parent
    return False


# -- objects --------------------------------------------------------------------------------------


def reachable(values: Iterable[Value], heap: dict[int, Any]) -> set[int]:
    """The objects that values lead to, and the frames of functions among them."""
    found: set[int] = set()
    stack: list[Any] = list(values)
    while stack:
        current = stack.pop()
        if isinstance(current, Ref):
            if current.id not in found:
                found.add(current.id)
                stack.extend(_contents_values(heap.get(current.id)))
        elif isinstance(current, Function):
            stack.extend(default for _, default in current.defaults)
            for env in current.closure:
                if env not in found:
                    found.add(env)
                    stack.extend(_contents_values(heap.get(env)))
        else:
            stack.extend(_parts(current))
    return found


def _contents_values(contents: Any) -> list[Value]:
    if isinstance(contents, Variables):
        return list(contents.values())
    if isinstance(contents, ListObject):
        return [contents.element, *(contents.items or ())]
    if isinstance(contents, DictObject):
        return [*contents.items.values(), *([contents.rest] if contents.rest else [])]
    if isinstance(contents, SetObject):
        return [contents.element]
    if isinstance(contents, Instance):
        return list(contents.attributes.values())
    return []


def _parts(value: Value) -> tuple[Value, ...]:
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Union):
        return value.members
    if isinstance(value, BoundMethod):
        return (value.function, value.receiver)
    if isinstance(value, Partial):
        return (value.function, *value.args, *(arg for _, arg in value.keywords))
    if isinstance(value, Transformed):
        return (value.function, *(arg for _, arg in value.options))
    if isinstance(value, (Cached, Descriptor)):
        return (value.function,)
    if isinstance(value, (ContainerMethod, ArrayMethod)):
        return (value.receiver,)
    if isinstance(value, ExternalInstance):
        return tuple(arg for _, arg in value.attributes)
    return ()


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
        if summary.trace != it.trace_number:
            self._traces[summary.trace] = it.trace_number
        for old, new in zip(before.traced, given.traced, strict=False):
            if old.origin is not new.origin and old.origin is not None:
                self._origins.setdefault(id(old.origin), new.origin)
            if isinstance(old, Array) and isinstance(new, Array) and old.trace != new.trace:
                self._traces.setdefault(old.trace, new.trace)

    def value(self, value: Value) -> Value:
        """A value in the other call's terms."""
        rule = _RENEWALS.get(type(value))
        return value if rule is None else rule(self, value)

    def _all(self, values: Iterable[Value]) -> tuple[Value, ...]:
        return tuple([self.value(value) for value in values])

    def _named(self, values: Iterable[tuple[str, Value]]) -> tuple[tuple[str, Value], ...]:
        return tuple([(name, self.value(value)) for name, value in values])

    def contents(self, contents: HeapObject) -> HeapObject:
        """The contents of an object in the other call's terms."""
        value = self.value
        if isinstance(contents, Variables):
            return Variables({name: value(inner) for name, inner in contents.items()})
        if isinstance(contents, ListObject):
            items = None if contents.items is None else self._all(contents.items)
            return ListObject(items, value(contents.element), mutable=contents.mutable)
        if isinstance(contents, DictObject):
            return DictObject(
                {key: value(inner) for key, inner in contents.items.items()},
                None if contents.rest is None else value(contents.rest),
            )
        if isinstance(contents, SetObject):
            return SetObject(value(contents.element), mutable=contents.mutable)
        if isinstance(contents, Slot):
            return contents
        return Instance(
            contents.cls,
            {name: value(inner) for name, inner in contents.attributes.items()},
        )

    def _origin(self, origin: Origin | None) -> Origin | None:
        if origin is None or not self._origins:
            return origin
        if id(origin) in self._origins:
            return self._origins[id(origin)]
        previous = self._origin(origin.previous)
        if previous is origin.previous:
            return origin
        return Origin(origin.place, origin.note, previous)

    def array(self, value: Array) -> Value:
        """A traced array."""
        origin, trace = self._origin(value.origin), self._traces.get(value.trace, value.trace)
        if origin is value.origin and trace == value.trace:
            return value
        return value.replace(origin=origin, trace=trace)

    def tree(self, value: Tree) -> Value:
        """A pytree."""
        origin = self._origin(value.origin)
        return value if origin is value.origin else value.replace(origin=origin)

    def ref(self, value: Ref) -> Value:
        """An object."""
        number = self.ids.get(value.id)
        return value if number is None else Ref(number)

    def tuple(self, value: Tuple) -> Value:
        """A tuple."""
        return Tuple(self._all(value.items), value.cls)

    def union(self, value: Union) -> Value:
        """A union."""
        return Union(self._all(value.members))

    def function(self, value: Function) -> Value:
        """A function: its frames."""
        closure = tuple([self.ids.get(env, env) for env in value.closure])
        return Function(value.code, closure, self._named(value.defaults))

    def bound(self, value: BoundMethod) -> Value:
        """A bound method."""
        return BoundMethod(self.value(value.function), self.value(value.receiver))

    def partial(self, value: Partial) -> Value:
        """A partial."""
        return Partial(
            self.value(value.function),
            self._all(value.args),
            self._named(value.keywords),
            pytree=value.pytree,
        )

    def transformed(self, value: Transformed) -> Value:
        """A transformed function."""
        return Transformed(self.value(value.function), value.transform, value.options, value.place)

    def cached(self, value: Cached) -> Value:
        """A function with a cache."""
        return Cached(self.value(value.function))

    def method(self, value: ContainerMethod | ArrayMethod) -> Value:
        """A method of a container or an array."""
        return type(value)(self.value(value.receiver), value.name)

    def external(self, value: ExternalInstance) -> Value:
        """An object of a library."""
        return ExternalInstance(value.cls, self._named(value.attributes))


_RENEWALS: Mapping[type[Value], Callable[[_Renewal, Any], Value]] = {
    Array: _Renewal.array,
    Tree: _Renewal.tree,
    Ref: _Renewal.ref,
    Tuple: _Renewal.tuple,
    Union: _Renewal.union,
    Function: _Renewal.function,
    BoundMethod: _Renewal.bound,
    Partial: _Renewal.partial,
    Transformed: _Renewal.transformed,
    Cached: _Renewal.cached,
    ContainerMethod: _Renewal.method,
    ArrayMethod: _Renewal.method,
    ExternalInstance: _Renewal.external,
}
