"""What a trace sets an attribute to, and would set it to in every other one that uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.detectors.effects.escapes import BEFORE
from jitlint.absint.detectors.effects.object_setup import follows_from_object
from jitlint.absint.detectors.effects.own_attributes import serves_its_method
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.values.domain import BoundMethod, Class, Partial, Ref, Value, base_function
from jitlint.absint.values.heap import Instance

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def is_set_alike(it: Interpreter, owner: Value, node: cst.CSTNode, value: Value) -> bool:
    """Whether an attribute is set to the same in whatever trace uses it.

    Args:
      it: the interpreter, while something is traced.
      owner: what has the attribute.
      node: the assignment.
      value: what it is set to, which holds no tracer.
    """
    if _is_older_code(it, value):
        return True
    return isinstance(owner, Ref) and (
        serves_its_method(it, node) or follows_from_object(it, owner, node, value)
    )


def _is_older_code(it: Interpreter, value: Value) -> bool:
    """Whether a value is a function, a method or a class that takes nothing out of the trace.

    ``env.observe = wrapper.observe`` sets the same in every trace, and it is there to be called
    while one runs.
    """
    assert it.trace is not None
    if isinstance(value, BoundMethod):
        if _holds_tracer(it, value.receiver):
            # Whoever calls it later meets that.
            return False
        value = value.function
    function = base_function(value)
    if isinstance(value, Class):
        closure = value.closure
    elif function is not None and not isinstance(value, Partial):
        closure = function.closure
    else:
        return False
    return all(it.made_in.get(env, BEFORE) < it.trace.number for env in closure)


def _holds_tracer(it: Interpreter, receiver: Value) -> bool:
    contents = it.contents(receiver) if isinstance(receiver, Ref) else None
    return isinstance(contents, Instance) and any(
        find_traced(it, held) is not None for held in contents.attributes.values()
    )
