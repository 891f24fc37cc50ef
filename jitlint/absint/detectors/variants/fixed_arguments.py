"""Where code takes no arrays: lengths of loops, shapes, bounds of slices, tests, options.

What stands there is known to JAX before anything is traced, in whichever function that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.functions import Code, bindings_of
from jitlint.absint.code.syntax import walk
from jitlint.absint.detectors.surroundings.written import bindings, values_in
from jitlint.absint.values.domain import (
    Class,
    Const,
    External,
    Function,
    ModuleValue,
    Static,
    Value,
    members_of,
)
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel import frameworks, functions
from jitlint.jaxmodel.transforms import transform

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def fixed_in(
    it: Interpreter, node: cst.CSTNode, levels: int, home: Code | None = None
) -> Iterator[str]:
    """The names in the code of a function that stand where no array can.

    Args:
      it: the interpreter.
      node: the code.
      levels: of calls that are followed.
      home: the function of a module that it belongs to, None for what stands in the one that runs.
    """
    for inner in walk(node):
        if isinstance(inner, (cst.If, cst.While, cst.IfExp, cst.Assert)):
            yield from values_in(inner.test)
        elif isinstance(inner, cst.BooleanOperation):
            yield from values_in(inner)
        elif isinstance(inner, cst.Slice):
            yield from slicing(inner)
        elif isinstance(inner, cst.Call):
            for value in fixed_arguments(it, inner.func, inner.args, levels, home):
                yield from values_in(value)


def fixed_arguments(
    it: Interpreter,
    func: cst.BaseExpression,
    args: Iterable[cst.Arg],
    levels: int,
    home: Code | None = None,
) -> Iterator[cst.BaseExpression]:
    """The arguments of a call for which arrays are refused, in code of a function as above."""
    given = [arg for arg in args if not arg.star]
    callee = value_named(it, func, home)
    if isinstance(callee, External) and callee.name == "functools.partial" and given:
        yield from fixed_arguments(it, given[0].value, given[1:], levels, home)
    elif isinstance(callee, Function):
        code = it.load(callee.code) if levels else None
        if code is not None and code.node is not None and not callee.closure:
            fixed = frozenset(fixed_in(it, code.node, levels - 1, code))
            fixed = (fixed | it.written(called_by_name, code.node)) - _rebound(code)
            for index, arg in enumerate(given):
                if _name_of(arg, code.parameter_names, index) in fixed:
                    yield arg.value
    elif isinstance(callee, Class):
        for arg in given:
            names = values_in(arg.value)
            if home is None and any(_is_number(it.look_up(name)) for name in names):
                yield arg.value
    else:
        wanted, positional = _facts(callee, func)
        for index, arg in enumerate(given):
            if wanted is None or _name_of(arg, positional, index) in wanted:
                yield arg.value


def array_arguments(
    it: Interpreter, call: cst.Call, home: Code | None = None
) -> list[cst.BaseExpression]:
    """The arguments of a call for which a function of a library is known to take arrays."""
    callee = value_named(it, call.func, home)
    if not isinstance(callee, External) or functions.lookup(callee.name) is None:
        return []
    refused = [*fixed_arguments(it, call.func, call.args, 0, home)]
    return [arg.value for arg in call.args if not arg.star and arg.value not in refused]


def _rebound(code: Code) -> frozenset[str]:
    """The parameters of a function to which it gives other values."""
    assert code.node is not None
    return frozenset(
        target.value for target, _ in bindings(code.node) if isinstance(target, cst.Name)
    )


def _bound_within(node: cst.CSTNode) -> frozenset[str]:
    """The names that are local to a function or to one that is nested in it."""
    found: set[str] = set()
    for inner in walk(node):
        if isinstance(inner, cst.Param):
            found.add(inner.name.value)
        else:
            found.update(bindings_of(inner))
    return frozenset(found)


def value_named(
    it: Interpreter, func: cst.BaseExpression, home: Code | None = None
) -> Value | None:
    """What an expression stands for, as far as names and attributes of modules tell."""
    if isinstance(func, cst.Name):
        if home is None:
            return it.look_up(func.value)
        # A name of a module is only looked up where it may be meant: its code runs for that.
        is_local = home.node is not None and func.value in it.written(_bound_within, home.node)
        return None if is_local else it.attribute(ModuleValue(home.module), func.value, func)
    if not isinstance(func, cst.Attribute):
        return None
    whole = value_named(it, func.value, home)
    if isinstance(whole, ModuleValue):
        return it.attribute(whole, func.attr.value, func)
    return External(f"{whole.name}.{func.attr.value}") if isinstance(whole, External) else None


def _facts(
    callee: Value | None, func: cst.BaseExpression
) -> tuple[frozenset[str] | None, list[str]]:
    """The parameters for which a function of a library takes no arrays, None for all of them.

    Returns:
      They, and the names of all that may be passed by position.
    """
    if isinstance(callee, External):
        if callee.name == "builtins.range":
            return None, []
        fact = functions.lookup(callee.name)
        if fact is not None:
            fixed = {*fact.must_be_static, *fact.unless_given, *fact.documented_static}
            return frozenset(fixed), _positional(fact)
        framework = frameworks.lookup(callee.name)
        if framework is not None:
            return frozenset(framework.must_be_static), []
        row = transform(callee.name)
        if row is not None and row.kind == "wrap":
            return frozenset({*row.options, *_OPTIONS}), ["", *row.options]
        return frozenset(), []
    method = func.attr.value if isinstance(func, cst.Attribute) else ""
    of_array = functions.array_method(method) if method else None
    if of_array is None:
        return frozenset(), []
    names = _positional(of_array)
    if names[:1] == ["args"]:
        # `x.reshape(2, -1)`.
        return (None if "args" in of_array.must_be_static else frozenset()), []
    return frozenset(of_array.must_be_static), names


#: of transforms, whichever of them takes them
_OPTIONS: Final = frozenset(
    "argnums axis_name axis_size donate_argnums in_axes in_shardings in_specs mesh out_axes"
    " out_shardings out_specs static_argnames static_argnums".split()
)


def _positional(fact: functions.FunctionFact) -> list[str]:
    return [parameter.name for parameter in fact.parameters or ()]


def _name_of(arg: cst.Arg, names: list[str], index: int) -> str | None:
    """The parameter that an argument is for."""
    if arg.keyword is not None:
        return arg.keyword.value
    return names[index] if index < len(names) else None


def slicing(node: cst.CSTNode) -> Iterator[str]:
    """The names in the bounds of slices."""
    for inner in walk(node):
        if isinstance(inner, cst.Slice):
            for bound in (inner.lower, inner.upper, inner.step):
                if bound is not None:
                    yield from values_in(bound)


def called_by_name(node: cst.CSTNode) -> frozenset[str]:
    """The names that a piece of code calls."""
    return frozenset(
        inner.func.value
        for inner in walk(node)
        if isinstance(inner, cst.Call) and isinstance(inner.func, cst.Name)
    )


def _is_number(value: Value) -> bool:
    return any(
        isinstance(member, (Const, Static)) and type_name(member) in ("bool", "float", "int", "str")
        for member in members_of(value)
    )
