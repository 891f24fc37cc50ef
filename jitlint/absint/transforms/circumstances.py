"""What tests had shown where a function was transformed: it holds wherever that is called.

``self.step = jax.jit(self._step) if mode == "device" else self._step``: what is compiled runs in
this mode alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.python.narrowing import settled, settled_flags
from jitlint.absint.values.domain import (
    BoundMethod,
    Cached,
    Const,
    Function,
    Partial,
    Ref,
    Static,
    Transformed,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import Instance, Variables
from jitlint.absint.values.told import Circumstances, Settings, holds, is_shown


def note_circumstances(it: Interpreter, made: Transformed) -> None:
    """Note what tests have shown where a function is transformed."""
    flags = settled_flags(it)
    known = it.made_under.get(made)
    if known is None:
        it.made_under[made] = Circumstances(flags, _settings(it, made.function))
        return
    # It was made before: what holds both times.
    settings = {at: one for at, one in known.settings.items() if holds(_held(it, at), one)}
    it.made_under[made] = Circumstances(dict(known.flags.items() & flags.items()), settings)


@contextmanager
def circumstances(it: Interpreter, function: Transformed) -> Iterator[None]:
    """Call a transformed function: what tests had shown where it was made is so."""
    known = it.made_under.get(function)
    if known is None:
        yield
        return
    before = {
        place: now
        for place, value in known.settings.items()
        if (now := _held(it, place)) is not None and _fits(now, value)
    }
    for place in before:
        _put(it, place, known.settings[place])
    try:
        with settled(it, known.flags):
            yield
    finally:
        for place, value in before.items():
            if _held(it, place) is known.settings[place]:
                _put(it, place, value)


def _settings(it: Interpreter, function: Value) -> Settings:
    """What tests have shown of the object of a method, and of what a function closes over."""
    found: Settings = {}
    while not isinstance(function, Function):
        if isinstance(function, BoundMethod) and isinstance(function.receiver, Ref):
            held = it.contents(function.receiver)
            if isinstance(held, Instance):
                shown = {key: value for key, value in held.attributes.items() if is_shown(value)}
                found |= {(function.receiver.id, key): value for key, value in shown.items()}
        if not isinstance(function, (BoundMethod, Cached, Partial, Transformed)):
            return found
        function = function.function
    code = it.load(function.code) if function.closure else None
    for name in () if code is None else code.free_names:
        for env in function.closure:
            value = _held(it, (env, name))
            if value is not None:
                if is_shown(value):
                    found[env, name] = value
                break
    return found


def _held(it: Interpreter, place: tuple[int, str]) -> Value | None:
    contents = it.contents(place[0])
    held = contents.attributes if isinstance(contents, Instance) else contents
    value: Value | None = held.get(place[1]) if isinstance(held, (dict, Variables)) else None
    return value


def _put(it: Interpreter, place: tuple[int, str], value: Value) -> None:
    contents = it.edit(place[0])
    (contents.attributes if isinstance(contents, Instance) else contents)[place[1]] = value


def _fits(now: Value, shown: Value) -> bool:
    """Whether a value may be what a test has shown it to be, of which less is known now."""
    if is_shown(now):
        return False
    return type(now) is Unknown or (type(now) is Static and isinstance(shown, (Const, Static)))
