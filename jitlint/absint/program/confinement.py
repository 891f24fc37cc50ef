"""Confinement: classes whose objects never leave the functions that make them.

What a stranger is handed is of none of these: ``metric = HostMetric()`` whose methods alone are
called says nothing of the metrics that ``epoch(metric, batches)`` compiles.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jitlint.absint.machine.frames import is_test
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import Class
from jitlint.project.walks import FunctionNode, walk

if TYPE_CHECKING:
    from jitlint.project.index import Unit


def is_confined(it: Interpreter, cls: Class) -> bool:
    """Whether every object that the project makes of a class stays where it is made.

    A class that nobody makes, or that another module speaks of, may be anybody's.
    """
    name = cls.definition.name
    it.reads.read(cls.module)
    elsewhere = [module for module in it.modules_with(name) if module is not cls.module]
    if cls.definition.qualname != name or not all(is_test(m.path, "") for m in elsewhere):
        return False
    using = [unit for unit in cls.module.units_with(name) if name in _heads(unit)]
    return bool(using) and all(_keeps(unit.node, name) for unit in using)


def _heads(unit: Unit) -> set[str]:
    return {mention.partition(".")[0] for mention in unit.mentions}


def _keeps(node: ast.stmt, cls: str) -> bool:
    """Whether a function only puts objects of a class into names of which it takes attributes."""
    if not isinstance(node, FunctionNode):
        return False
    made: set[str] = set()
    kept: set[int] = set()
    named: list[ast.Name] = []
    for inner in walk(node):
        if isinstance(inner, ast.Name):
            named.append(inner)
        elif isinstance(inner, ast.Attribute):
            kept.add(id(inner.value))
        elif isinstance(inner, ast.Assign) and len(inner.targets) == 1:
            target, value = inner.targets[0], inner.value
            if isinstance(target, ast.Name) and isinstance(value, ast.Call):
                function = value.func
                if isinstance(function, ast.Name) and function.id == cls:
                    made.add(target.id)
                    kept |= {id(target), id(function)}
        elif isinstance(inner, (ast.Global, ast.Nonlocal)):
            return False
    return all(id(name) in kept for name in named if name.id == cls or name.id in made)
