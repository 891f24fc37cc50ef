"""What visible code makes objects of a class with: it speaks before the annotations do.

``def __init__(self, size: Array)`` is an array only if somebody passes one.  Where all code in
sight that makes such objects passes ``(8, 8)``, or leaves it out, nothing is known of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jitlint.absint.modules.names import dotted_value
from jitlint.absint.values.domain import Class, External
from jitlint.project.written.named_calls import NamedCall, calls_by_name

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code, Parameter
    from jitlint.absint.machine.interpreter import Interpreter

#: builtins that give no array, whatever they are given
_PLAIN: Final = frozenset(
    f"builtins.{name}" for name in "len int float bool str tuple list dict set range".split()
)


def is_made_without_arrays(it: Interpreter, cls: Class, code: Code, parameter: Parameter) -> bool:
    """Whether visible code makes objects of a class, and none of it passes an array of JAX.

    Args:
      it: the interpreter.
      cls: the class.
      code: its constructor.
      parameter: a parameter of that.
    """
    calls = _constructions(it, cls)
    index = None if parameter.kind == "keyword" else code.parameters.index(parameter) - 1
    return bool(calls) and all(_passes_none(it, call, parameter.name, index) for call in calls)


def _constructions(it: Interpreter, cls: Class) -> list[NamedCall]:
    key = ("constructions", id(cls.definition))
    it.reads.read(cls.module)
    found: list[NamedCall] | None = it.facts.get(key)
    if found is None:
        name = cls.definition.name
        with it.reads.of(it, cls.module, f"constructions {cls.definition.qualname}"):
            found = [
                call
                for module in it.modules_with(name)
                for call in calls_by_name(module, name)
                if dotted_value(it, module, call.called) == cls
            ]
        it.facts[key] = found
    return found


def _passes_none(it: Interpreter, call: NamedCall, name: str, index: int | None) -> bool:
    passed = call.passed(name, index)
    if passed.called is None:
        return passed.plain
    called = dotted_value(it, call.module, passed.called)
    return isinstance(called, External) and (
        called.name in _PLAIN or called.name.startswith("numpy.")
    )
