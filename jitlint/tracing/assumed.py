"""The functions that the configuration says somebody else will jit."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from jitlint.foundation.records import Record
from jitlint.project.index import ModuleIndex
from jitlint.project.project import Project
from jitlint.project.units import Unit
from jitlint.usage_errors import UsageError

_KEY = "assume-traced"
#: what stands for other characters in a pattern
_MAGIC = re.compile(r"[*?\[]")


class AssumedUnit(Record):
    """A function that is assumed to be traced.

    Args:
      unit: the function.
      static: the names of its static parameters.
    """

    unit: Unit
    static: tuple[str, ...]


def assumed_units(
    project: Project, modules: Iterable[ModuleIndex], patterns: Mapping[str, Sequence[str]]
) -> dict[Path, list[AssumedUnit]]:
    """The functions that match, by file.

    A name that begins with an underscore is matched only by a pattern that writes the underscore,
    as a shell's patterns do with hidden files.

    Args:
      project: tells by which names Python may know a module.
      modules: where functions are looked for.
      patterns: of qualified names, or absolute ones of files, to the static parameters.

    Raises:
      UsageError: a pattern matches no function, or no function it matches has a static parameter,
        and that is not for a file that cannot be read: somebody may be typing in it.
    """
    found: dict[Path, dict[int, AssumedUnit]] = {}
    matching: dict[str, list[Unit]] = {pattern: [] for pattern in patterns}
    for module in modules if patterns else ():
        names = project.names_of(module.path)
        for unit in module.units:
            if not isinstance(unit.node, ast.FunctionDef):
                continue
            for pattern, units in matching.items():
                if any(_matches(pattern, unit, f"{name}.{unit.qualname}") for name in names):
                    units.append(unit)
    for pattern, units in matching.items():
        static = patterns[pattern]
        is_sure = not any(_may_match(pattern, project, path) for path in project.failures)
        if is_sure and not units:
            raise UsageError(
                f"{_KEY}: {pattern!r} matches no function of the project (expected qualified names "
                "such as 'mylib.losses.*', or files such as 'src/mylib/ops/*.py')"
            )
        parameters = {unit: _parameters(unit.node) for unit in units}
        every = sorted(set().union(*parameters.values()))
        for name in static:
            if is_sure and name not in every:
                raise UsageError(
                    f"{_KEY}: {pattern!r} matches no function with a parameter {name!r} "
                    f"(expected one of {', '.join(every) or 'none, for there are no parameters'})"
                )
        for unit in units:
            known = found.setdefault(unit.module.path, {})
            before = known[id(unit)].static if id(unit) in known else ()
            own = (name for name in static if name in parameters[unit])
            known[id(unit)] = AssumedUnit(unit, tuple(dict.fromkeys((*before, *own))))
    return {path: list(units.values()) for path, units in found.items()}


def _matches(pattern: str, unit: Unit, name: str) -> bool:
    if Path(pattern).is_absolute():
        return not unit.name.startswith("_") and fnmatchcase(str(unit.module.path), pattern)
    hidden = unit.name.startswith("_") and not pattern.rpartition(".")[2].startswith("_")
    return not hidden and fnmatchcase(name, pattern)


def _may_match(pattern: str, project: Project, path: Path) -> bool:
    """Whether something in a file may match, whatever it holds."""
    if Path(pattern).is_absolute():
        return fnmatchcase(str(path), pattern)
    sure = _MAGIC.split(pattern, maxsplit=1)[0]
    names = (f"{name}." for name in project.names_of(path))
    return any(name.startswith(sure) or sure.startswith(name) for name in names)


def _parameters(node: ast.stmt) -> frozenset[str]:
    assert isinstance(node, ast.FunctionDef)
    args = node.args
    return frozenset(a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs))
