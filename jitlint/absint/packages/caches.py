"""What JAX says of what it has compiled."""

from __future__ import annotations

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import CacheCleared
from jitlint.absint.values.domain import NONE, Value


@model("jax.clear_caches")
def _clear(it: Interpreter, call: Call) -> Value:
    if it.trace is None:
        it.signal(CacheCleared(None, call.node))
    return NONE
