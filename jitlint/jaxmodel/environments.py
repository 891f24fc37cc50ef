"""Base classes whose own jitted methods call what subclasses define.

Read in the source of Gymnax 0.0.6 and 1.0.1: ``step`` and ``reset`` of an environment are jitted
with ``self`` as the only static argument, and hand what they are given to these methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct


class JittedCaller(Struct, frozen=True):
    """A method of a base class that is jitted, and calls one that subclasses define.

    Args:
      name: the method of the base class; who overrides it has it jitted or not.
      traced: how many of the first arguments of what it calls are traced whatever it is given.
        What stands behind them may be made in the trace instead, of Python numbers.
    """

    name: str
    traced: int


#: by base class, what calls which method of a subclass
JITTED_CALLERS: Final[Mapping[str, Mapping[str, JittedCaller]]] = {
    "gymnax.environments.environment.Environment": {
        # `key, state, action`; `params` are those of the class where none are passed.
        "step_env": JittedCaller("step", 3),
        "reset_env": JittedCaller("reset", 1),
    },
}
#: all such methods
CALLED: Final = frozenset(name for methods in JITTED_CALLERS.values() for name in methods)
