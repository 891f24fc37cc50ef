"""What a name stands for where code runs: local, enclosing, of the class body, of the module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted
from jitlint.absint.code.unbound_names import unbound_in
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import evaluates, verb
from jitlint.absint.modules.module_code import run_unit
from jitlint.absint.modules.module_state import is_converted, of_enclosing
from jitlint.absint.modules.names import global_value, import_value
from jitlint.absint.program.captures import note_name
from jitlint.absint.program.members import find_in_class
from jitlint.absint.values.domain import FALSE, NONE, TRUE, UNKNOWN, Class, Const, Value
from jitlint.project.contents import bound_by
from jitlint.project.import_targets import ImportTarget
from jitlint.project.units import ClassDefinition, Unit

#: names that Python lets nobody bind
CONSTANTS: Final = {"None": NONE, "True": TRUE, "False": FALSE}


@evaluates(cst.Name)
def _name(it: Interpreter, node: cst.Name) -> Value:
    name = node.value
    frame = it.frame
    variables = it.state.heap.get(frame.env)
    look_up = _look_up
    if variables is not None:
        # Most names are local ones: found here, without the calls that `_look_up` makes.
        look_up = _look_outside
        value: Value | None = variables.get(name)
        if value is not None and name not in frame.outer and name not in frame.globals:
            return value
    constant = CONSTANTS.get(name)
    if constant is not None:
        return constant
    code = frame.code
    if code is not None and name in code.bound_names and _is_unbound(code, node):
        it.fails("UnboundLocalError")
    found = look_up(it, name)
    if it.trace is not None:
        note_name(it, node, found)
    return found


def _is_unbound(code: Code, node: cst.Name) -> bool:
    return code.parsed is not None and id(node) in code.parsed.fact(unbound_in, code)


@verb("look up")
def _look_up(it: Interpreter, name: str) -> Value:
    """The value of a name in the current frame."""
    frame = it.frame
    variables = it.state.get(frame.env)
    if variables is not None and name not in frame.outer and name not in frame.globals:
        value: Value | None = variables.get(name)
        if value is not None:
            return value
    return _look_outside(it, name)


def _look_outside(it: Interpreter, name: str) -> Value:
    """The value of a name that the current frame has no variable for."""
    frame = it.frame
    get = it.state.get
    if frame.code is None and frame.parsed.unit.cls is not None and not frame.closure:
        # A class body sees the names that it bound before.
        owner = Class(frame.parsed.unit.cls, frame.module)
        definition = owner.definition
        before = _bound_before(frame.parsed.unit, definition, name)
        if before is not None:
            return run_unit(it, before).get(name, UNKNOWN)
        if name in definition.methods or name in definition.attributes:
            found = find_in_class(it, owner, name)
            if found is not None:
                return found[1]
    for env in frame.closure:
        variables = get(env)
        if variables is not None:
            value: Value | None = variables.get(name)
            if value is not None:
                asked = type(value) is Const or is_converted(value)
                return of_enclosing(it, env, name, value) if asked else value
    return global_value(it, frame.module, name, frame.statement)


def _bound_before(unit: Unit, definition: ClassDefinition, name: str) -> Unit | None:
    """The last statement of a class body that binds a name before another one of it does again.

    Args:
      unit: a statement of the body.
      definition: the class.
      name: the name.
    """
    found = None
    for each in definition.statements if name in definition.attributes else ():
        if each is unit:
            return found
        if name in each.fact(bound_by):
            found = each
    return None


def import_statement(
    it: Interpreter, node: cst.Import | cst.ImportFrom
) -> Iterator[tuple[str, Value]]:
    """The names that an import inside a function binds, with their values."""
    module = it.frame.module
    if isinstance(node, cst.Import):
        for alias in node.names:
            name = alias.evaluated_name
            if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
                yield alias.asname.name.value, import_value(it, ImportTarget(name), module)
            else:
                top = name.partition(".")[0]
                yield top, import_value(it, ImportTarget(top), module)
        return
    source = module.absolute(dotted(node.module), len(node.relative))
    if isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        name = alias.evaluated_name
        bound = name
        if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
            bound = alias.asname.name.value
        yield bound, import_value(it, ImportTarget(source, name), module)
