"""Clocks that tell when the program reads them.

For child processes only.  The readers of the standard library are replaced where they stand: in
``time`` and ``timeit``, and in modules that have imported them from there already.  ``datetime`` is
replaced in the modules that have imported it, and stays as it is itself: compiled code, such as
that of pandas, takes its class for the one of C.
"""

from __future__ import annotations

import datetime
import functools
import sys
import time
import timeit
from collections.abc import Callable
from types import FrameType, FunctionType, ModuleType
from typing import Any

#: told of the frame that reads a clock, just before it does
Reader = Callable[[FrameType], None]

_DATETIME = datetime.datetime
_READERS = tuple(
    getattr(time, f"{name}{unit}")
    for name in ("time", "perf_counter", "monotonic", "process_time")
    for unit in ("", "_ns")
)
#: where programs find clocks
LIBRARY: tuple[ModuleType, ...] = (time, timeit)


class Clocks:
    """Replaces clocks in modules, for good or until they are put back.

    Args:
      read: told of each reading, also of those by libraries.
    """

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._names: list[tuple[ModuleType, dict[str, Any]]] = []
        self._defaults: list[tuple[FunctionType, tuple[Any, ...] | None]] = []

    def replace(self, *modules: ModuleType) -> None:
        """Replace the clocks that modules hold, also as defaults of their functions."""
        for module in modules:
            names = dict(vars(module))
            made = {name: self._instead(value) for name, value in names.items()}
            changed = {name: value for name, value in names.items() if made[name] is not value}
            self._names.append((module, changed))
            vars(module).update({name: made[name] for name in changed})
            held = [*names.values(), *([timeit.Timer.__init__] if module is timeit else ())]
            for function in held:
                if isinstance(function, FunctionType) and function.__defaults__:
                    self._defaults.append((function, function.__defaults__))
                    function.__defaults__ = tuple(map(self._instead, function.__defaults__))

    def put_back(self) -> None:
        """Undo every replacement."""
        while self._names:
            module, names = self._names.pop()
            vars(module).update(names)
        while self._defaults:
            function, defaults = self._defaults.pop()
            function.__defaults__ = defaults

    def _instead(self, value: Any) -> Any:
        if value is _DATETIME:
            return self._datetime
        if value is datetime:
            return self._module
        if not any(value is reader for reader in _READERS):
            return value

        @functools.wraps(value)
        def reading() -> Any:
            self._read(sys._getframe(1))
            return value()

        return reading

    @functools.cached_property
    def _module(self) -> ModuleType:
        made = ModuleType(datetime.__name__, datetime.__doc__)
        vars(made).update({**vars(datetime), "datetime": self._datetime})
        return made

    @functools.cached_property
    def _datetime(self) -> type[datetime.datetime]:
        read = self._read

        class Kind(type(_DATETIME)):  # type: ignore[misc]
            def __instancecheck__(cls, instance: object) -> bool:
                return isinstance(instance, _DATETIME)

        class Datetime(_DATETIME, metaclass=Kind):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> Any:
                read(sys._getframe(1))
                return _DATETIME.now(tz)

            @classmethod
            def utcnow(cls) -> Any:
                read(sys._getframe(1))
                return _DATETIME.now(datetime.UTC).replace(tzinfo=None)

        Datetime.__name__ = Datetime.__qualname__ = "datetime"
        return Datetime
