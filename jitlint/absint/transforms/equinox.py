"""Equinox's own ways to trace: rules of its custom derivatives, and primitives with rules.

What they are called with was observed under Equinox 0.13 and JAX 0.10.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import libcst as cst

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import OutOfBudget, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.traces.kinds import kind
from jitlint.absint.traces.operands import traced_operand
from jitlint.absint.traces.running import enter
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    External,
    ExternalInstance,
    Level,
    Transformed,
    Tuple,
    Value,
    base_function,
)
from jitlint.jaxmodel.transforms import Transform

_PRIMITIVE: Final = "equinox.internal.Primitive"


def run_filter_rules(
    it: Interpreter, function: Transformed, args: Arguments, result: Value, node: cst.CSTNode
) -> None:
    """Run the differentiation rules of a function of ``filter_custom_jvp`` or its ``vjp``.

    Args:
      it: the interpreter.
      function: what the transform made.
      args: what it is called with.
      result: what that gave.
      node: the call.
    """
    base = base_function(function)
    if base is None or not it.frame.context.staging:
        return
    registered = it.registered.get(("rules", id(base.code)), ())
    rules = {name: given.positional[0] for name, given in registered if given.positional}
    making = [("", Arguments([UNKNOWN])), *((name, Arguments([UNKNOWN])) for name in rules)]
    it.run_source(function.transform, [*making, ("", args)], node)
    with suppress(Terminated):
        if "def_jvp" in rules:
            primals, tangents = _with_tangents(it, args.positional, node)
            it.call(rules["def_jvp"], Arguments([primals, tangents], args.keywords), node)
    residuals: Value = UNKNOWN
    with suppress(Terminated):
        if "def_fwd" in rules:
            forward = Arguments([UNKNOWN, *args.positional], args.keywords)
            made = it.call(rules["def_fwd"], forward, node)
            if isinstance(made, Tuple) and len(made.items) == 2:
                residuals = made.items[1]
    with suppress(Terminated):
        if "def_bwd" in rules:
            cotangent = _tangent(it, result, node)
            backward = Arguments([residuals, cotangent, UNKNOWN, *args.positional], args.keywords)
            it.call(rules["def_bwd"], backward, node)


def _with_tangents(
    it: Interpreter, primals: Sequence[Value], node: cst.CSTNode
) -> tuple[Value, Value]:
    return Tuple(tuple(primals)), Tuple(tuple(_tangent(it, primal, node) for primal in primals))


def _tangent(it: Interpreter, primal: Value, node: cst.CSTNode) -> Value:
    """The tangent or cotangent of a value; of what is not differentiated it is None.

    Which leaves of a container are differentiated is not known.
    """
    if isinstance(primal, Array):
        return traced_argument(it, primal, Level.ABSTRACT, origin=it.origin(node, "a tangent"))
    return UNKNOWN


# -- primitives -----------------------------------------------------------------------------------


@model(
    "equinox.internal.filter_primitive_def",
    "equinox.internal.filter_primitive_jvp",
    "equinox.internal.filter_primitive_batching",
    "equinox.internal.filter_primitive_transpose",
)
def _rule(it: Interpreter, call: Call) -> Value:
    """A rule, which is called with the very trees that the primitive is bound to."""
    if call.positional:
        return call.first
    return External(f"equinox.internal.{call.name}")


@model("equinox.internal.create_vprim")
def _primitive(it: Interpreter, call: Call) -> Value:
    impl, jvp = call.args.get(1, "impl"), call.args.get(3, "jvp")
    return ExternalInstance(_PRIMITIVE, (("impl", impl or UNKNOWN), ("jvp", jvp or UNKNOWN)))


@kind("bind_primitive")
def _bind(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``filter_primitive_bind(primitive, *args)``."""
    primitive = args.get(0, "prim")
    if not isinstance(primitive, ExternalInstance) or primitive.cls != _PRIMITIVE:
        return UNKNOWN
    rules = dict(primitive.attributes)
    given = args.positional[1:]
    if not it.frame.context.staging:
        # Bound to arrays with values it runs as it is.
        return it.call(rules["impl"], Arguments(given), node)
    note = "an operand of the primitive"
    operands = [
        traced_operand(it, value, args.node(index, "") or node, note, row)
        for index, value in enumerate(given, 1)
    ]
    result = enter(it, row, rules["impl"], operands, node)
    rule = base_function(rules["jvp"])
    if rule is not None and rule.code not in it.stack:
        primals, tangents = _with_tangents(it, operands, node)
        # Where it is bound again to what comes of that, which costs a multiple.
        with suppress(OutOfBudget), it.steps_apart(it.limits.receiver_steps):
            enter(it, row, rules["jvp"], [primals, tangents], node)
    return result
