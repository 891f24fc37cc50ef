"""The order in which selected units are interpreted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit
from jitlint.tracing.units import defines_rules


def in_order(
    units: Iterable[Unit], modules: Iterable[ModuleIndex]
) -> tuple[list[Unit], dict[Path, list[Unit]]]:
    """Selected units in the order in which they are interpreted.

    Args:
      units: the units.
      modules: the modules in order.

    Returns:
      The code of modules, with the functions that define rules; then the functions of each file.
    """
    order = {module.path: index for index, module in enumerate(modules)}
    found = sorted(
        units,
        key=lambda u: (
            not defines_rules(u),
            u.is_function,
            order.get(u.module.path, len(order)),
            u.first,
        ),
    )
    first = sum(not unit.is_function or defines_rules(unit) for unit in found)
    functions: dict[Path, list[Unit]] = {}
    for unit in found[first:]:
        functions.setdefault(unit.module.path, []).append(unit)
    return found[:first], functions
