"""Arguments for parameters that are declared static: JAX hashes them to find what it compiled.

Observed under JAX 0.10.2: what cannot be hashed raises, and so does a tracer.
"""

from __future__ import annotations

from jitlint.absint.code.declarations import decorator_options
from jitlint.absint.detectors.compilation.traced_arguments import called_name, traced_by
from jitlint.absint.limits import STATIC_LEVELS
from jitlint.absint.machine.events import StaticParameter, UnhashableStaticArgument
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed, observes
from jitlint.absint.machine.tracers import comparable_tracer
from jitlint.absint.program.classes import FieldInfo, class_info
from jitlint.absint.values.domain import Array, MadeArray, Ref, Tuple, Value
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.jaxmodel.transforms import CHECKS_HASHES

_ERROR = ("ValueError",)


@observes(ArgumentPassed)
def _argument_passed(it: Interpreter, passed: ArgumentPassed) -> None:
    function, value = passed.function, passed.value
    if not passed.static or function.transform not in CHECKS_HASHES:
        return
    traced = comparable_tracer(value)
    if traced is not None:
        it.emit(
            StaticParameter,
            passed.node,
            traced,
            exceptions=_ERROR,
            callee=called_name(function),
            parameter=passed.parameter,
        )
        return
    kind = _unhashable(it, value, STATIC_LEVELS)
    if kind is not None:
        it.note(
            UnhashableStaticArgument,
            passed.node,
            origin=traced_by(function),
            exceptions=_ERROR,
            parameter=passed.parameter,
            python_type=kind,
        )


def _unhashable(it: Interpreter, value: Value, depth: int) -> str | None:
    """The type of a value that cannot be hashed, None if it can be or is not known."""
    if isinstance(value, Array):
        return "array"
    if isinstance(value, MadeArray):
        return "NumPy array"
    if isinstance(value, Tuple) and depth:
        for item in value.items:
            inner = _unhashable(it, item, depth - 1)
            if inner is not None:
                return f"tuple that holds a {inner}" if depth == STATIC_LEVELS else inner
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
        return _unhashable_instance(it, contents, depth)
    return None


def _unhashable_instance(it: Interpreter, contents: Instance, depth: int) -> str | None:
    info = class_info(it, contents.cls)
    name = contents.cls.definition.name
    if not info.complete or "" in info.decorators or info.externals:
        return None
    for cls in info.mro:
        if cls.definition.methods.get("__hash__") or "__hash__" in cls.definition.attributes:
            return None
    if info.decorators:
        if info.decorators != ["dataclasses.dataclass"] or len(info.mro) > 1:
            return None
        options = decorator_options(contents.cls.definition)
        computed = None in options.values()
        if computed or options.get("eq") is False or options.get("unsafe_hash"):
            return None
        if not options.get("frozen"):
            return f"`{name}` dataclass with `eq` and no hash"
        plain = {made.name for made in info.fields if not _is_left_out(made)}
        for field, part in contents.attributes.items():
            inner = _unhashable(it, part, depth - 1) if field in plain else None
            if inner is not None:
                return f"`{name}` that holds a {inner}"
        return None
    if any(cls.definition.methods.get("__eq__") for cls in info.mro):
        return f"`{name}` with `__eq__` and no `__hash__`"
    return None


def _is_left_out(made: FieldInfo) -> bool:
    """``field(hash=False)`` or ``field(compare=False)``."""
    specifier = made.declared.specifier
    return specifier is not None and not specifier.keywords.keys().isdisjoint(("hash", "compare"))
