"""What the text around a name shows of how it got its value."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.modules_written import stands_for_two
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.values.domain import External, Transformed
from jitlint.project.bound_calls import makers


def is_made_by_jax(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether the code around an array shows that a function of JAX, or a compiled one, made it.

    An annotation says `jax.Array` where arrays of NumPy are passed as well.
    """
    module = it.frame.module
    if not isinstance(node, (cst.Name, cst.Attribute)) or module.fact(stands_for_two):
        return False
    made = (dotted_value(it, module, name) for name in makers(it.frame.parsed.unit, it.text(node)))
    return any(
        isinstance(maker, Transformed)
        or (isinstance(maker, External) and maker.name.startswith("jax."))
        for maker in made
    )
