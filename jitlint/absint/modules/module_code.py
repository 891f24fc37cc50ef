"""The code of modules and classes: each of their statements is run once, when first needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jitlint.absint.code.syntax import UnsupportedSyntaxError
from jitlint.absint.machine.frames import HOST, Frame, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import STATEMENTS
from jitlint.absint.values.domain import Function, Value
from jitlint.absint.values.heap import Variables

if TYPE_CHECKING:
    from jitlint.project.units import Unit


def run_unit(it: Interpreter, unit: Unit, closure: tuple[int, ...] = ()) -> Mapping[str, Value]:
    """Execute a statement of a module body once, in host code; the names that it binds.

    Args:
      it: the interpreter.
      unit: the statement.
      closure: the frames around the class that it stands in, where a function makes that.
    """
    if closure:
        key = ("unit", id(unit), closure)
        if key not in it.facts:
            it.facts[key] = _execute(it, unit, closure)
        made: Mapping[str, Value] = it.facts[key]
        return made
    it.reads.read(unit.module)
    known = it.unit_values.get(id(unit))
    if known is not None:
        return known
    if id(unit) in it.unit_running:
        it.unfinished += 1
        return {}
    it.unit_running.add(id(unit))
    if it.steps == 0:
        it.starting_unit = id(unit)
    try:
        with it.reads.of(it, unit.module, unit.key):
            values = _execute(it, unit)
    finally:
        it.unit_running.discard(id(unit))
    it.unit_values[id(unit)] = values
    return values


def _execute(it: Interpreter, unit: Unit, closure: tuple[int, ...] = ()) -> dict[str, Value]:
    head = None
    try:
        if unit.is_function:
            parsed, head = it.store.head_of(unit)
        else:
            parsed = it.store.parse(unit)
    except UnsupportedSyntaxError as error:
        it.refused(error)
        return {}
    env = it.standing_id("unit", id(unit))
    frame = Frame(
        module=unit.module,
        parsed=parsed,
        code=None,
        qualname=unit.qualname,
        context=HOST,
        env=env,
        closure=closure,
        statement=unit if unit.cls is None else None,
    )
    # What it finds above it is no matter of the call that it is run for.
    in_force, it.in_force = it.in_force, {}
    try:
        with it.at_module_level(), it.entered(frame), it.wording_only(False):
            it.state.put(env, Variables())
            if head is not None:
                function = Function(it.store.of_unit(unit), closure)
                return {unit.name: it.decorate(function, head.decorators)}
            STATEMENTS[type(parsed.statement)](it, parsed.statement)
    except Terminated:
        pass
    finally:
        it.in_force = in_force
    return dict(it.module_state.get(env) or {})
