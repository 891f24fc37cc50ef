"""Keys for layers that are told not to draw: ``apply(variables, x, rngs=keys, train=False)``."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.detectors.surroundings.written import asked_once, nodes_around
from jitlint.absint.machine.frames import Frame

#: by which layers are told not to draw, with the value that says so
QUIET: Final = {"train": False, "training": False, "is_training": False, "deterministic": True}


@asked_once
def is_for_quiet_layers(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a place is in the keys for a call that tells its layers not to draw.

    Args:
      frame: the function that runs.
      node: an expression in its code.
    """
    code = frame.code
    if code is None or "rngs" not in code.unit.text:
        return False
    return any(
        isinstance(inner, cst.Call)
        and any(
            _is_keyword(arg, "rngs") and frame.parsed.holds(arg.value, node) for arg in inner.args
        )
        and any(
            _is_keyword(arg, name) and isinstance(arg.value, cst.Name) and arg.value.value == said
            for arg in inner.args
            for name, said in _SAID.items()
        )
        for inner in nodes_around(frame)
    )


_SAID: Final = {name: str(value) for name, value in QUIET.items()}


def _is_keyword(arg: cst.Arg, name: str) -> bool:
    return arg.keyword is not None and arg.keyword.value == name
