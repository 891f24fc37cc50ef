"""Which calls are alike: those whose arguments look the same.

The picture of a call (:class:`_Snapshot`) holds the same values, and objects of the same structure
and contents, whatever their identity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from jitlint.absint.machine.bound_globals import globals_bound
from jitlint.absint.machine.frames import Context, Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    Array,
    Function,
    Level,
    Ref,
    Static,
    Tree,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import State, Variables
from jitlint.absint.values.traversal import OBJECTS, VALUES
from jitlint.foundation.records import Record

if TYPE_CHECKING:
    from jitlint.absint.machine.arguments import Arguments


class Given(Record):
    """What a call is given that the key of another call may have in its place.

    Args:
      refs: objects, in the order in which the arguments lead to them.
      traced: traced values, likewise; the key does not tell where they come from.
    """

    refs: list[int]
    traced: list[Array | Tree]


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
        self.room = it.limits.snapshot

    def take(self, value: Value) -> Any:
        self.room -= 1
        if self.room < 0:
            raise _TooLargeError
        rule = _SNAPSHOTS.get(type(value))
        return value if rule is None else rule(self, value)

    def tracer(self, value: Array | Tree) -> Any:
        self.traced.append(value)
        if value.buffers and value.level is not Level.CONCRETE:
            return (value, "donated")
        return value

    def ref(self, value: Ref) -> Any:
        return self._object(value.id)

    def unknown(self, value: Unknown) -> Any:
        return (value, value.given, value.told) if value.given or value.told else value

    def static(self, value: Static) -> Any:
        return value if value.told is None else (value, value.told)

    def held(self, value: Value) -> Any:
        structure = VALUES[type(value)]
        parts = tuple([self.take(part) for part in structure.parts(value)])
        return (type(value), structure.label(value), parts)

    def _object(self, id_: int) -> Any:
        known = self.index.get(id_)
        if known is not None:
            return ("seen", known)
        number = self.index[id_] = len(self.refs)
        self.refs.append(id_)
        contents = self.it.contents(id_)
        if contents is None:
            return ("gone", id_)
        structure = OBJECTS[type(contents)]
        parts = tuple([self.take(part) for part in structure.parts(contents)])
        # What is told of one whose class is a guess is a guess as well.
        guess = id_ in self.it.by_use or id_ in self.it.taken
        return (type(contents), number, structure.label(contents), parts, guess)

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


#: how a value is pictured, by its class; those of all other classes hold no other
_SNAPSHOTS: Mapping[type[Value], Callable[[_Snapshot, Any], Any]] = {
    **dict.fromkeys(VALUES, _Snapshot.held),
    Array: _Snapshot.tracer,
    Tree: _Snapshot.tracer,
    Ref: _Snapshot.ref,
    Function: _Snapshot.function,
    Static: _Snapshot.static,
    Unknown: _Snapshot.unknown,
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
            it.is_speculating,
            it.wording,
            _guards(it.frame),
            bool(it.managers),
            globals_bound(it),
            _flags(it.state),
            snapshot.take(function),
            tuple([snapshot.take(value) for value in args.positional]),
            tuple([(name, snapshot.take(value)) for name, value in sorted(args.keywords.items())]),
            None if args.star is None else snapshot.take(args.star),
            None if args.star_keywords is None else snapshot.take(args.star_keywords),
            args.open,
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


def _guards(frame: Frame | None) -> tuple[int, ...]:
    """The statements around the current point that catch what the call may raise."""
    found: list[int] = []
    while frame is not None:
        if frame.tries:
            found += [id(guard.place.node) for guard in frame.tries if guard.reaches]
        frame = frame.parent
    return tuple(found)
