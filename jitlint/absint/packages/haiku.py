"""Haiku: functions of modules that become pairs of functions, and what runs within them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import libcst as cst

from jitlint.absint.library.registry import Call, method, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result
from jitlint.absint.packages.pytrees import tree_like
from jitlint.absint.packages.results import tree_result
from jitlint.absint.values.domain import (
    NONE,
    TRUE,
    UNKNOWN,
    Const,
    External,
    ExternalInstance,
    Partial,
    Tree,
    Tuple,
    Value,
)

#: what ``hk.transform`` makes, and what ``hk.multi_transform`` makes
TRANSFORMED: Final = "jitlint.transformed"
_SEVERAL: Final = "haiku.MultiTransformed"
#: how many more arguments ``apply`` takes, and whether it then gives the new state if that changes
_ADAPTERS: Final[Mapping[str, tuple[int, bool | None]]] = {
    "without_apply_rng": (-1, None),
    "without_state": (-1, False),
    "with_empty_state": (1, True),
}


def transformed(function: Value, skip: int, *, stateful: bool, name: str = "") -> ExternalInstance:
    """The object whose ``init`` and ``apply`` run a function of modules.

    Args:
      function: it.
      skip: how many arguments of ``apply`` come before its own: parameters, state, a key.
      stateful: whether ``apply`` gives the new state, too.
      name: of the transform that makes it.
    """
    held = (
        ("function", function),
        ("skip", Const(skip)),
        ("state", Const(stateful)),
        ("transform", Const(name)),
    )
    return ExternalInstance(TRANSFORMED, held)


def adapted(it: Interpreter, made: Value, name: str, node: cst.CSTNode) -> Value | None:
    """``hk.without_apply_rng(made)`` and its like: ``apply`` takes one argument more, or less.

    Args:
      it: the interpreter.
      made: what a transform of Haiku gave.
      name: of the function that adapts it.
      node: the call.

    Returns:
      None for another function, and for what no transform of Haiku made.
    """
    if name not in _ADAPTERS or not isinstance(made, ExternalInstance):
        return None
    if made.cls not in (TRANSFORMED, _SEVERAL):
        return None
    held = dict(made.attributes)
    more, state = _ADAPTERS[name]
    skip, stateful = _skip(held) + more, held["state"] == TRUE if state is None else state
    if made.cls == TRANSFORMED:
        made_by = held["transform"]
        assert isinstance(made_by, Const)
        pair = transformed(held["function"], skip, stateful=stateful, name=made_by.value)
        it.made_here(pair)
        return pair
    return _several(it, held["<init>"], held["<apply>"], skip, stateful, node)


def _skip(held: Mapping[str, Value]) -> int:
    skip = held["skip"]
    assert isinstance(skip, Const)
    return int(skip.value)


@method(TRANSFORMED, "init")
def _init(it: Interpreter, call: Call) -> Value:
    _run_source(it, call)
    it.call(dict(call.receiver.attributes)["function"], call.args.dropped(1), call.node)
    return Tree(array_result(it, call.args.values(), node=call.node).level)


@method(TRANSFORMED, "apply")
def _apply(it: Interpreter, call: Call) -> Value:
    held = dict(call.receiver.attributes)
    _run_source(it, call)
    result = it.call(held["function"], call.args.dropped(_skip(held)), call.node)
    if held["state"] == TRUE:
        return Tuple((result, tree_result(it, (), call.node)))
    return result


def _run_source(it: Interpreter, call: Call) -> None:
    """Run what Haiku itself does in ``init`` and ``apply``, where its source is at hand."""
    name = dict(call.receiver.attributes)["transform"]
    assert isinstance(name, Const)
    it.run_source(name.value, [("", Arguments([UNKNOWN])), (call.name, call.args)], call.node)


@model("haiku.multi_transform", "haiku.multi_transform_with_state")
def _multi_transform(it: Interpreter, call: Call) -> Value:
    """The function gives one that makes the parameters, and a tree of those that use them.

    Haiku runs it anew for each call of one of these; observed under Haiku 0.0.17.
    """
    made = it.call(call.first, Arguments(), call.node)
    if not isinstance(made, Tuple) or len(made.items) != 2:
        return UNKNOWN
    stateful = call.name.endswith("with_state")
    return _several(it, *made.items, 3 if stateful else 2, stateful, call.node)


def _several(
    it: Interpreter, init: Value, apply: Value, skip: int, stateful: bool, node: cst.CSTNode
) -> ExternalInstance:
    def bound(function: Value, name: str) -> Value:
        return it.attribute(transformed(function, skip, stateful=stateful), name, node)

    functions = tree_like(it, apply, lambda function: bound(function, "apply"), node)
    held = (
        ("<apply>", apply),
        ("<init>", init),
        ("apply", bound(apply, "apply") if functions is None else functions),
        ("init", bound(init, "init")),
        ("skip", Const(skip)),
        ("state", Const(stateful)),
    )
    return ExternalInstance(_SEVERAL, held)


model("haiku.to_module")(lambda it, call: Partial(External("jitlint.keep"), (call.first,), ()))


@model("haiku.lift", "haiku.transparent_lift")
def _lift(it: Interpreter, call: Call) -> Value:
    """``hk.lift(inner.init)``: makes the parameters of ``inner`` once, then looks them up.

    What uses them, ``inner.apply``, runs the same function.
    """
    return Partial(External("jitlint.lifted"), (call.first,), ())


model("jitlint.lifted")(lambda it, call: tree_result(it, (), call.node))


@model("haiku.custom_getter")
def _custom_getter(it: Interpreter, call: Call) -> Value:
    """Within ``with hk.custom_getter(f):`` each parameter that is read goes through ``f``."""
    if it.frame.context.staging and call.first != NONE:
        parameter = array_result(it, (), node=call.node)
        given = Arguments([External("jitlint.keep"), parameter, UNKNOWN])
        it.call(call.first, given, call.node)
    return UNKNOWN
