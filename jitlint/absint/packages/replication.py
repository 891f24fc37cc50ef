"""Pytrees on several devices, for ``pmap``: each leaf has one dimension more."""

from __future__ import annotations

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result
from jitlint.absint.packages.results import dtype_sort
from jitlint.absint.values.domain import External, Value


@model("flax.jax_utils.replicate", "flax.jax_utils.unreplicate", "jax.device_put_replicated")
def _replicate(it: Interpreter, call: Call) -> Value:
    """A pytree whose leaves are put on all devices, or taken from one of them.

    Each maps one function over the leaves (the source of Flax 0.12.8, and that of JAX 0.8), so
    that what is no leaf stays: ``apply_fn`` of a ``TrainState``.
    """
    leaf = External("jitlint.replicated")
    return it.call(External("jax.tree.map"), Arguments([leaf, call.first]), call.node)


@model("jitlint.replicated")
def _replicated(it: Interpreter, call: Call) -> Value:
    return array_result(it, call.operands, dtype=dtype_sort(call.first), node=call.node)
