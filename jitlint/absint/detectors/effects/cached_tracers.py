"""Tracers in caches: what a function keeps that ran in a trace, for others to find when it is over.

Inside ``jit`` and in bodies of control flow every result of JAX is a tracer, also of constants.  A
function under ``lru_cache`` returns it to whoever asks next, a ``cached_property`` keeps it in the
object.  What host code has filled before is no tracer, and what the trace has made ends with it.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, field

from jitlint.absint.code.functions import Code
from jitlint.absint.events import CachedTracer, Event, event_key
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    CacheEntered,
    CacheLeft,
    ResultKept,
    in_state,
    observes,
)
from jitlint.absint.machine.tracers import find_traced, first_tracer
from jitlint.absint.modules.module_code import run_unit
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.hooks import hooks_of
from jitlint.absint.values.domain import Array, Class, Const, Ref, Tree, Union, Value
from jitlint.absint.values.heap import EAGER, Instance, SureFacts

#: levels of objects in objects in which a tracer is looked for
_OBJECT_LEVELS: Final = 3
#: what is the same in two calls, or is not
_PLAIN: Final = (Const, Ref)
#: an entry of a cache: of which function, and under what key
_Entry = tuple[int, tuple[Value, ...]]
#: names an event
_Key = tuple[int, str]


@in_state
class Filled(SureFacts):
    """The entries of caches that host code has filled."""

    known: frozenset[_Entry]

    __slots__ = ()


class Kept(Struct, eq=False):
    """What is known of functions that keep their results.

    Args:
      leaking: of those that run, whether a tracer would stay behind.
      said: by function, the events that tell of it.
      withheld: events of what has not stayed behind so far.
    """

    leaking: list[bool] = field(default_factory=list)
    said: dict[int, set[_Key]] = field(default_factory=dict)
    withheld: dict[_Key, Event] = field(default_factory=dict)

    def fork(self) -> Kept:
        """For an analysis that goes on from here: none of them runs."""
        return Kept()


@observes(CacheEntered)
def _entered(it: Interpreter, entered: CacheEntered) -> None:
    it.observations(Kept).leaking.append(_leaks(it, entered))


def _leaks(it: Interpreter, entered: CacheEntered) -> bool:
    """Whether what a function computes now outlives the trace that runs, and was not there yet."""
    home = it.staging_trace(0)
    if it.trace is None or home == 0 or not it.frame.context.staging or EAGER in it.state.assumed:
        return False
    born = it.made_in
    function = entered.function
    modules = it.module_state.heap
    if any(env not in modules and born.get(env, 0) >= home for env in function.closure):
        return False
    for value in entered.key:
        if isinstance(value, Ref) and (born.get(value.id, 0) >= home or _is_copied(it, value)):
            return False
    return not _is_filled(it, (id(function.code), entered.key), function.code)


def _is_filled(it: Interpreter, entry: _Entry, code: Code) -> bool:
    """Whether host code has filled an entry of a cache before: here, or as modules were run."""
    if _holds(it.slot(Filled).known, entry):
        return True
    for module in {code.module: None, it.frame.module: None}:
        for unit in module.units_with(code.name):
            if not unit.is_function and unit.cls is None:
                run_unit(it, unit)
    with it.at_module_level():
        return _holds(it.slot(Filled).known, entry)


def _holds(known: frozenset[_Entry], entry: _Entry) -> bool:
    """Whether a cache may hold an entry: what is no constant may be any of them."""
    code, key = entry
    return entry in known or any(
        other == code and len(filled) == len(key) and all(map(_may_be, filled, key))
        for other, filled in known
    )


def _may_be(one: Value, other: Value) -> bool:
    return one == other or not (isinstance(one, _PLAIN) and isinstance(other, _PLAIN))


def _is_copied(it: Interpreter, value: Ref) -> bool:
    """Whether each trace may have an object of its own in place of another."""
    contents = it.contents(value)
    if not isinstance(contents, Instance):
        return False
    info = class_info(it, contents.cls)
    if hooks_of(it, contents.cls).remade:
        # Who goes over the object once it is made may have asked for everything.
        return True
    # Where nobody visibly makes it, the trace itself may.
    return info.pytree != "opaque" or bool(info.externals) or contents.extensible


@observes(ResultKept)
def _kept(it: Interpreter, kept: ResultKept) -> None:
    if it.trace is None:
        return
    tracer = find_traced(it, kept.value)
    whole = tracer is not None
    if tracer is None:
        tracer = _held(it, kept.value, _OBJECT_LEVELS)
    if tracer is None:
        return
    code = it.keeping[-1]
    notes = it.observations(Kept)
    key = event_key(kept.node, CachedTracer)
    known = key in it.events
    it.note(
        CachedTracer,
        kept.node,
        value=tracer,
        operand=kept.node,
        exceptions=("jax.errors.UnexpectedTracerError",),
        callee=code.name,
        keeper="object" if it.in_cached == 0 else "cache",
        whole=whole,
    )
    if key not in it.events:
        return
    notes.said.setdefault(id(code), set()).add(key)
    if not (known or notes.leaking[-1]):
        notes.withheld[key] = it.events[key]
        it.withdraw(key)


def _held(it: Interpreter, value: Value, levels: int) -> Array | Tree | None:
    """A tracer in the attributes of an object that this trace has made, whichever it is."""
    if isinstance(value, Union):
        found = [find_traced(it, each) or _held(it, each, levels) for each in value.members]
        return None if None in found else first_tracer(found)
    if not levels or not isinstance(value, Ref) or it.made_in.get(value.id, 0) == 0:
        return None
    contents = it.contents(value)
    if not isinstance(contents, Instance) or _raises(it, contents.cls):
        return None
    held = contents.attributes.values()
    return first_tracer(find_traced(it, each) or _held(it, each, levels - 1) for each in held)


def _raises(it: Interpreter, cls: Class) -> bool:
    """Whether making an object of a class is known to raise, as it asks a tracer."""
    prefix = f"{cls.definition.qualname}."
    return any(
        event.exceptions and event.certain and event.function.startswith(prefix)
        for event in it.events.values()
        if event.place.parsed.unit.module is cls.module
    )


@observes(CacheLeft)
def _left(it: Interpreter, left: CacheLeft) -> None:
    notes = it.observations(Kept)
    number = id(left.function.code)
    if notes.leaking.pop():
        for key in notes.said.get(number, set()) & notes.withheld.keys():
            it.events[key] = notes.withheld.pop(key)
    if it.trace is None:
        entry = (number, left.key)
        filled = it.slot(Filled).known
        if entry not in filled:
            it.edit_slot(Filled).known = filled | {entry}
