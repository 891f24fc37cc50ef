"""Host functions that hand out functions, which a trace may be made of: they are followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitlint.absint.machine.verbs import verb
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import UNKNOWN, Class, Function, base_function

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.absint.values.domain import Value
    from jitlint.project.units import Unit


@verb("makes functions")
def _makes_functions(it: Interpreter, code: Code) -> bool:
    return code.unit.is_function and _makes(it, code.unit)


def _makes(it: Interpreter, unit: Unit) -> bool:
    """Whether a function returns or stores functions, itself or by what it calls for that."""
    known = it.makers.get(id(unit))
    if known is not None:
        return known
    it.makers[id(unit)] = False
    it.reads.read(unit.module)
    made = unit.products
    found = (
        made.functions
        or any(base_function(_named(it, unit, name)) for name in sorted(made.names))
        or any(_makes_when_called(it, _named(it, unit, name)) for name in sorted(made.calls))
    )
    it.makers[id(unit)] = found
    return found


def _makes_when_called(it: Interpreter, function: Value) -> bool:
    if isinstance(function, Class):
        units = function.definition.methods.get("__init__", ())
        return any(_makes(it, unit) for unit in units)
    base = base_function(function)
    return base is not None and base.code.unit.is_function and _makes(it, base.code.unit)


def _named(it: Interpreter, unit: Unit, name: str) -> Value:
    """What a dotted name in a function stands for, if that may be a function or class."""
    head, _, rest = name.partition(".")
    if head in ("self", "super") and unit.cls is not None:
        return _method(it, Class(unit.cls, unit.module), rest, own=head == "self")
    bindings = unit.module.bound(head)
    if any(b.target is not None or b.cls is not None or b.unit.is_function for b in bindings):
        return dotted_value(it, unit.module, name)
    return UNKNOWN


def _method(it: Interpreter, cls: Class, name: str, *, own: bool) -> Value:
    """A method of a class or, the next in order, of its bases."""
    if own and name in cls.definition.methods:
        return Function(it.store.of_unit(cls.definition.methods[name][-1]))
    for base in class_info(it, cls).mro[1:]:
        units = base.definition.methods.get(name)
        if units:
            return Function(it.store.of_unit(units[-1]))
    return UNKNOWN
