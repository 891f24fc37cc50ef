"""Functions that do nothing with their arguments but hand them on: wrappers of decorators.

``def wrapper(*args, **kwargs): return fun(*args, **kwargs)`` calls ``fun`` as whoever calls the
wrapper calls that: in the same loops, with the same arguments.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import libcst as cst

from jitlint.absint.code.functions import Code, bindings_of
from jitlint.absint.code.syntax import children
from jitlint.absint.limits import CLOSURE_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.signals import FunctionCalled
from jitlint.absint.values.domain import Function, Value
from jitlint.absint.values.heap import Variables

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from jitlint.absint.machine.interpreter import Interpreter

#: what is collected, or handed on
_STARRED: Final = re.compile(r"\*\s*[^\W\d]\w*\s*[,)]")
_REPEATING: Final = (cst.For, cst.While, cst.CompFor)
_SCOPES: Final = (cst.FunctionDef, cst.Lambda, cst.ClassDef)


class Forwarding(NamedTuple):
    """How a function hands its arguments on.

    Args:
      call: the call that is given them.
      function: the name of what is called.
      skipped: how many of its first parameters are not handed on.
    """

    call: cst.Call
    function: str
    skipped: int


def forwarded(it: Interpreter, called: FunctionCalled) -> Iterator[FunctionCalled]:
    """The calls that a call leads to with the same arguments, one within the other.

    Args:
      it: the interpreter.
      called: the call, as the running code makes it.

    Yields:
      A call of what the callee hands its arguments on to, as if it stood in the place of the call.
    """
    for _ in range(CLOSURE_LEVELS):
        inner = _inner(it, called)
        if inner is None:
            return
        yield inner
        called = inner


def _inner(it: Interpreter, called: FunctionCalled) -> FunctionCalled | None:
    args, node = called.args, called.node
    known = forwarding(it, called.function.code)
    target = None if known is None else _target(it, called, known)
    if known is None or type(target) is not Function or not isinstance(node, cst.Call):
        return None
    if not known.skipped:
        return FunctionCalled(target, args, node)
    # Of a method the object, and of a partial what it binds, do not stand in the call.
    bound = len(args.positional) - sum(arg.keyword is None for arg in node.args)
    if bound < 0 or known.skipped > len(args.positional) or any(arg.star for arg in node.args):
        return None
    given = Arguments(
        args.positional[known.skipped :],
        args.keywords,
        nodes=args.nodes[known.skipped :],
        keyword_nodes=args.keyword_nodes,
    )
    written = node.with_changes(args=node.args[max(0, known.skipped - bound) :])
    return FunctionCalled(target, given, written)


def _target(it: Interpreter, called: FunctionCalled, known: Forwarding) -> Value | None:
    """What is called with the arguments: a parameter, or a variable of the functions around."""
    names = called.function.code.parameter_names
    if known.function in names[: known.skipped]:
        number = names.index(known.function)
        given = called.args.positional
        return given[number] if number < len(given) else None
    return _held(it, called.function, known.function)


def _held(it: Interpreter, function: Function, name: str) -> Value | None:
    """What a variable of the functions around holds."""
    for env in function.closure:
        variables = it.contents(env)
        if isinstance(variables, Variables) and name in variables:
            return variables[name]
    return None


def unwrapped(it: Interpreter, function: Function) -> Function:
    """What a function that hands on all its arguments calls, or else the function itself."""
    for _ in range(CLOSURE_LEVELS):
        known = forwarding(it, function.code)
        inner = None if known is None or known.skipped else _held(it, function, known.function)
        if type(inner) is not Function:
            break
        function = inner
    return function


def forwarding(it: Interpreter, code: Code) -> Forwarding | None:
    """How a function hands its arguments on; None where it does anything else with them."""
    if not code.unit.finds(_STARRED) or it.load(code) is None or code.parsed is None:
        return None
    return code.parsed.fact(_forwarding, code)


def _forwarding(code: Code) -> Forwarding | None:
    assert code.node is not None
    parameters = [(each.name, each.kind) for each in code.parameters]
    plain = [name for name, kind in parameters if kind not in ("*", "**")]
    starred = {name: kind for name, kind in parameters if kind in ("*", "**")}
    if not starred:
        return None
    found = [call for call in _calls(code.node.body) if _hands_on(call, starred)]
    if len(found) != 1 or any(_touches(node, starred) for node in code.own_nodes):
        return None
    (call,) = found
    first = [arg.value for arg in call.args if not arg.star]
    names = [each.value for each in first if isinstance(each, cst.Name)]
    skipped = len(plain) - len(names)
    if len(names) != len(first) or skipped < 0 or plain[skipped:] != names:
        return None
    assert isinstance(call.func, cst.Name)
    return Forwarding(call, call.func.value, skipped)


def _touches(node: cst.CSTNode, names: Container[str]) -> bool:
    """Whether a node binds what stars have collected anew, or does something with a part of it."""
    part = node.value if isinstance(node, (cst.Attribute, cst.Subscript)) else None
    taken = isinstance(part, cst.Name) and part.value in names
    return taken or any(name in names for name in bindings_of(node))


def _hands_on(call: cst.Call, starred: dict[str, str]) -> bool:
    """Whether a call of something with a name ends with all that stars have collected."""
    given = [(arg.star, arg.value.value) for arg in call.args if isinstance(arg.value, cst.Name)]
    wanted = [(kind, name) for name, kind in starred.items()]
    ends = sorted(given[-len(wanted) :]) == sorted(wanted) and len(given) == len(call.args)
    return ends and isinstance(call.func, cst.Name) and not any(arg.keyword for arg in call.args)


def _calls(node: cst.CSTNode) -> Iterator[cst.Call]:
    """The calls of a function's own code that run at most once."""
    if isinstance(node, (*_REPEATING, *_SCOPES)):
        return
    if isinstance(node, cst.Call):
        yield node
    for child in children(node):
        yield from _calls(child)
