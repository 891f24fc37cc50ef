"""Objects whose attributes nobody sets once they are made."""

from __future__ import annotations

from typing import Final

from jitlint.absint.code.declarations import decorator_options
from jitlint.absint.program.classes import ClassInfo

#: decorators and bases of libraries that make classes frozen
_FREEZING: Final = frozenset(
    {"flax.struct.dataclass", "flax.struct.PyTreeNode", "equinox.Module", "flax.linen.Module"}
)


def is_frozen(info: ClassInfo) -> bool:
    """Whether setting an attribute of an object of a class raises, by all means that are usual."""
    if info.kind in ("namedtuple", "enum"):
        return True
    if not _FREEZING.isdisjoint((*info.decorators, *info.externals)):
        return True
    return any(decorator_options(cls.definition).get("frozen") is True for cls in info.mro)
