"""What a script does, statement by statement, with what its selected statements use.

An array is donated by one statement of a module and read by the next; an object is changed between
two that run what was compiled for it.  Neither mentions JAX.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit


def script_statements(selected: Iterable[Unit]) -> Iterator[Unit]:
    """Yield the statements of modules that use what selected ones are given.

    Args:
      selected: the units that are selected otherwise.
    """
    known = {id(unit): unit for unit in selected}
    running: dict[ModuleIndex, set[str]] = {}
    for unit in known.values():
        if _is_statement(unit) and unit.words_called:
            names = {name.partition(".")[0] for name in unit.mentions}
            running.setdefault(unit.module, set()).update(names)
    for module, names in running.items():
        made = {name for name in names if _is_made(module, name)}
        for unit in module.units if made else ():
            if id(unit) in known or not _is_statement(unit):
                continue
            if any(name.partition(".")[0] in made for name in unit.mentions):
                yield unit


def _is_statement(unit: Unit) -> bool:
    """Whether a unit is a statement of a module that defines nothing and imports nothing."""
    if unit.is_function or unit.cls is not None or unit.is_import:
        return False
    return not unit.is_class


def _is_made(module: ModuleIndex, name: str) -> bool:
    """Whether a statement of a module computes what a name stands for."""
    return any(
        binding.target is None and binding.cls is None and _is_statement(binding.unit)
        for binding in module.bound(name)
    )
