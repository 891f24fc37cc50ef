"""Iterators from outside a trace that it takes elements from: it does so once."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.detectors.effects.escapes import (
    birth_of_place,
    cached_trace,
)
from jitlint.absint.detectors.effects.identities import is_numbered
from jitlint.absint.detectors.surroundings.traces import gives_shapes
from jitlint.absint.events import IteratorAdvance
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Advanced, observes
from jitlint.absint.program.hooks import hooks_of
from jitlint.absint.program.members import class_attribute
from jitlint.absint.values.domain import Descriptor, ExternalInstance, Ref, Unknown, Value
from jitlint.absint.values.heap import EAGER, Instance, ListObject

#: objects of libraries that are iterators
_SEQUENCES: Final = frozenset({"haiku.PRNGSequence"})


@observes(Advanced)
def _advanced(it: Interpreter, advanced: Advanced) -> None:
    if it.trace is None or EAGER in it.state.assumed:
        return
    if is_numbered(it.frame, advanced.node, advanced.source):
        return
    born = _birth(it, advanced.value, advanced.source)
    if born is None or born >= it.trace.number:
        return
    # From here on the traces around this code matter.
    it.reached_out += 1
    outermost = cached_trace(it)
    if outermost is None or any(gives_shapes(it, trace) for trace in it.traces()):
        return
    again = born < outermost.number and not outermost.fresh
    if again or any(trace.loops and born < trace.number for trace in it.traces()):
        construct = "next()" if isinstance(advanced.node, cst.Call) else "for"
        it.note(
            IteratorAdvance,
            advanced.node,
            operand=advanced.source,
            construct=construct,
        )


def _birth(it: Interpreter, value: Value, source: cst.CSTNode) -> int | None:
    """In which trace an iterator was made, None if it is not known to be one, or not when."""
    if isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, ListObject) and contents.iterator:
            return it.made_in.get(value.id)
        return None
    if isinstance(value, ExternalInstance):
        known = value.cls in _SEQUENCES or value.cls == "jitlint.attribute"
        return birth_of_place(it, source) if known else None
    if not isinstance(value, Unknown) or _is_made_to_be_read(it, source):
        return None
    return birth_of_place(it, source)


def _is_made_to_be_read(it: Interpreter, source: cst.CSTNode) -> bool:
    """Whether a method of the class gives what is read as an attribute: it may make it anew."""
    if not isinstance(source, cst.Attribute):
        return False
    holder = it.ev(source.value)
    contents = it.contents(holder) if isinstance(holder, Ref) else None
    if not isinstance(contents, Instance) or not isinstance(holder, Ref):
        return False
    if hooks_of(it, contents.cls).read:
        return True
    made = class_attribute(it, holder, source.attr.value)
    return isinstance(made, Descriptor) and made.kind == "property"
