"""Programs of which next to nothing is left when a clock is read: they are short, by their code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import called_name, children, dotted, walk
from jitlint.absint.limits import CALLED_LEVELS, CLOSURE_LEVELS
from jitlint.absint.modules.names import global_value
from jitlint.absint.values.domain import (
    External,
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Static,
    Transformed,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel import asynchrony

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

#: says whether something is looked for, by the name of a callee, and its call where that is seen
_Wanted: TypeAlias = Callable[[str, cst.Call | None], bool]
#: what runs loops
_LOOPS: Final = frozenset(
    """associative_scan custom_root diffeqsolve fori_loop linear_solve map odeint RNN scan
    while_loop muzero_policy gumbel_muzero_policy stochastic_muzero_policy""".split()
)
#: how the names end of what calls the host while a program runs; Equinox does so to raise errors,
#: and Diffrax by it, unless it is told not to throw any
_CALLBACKS: Final = ("debug.print", "debug.callback", "io_callback", "pure_callback", "id_tap")
_RAISING: Final = ("error_if", "diffeqsolve")


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
        return not _reaches(it, base, _runs_loop, CLOSURE_LEVELS, surely=False)
    # `jax.jit(model.apply)` runs the network.
    inner = _unwrapped(function)
    receiver = (
        dict(inner.attributes).get("receiver") if isinstance(inner, ExternalInstance) else None
    )
    network = it.contents(receiver) if isinstance(receiver, Ref) else None
    return isinstance(network, Instance) and not any(
        _runs_loop(name)
        for units in network.cls.definition.methods.values()
        for unit in units
        for name in unit.calls
    )


def calls_back(it: Interpreter, function: Transformed | None) -> bool:
    """Whether a function surely calls back to the host as it runs: ``jax.debug.print``.

    The CPU runs such a program before its call returns: 3.800 of 3.800 s seen by the clock under
    JAX 0.10.2, where 0.41 of 3.20 s were without the callback.  Not if an argument is yet to come:
    0.003 of 0.036 s with an array of NumPy of 51 MB, 0.0045 of 0.0046 s with one of JAX.  Of
    ``diffeqsolve`` 81.8 of 81.9 ms were seen, and 0.2 of 87.0 with ``throw=False``.
    """
    base = None if function is None else base_function(function)
    return base is not None and _reaches(it, base, _calls_host, CALLED_LEVELS, surely=True)


def is_given_numpy(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a call is given an array of NumPy under a name."""
    given = [arg.value for arg in node.args] if isinstance(node, cst.Call) else []
    values = [it.look_up(name.value) for name in given if isinstance(name, cst.Name)]
    return any(isinstance(value, Static) and value.type == "ndarray" for value in values)


def _runs_loop(name: str, call: cst.Call | None = None) -> bool:
    return name.rpartition(".")[2] in _LOOPS


def _calls_host(name: str, call: cst.Call | None = None) -> bool:
    return name.endswith(_CALLBACKS) or (name.endswith(_RAISING) and not _is_quiet(call))


def _is_quiet(call: cst.Call | None) -> bool:
    """Whether a solver is told to raise no error, or nobody knows."""
    return call is None or any(
        arg.star or (arg.keyword is not None and arg.keyword.value == "throw") for arg in call.args
    )


def _reaches(
    it: Interpreter, function: Function, wanted: _Wanted, levels: int, *, surely: bool
) -> bool:
    """Whether a function calls something, or functions of the project that it calls or hands on.

    What libraries other than JAX do, and objects of which nothing is known, is not known to.

    Args:
      it: the interpreter.
      function: the function.
      wanted: whether the name of a callee, and its call, are what is looked for.
      levels: how many calls deep to look.
      surely: whether only what runs under no condition of Python counts; else all that may run.
    """
    code = it.load(function.code) if levels else None
    if code is None or code.node is None:
        return not (levels or surely)
    for node in _unconditional(code.node) if surely else walk(code.node):
        if not isinstance(node, cst.Call):
            continue
        name = dotted(node.func) or called_name(node)
        if wanted(name, node):
            return True
        if not surely and any(wanted(each, None) for each in _called_by_method(code, name)):
            return True
        for each in (node.func, *(arg.value for arg in node.args)):
            held = _held(it, function, code, each)
            found = (_reaches(it, one, wanted, levels - 1, surely=surely) for one in held)
            if held and (all(found) if surely else any(found)):
                return True
    return False


def _unconditional(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A tree without what a condition of Python, or an error, decides about."""
    yield node
    for child in () if isinstance(node, _CONDITIONAL) else children(node):
        yield from _unconditional(child)


_CONDITIONAL: Final = (cst.If, cst.IfExp, cst.BooleanOperation, cst.ExceptHandler, cst.Match)


def _called_by_method(code: Code, name: str) -> Iterator[str]:
    """What a method of the same object calls: ``self.step``."""
    method = name.removeprefix("self.")
    if method != name and code.cls is not None:
        yield from chain(*(unit.calls for unit in code.cls.methods.get(method, ())))


def _held(
    it: Interpreter, function: Function, code: Code, node: cst.BaseExpression
) -> Sequence[Function]:
    """The function of the project that a name in the code of another stands for, or one of some."""
    if not isinstance(node, cst.Name) or node.value in code.bound_names:
        # A variable: a network, an array, a function that is nested and looked at anyway.
        return ()
    around = (it.contents(env) for env in function.closure)
    value = next((names[node.value] for names in around if names and node.value in names), None)
    if value is None:
        value = global_value(it, code.module, node.value)
    found = [base_function(member) for member in members_of(value)]
    return [each for each in found if each is not None] if None not in found else ()
