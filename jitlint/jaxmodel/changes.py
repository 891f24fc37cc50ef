"""What functions outside a project may change of what they are given: the one table of them.

A function of a library that the tables know changes nothing that is handed to it, unless it stands
here.  One that they do not know may change all that it can reach: it is asked about last.
"""

from __future__ import annotations

import sys
from enum import Enum
from typing import Final

from msgspec import Struct


class Extent(Enum):
    """How much an operation may change."""

    #: the attribute of an object whose name it is given; any, where that name is not known
    ATTRIBUTE = "attribute"
    #: what stands in a list, dict or set
    ENTRIES = "entries"
    #: the attributes of objects and what containers hold, however deep they lie
    REACH = "reach"


class Change(Struct, frozen=True):
    """What a function may change.

    Args:
      extent: how much of it.
      argument: the position of what it changes, None for each argument.
      name: the position of the name of an attribute, None where it is given none.
    """

    extent: Extent
    argument: int | None = None
    name: int | None = None


_ANYTHING: Final = Change(Extent.REACH)
_FIRST: Final = Change(Extent.REACH, 0)
_NAMED: Final = Change(Extent.ATTRIBUTE, 0, 1)
_ITEMS: Final = Change(Extent.ENTRIES, 0)

#: by qualified name
CHANGES: Final[dict[str, Change]] = {
    "builtins.delattr": _NAMED,
    "builtins.object.__delattr__": _NAMED,
    "builtins.dict.update": _ITEMS,
    "operator.setitem": _ITEMS,
    "operator.delitem": _ITEMS,
    "operator.iadd": _ITEMS,
    "operator.iconcat": _ITEMS,
    "random.shuffle": _ITEMS,
    "bisect.insort": _ITEMS,
    "bisect.insort_left": _ITEMS,
    "bisect.insort_right": _ITEMS,
    "unittest.mock.patch.object": _NAMED,
    "unittest.mock.patch.dict": _ITEMS,
    "unittest.mock.patch.multiple": _FIRST,
    "jitlint.methodcaller": _ANYTHING,
    # Names that the text binds come into the dict that it is given.
    "builtins.exec": _ANYTHING,
    "atexit.register": _ANYTHING,
    "weakref.finalize": _ANYTHING,
    "ctypes.py_object": _ANYTHING,
    "gc.get_referrers": _ANYTHING,
}

#: libraries of which functions that no table lists leave what they are given as it is
_READING: Final = sys.stdlib_module_names | frozenset(
    """attr attrs builtins chex equinox flax haiku jax jaxlib jaxtyping jitlint matplotlib numpy
    optax orbax pandas pytest scipy seaborn sklearn tensorboardX torch tqdm wandb""".split()
)


def change_by(name: str) -> Change | None:
    """What a function of a library may change, None if nothing.

    Args:
      name: its qualified name.
    """
    known = CHANGES.get(name)
    if known is not None:
        return known
    return None if name.partition(".")[0] in _READING else _ANYTHING
