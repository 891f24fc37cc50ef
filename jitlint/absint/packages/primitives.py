"""Primitives that a program defines: what binding one to operands gives.

While a trace stages its code out, all that a primitive gives is a tracer, whatever it is bound to;
elsewhere what it is given decides.  Observed under JAX 0.10.2, for one and for several results.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint.library.registry import Call, gives, method, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import level_of
from jitlint.absint.values.domain import UNKNOWN, ExternalInstance, Level, Tree, Value

_PRIMITIVE: Final = "jax.extend.core.Primitive"

model(_PRIMITIVE, "jax.core.Primitive")(gives(ExternalInstance(_PRIMITIVE)))


@method(_PRIMITIVE, "bind")
def _bind(it: Interpreter, call: Call) -> Value:
    staged = it.frame.context.staging
    levels = [level for operand in call.operands if (level := level_of(it, operand)) is not None]
    if not staged and not levels:
        return UNKNOWN
    origin = it.origin(call.node, "a primitive gives traced values here")
    # Whether it gives one array or several is set where it is defined.
    return Tree(Level.ABSTRACT if staged else max(levels), origin=origin)


@method(_PRIMITIVE, "def_impl", "def_abstract_eval", "def_effectful_abstract_eval")
def _define(it: Interpreter, call: Call) -> Value:
    """As decorators they leave the function what it is."""
    return call.first
