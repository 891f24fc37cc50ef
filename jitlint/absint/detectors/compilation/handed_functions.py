"""Which functions, flags and texts a function has from whoever calls it.

One function that runs what it is given, such as the wrapper of a decorator, does something else for
each of its callers: :class:`~jitlint.absint.detectors.compilation.jit_sites.Call` keeps them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.detectors.surroundings.choices import GIVEN
from jitlint.absint.limits import CLOSURE_LEVELS
from jitlint.absint.modules.defaults import default_value
from jitlint.absint.values.domain import (
    Array,
    BoundMethod,
    Class,
    Const,
    Default,
    External,
    Function,
    Partial,
    Ref,
    Transformed,
    Tuple,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import Variables
from jitlint.project.left_out import WrittenDefault, written_defaults

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.machine.arguments import Arguments
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.absint.machine.signals import FunctionCalled


def closed_over(it: Interpreter, function: Function) -> frozenset[Code]:
    """The functions that a function closes over, and what those close over in their turn."""
    return _functions(it, _taken(it, function.code, function.closure)) - {function.code}


def handed(it: Interpreter, args: Arguments) -> frozenset[Code]:
    """The functions that a call passes, and what those close over."""
    return _functions(it, args.values())


def left_to_defaults(it: Interpreter, function: Function, args: Arguments) -> frozenset[Code]:
    """The functions that are the defaults of what a call leaves out."""
    code = function.code
    found = [value for name, value in function.defaults if not _is_passed(code, name, args)]
    names = {each.name for each in _left_out(it, code, args) if each.named}
    if names and it.load(code) is not None:
        found += [
            default_value(it, code, parameter)
            for parameter in code.parameters
            if parameter.name in names
        ]
    return _functions(it, found)


def held(it: Interpreter) -> frozenset[Code]:
    """The functions that the running one closes over, or was handed."""
    frame = it.frame
    if frame.code is None:
        return frozenset()
    own = it.contents(frame.env) or {}
    given = (own[name] for name in frame.code.parameter_names if name in own)
    return _functions(it, [*given, *_taken(it, frame.code, frame.closure)])


def settings_of_call(it: Interpreter, function: Function, args: Arguments) -> frozenset[str]:
    """The flags and texts that a call gives to parameters, or leaves at their defaults.

    See :func:`~jitlint.absint.detectors.surroundings.choices.settings_for`, which wants them.
    """
    if args.open or args.star is not None or args.star_keywords is not None:
        return frozenset()
    code = function.code
    given = {name: value for name, value in function.defaults if not _is_passed(code, name, args)}
    given |= dict(zip(code.parameter_names, args.positional, strict=False))
    given |= args.keywords
    left = (each for each in _left_out(it, code, args) if each.setting is not None)
    said = ((name, _setting(value)) for name, value in given.items())
    return frozenset(f"{name} {setting}" for name, setting in said if setting is not None).union(
        f"{each.name} {each.setting}" for each in left
    )


def told_by_call(function: Function, args: Arguments) -> frozenset[str]:
    """What a call gives to parameters that tells programs apart: whole numbers, classes, functions.

    Returns:
      ``count 5000`` for a number, ``model class Deep`` for what is called by its name.
    """
    given = dict(zip(function.code.parameter_names, args.positional, strict=False)) | args.keywords
    told = ((name, _told(value)) for name, value in given.items())
    return frozenset(f"{name} {what}" for name, what in told if what is not None)


def _told(value: Value) -> str | None:
    if isinstance(value, Const):
        return repr(value.value) if type(value.value) is int else None
    if isinstance(value, Class):
        return f"class {value.module.name}.{value.definition.qualname}"
    if isinstance(value, Function):
        return f"function {value.code.module.name}.{value.code.qualname}"
    return f"function {value.name}" if isinstance(value, External) else None


def _setting(value: Value) -> str | None:
    """How a flag or a text is written, or what is certainly something else than None."""
    if isinstance(value, Const):
        known = value.value is None or type(value.value) in (bool, str)
        return repr(value.value) if known else None
    return GIVEN if isinstance(value, _THINGS) else None


_THINGS = (Array, BoundMethod, Class, Function, Partial, Ref, Transformed, Tuple)


def _left_out(it: Interpreter, code: Code, args: Arguments) -> Iterator[WrittenDefault]:
    """The parameters that a call leaves out of a function that stands in no other one."""
    if code.qualname == code.unit.qualname:
        for each in it.written(written_defaults, code.unit):
            positional = each.position is not None and each.position < len(args.positional)
            if not positional and each.name not in args.keywords:
                yield each


def _is_passed(code: Code, name: str, args: Arguments) -> bool:
    return name in args.keywords or name in code.parameter_names[: len(args.positional)]


def _taken(it: Interpreter, code: Code, envs: Sequence[int]) -> Iterator[Value]:
    """What the variables of the functions around hold that a function mentions."""
    if not envs or (code.node is None and it.load(code) is None):
        return
    for env in envs:
        variables = it.contents(env)
        if isinstance(variables, Variables):
            yield from (variables[name] for name in code.free_names if name in variables)


def _functions(it: Interpreter, values: Iterable[Value]) -> frozenset[Code]:
    """The functions among some values, and what those close over, level by level."""
    found: set[Code] = set()
    level = values
    for _ in range(CLOSURE_LEVELS):
        below: list[Value] = []
        for value in (member for each in level for member in members_of(each)):
            inner = base_function(value.value if isinstance(value, Default) else value)
            if inner is not None and inner.code not in found:
                found.add(inner.code)
                below += _taken(it, inner.code, inner.closure)
        level = below
    return frozenset(found)


def as_written(called: FunctionCalled) -> cst.CSTNode:
    """The call of a function as if nothing were bound of it: ``partial(f, env)(x)`` as ``f(_, x)``.

    Args:
      called: the call.

    Returns:
      The same call where all that the function is given stands there.
    """
    node = called.node
    if not isinstance(node, cst.Call) or any(arg.star for arg in node.args):
        return node
    code = called.function.code
    asked = isinstance(node.func, cst.Attribute) or code.name == "__init__"
    method = asked and code.cls is not None
    there = sum(arg.keyword is None for arg in node.args) + method
    bound = len(called.args.positional) - there
    # What stands in for what is bound says nothing.
    stands_in = cst.Arg(cst.Integer("0"))
    return node.with_changes(args=(*[stands_in] * bound, *node.args)) if bound > 0 else node
