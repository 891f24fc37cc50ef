"""``with`` statements whose context manager changes how code runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Context, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.members import class_attribute
from jitlint.absint.values.domain import NONE, UNKNOWN, External, ExternalInstance, Ref, Value

_EAGER = frozenset({"jax.ensure_compile_time_eval", "jax.disable_jit"})


def enter_context(
    it: Interpreter, manager: Value, node: cst.CSTNode
) -> tuple[Value, Callable[[bool], None] | None]:
    """Enter a context manager.

    Returns:
      The value bound by ``as``, and how to leave it, which is told whether the block raised.
    """
    name = manager.cls if isinstance(manager, ExternalInstance) else None
    if isinstance(manager, External):
        name = manager.name
    if name in _EAGER:
        # Operations on constants stay concrete here; what is a tracer already stays one.
        frame = it.frame
        before = frame.context
        disabled = before.disabled or name == "jax.disable_jit"
        frame.context = Context(staging=False, cached=False, disabled=disabled)

        def leave(raised: bool) -> None:
            frame.context = before

        return UNKNOWN, leave
    if isinstance(manager, Ref):
        method = class_attribute(it, manager, "__enter__")
        exit_ = class_attribute(it, manager, "__exit__")
        value = UNKNOWN if method is None else it.call(method, Arguments(), node)
        if exit_ is None:
            return value, None

        def exit_context(raised: bool) -> None:
            # What it is told of an exception is not followed.
            doubt = it.doubting() if raised else nullcontext()
            with doubt, suppress(Terminated):
                it.call(exit_, Arguments([NONE, NONE, NONE]), node)

        return value, exit_context
    if isinstance(manager, ExternalInstance):
        if manager.cls == "jitlint.managed":
            return dict(manager.attributes)["value"], None
        return manager, None
    return UNKNOWN, None
