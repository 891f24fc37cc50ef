"""Functions and classes that configuration files set up: their defaults are only where these begin.

Gin binds any parameter of what is decorated with ``@gin.configurable``, so no call in sight tells
what is left at its default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import NONE, UNKNOWN, Class, Const, Flag, Static, Union, Value
from jitlint.absint.values.lattice import type_name
from jitlint.project.configurables import is_configured

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.project.units import ClassDefinition, Unit

_SETTINGS: Final = frozenset({"int", "float", "complex", "str"})


def default_of(it: Interpreter, code: Code, name: str, default: Value) -> Value:
    """What a parameter of a function holds that is left at its default.

    Args:
      it: the interpreter.
      code: the function.
      name: the parameter.
      default: its default.
    """
    unit = code.unit
    if unit.qualname != code.qualname:
        return default
    makes = unit.cls is not None and unit.name == "__init__"
    return _of_configured(it, unit.cls if makes and unit.cls else unit, name, default)


def default_of_field(it: Interpreter, cls: Class, name: str, default: Value) -> Value:
    """What a field of an object of a class holds that is left at its default."""
    return _of_configured(it, cls.definition, name, default)


def _of_configured(
    it: Interpreter, defined: Unit | ClassDefinition, name: str, default: Value
) -> Value:
    if not it.written(is_configured, defined):
        return default
    if default == NONE:
        return Union((NONE, UNKNOWN))
    return setting_like(f"<configured {id(defined)}:{name}>", default)


def setting_like(name: str, default: Value) -> Value:
    """A setting of the type of its default, which other code may give another value.

    Args:
      name: stands for a flag.
      default: the default; what is no constant is given back.
    """
    if not isinstance(default, (Const, Static)):
        return default
    kind = type_name(default)
    if kind == "bool":
        return Flag(name)
    return Static(kind) if kind in _SETTINGS else default
