"""How programs come to what is selected: ``main()`` under the last block calls ``run``, and so on.

What a program passes says which of the ways through a function are taken.  So the statements that
start one are interpreted, and the functions between are followed, however long they are.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from jitlint.imports.graph import ImportGraph
from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit
from jitlint.tracing.imports import Imports


class Leading(Struct):
    """What leads from the starts of programs to functions that are selected.

    Args:
      statements: what starts them, in the order in which it is found.
      between: functions that lead on from there.
    """

    statements: list[Unit] = field(default_factory=list)
    between: list[Unit] = field(default_factory=list)


def leading(
    graph: ImportGraph, imports: Imports, modules: Iterable[ModuleIndex], units: Iterable[Unit]
) -> Leading:
    """Find what leads from programs to some functions.

    Args:
      graph: tells which files are programs.
      imports: who imports what.
      modules: the modules to look at.
      units: what is selected so far.
    """
    modules = list(modules)
    callers: dict[int, list[Unit]] = {}
    reached: dict[int, Unit] = {}
    waiting = [unit for unit in units if _may_lead(unit)]
    while waiting:
        unit = waiting.pop()
        if id(unit) in callers:
            continue
        if unit.cls is None:
            found = _callers(imports, unit, modules)
        else:
            found = _callers_by_name(graph, unit, modules)
        callers[id(unit)] = found
        reached[id(unit)] = unit
        waiting += [caller for caller in found if _may_lead(caller)]
    return _from_programs(graph, callers, reached)


def _may_lead(unit: Unit) -> bool:
    return unit.is_function and not unit.name.startswith("__")


def _callers_by_name(
    graph: ImportGraph, method: Unit, modules: Iterable[ModuleIndex]
) -> list[Unit]:
    """What asks some object for a method that only one class has."""
    name, home = method.name, method.module.path
    modules = [module for module in modules if module.has_word(name)]
    classes = (cls for module in modules for cls in module.classes.values())
    if sum(name in cls.methods for cls in classes) != 1:
        return []
    return [
        unit
        for module in modules
        if module is method.module or graph.has(graph.below(module.path), home)
        for unit in module.units_with(name)
        if unit is not method and name in unit.words_after_dots
    ]


def _callers(imports: Imports, unit: Unit, modules: Iterable[ModuleIndex]) -> list[Unit]:
    """What calls a function of a module by its name."""
    module, known = unit.module, {each.path for each in modules}
    found = [each for each in module.units_with(unit.name) if unit.name in each.calls]
    for other in imports.importers.get(module.path, ()):
        if other.path not in known:
            continue
        for alias in imports.aliases(other, module, unit.name):
            last = alias.rpartition(".")[2]
            found += [each for each in other.units_with(last) if alias in each.calls]
    return [each for each in found if each is not unit]


def _from_programs(
    graph: ImportGraph, callers: dict[int, list[Unit]], reached: dict[int, Unit]
) -> Leading:
    """Of what calls the functions, directly or not, what programs come through."""
    called: dict[int, list[Unit]] = {}
    starts: dict[int, Unit] = {}
    for key, calling in callers.items():
        for caller in calling:
            called.setdefault(id(caller), []).append(reached[key])
            if caller.is_function or caller.cls is not None or caller.is_class:
                continue
            if caller.started or graph.is_program(caller.module.path):
                starts[id(caller)] = caller
    between: dict[int, Unit] = {}
    waiting = [*starts.values()]
    while waiting:
        for unit in called.get(id(waiting.pop()), ()):
            if id(unit) not in between:
                between[id(unit)] = unit
                waiting.append(unit)
    return Leading([*starts.values()], [*between.values()])
