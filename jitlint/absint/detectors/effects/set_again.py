"""Objects whose state whoever began a trace sets again before anybody uses what the trace left."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.syntax import walk
from jitlint.absint.machine.frames import Frame, Trace

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def is_set_again(it: Interpreter, trace: Trace) -> bool:
    """Whether the method that sets something in a trace is called again right after that.

    ``loss, grads = jax.value_and_grad(loss_fn)(params, model, x)``, where ``loss_fn`` calls
    ``model.set_parameters(params)``, and below ``model.set_parameters(params)``: no tracer is left
    in the model when it is used next.

    Args:
      it: the interpreter, at what sets it.
      trace: what the tracer belongs to.
    """
    frames = [*it.active_frames()]
    begun = next((n for n, frame in enumerate(frames) if frame.env == trace.env), None)
    call = trace.node
    if begun is None or not isinstance(call, cst.Call):
        return False
    within = [frame.code for frame in frames[:begun]]
    methods = {code.name for code in within if code is not None and code.cls is not None}
    given = [arg.value.value for arg in call.args if isinstance(arg.value, cst.Name)]
    below = _below(frames[begun], call) if methods else ()
    return any(_is_called_first(below, name, methods) for name in given)


def _below(frame: Frame, node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The statements that follow in the same block."""
    for statement, block in pairwise(frame.parsed.above(node)):
        if isinstance(block, cst.IndentedBlock):
            place = next(n for n, each in enumerate(block.body) if each is statement)
            return block.body[place + 1 :]
    return ()


def _is_called_first(
    statements: Sequence[cst.CSTNode], name: str, methods: Collection[str]
) -> bool:
    """Whether the first use of what an object holds is a call of such a method.

    What another method gives is not asked for above that: ``model.set(params)``.
    """
    for statement in statements:
        named = [
            node for node in walk(statement) if isinstance(node, cst.Name) and node.value == name
        ]
        if not named:
            continue
        called = [
            node
            for node in walk(statement)
            if isinstance(node, cst.Call)
            and isinstance(node.func, cst.Attribute)
            and node.func.value is named[0]
        ]
        if len(named) != 1 or not called:
            return False
        assert isinstance(called[0].func, cst.Attribute)
        if called[0].func.attr.value in methods:
            return True
        if not (isinstance(statement, cst.SimpleStatementLine) and _is_alone(statement, called[0])):
            return False
    return False


def _is_alone(statement: cst.SimpleStatementLine, call: cst.Call) -> bool:
    """Whether a statement is nothing but a call."""
    small = statement.body[0]
    return isinstance(small, cst.Expr) and small.value is call
