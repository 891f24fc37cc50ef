"""What is traced, and on what: the functions that ``jitlint traced`` shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.limits import LISTED_OBJECTS
from jitlint.absint.machine.entries import HOLLOW, UNCLEAR, Entry, merged
from jitlint.absint.machine.frames import Chain, Step
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import FunctionTraced, observes
from jitlint.absint.modules.evidence import of_parameter
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Certainty,
    Const,
    Default,
    ExternalInstance,
    Level,
    Partial,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.traversal import elements, parts_of


def record_entry(
    it: Interpreter, code: Code, transform: str, kinds: Mapping[str, str], step: Step
) -> None:
    """Note that a transform traces a function.

    Args:
      it: the interpreter.
      code: the function.
      transform: the qualified name of the transform.
      kinds: what each parameter holds, in the words of :func:`kind_of`.
      step: the use of the transform.
    """
    if not it.lists_functions:
        return
    entry = Entry(code, (transform,), kinds, Chain(step, it.frame.chain), direct=True)
    it.entries[id(code)] = merged(it.entries.get(id(code)), entry)


@observes(FunctionTraced)
def _traced(it: Interpreter, signal: FunctionTraced) -> None:
    if not it.lists_functions:
        return
    assert it.trace is not None
    code, transform = signal.code, it.trace.transform
    known = it.entries.get(id(code))
    # What is known to be traced in some call is so for good.
    kinds = dict(known.parameters) if known is not None else {}
    kinds = {
        parameter.name: _kind_as_used(it, code, parameter, signal.arguments[parameter.name])
        for parameter in code.parameters
        if kinds.get(parameter.name) != "traced" and parameter.name in signal.arguments
    }
    if known is None or kinds or transform not in known.transforms:
        entry = Entry(code, (transform,), kinds, it.frame.chain, direct=False)
        it.entries[id(code)] = merged(known, entry)


def _kind_as_used(it: Interpreter, code: Code, parameter: Parameter, value: Value) -> str:
    """The kind of an argument of a call: what the function does with it may tell more."""
    found = kind_of(it, value)
    if parameter.kind in ("*", "**"):
        return "container" if found == UNCLEAR else found
    if found not in (UNCLEAR, "container") or UNCLEAR not in map(
        partial(kind_of, it), members_of(value)
    ):
        return found
    evidence = of_parameter(it, code, parameter)
    if evidence.used_as_array:
        return "traced"
    return "container" if evidence.used_as_container else found


def kind_of(it: Interpreter, value: Value) -> str:
    """What a parameter holds, in the words of :data:`KINDS`.

    A pytree of unknown structure may be one array, or none at all.
    """
    if isinstance(value, Default):
        value = value.value
    if isinstance(value, (Array, Tree)) and value.certainty is Certainty.GUESS:
        return "unknown"
    if _is_annotated(value):
        return "unknown"
    if isinstance(value, Array):
        return "traced" if value.level is not Level.CONCRETE else "static"
    if isinstance(value, Tree):
        if value.level is Level.CONCRETE:
            return "static"
        return "container" if value.container or value.keyed else UNCLEAR
    if isinstance(value, (Const, Static)):
        return HOLLOW if value == NONE else "static"
    if isinstance(value, Union):
        kinds = {kind_of(it, member) for member in value.members}
        for kind in ("traced", "container", UNCLEAR):
            if kind in kinds:
                # As with several calls: it is traced where it is so in one of them.
                return kind
        kinds -= {HOLLOW} if len(kinds) > 1 else set()
        return kinds.pop() if len(kinds) == 1 else "unknown"
    if isinstance(value, (Tuple, Ref, ExternalInstance)) or _is_tree(value):
        return _kind_of_object(it, value)
    # What is left are modules, classes and functions, whatever these hold.
    return "unknown" if value == UNKNOWN else "static"


def _is_tree(function: Value) -> bool:
    """Whether a function is a pytree of what is bound to it."""
    return isinstance(function, Partial) and function.pytree


def _is_annotated(value: Value) -> bool:
    """Whether an annotation alone says that a value is an array: of a trace, or of none."""
    return isinstance(value, Array) and value.level is Level.CONCRETE and not value.buffers


def _kind_of_object(it: Interpreter, value: Value) -> str:
    def contents(ref: Ref) -> Any:
        # Not as code looks at it: what is asked here is no part of the program.
        return it.state.get(ref.id)

    waiting = [value]
    seen: set[int] = set()
    found = "static"
    while waiting:
        inner = waiting.pop()
        if _is_annotated(inner):
            found = "unknown"
        elif isinstance(inner, (Array, Tree)):
            if inner.level is not Level.CONCRETE:
                return "container"
        elif isinstance(inner, (ExternalInstance, Union)) or _is_tree(inner):
            waiting.extend(parts_of(inner))
        elif isinstance(inner, (Tuple, Ref)):
            held = elements(inner, contents)
            if held is None and isinstance(inner, Ref):
                # Of an object nothing may be known but its class.
                held = parts_of(contents(inner)) or (UNKNOWN,)
            if isinstance(inner, Ref):
                if inner.id in seen or len(seen) >= LISTED_OBJECTS:
                    continue
                seen.add(inner.id)
            waiting.extend(held or ())
        elif inner == UNKNOWN:
            found = "unknown"
    return HOLLOW if found == "static" and _is_hollow(it, value) else found


def _is_hollow(it: Interpreter, value: Value) -> bool:
    """Whether a value without tracers is one that may hold some in another call.

    It is an object, or a list, set or dict that is empty yet.
    """
    contents = it.state.get(value.id) if isinstance(value, Ref) else None
    return isinstance(value, Ref) and (isinstance(contents, Instance) or not parts_of(contents))
