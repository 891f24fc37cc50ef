"""Calls of what a transform made, and of its methods."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import TransformedCalled
from jitlint.absint.machine.verbs import calls_of, verb
from jitlint.absint.python import narrowing
from jitlint.absint.transforms.custom_rules import define_rules, in_signature_order, run_rules
from jitlint.absint.transforms.declared_static import run_variants
from jitlint.absint.transforms.derivatives import gradient
from jitlint.absint.transforms.traces import trace
from jitlint.absint.transforms.wrapping import called_method
from jitlint.absint.values.domain import (
    STATIC,
    UNKNOWN,
    Transformed,
    Tuple,
    Value,
    base_function,
)
from jitlint.jaxmodel.transforms import COMPILING

#: kinds of functions with rules of their own for derivatives
_WITH_RULES = frozenset({"custom_jvp", "custom_vjp"})


def use_key(made: Transformed) -> tuple[int, int]:
    """Which function a place transforms: a decorator of the project's own transforms many."""
    base = base_function(made.function)
    return id(made.place.node), 0 if base is None else id(base.code)


@calls_of(Transformed)
def _call_in_program(
    it: Interpreter, function: Transformed, args: Arguments, node: cst.CSTNode
) -> Value:
    if it.trace is None:
        it.signal(TransformedCalled(function))
    return call_transformed(it, function, args, node)


def call_transformed(
    it: Interpreter, function: Transformed, args: Arguments, node: cst.CSTNode
) -> Value:
    """Run a transformed function: its arguments become what the transform makes of them."""
    row = it.row(function.transform)
    if row is None:
        return UNKNOWN
    if it.frame.context.disabled and row.name in COMPILING:
        return it.call(function.function, args, node)
    it.called[use_key(function)] = function
    method = called_method(it, function.function)
    if method is not None:
        through = Transformed(method, function.transform, (), function.place)
        it.called[use_key(through)] = through
    has_rules = row.kind in _WITH_RULES
    if has_rules:
        args = in_signature_order(it, function, args)
    with narrowing.settled(it, it.made_under.get(function, {})):
        result = trace(it, function, row, args, node)
    run_variants(it, function, row, args, node)
    if has_rules:
        run_rules(it, function, args, result, node)
    if row.gives == "static":
        return STATIC
    if row.gives == "gradient":
        return gradient(it, function, args, result, node)
    if row.gives == "value_and_gradient":
        return Tuple((result, gradient(it, function, args, UNKNOWN, node)))
    return result


@verb("transformed method")
def _call_method(
    it: Interpreter, name: str, function: Value, args: Arguments, node: cst.CSTNode
) -> Value:
    """``jitted.lower(x)``, ``f.defvjp(fwd, bwd)`` ..."""
    if not isinstance(function, Transformed):
        return UNKNOWN
    if name in ("defvjp", "defjvp", "defjvps", "def_vmap"):
        return define_rules(it, function, name, args)
    if name in ("lower", "trace", "eval_shape"):
        call_transformed(it, function, args, node)
    return UNKNOWN
