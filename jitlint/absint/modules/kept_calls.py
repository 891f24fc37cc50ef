"""What calls pass to a function that is kept under a name: in an attribute, or in a dict.

``self._score = jax.jit(score)`` is called as ``self._score(x)``, wherever that stands.  Where code
in sight calls it, and none of it passes a parameter that has a default, that is what it has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.syntax import walk_own
from jitlint.project.named_calls import NamedCall, calls_by_name

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Place
    from jitlint.absint.machine.interpreter import Interpreter


def kept_calls(it: Interpreter, place: Place) -> list[NamedCall]:
    """The visible calls of what is made somewhere, if that is kept under a name.

    Args:
      it: the interpreter.
      place: where it is made.
    """
    return [
        call
        for kept in dict.fromkeys(_kept_as(place))
        for module in it.modules_with(kept)
        for call in calls_by_name(module, kept)
    ]


def leave_out(calls: Collection[NamedCall], name: str, index: int | None) -> bool:
    """Whether there are calls, and all of them leave a parameter at its default.

    Args:
      calls: the calls.
      name: the name of the parameter.
      index: its position among the arguments, None if it is passed by name alone.
    """
    return bool(calls) and not any(call.passes(name, index) for call in calls)


def _kept_as(place: Place) -> Iterator[str]:
    """The names of attributes, and the keys of dicts, that what is made somewhere goes into."""
    node = place.node
    for inner in walk_own(place.parsed.statement):
        if isinstance(inner, cst.Assign) and inner.value is node:
            for target in inner.targets:
                if isinstance(target.target, cst.Attribute):
                    yield target.target.attr.value
        elif isinstance(inner, cst.AnnAssign) and inner.value is node:
            if isinstance(inner.target, cst.Attribute):
                yield inner.target.attr.value
        elif isinstance(inner, cst.DictElement) and inner.value is node:
            key = inner.key
            if isinstance(key, cst.SimpleString) and isinstance(key.evaluated_value, str):
                yield key.evaluated_value
