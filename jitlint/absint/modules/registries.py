"""Module-level containers that decorators and statements fill: registries of functions.

A name is evaluated when it is first asked for, which runs the statement that binds it and nothing
else.  What the rest of the project puts into such a container is run here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from jitlint.absint.modules.module_code import run_unit
from jitlint.absint.values.domain import Ref, Value
from jitlint.absint.values.heap import Instance

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import Unit


@cache
def _fills(name: str) -> re.Pattern[str]:
    """Code that puts something into the container of a name."""
    return re.compile(
        rf"\b{re.escape(name)}\s*(?:\[[^\]]*\]\s*=(?!=)|\.(?:append|add|update|setdefault|extend|insert)\()"
    )


def fill(it: Interpreter, module: ModuleIndex, name: str, value: Value) -> None:
    """Run what fills the container that a module-level name stands for."""
    if not isinstance(value, Ref):
        return
    # What stands below a statement of the module that runs has filled in nothing yet.
    running = it.running_unit(module) if it.in_module_code else None
    if running is not None or not it.in_module_code:
        _run_changes(it, module, name, value, running)
    key = ("filled", value.id, running)
    if key in it.registered:
        return
    it.registered[key] = True
    with it.reads.of(it, module, f"fill {name}"):
        _fill(it, module, name, value, running)


@cache
def _changes(name: str) -> re.Pattern[str]:
    """Code that may change the object of a name: a store, a method, a call that is given it."""
    written = rf"(?<![\w.]){re.escape(name)}"
    return re.compile(
        rf"{written}(?:\.\w+)+\s*(?:=(?!=)|\()|{written}(?:\.\w+)*\[[^\]\n]*\]\s*=(?!=)"
        rf"|[(\[{{,=:]\s*\*{{0,2}}{re.escape(name)}\s*[,)\]}}]"
    )


def _run_changes(
    it: Interpreter, module: ModuleIndex, name: str, value: Ref, running: Unit | None
) -> None:
    """Run the statements of a module that may change an object which it has made.

    They may lead to no trace, so that nobody has run them.  Code of the module finds what the
    statements above it have made of the object, functions what all of them have.
    """
    key = ("filled", "changes", value.id, running)
    if key in it.registered:
        return
    it.registered[key] = True
    bound = {id(binding.unit) for binding in module.bound(name)}
    for unit in module.units_finding(name, _changes(name)):
        if (
            not unit.is_function
            and unit.cls is None
            and not unit.indented
            and _is_done(unit, running)
            and id(unit) not in bound
            and id(unit) not in it.unit_values
            and not _ONLY_SHOWS.match(unit.text)
        ):
            run_unit(it, unit)


def _is_done(unit: Unit, running: Unit | None) -> bool:
    """Whether a statement has run where another one of its module runs, or none does any more."""
    return running is None or unit.begins_above(running)


#: statements that change nothing, and those of a program that is run as a script
_ONLY_SHOWS: Final = re.compile(r"\s*(?:print\(|assert\b|if __name__\b|class\b|import\b|from\b)")


def _fill(
    it: Interpreter, module: ModuleIndex, name: str, value: Ref, running: Unit | None
) -> None:
    if isinstance(it.contents(value), Instance):
        # `@trainer.on_step` hands a function over.
        decorated = re.compile(rf"^\s*@{re.escape(name)}\.", re.MULTILINE)
        for unit in module.units_finding(name, decorated):
            if unit.is_function and unit.cls is None:
                run_unit(it, unit)
        return
    for unit in module.units_finding(name, _fills(name)):
        if unit.is_function:
            if unit.cls is None:
                for user in _uses(it, unit.name):
                    run_unit(it, user)
        elif _is_done(unit, running) and not any(
            binding.unit is unit for binding in module.bound(name)
        ):
            run_unit(it, unit)


def _uses(it: Interpreter, registrar: str) -> Iterator[Unit]:
    """Decorated functions and statements of modules that use a function which registers."""
    word = re.escape(registrar)
    uses = re.compile(rf"^\s*@.*\b{word}\b|^\s*{word}\(", re.MULTILINE)
    decorated = re.compile(rf"^\s*@.*\b{word}\b", re.MULTILINE)
    called = re.compile(rf"\b{word}\(")
    for module in it.modules_with(registrar):
        for unit in module.units_finding(registrar, uses):
            if unit.is_function:
                if unit.cls is None and unit.finds(decorated):
                    yield unit
            elif unit.cls is None and called.match(unit.text.lstrip()):
                yield unit
