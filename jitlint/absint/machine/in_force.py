"""Which bindings of a name a function finds, where the code of its module is not done yet.

A script or notebook may bind a name again further down.  A function that one of its statements
calls finds what stands above that statement; one that is called later finds what came last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitlint.absint.code.replaced_names import bound_again
from jitlint.project.index import ModuleIndex

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

#: the row above which the bindings of a name count, None if all of them do
Reached = dict[tuple[ModuleIndex, str], int | None]


def row_reached(it: Interpreter, module: ModuleIndex, name: str) -> int | None:
    """The row of a module above which the bindings of a name count for a function that runs now.

    Returns:
      None if all count: its code is done, binds the name once, or binds it where it is.
    """
    if name not in module.fact(bound_again):
        return None
    row = _row(it, module, name)
    it.in_force[module, name] = row
    return row


def is_reached(it: Interpreter, module: ModuleIndex, name: str, row: int | None) -> bool:
    """Whether a function that runs now finds the same bindings of a name as above a row."""
    now = _row(it, module, name)
    if now == row:
        return True
    firsts = [binding.unit.first for binding in module.bound(name)]
    return _count(firsts, now) == _count(firsts, row)


def _row(it: Interpreter, module: ModuleIndex, name: str) -> int | None:
    running = it.running_unit(module) if it.in_module_code else None
    if running is None:
        return None
    row = running.first
    firsts = [binding.unit.first for binding in module.bound(name)]
    # A loop that binds the name itself gives it in one turn what the next one finds.
    return row if min(firsts) < row and row not in firsts else None


def _count(firsts: list[int], row: int | None) -> int:
    return len(firsts) if row is None else sum(first < row for first in firsts)
