"""The parameters of a callable, under its wrappers: what a transform is given has them."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.setting import SIGNATURE, is_rewritten
from jitlint.absint.values.domain import (
    BoundMethod,
    Cached,
    Descriptor,
    Dispatched,
    Function,
    Partial,
    Transformed,
    Value,
    base_function,
)
from jitlint.project import bound_calls


def signature(it: Interpreter, function: Value) -> tuple[Code | None, int]:
    """(code, number of leading parameters that are already bound) under a callable."""
    offset = 0
    while True:
        if isinstance(function, Function):
            return it.load(function.code), offset
        if isinstance(function, BoundMethod):
            offset += 1
            function = function.function
        elif isinstance(function, Partial):
            offset += len(function.args)
            function = function.function
        elif isinstance(function, (Transformed, Cached, Dispatched, Descriptor)):
            function = function.function
        else:
            return None, 0


def visible_signature(it: Interpreter, function: Value) -> tuple[Code | None, int]:
    """The signature that JAX sees: of the wrapped function under ``functools.wraps``."""
    code, offset = signature(it, function)
    base = base_function(function)
    original = None if base is None else it.registered.get(("wraps", base))
    if original is not None:
        wrapped, skip = visible_signature(it, original)
        return wrapped, offset + skip
    return code, offset


def says_another(it: Interpreter, function: Value) -> bool:
    """Whether a callable may say of itself that it has other parameters than it is written with."""
    base = base_function(function)
    return base is not None and is_rewritten(it, base.code, SIGNATURE)


def positional_parameters(code: Code | None, offset: int) -> list[Parameter]:
    """The parameters that can be passed by position, but for the leading ones that are bound."""
    if code is None:
        return []
    kinds = ("positional", "positional-only")
    return [p for p in code.parameters if p.kind in kinds][offset:]


def parameter_node(code: Code, parameter: Parameter) -> cst.CSTNode:
    """The node of a parameter in the definition of its function."""
    assert code.node is not None
    params = code.node.params
    for param in (
        *params.posonly_params,
        *params.params,
        *params.kwonly_params,
        params.star_arg,
        params.star_kwarg,
    ):
        if isinstance(param, cst.Param) and param.name.value == parameter.name:
            return param.name
    return code.node


def bound_by_name(code: Code) -> frozenset[str]:
    """The names by which a ``bind(...)`` in the module of a function passes; or ``**``."""
    return code.module.fact(bound_calls.bound_by_name)
