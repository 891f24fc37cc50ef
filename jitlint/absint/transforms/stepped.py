"""Environments of reinforcement learning: methods that a jitted one of their base class calls."""

from __future__ import annotations

from collections.abc import Iterator

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.objects.dispatch import one_of
from jitlint.absint.program.classes import class_info
from jitlint.absint.transforms.calling import call_transformed
from jitlint.absint.values.domain import UNKNOWN, Class, Const, Transformed, Tuple
from jitlint.jaxmodel.environments import CALLED, JITTED_CALLERS, JittedCaller


def stepped_methods(it: Interpreter, cls: Class) -> Iterator[Code]:
    """The methods of a class that a jitted method of its base class calls."""
    for name in sorted(CALLED & cls.definition.methods.keys()):
        if _caller(it, cls, name) is not None:
            yield it.store.of_unit(cls.definition.methods[name][-1])


def _caller(it: Interpreter, cls: Class, name: str) -> JittedCaller | None:
    """What calls a method of a class, None if that is overridden by the project."""
    info = class_info(it, cls)
    for external in info.externals:
        caller = JITTED_CALLERS.get(external, {}).get(name)
        if caller is not None and not any(caller.name in c.definition.methods for c in info.mro):
            return caller
    return None


def trace_stepped(it: Interpreter, function: Transformed, cls: Class, code: Code) -> None:
    """Trace a method as the jitted one of the base class calls it, on an object of a class.

    Args:
      it: the interpreter.
      function: the method, with what stands for that.
      cls: the class.
      code: the method's.
    """
    caller = _caller(it, cls, code.name)
    if caller is None:
        return
    names = [parameter.name for parameter in code.parameters]
    kept = Tuple(tuple(map(Const, (names[0], *names[1 + caller.traced :]))))
    made = Transformed(
        function.function, function.transform, (("static_argnames", kept),), function.place
    )
    args = Arguments([one_of(it, cls), *(UNKNOWN for _ in names[1:])])
    before, it.captured = it.captured, {}
    try:
        call_transformed(it, made, args, function.place.node)
    finally:
        it.captured = before
