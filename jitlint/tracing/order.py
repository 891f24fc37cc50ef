"""The order in which selected units are interpreted, and where each of them starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct, field

from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit
from jitlint.tracing.units import defines_rules, is_rule


class Starts(Struct):
    """Selected units by where they start, each in the order in which they are interpreted.

    Args:
      imported: code of modules that runs where others import them, and functions that are rules,
        for their decorators say so then.
      started: by file, code that runs where the file itself is started.
      functions: by file, its functions.
    """

    imported: list[Unit] = field(default_factory=list)
    started: dict[Path, list[Unit]] = field(default_factory=dict)
    functions: dict[Path, list[Unit]] = field(default_factory=dict)


def in_order(
    units: Iterable[Unit], modules: Iterable[ModuleIndex], is_program: Callable[[Path], bool]
) -> Starts:
    """Put selected units into their order.

    Args:
      units: the units.
      modules: the modules in order.
      is_program: whether nothing imports a file, so that all of its code runs where it is started.
    """
    order = {module.path: index for index, module in enumerate(modules)}
    ordered = sorted(
        units,
        key=lambda u: (
            not defines_rules(u),
            u.is_function,
            order.get(u.module.path, len(order)),
            u.first,
        ),
    )
    found = Starts()
    for unit in ordered:
        path = unit.module.path
        if unit.is_function:
            found.functions.setdefault(path, []).append(unit)
            if not is_rule(unit):
                continue
        if unit.started or is_program(path):
            found.started.setdefault(path, []).append(unit)
        else:
            found.imported.append(unit)
    return found
