"""Names of modules that a trace has bound anew: ``global stack; stack = []``.

What stands there until the trace ends is what the trace has put there, and not what the code of the
module did.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import in_state
from jitlint.absint.values.heap import Slot

#: the number of a trace, the path of a module and a name in it
_Bound = tuple[int, str, str]


@in_state
class BoundGlobals(Slot):
    """The names that a trace has bound on a way to a point of the program.

    Attributes:
      names: each with the trace and the module.
    """

    __slots__ = ("names",)

    def __init__(self, names: frozenset[_Bound] = frozenset()) -> None:
        self.names = names

    def join(self, other: BoundGlobals) -> BoundGlobals:
        """Those that either way has bound."""
        return BoundGlobals(self.names | other.names)

    def by_subject(self) -> Mapping[Hashable, object]:
        """The names, which are bound."""
        return dict.fromkeys(self.names, True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoundGlobals) and self.names == other.names

    __hash__ = None


def bind_global(it: Interpreter, name: str) -> None:
    """Note that the function that runs binds a name of its module, within a trace."""
    if it.trace is not None:
        bound = it.trace.number, str(it.frame.module.path), name
        it.edit_slot(BoundGlobals).names |= {bound}


def globals_bound(it: Interpreter) -> frozenset[tuple[str, str]]:
    """The modules and names in them that the traces that run have bound."""
    names = it.slot(BoundGlobals).names if it.trace is not None else ()
    if not names:
        return _NONE
    running = {trace.number for trace in it.traces()}
    return frozenset((path, name) for number, path, name in names if number in running)


_NONE: frozenset[tuple[str, str]] = frozenset()
