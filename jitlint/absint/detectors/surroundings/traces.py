"""What the traces around the code that runs are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitlint.absint.machine.frames import Trace
from jitlint.jaxmodel.transforms import EXPORTING

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def gives_shapes(it: Interpreter, trace: Trace) -> bool:
    """Whether nothing of what is traced is run: ``jax.eval_shape``."""
    row = it.row(trace.transform)
    return row is not None and row.gives == "static" and row.name not in EXPORTING
