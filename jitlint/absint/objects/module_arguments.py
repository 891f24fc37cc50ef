"""What users give a module of a framework: arrays where that shows, settings by their types."""

from __future__ import annotations

from collections.abc import Set

from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.defaults import default_value
from jitlint.absint.modules.evidence import of_parameter
from jitlint.absint.objects.configured import setting_like
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    FLOAT,
    NONE,
    UNKNOWN,
    Array,
    Class,
    Const,
    Level,
    Static,
    Union,
    Value,
    members_of,
)
from jitlint.project.python_answers import leads_to_python


def module_argument(
    it: Interpreter, code: Code, parameter: Parameter, number: int, arrays: Set[str]
) -> Value:
    """What a parameter is given: an array, or what is not known; of a setting only its type is."""
    evidence = of_parameter(it, code, parameter)
    to_layer = parameter.name in arrays and evidence.may_be_array
    array = Array(Level.CONCRETE)
    given: Value = array if to_layer or evidence.given_to_module else UNKNOWN
    if given == UNKNOWN and evidence.may_be_number:
        given = Union((FLOAT, array))
    if parameter.default is None:
        return given
    default = default_value(it, code, parameter)
    if default == NONE and evidence.holds_host_arrays:
        # Who hands in a list for what is computed wants values, so nothing is traced then.
        return NONE
    if default == NONE:
        return Union((NONE, *members_of(given)))
    return setting_like(f"<flag{id(code)}:{number}>", default)


def module_setting(it: Interpreter, code: Code, parameter: Parameter, number: int) -> Value:
    """What a parameter is given that says how a module is made."""
    default = UNKNOWN if parameter.default is None else default_value(it, code, parameter)
    if isinstance(default, (Const, Static)) and default != NONE:
        return setting_like(f"<flag{id(code)}:{number}>", default)
    return Union((NONE, UNKNOWN)) if default == NONE else UNKNOWN


def answers_in_python(it: Interpreter, cls: Class, code: Code) -> bool:
    """Whether a method of a module makes Python numbers of arrays, as metrics do: on the host.

    Args:
      it: the interpreter.
      cls: the class of the module.
      code: the method.
    """
    return leads_to_python(code.unit, [owner.definition for owner in class_info(it, cls).mro])
