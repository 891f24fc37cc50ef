"""Names that notebooks and scripts bind anew: first the NumPy version, then the one for JAX.

What a function calls by a name of its module is what the module has bound last by then, and not
what it binds in the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.detectors.surroundings.written import root_name
from jitlint.absint.machine.frames import Frame

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def calls_ahead(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a call, or one that has led to it, takes a name for what it stands for later on."""
    frame = it.frame
    while frame.parent is not None:
        if _is_ahead(it, frame, node):
            return True
        if frame.chain is None:
            return False
        node, frame = frame.chain.step.place.node, frame.parent
    return False


def is_bound_before(it: Interpreter, frame: Frame, name: str) -> bool:
    """Whether code of the module itself runs below which nothing binds a name of it again."""
    running = it.running_unit(frame.module)
    return running is not None and set(running.sides(name)) <= {-1}


def _is_ahead(it: Interpreter, frame: Frame, node: cst.CSTNode) -> bool:
    name = root_name(node.func) if isinstance(node, cst.Call) else None
    if name is None or frame.code is None or name in frame.code.bound_names:
        return False
    if len(it.project.bindings(frame.module, name)) < 2:
        return False
    inside = it.running_unit(frame.module) is not None
    return inside and not is_bound_before(it, frame, name)
