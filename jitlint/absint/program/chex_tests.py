"""Tests of Chex: what ``self.variant`` is in a method under ``chex.variants``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.syntax import dotted
from jitlint.absint.values.domain import External

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter

#: the decorators, and whether they choose every variant that they are not told to leave out
_DECORATORS: Final = {"variants": False, "all_variants": True}
#: the variants that trace, the first one first
_TRACING: Final = ("with_jit", "with_pmap")


def variant(it: Interpreter) -> External | None:
    """What ``self.variant`` is while a test runs, None if no variant of it traces anything."""
    frame: Frame | None = it.frame
    while frame is not None:
        node = None if frame.code is None else frame.code.node
        for decorator in node.decorators if isinstance(node, cst.FunctionDef) else ():
            name = _chosen(it, frame, decorator.decorator)
            if name is not None:
                return External(f"chex.variants.{name}")
        frame = frame.parent
    return None


def _chosen(it: Interpreter, frame: Frame, decorator: cst.BaseExpression) -> str | None:
    """The variant that a decorator of Chex chooses."""
    call = decorator if isinstance(decorator, cst.Call) else None
    written = dotted(decorator if call is None else call.func) or ""
    default = _DECORATORS.get(written.rpartition(".")[2])
    if default is None or not _is_of_chex(it, frame, written):
        return None
    given = {
        arg.keyword.value: arg.value.value == "True"
        for arg in (() if call is None else call.args)
        if arg.keyword is not None and isinstance(arg.value, cst.Name)
    }
    return next((name for name in _TRACING if given.get(name, default)), None)


def _is_of_chex(it: Interpreter, frame: Frame, written: str) -> bool:
    """Whether a name is imported from Chex, which tests itself by it, too."""
    it.reads.read(frame.module)
    return any(
        binding.target is not None and binding.target.module.partition(".")[0] == "chex"
        for binding in it.project.bindings(frame.module, written.partition(".")[0])
    )
