"""Code that asks what a function would give, and goes on without where nobody can tell."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk_own
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import UNKNOWN, Array, External


def asks_for_shapes(it: Interpreter, body: cst.BaseSuite) -> bool:
    """Whether a body calls nothing of the project but through ``jax.eval_shape``: it runs nothing.

    ``try: kind = jax.eval_shape(model, x).dtype`` with ``except Exception: kind = None``.
    """
    asks = False
    for node in walk_own(body):
        if type(node) is not cst.Call:
            continue
        head, _, rest = (dotted(node.func) or "").partition(".")
        called = it.look_up(head) if head else UNKNOWN
        if not isinstance(called, External):
            if not isinstance(called, Array):
                return False
            continue
        row = it.row(f"{called.name}.{rest}" if rest else called.name)
        asks = asks or (row is not None and row.kind == "apply" and row.gives == "static")
    return asks
