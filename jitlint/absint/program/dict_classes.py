"""What an object of a project's class holds that is derived from dict: ``class Registry(dict)``."""

from __future__ import annotations

from typing import Final

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import ClassInfo
from jitlint.absint.values.domain import Ref
from jitlint.absint.values.heap import Instance

#: an attribute that no code can name: the dict that such an object is
ENTRIES: Final = "<entries>"
_DICTS: Final = frozenset({"builtins.dict", "collections.OrderedDict", "collections.UserDict"})
#: methods of a dict that tell what is in it, or change that
_METHODS: Final = frozenset(
    "clear get items keys move_to_end pop popitem setdefault update values".split()
)


def is_dict(info: ClassInfo) -> bool:
    """Whether the objects of a class are dicts."""
    return not _DICTS.isdisjoint(info.externals)


def entries_of(it: Interpreter, ref: Ref, method: str | None = None) -> Ref | None:
    """The dict that an object is, None if it is none.

    Args:
      it: the interpreter.
      ref: the object.
      method: what is asked of it, if that is a method: None if a dict has no such.
    """
    contents = it.contents(ref)
    if not isinstance(contents, Instance) or not (method is None or method in _METHODS):
        return None
    held = contents.attributes.get(ENTRIES)
    return held if isinstance(held, Ref) else None
