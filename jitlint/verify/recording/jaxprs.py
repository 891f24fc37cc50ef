"""Programs that a trace has made, as text that a person might still read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from jitlint.verify.recording.real_jax import real_jax

#: a longer program is shown by its beginning
_MOST_OPERATIONS = 400
_MOST_PROGRAM_LINES = 80
_PROGRAM_WIDTH = 160
#: in the text of a program: a number, before its dtype, and where an object lies
_NUMBER = re.compile(r"(?<![\w.])(?:-?[\d.]+(?:e[+-]?\d+)?|-?inf|nan|True|False):(?=\w+\[)")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Program:
    """What a trace made.

    Args:
      text: the jaxpr, not too long.
      substituted: substitutes stood in for values, so that it is one of several.
    """

    text: str
    substituted: bool


def program_text(jaxpr: Any) -> str:
    """A jaxpr as text that a person might still read.

    Args:
      jaxpr: the program, closed or not.
    """
    inner = getattr(jaxpr, "jaxpr", jaxpr)
    number = _operations(inner, _MOST_OPERATIONS + 1)
    if number <= _MOST_OPERATIONS:
        lines = str(jaxpr).splitlines()
    else:
        # To print it whole could take longer than to compile it.
        lines = [str(operation) for operation in inner.eqns[:_MOST_PROGRAM_LINES]]
        lines = [part for line in lines for part in line.splitlines()]
    cut = [line if len(line) <= _PROGRAM_WIDTH else f"{line[:_PROGRAM_WIDTH]}…" for line in lines]
    if len(lines) > _MOST_PROGRAM_LINES or number > _MOST_OPERATIONS:
        more = "more than " if number > _MOST_OPERATIONS else ""
        total = min(number, _MOST_OPERATIONS)
        cut = [*cut[:_MOST_PROGRAM_LINES], f"… ({more}{total} operations in all)"]
    return "\n".join(cut)


def shape_of(jaxpr: Any) -> str:
    """What tells a program from others that do something else, whatever the numbers in them are.

    Args:
      jaxpr: the program, closed.
    """
    inner = jaxpr.jaxpr
    shapes = [str(v.aval) for v in (*inner.invars, *inner.constvars, *inner.outvars)]
    number = _operations(inner, _MOST_OPERATIONS + 1)
    text = str(inner) if number <= _MOST_OPERATIONS else f"{number} {len(inner.eqns)}"
    return _NUMBER.sub("_:", _ADDRESS.sub("", f"{shapes} {text}"))


def _operations(jaxpr: Any, most: int) -> int:
    """How many operations a jaxpr has, with those of the programs inside it; at most ``most``."""
    jax = real_jax()
    found = 0
    left = [jaxpr]
    while left and found < most:
        current = left.pop()
        found += len(current.eqns)
        for operation in current.eqns[:most]:
            for value in jax.tree.leaves(
                list(operation.params.values()), is_leaf=lambda leaf: hasattr(leaf, "eqns")
            ):
                inner = getattr(value, "jaxpr", value)
                if hasattr(inner, "eqns"):
                    left.append(inner)
    return min(found, most)
