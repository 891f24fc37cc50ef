"""What the project's modules hold, put back before a call, so that no call sees what others left.

Runs in a child process only.  A tracer that one call has left in a cache, a counter or a list would
make the next one fail, or not do what it does in a new process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any

#: how far what a module holds is followed, and how many objects are remembered
_DEPTH = 3
_MOST_OBJECTS = 5_000


class ModuleState:
    """What some modules held when they were first seen."""

    def __init__(self) -> None:
        self._known: dict[int, ModuleType] = {}
        self._seen: dict[int, Any] = {}
        self._undo: list[Callable[[], None]] = []

    def take(self, modules: Collection[ModuleType]) -> None:
        """Remember what modules hold, of those that are not known yet."""
        for module in modules:
            if id(module) not in self._known:
                self._known[id(module)] = module
                self._remember(vars(module), _DEPTH)

    def retake(self) -> None:
        """What the modules hold by now is what they are to hold."""
        known, self._known = [*self._known.values()], {}
        self._seen, self._undo = {}, []
        self.take(known)

    def restore(self) -> None:
        """Put back what is not as it was."""
        for undo in self._undo:
            undo()

    def _remember(self, value: Any, depth: int) -> None:
        """Remember an object that can change, and what it holds."""
        if id(value) in self._seen or len(self._seen) >= _MOST_OBJECTS:
            return
        inner: list[Any] = []
        if type(value) is dict:
            inner = [*value.values()]
            self._undo.append(_undoing_dict(value))
        elif type(value) in (list, set, deque):
            inner = [*value]
            self._undo.append(_undoing_items(value))
        elif type(value) is tuple:
            inner = [*value]
        elif self._is_own(value):
            inner = [vars(value)]
            depth += 1
        else:
            return
        # Kept alive, so that no other object has its identity.
        self._seen[id(value)] = value
        if depth:
            for item in inner:
                self._remember(item, depth - 1)

    def _is_own(self, value: Any) -> bool:
        """Whether something is an object with attributes of a class of these modules."""
        kind = type(value)
        if isinstance(value, type | ModuleType) or not hasattr(value, "__dict__"):
            return False
        return kind.__module__ in {module.__name__ for module in self._known.values()}


def _undoing_dict(value: dict[Any, Any]) -> Callable[[], None]:
    before = dict(value)

    def undo() -> None:
        if len(value) == len(before):
            pairs = zip(value.items(), before.items(), strict=True)
            if all(now[0] is then[0] and now[1] is then[1] for now, then in pairs):
                return
        value.clear()
        value.update(before)

    return undo


def _undoing_items(value: Any) -> Callable[[], None]:
    before = [*value]

    def undo() -> None:
        now = [*value]
        if len(now) == len(before) and all(a is b for a, b in zip(now, before, strict=True)):
            return
        value.clear()
        (value.update if isinstance(value, set) else value.extend)(before)

    return undo
