"""Code that is expected to raise: ``pytest.raises``, ``assertRaises``, ``contextlib.suppress``.

What raises there is what the code is about: a report that only such a call justifies helps nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import libcst as cst

from jitlint.absint.machine.frames import TryFrame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import External, ExternalInstance, Tuple, Value
from jitlint.jaxmodel.concretization import caught_by

_EXPECTED: Final = "jitlint.expected"
_SUPPRESSED: Final = "jitlint.suppressed"

#: stands for ``pytest.raises(...)``: whatever is raised is what the test wants
EXPECTED: Final = ExternalInstance(_EXPECTED)


def suppressed(classes: Sequence[Value]) -> ExternalInstance:
    """What stands for ``contextlib.suppress(*classes)``."""
    return ExternalInstance(_SUPPRESSED, (("classes", Tuple(tuple(classes))),))


def is_expectation(manager: Value) -> bool:
    """Whether a context manager says that its block may raise."""
    return isinstance(manager, ExternalInstance) and manager.cls in (_EXPECTED, _SUPPRESSED)


def guard_of(it: Interpreter, manager: ExternalInstance, node: cst.CSTNode) -> TryFrame:
    """What the block of such a manager does to what is raised in it."""
    swallows: frozenset[str] | None = None
    if manager.cls == _SUPPRESSED:
        classes = dict(manager.attributes)["classes"]
        assert isinstance(classes, Tuple)
        names = [cls.name for cls in classes.items if isinstance(cls, External)]
        swallows = frozenset[str]().union(*map(caught_by, names))
    return TryFrame(swallows, deliberate=True, reaches=True, place=it.place(node))


@contextmanager
def expecting(it: Interpreter, node: cst.CSTNode) -> Iterator[None]:
    """Run something that a node of the current code expects to raise."""
    frame = it.frame
    frame.tries.append(guard_of(it, EXPECTED, node))
    try:
        yield
    finally:
        frame.tries.pop()
