"""What an exception shows: the start of its text, the way it came, and whether it is JAX's."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType

_MESSAGE_LIMIT = 300
#: what all exceptions of tracers are derived from
_OF_TRACERS = frozenset({"JAXTypeError", "JAXIndexError"})


def first_line(error: BaseException) -> str:
    """The first line of an exception's text, not too long; empty where it has none."""
    text = str(error).strip()
    return text.splitlines()[0][:_MESSAGE_LIMIT] if text else ""


def described(error: BaseException) -> str:
    """The class of an exception and the start of its text, in one line."""
    return f"{type(error).__name__}: {first_line(error)}"


def chain(error: BaseException) -> Iterator[BaseException]:
    """An exception, then what it was raised from or while handling, and so on."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def steps(error: BaseException) -> Iterator[TracebackType]:
    """The entries of an exception's traceback, the outermost first."""
    entry = error.__traceback__
    while entry is not None:
        yield entry
        entry = entry.tb_next


def is_of_jax(error: BaseException) -> bool:
    """Whether an exception is one that only tracers raise.

    JAX has others: for dtypes that do not go together, for keys that are used twice, and for what
    fails on the device.
    """
    names = {base.__name__ for base in type(error).__mro__ if base.__module__ == "jax.errors"}
    return not names.isdisjoint(_OF_TRACERS) and "KeyReuseError" not in names
