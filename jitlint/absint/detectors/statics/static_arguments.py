"""Arguments for parameters that are declared static: JAX hashes them to find what it compiled.

Observed under JAX 0.10.2: what cannot be hashed raises, and so does a tracer.
"""

from __future__ import annotations

import libcst as cst

from jitlint.absint.detectors.compilation.traced_arguments import called_name, given_by
from jitlint.absint.events import StaticParameter, UnhashableStaticArgument
from jitlint.absint.limits import STATIC_LEVELS
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed, observes
from jitlint.absint.machine.tracers import comparable_tracer
from jitlint.absint.modules.evidence import is_called
from jitlint.absint.program.hashing import field_unhashable, hash_of, holds
from jitlint.absint.values.callables import base_function
from jitlint.absint.values.domain import UNKNOWN, Array, MadeArray, Ref, Tree, Tuple, Value
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.jaxmodel.leaves import WHOLE_OF
from jitlint.jaxmodel.transforms import CHECKS_HASHES

_ERROR = ("ValueError",)


@observes(ArgumentPassed)
def _argument_passed(it: Interpreter, passed: ArgumentPassed) -> None:
    function, value = passed.function, passed.value
    if not passed.static or function.transform not in CHECKS_HASHES:
        return
    traced = comparable_tracer(value)
    if traced is not None:
        if _may_be_called(it, passed):
            return
        it.emit(
            StaticParameter,
            passed.node,
            traced,
            exceptions=_ERROR,
            callee=called_name(function),
            parameter=passed.parameter,
        )
        return
    kind = unhashable(it, value)
    if kind is not None:
        it.note(
            UnhashableStaticArgument,
            passed.node,
            operand=_written(it, passed),
            origin=given_by(passed),
            exceptions=_ERROR,
            parameter=passed.parameter,
            python_type=kind,
        )
        if _is_handed_on(it, passed):
            # The call raises, and what it calls is never traced.
            raise Terminated


def _may_be_called(it: Interpreter, passed: ArgumentPassed) -> bool:
    """Whether a pytree of unknown structure is a function that holds arrays.

    A ``jax.tree_util.Partial`` is told apart by what it is, whatever tracers it holds (observed
    under JAX 0.10.2).
    """
    called = base_function(passed.function)
    if called is None or not isinstance(passed.value, Tree):
        return False
    code = it.load(called.code)
    return code is not None and is_called(it, code, passed.parameter)


def _is_handed_on(it: Interpreter, passed: ArgumentPassed) -> bool:
    """Whether another transform passes an argument, which has no place of its own."""
    return it.trace is not None and passed.node is it.trace.node and passed.parameter != "self"


def _written(it: Interpreter, passed: ArgumentPassed) -> cst.CSTNode | str:
    """The argument as it stands there: of a method, the object before the dot."""
    node = passed.node
    if _is_handed_on(it, passed):
        return passed.parameter
    if passed.parameter == "self" and isinstance(node, cst.Call):
        return node.func.value if isinstance(node.func, cst.Attribute) else node
    return node


def unhashable(it: Interpreter, value: Value, depth: int = STATIC_LEVELS) -> str | None:
    """The type of a value that cannot be hashed, None if it can be or is not known."""
    if isinstance(value, Array):
        return "array"
    if isinstance(value, MadeArray):
        return "NumPy array"
    if isinstance(value, Tuple) and depth:
        for item in value.items:
            inner = unhashable(it, item, depth - 1)
            if inner is not None:
                return holds("tuple", inner) if depth == STATIC_LEVELS else inner
        return None
    if not isinstance(value, Ref):
        return None
    contents = it.contents(value)
    if isinstance(contents, ListObject):
        return "list" if it.is_mutable(value) else None
    if isinstance(contents, DictObject):
        return None if contents.frozen else "dict"
    if isinstance(contents, SetObject):
        return "set" if it.is_mutable(value) else None
    if isinstance(contents, Instance) and depth:
        return _unhashable_instance(it, value, contents, depth)
    return None


def _unhashable_instance(it: Interpreter, value: Ref, contents: Instance, depth: int) -> str | None:
    known = hash_of(it, contents.cls)
    if known.refused is not None:
        return known.refused
    # What a field is declared with is in the other half, if it is an array.
    halved = (WHOLE_OF, value.id) in it.registered
    for made in known.fields:
        part = contents.attributes.get(made.name, UNKNOWN)
        if part != UNKNOWN:
            inner = unhashable(it, part, depth - 1)
        else:
            inner = None if halved else field_unhashable(it, made)
        if inner is not None:
            return holds(f"`{contents.cls.definition.name}`", inner)
    return None
