"""Programs of which next to nothing is left when a clock is read: they are short, by their code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import called_name, dotted, walk
from jitlint.absint.limits import CLOSURE_LEVELS
from jitlint.absint.modules.names import global_value
from jitlint.absint.values.domain import (
    External,
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Transformed,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel import asynchrony

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

#: what runs loops
_LOOPS: Final = frozenset(
    """associative_scan custom_root diffeqsolve fori_loop linear_solve map odeint RNN scan
    while_loop""".split()
)


def is_light(it: Interpreter, function: Transformed) -> bool:
    """Whether all that a function does is over as soon as it is dispatched: it splits keys.

    It calls functions of libraries of that kind alone, and computes nothing besides.
    """
    inner = _unwrapped(function)
    if type(inner) is External:
        return asynchrony.is_light(inner.name)
    code = it.load(inner.code) if isinstance(inner, Function) else None
    return code is not None and code.node is not None and it.written(_is_light, code.node)


def _unwrapped(function: Value) -> Value:
    """What transforms and partials have been made of."""
    while isinstance(function, (Transformed, Partial)):
        function = function.function
    return function


def _is_light(node: cst.CSTNode) -> bool:
    called = [dotted(inner.func) for inner in walk(node) if isinstance(inner, cst.Call)]
    return (
        bool(called)
        and all(name is not None and "." in name and asynchrony.is_light(name) for name in called)
        and not any(isinstance(inner, _COMPUTING) for inner in walk(node))
    )


_COMPUTING: Final = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.For, cst.While)


def is_free_of_loops(it: Interpreter, function: Transformed) -> bool:
    """Whether nothing in a function is seen to run a loop, by its code and what it calls.

    Such a program runs for a fraction of what its compilation takes; a Python loop is unrolled, and
    makes both longer.
    """
    base = base_function(function)
    if base is not None:
        return _is_free(it, base, CLOSURE_LEVELS)
    # `jax.jit(model.apply)` runs the network.
    inner = _unwrapped(function)
    receiver = (
        dict(inner.attributes).get("receiver") if isinstance(inner, ExternalInstance) else None
    )
    network = it.contents(receiver) if isinstance(receiver, Ref) else None
    return isinstance(network, Instance) and not any(
        _runs_loops(unit.calls)
        for units in network.cls.definition.methods.values()
        for unit in units
    )


def _runs_loops(calls: Iterable[str]) -> bool:
    """Whether what a function calls runs loops."""
    return any(name.rpartition(".")[2] in _LOOPS for name in calls)


def _is_free(it: Interpreter, function: Function, levels: int) -> bool:
    loaded = it.load(function.code) if levels else None
    if loaded is None or loaded.node is None:
        return False
    return all(
        _is_short(it, function, loaded, inner, levels)
        for inner in walk(loaded.node)
        if isinstance(inner, cst.Call)
    )


def _is_short(it: Interpreter, function: Function, code: Code, node: cst.Call, levels: int) -> bool:
    """Whether a call in a function runs no loop, as far as anybody knows.

    What libraries other than JAX do, and objects of which nothing is known, is no reason to speak.
    """
    name = dotted(node.func)
    if called_name(node) in _LOOPS:
        return False
    if name is None or "." in name:
        cls, method = code.cls, called_name(node)
        units = cls.methods.get(method, ()) if cls is not None and name == f"self.{method}" else ()
        return not any(_runs_loops(unit.calls) for unit in units)
    if name in code.bound_names:
        # A variable: a network, an array.
        return True
    around = (it.contents(env) for env in function.closure)
    value = next((names[name] for names in around if names and name in names), None)
    base = base_function(global_value(it, code.module, name) if value is None else value)
    return base is None or _is_free(it, base, levels - 1)
