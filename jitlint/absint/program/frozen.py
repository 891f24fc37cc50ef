"""Objects whose attributes nobody sets once they are made."""

from __future__ import annotations

from jitlint.absint.code.declarations import decorator_options
from jitlint.absint.program.classes import ClassInfo
from jitlint.jaxmodel import frameworks


def is_frozen(info: ClassInfo) -> bool:
    """Whether setting an attribute of an object of a class raises, by all means that are usual."""
    if info.kind in ("namedtuple", "enum"):
        return True
    facts = map(frameworks.base_class, (*info.decorators, *info.externals))
    if any(fact is not None and fact.frozen for fact in facts):
        return True
    return any(decorator_options(cls.definition).get("frozen") is True for cls in info.mro)
