"""``try`` statements: which handlers a tracer's refusal would reach, and what they go on with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import libcst as cst

from jitlint.absint.code.functions import target_names
from jitlint.absint.code.syntax import dotted, is_none, walk_own
from jitlint.absint.machine.frames import Terminated, TryFrame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import executes
from jitlint.absint.python.assignment import bind
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    External,
    Static,
    Transformed,
    Tree,
    Tuple,
    Unknown,
    Value,
    members_of,
)
from jitlint.absint.values.heap import State
from jitlint.absint.values.lattice import join_all, join_states
from jitlint.jaxmodel.concretization import ALL_ERRORS, caught_by, is_of_jax
from jitlint.jaxmodel.functions import array_attribute
from jitlint.jaxmodel.transforms import COMPILING

#: the last parts of the names of what logs
_TELLING: Final = frozenset(
    {"critical", "debug", "error", "exception", "info", "log", "print", "warn", "warning"}
)
#: classes that every JAX of these years has
_TYPES: Final = frozenset({"jax.Array", "jax.core.Tracer", "jax.numpy.ndarray", "jnp.ndarray"})
_Handler: TypeAlias = cst.ExceptHandler | cst.ExceptStarHandler


@executes(cst.Try, cst.TryStar)
def _try(it: Interpreter, node: cst.Try | cst.TryStar) -> None:
    guard = _guard_of(it, node)
    if guard is not None:
        it.frame.tries.append(guard)
    try:
        ended, thrown = _run_tried(it, node.body.body)
    finally:
        if guard is not None:
            it.frame.tries.pop()
    if ended is not None and node.orelse is not None:
        ended = it.run_from(ended, node.orelse.body.body)
    handlers = () if it.trace is not None and _only_asks_jax(node.body) else node.handlers
    for handler in handlers:
        with it.branch(thrown.copy()):
            if handler.type is not None:
                it.ev(handler.type)
            if handler.name is not None and type(handler.name.name) is cst.Name:
                bind(it, handler.name.name.value, UNKNOWN)
            if _caught_classes(it, handler) == {"builtins.AttributeError"}:
                _without_what_has(it, node.body)
            caught = it.state
        ended = join_states(ended, it.run_from(caught, handler.body.body))
    if node.finalbody is not None:
        final = node.finalbody.body.body
        if ended is None:
            it.run_from(thrown.copy(), final)
        else:
            ended = it.run_from(ended, final)
    if ended is None:
        raise Terminated
    it.state = ended


def _only_asks_jax(body: cst.BaseSuite) -> bool:
    """Whether a body does nothing but import JAX and ask for its types, which a trace has shown.

    ``import jax`` and ``if isinstance(x, jax.Array): return True``: handlers are for where there is
    no JAX.
    """
    imports = False
    for node in body.body:
        if isinstance(node, cst.If):
            answer = node.body.body[0] if len(node.body.body) == 1 else None
            if node.orelse is not None or not _asks(node.test) or not _answers(answer):
                return False
        elif isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1:
            small = node.body[0]
            if isinstance(small, cst.Import):
                imports = all(dotted(alias.name) in ("jax", "jax.numpy") for alias in small.names)
                if not imports:
                    return False
            elif not (isinstance(small, cst.Return) and _asks(small.value)):
                return False
        else:
            return False
    return imports


def _asks(node: cst.BaseExpression | None) -> bool:
    if type(node) is not cst.Call or dotted(node.func) != "isinstance" or len(node.args) != 2:
        return False
    return dotted(node.args[1].value) in _TYPES


def _answers(node: cst.CSTNode | None) -> bool:
    """Whether a statement returns a constant."""
    small = node.body[0] if isinstance(node, cst.SimpleStatementLine) else node
    return isinstance(small, cst.Return) and isinstance(
        small.value, (cst.Name, cst.SimpleString, cst.Integer)
    )


def _without_what_has(it: Interpreter, body: cst.BaseSuite) -> None:
    """Let variables hold none of what has all that a body asks of them: it does not fail so."""
    variables = it.variables(it.frame.env)
    for node in walk_own(body):
        if type(node) is cst.Attribute and type(node.value) is cst.Name:
            name = node.value.value
            value = variables.get(name)
            if value is not None and array_attribute(node.attr.value) is not None:
                others = [each for each in members_of(value) if not isinstance(each, (Array, Tree))]
                variables[name] = join_all(others, default=UNKNOWN)


def _run_tried(it: Interpreter, body: Sequence[cst.CSTNode]) -> tuple[State | None, State]:
    """Run a body statement by statement; every state between them may reach a handler.

    Returns:
      The state after it, None if no path leaves it; the one in which a handler starts.
    """
    thrown: State = it.state.copy()
    current: State | None = it.state.copy()
    for node in body:
        if current is None:
            break
        current = it.run_from(current, [node])
        if current is not None:
            thrown = join_states(thrown, current.copy()) or thrown
    return current, thrown


def _guard_of(it: Interpreter, node: cst.Try | cst.TryStar) -> TryFrame | None:
    """What the handlers catch of what tracing raises, None if they catch nothing of it."""
    swallows: frozenset[str] = frozenset()
    deliberate = False
    reaches = it.trace is not None
    text = ""
    for handler in node.handlers:
        if _reraises(handler):
            continue
        names = _caught_classes(it, handler)
        if names is None:
            # What nobody knows may be just what tracing raises.
            swallows, deliberate, reaches = ALL_ERRORS, True, True
            continue
        caught = frozenset[str]().union(*map(caught_by, names))
        deliberate = deliberate or any(map(is_of_jax, names))
        if caught and not swallows and handler.type is not None:
            text = it.text(handler.type)
        swallows |= caught
    if not swallows:
        return None
    # What tracing raises in a function that the host calls is wrong there, however careful the
    # host is, unless the host says that it waits for just that, or shows it.
    shows = _only_shows(it, node)
    reaches = reaches or deliberate or shows
    deliberate = (
        deliberate
        or (
            all(_is_probe(inner) for inner in node.body.body)
            and all(_leaves(handler, node.body) for handler in node.handlers)
        )
        or shows
        or _only_tells(it, node)
    )
    return TryFrame(swallows, deliberate, reaches, it.place(node), text)


def _caught_classes(it: Interpreter, handler: _Handler) -> set[str] | None:
    """The qualified names of the classes of libraries that a handler catches.

    Returns:
      The names, of each tuple that a variable may hold; None if it may hold anything.
    """
    if handler.type is None:
        return {"builtins.BaseException"}
    value = it.ev(handler.type)
    classes: list[Value] = []
    for member in members_of(value):
        if isinstance(member, (Static, Unknown)):
            return None
        classes += member.items if isinstance(member, Tuple) else (member,)
    return {cls.name for cls in classes if isinstance(cls, External)}


def _simple(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The statements on a line, or a compound statement alone."""
    return node.body if type(node) is cst.SimpleStatementLine else [node]


def _reraises(handler: _Handler) -> bool:
    return any(type(small) is cst.Raise for small in _simple(handler.body.body[-1]))


def _leaves(handler: _Handler, body: cst.BaseSuite) -> bool:
    """Whether a handler goes another way instead of putting a value in place.

    A number is a value: ``except Exception: return 0.0`` answers for all that can be traced.  None
    is none: ``except TypeError: known = None`` says that it is not known.  What could not be asked
    may go on as it is: ``try: flag = bool(x)`` with ``except TypeError: flag = x``.
    """
    last = _simple(handler.body.body[-1])[-1]
    if isinstance(last, cst.Assign):
        return is_none(last.value) or any(map(last.value.deep_equals, walk_own(body)))
    if isinstance(last, cst.Return) and last.value is not None:
        return not _is_number(last.value)
    return isinstance(last, (cst.Return, cst.Raise, cst.Pass, cst.Continue, cst.Break))


def _only_tells(it: Interpreter, node: cst.Try | cst.TryStar) -> bool:
    """Whether a ``try`` and its handlers do no more than to log: values where there are any."""
    handlers = [line for handler in node.handlers for line in handler.body.body]
    if node.orelse is not None or not all(map(_tells, handlers)):
        return False
    names: set[str] = set()
    for line in node.body.body:
        if _tells(line):
            continue
        for small in _simple(line):
            if not isinstance(small, cst.Assign):
                return False
            names.update(name for each in small.targets for name in target_names(each.target))
    code = it.frame.code
    every = () if code is None else code.own_nodes
    inside = {id(each) for each in walk_own(node.body)}
    return bool(every) and not any(
        isinstance(each, cst.Name) and each.value in names and id(each) not in inside
        for each in every
    )


def _only_shows(it: Interpreter, node: cst.Try | cst.TryStar) -> bool:
    """Whether a lesson shows how something fails: it keeps no result, and prints the error."""
    lines = [small for line in node.body.body if not _tells(line) for small in _simple(line)]
    return (
        it.frame.code is None
        and all(
            handler.name is not None
            and all(map(_tells, handler.body.body))
            and any(map(handler.name.name.deep_equals, walk_own(handler.body)))
            for handler in node.handlers
        )
        and all(_is_tried(it, small) for small in lines)
    )


def _is_tried(it: Interpreter, small: cst.CSTNode) -> bool:
    """Whether a statement changes an element, or calls ``jax.jit(f)(x)``, or ``f(x)`` of that."""
    if isinstance(small, cst.Assign):
        return all(isinstance(each.target, cst.Subscript) for each in small.targets)
    if not isinstance(small, cst.Expr) or not isinstance(small.value, cst.Call):
        return False
    callee = small.value.func
    with it.speculating():
        called = it.ev(callee.func if isinstance(callee, cst.Call) else callee)
    if isinstance(callee, cst.Call):
        return isinstance(called, External) and called.name in COMPILING
    return isinstance(called, Transformed) and called.transform in COMPILING


def _tells(line: cst.CSTNode) -> bool:
    """Whether a line only logs something, or does nothing."""
    return isinstance(line, cst.SimpleStatementLine) and all(
        isinstance(small, cst.Pass)
        or (
            isinstance(small, cst.Expr)
            and isinstance(small.value, cst.Call)
            and (dotted(small.value.func) or "").rpartition(".")[2] in _TELLING
        )
        for small in line.body
    )


def _is_number(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation):
        return _is_number(node.expression)
    return isinstance(node, cst.BaseNumber)


def _is_probe(node: cst.CSTNode) -> bool:
    """Whether a statement only asks if a value is concrete.

    ``n = int(x)`` or ``if np.asarray(x) < 0: raise`` under a ``try`` is how libraries tell a
    tracer from an array: what follows is in the handler on purpose.
    """
    if type(node) is cst.If:
        return node.orelse is None and all(
            type(small) is cst.Raise for line in node.body.body for small in _simple(line)
        )
    if type(node) is not cst.SimpleStatementLine:
        return False
    for small in node.body:
        value = getattr(small, "value", None)
        if not isinstance(small, (cst.Assign, cst.AnnAssign, cst.Expr, cst.Return)):
            return False
        if not isinstance(value, (cst.Call, cst.Name, cst.BaseString)) and value is not None:
            return False
    return True
