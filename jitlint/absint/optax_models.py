"""Gradient transformations that a project makes itself and hands to Optax.

Optax calls their functions where a training step calls ``tx.update``; the object that a combinator
gives remembers what it was made of.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint import cst
from jitlint.absint.builtin_models import model
from jitlint.absint.calls import Arguments, call
from jitlint.absint.interpreter import Interpreter, Terminated
from jitlint.absint.values import UNKNOWN, ExternalInstance, Tree, Tuple, Value

TRANSFORMATION: Final = "optax.GradientTransformation"


@model("optax.GradientTransformation", "optax.GradientTransformationExtraArgs")
def _transformation(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    init = args.get(0, "init") or UNKNOWN
    update = args.get(1, "update") or UNKNOWN
    return ExternalInstance(TRANSFORMATION, (("init", init), ("update", update)))


@model("optax.stateless", "optax.stateless_with_tree_map")
def _stateless(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "f") or UNKNOWN
    return ExternalInstance(TRANSFORMATION, (("<stateless>", function),))


def combined(result: Value, args: Arguments) -> Value:
    """The result of an Optax function, with the transformations that it was given."""
    if not isinstance(result, ExternalInstance) or result.cls != TRANSFORMATION:
        return result
    parts = tuple(value for value in args.values() if _is_own(value))
    if not parts:
        return result
    return ExternalInstance(TRANSFORMATION, (("<parts>", Tuple(parts)),))


def _is_own(value: Value) -> bool:
    if not isinstance(value, ExternalInstance) or value.cls != TRANSFORMATION:
        return False
    return bool(value.attributes)


def run_parts(
    it: Interpreter, receiver: Value, name: str, args: Arguments, node: cst.CSTNode
) -> None:
    """Call the project's own functions under a combined transformation."""
    if not isinstance(receiver, ExternalInstance) or name not in ("init", "update"):
        return
    attributes = dict(receiver.attributes)
    own = attributes.get(name)
    parts = attributes.get("<parts>")
    try:
        if own is not None:
            call(it, own, _with_state(args, name), node)
        elif "<stateless>" in attributes and name == "update" and args.positional:
            leaves = [args.positional[0], *args.positional[2:3]]
            call(it, attributes["<stateless>"], Arguments(leaves), node)
        elif isinstance(parts, Tuple):
            for part in parts.items:
                run_parts(it, part, name, args, node)
    except Terminated:
        return


def _with_state(args: Arguments, name: str) -> Arguments:
    """The arguments of one part: the state of the whole is not its own."""
    if name == "init" or len(args.positional) < 2:
        return args
    state = args.positional[1]
    own = state.replace() if isinstance(state, Tree) else UNKNOWN
    return Arguments([args.positional[0], own, *args.positional[2:]], dict(args.keywords))
