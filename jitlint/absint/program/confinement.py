"""Confinement: classes whose objects never leave the functions that make them.

What a stranger is handed is of none of these: ``metric = HostMetric()`` whose methods alone are
called says nothing of the metrics that ``epoch(metric, batches)`` compiles.
"""

from __future__ import annotations

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import Class
from jitlint.project.products import keeps_to_itself
from jitlint.project.test_code import is_test


def is_confined(it: Interpreter, cls: Class) -> bool:
    """Whether every object that the project makes of a class stays where it is made.

    A class that nobody makes, or that another module speaks of, may be anybody's.
    """
    name = cls.definition.name
    it.reads.read(cls.module)
    elsewhere = [module for module in it.modules_with(name) if module is not cls.module]
    if cls.definition.qualname != name or not all(is_test(m.path, "") for m in elsewhere):
        return False
    return cls.module.fact(keeps_to_itself, name)
