"""Which bindings of a name a function finds, where the code of its module is not done yet.

A script or notebook may bind a name again further down.  A function that one of its statements
calls finds what stands above that statement; one that is called later finds what came last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitlint.absint.code.replaced_names import is_bound_again
from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

#: the statement above which the bindings of a name count, None if all of them do
Reached = dict[tuple[ModuleIndex, str], Unit | None]


def reached(it: Interpreter, module: ModuleIndex, name: str) -> Unit | None:
    """The statement of a module above which the bindings of a name count for what runs now.

    Returns:
      None if all count: its code is done, binds the name once, or binds it where it is.
    """
    if len(module.bound(name)) < 2 or not module.fact(is_bound_again, name):
        return None
    running = _reached(it, module, name)
    it.in_force[module, name] = running
    return running


def is_reached(it: Interpreter, module: ModuleIndex, name: str, before: Unit | None) -> bool:
    """Whether a function that runs now finds the same bindings of a name as above a statement."""
    now = _reached(it, module, name)
    return now is before or _above(module, name, now) == _above(module, name, before)


def _reached(it: Interpreter, module: ModuleIndex, name: str) -> Unit | None:
    running = it.running_unit(module) if it.in_module_code else None
    if running is None:
        return None
    sides = running.sides(name)
    # A loop that binds the name itself gives it in one turn what the next one finds.
    return running if -1 in sides and 0 not in sides else None


def _above(module: ModuleIndex, name: str, unit: Unit | None) -> int:
    """How many bindings of a name stand above a statement; all of them if that is None."""
    return len(module.bound(name)) if unit is None else unit.sides(name).count(-1)
