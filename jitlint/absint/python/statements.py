"""Execution of statements: flow-sensitive, joined at merges, loops to a fixpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import libcst as cst

from jitlint.absint.code.functions import target_names
from jitlint.absint.code.syntax import walk_own
from jitlint.absint.machine.events import Assertion, Branch, Loop
from jitlint.absint.machine.frames import LoopFrame, Terminated, TryFrame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import CachedCalled, ContentsChanged, ResultDropped
from jitlint.absint.machine.verbs import STATEMENTS, StatementHandler, verb
from jitlint.absint.python import assignment, narrowing, operations
from jitlint.absint.python.partitions import is_choice, split_on
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    Const,
    Descriptor,
    External,
    Function,
    Level,
    Partial,
    Ref,
    Static,
    Transformed,
    Tuple,
    Union,
    Value,
    base_function,
)
from jitlint.absint.values.forwarding import made_anew
from jitlint.absint.values.heap import (
    DictObject,
    Instance,
    ListObject,
    SetObject,
    State,
    Variables,
)
from jitlint.absint.values.lattice import join_states, widen_states

_Handler = TypeVar("_Handler", bound=StatementHandler)


@verb("run")
def run_block(it: Interpreter, statements: Sequence[cst.CSTNode]) -> None:
    """Execute statements in order.

    Raises:
      Terminated: when no path reaches the end of the block.
    """
    for index, statement in enumerate(statements):
        if type(statement) is cst.If or is_choice(statement):
            split = split_on(it, statement)
            if split is not None:
                _run_partitioned(it, *split, statements[index:])
                return
        handler = STATEMENTS.get(type(statement))
        if handler is not None:
            handler(it, statement)


def statement(kind: type[cst.CSTNode]) -> Callable[[_Handler], _Handler]:
    """Register a handler for a statement class."""

    def register(handler: _Handler) -> _Handler:
        STATEMENTS[kind] = handler
        return handler

    return register


def run_from(it: Interpreter, state: State, body: Sequence[cst.CSTNode]) -> State | None:
    """The state after a block that starts in ``state``, None when no path leaves it."""
    before = it.state
    it.state = state
    try:
        run_block(it, body)
        return it.state
    except Terminated:
        return None
    finally:
        it.state = before


def body_of(suite: cst.BaseSuite) -> Sequence[cst.CSTNode]:
    """The statements of an indented block or of a one-line suite."""
    return suite.body


@statement(cst.SimpleStatementLine)
@statement(cst.SimpleStatementSuite)
def _line(it: Interpreter, node: cst.SimpleStatementLine) -> None:
    for small in node.body:
        handler = STATEMENTS.get(type(small))
        if handler is not None:
            handler(it, small)


@statement(cst.Expr)
def _expression(it: Interpreter, node: cst.Expr) -> None:
    if not isinstance(node.value, (cst.SimpleString, cst.ConcatenatedString)):
        it.ev(node.value)
        it.signal(ResultDropped(node.value))


@statement(cst.Assign)
def _assign(it: Interpreter, node: cst.Assign) -> None:
    value = it.ev(node.value)
    for target in node.targets:
        assignment.assign(it, target.target, value, node.value)


@statement(cst.AnnAssign)
def _annotated(it: Interpreter, node: cst.AnnAssign) -> None:
    if node.value is not None:
        assignment.assign(it, node.target, it.ev(node.value), node.value)


@statement(cst.AugAssign)
def _augmented(it: Interpreter, node: cst.AugAssign) -> None:
    left = it.ev(node.target)
    right = it.ev(node.value)
    if type(node.operator) is cst.AddAssign and operations.extend_in_place(it, left, right):
        assert isinstance(left, Ref)
        it.signal(ContentsChanged(left, right, node.target, node.target, "+="))
        return
    if _in_place(it, node, left, right):
        return
    value = operations.binary(
        it, operations.AUGMENTED[type(node.operator)], left, right, node, node.target, node.value
    )
    assignment.assign(it, node.target, value, node)


def _in_place(it: Interpreter, node: cst.AugAssign, left: Value, right: Value) -> bool:
    """Whether the object on the left changes itself: ``dict |= other``, ``__iadd__``."""
    if not isinstance(left, Ref):
        return False
    contents = it.contents(left)
    if isinstance(contents, (DictObject, SetObject)) and type(node.operator) is cst.BitOrAssign:
        it.signal(ContentsChanged(left, right, node.target, node.target, "|="))
        other = it.contents(right) if isinstance(right, Ref) else None
        edited = it.edit(left)
        if isinstance(edited, DictObject):
            if isinstance(other, DictObject):
                edited.items.update(other.items)
            if not isinstance(other, DictObject) or other.rest is not None:
                edited.rest = UNKNOWN
        else:
            edited.element = UNKNOWN
        return True
    name = _IN_PLACE.get(type(node.operator))
    if name is None or not isinstance(contents, Instance):
        return False
    from jitlint.absint.machine.arguments import Arguments
    from jitlint.absint.program.members import class_attribute

    method = class_attribute(it, left, name)
    if method is None:
        return False
    assignment.assign(it, node.target, it.call(method, Arguments([right]), node), node)
    return True


_IN_PLACE = {
    cst.AddAssign: "__iadd__",
    cst.SubtractAssign: "__isub__",
    cst.MultiplyAssign: "__imul__",
    cst.BitOrAssign: "__ior__",
}


@statement(cst.Return)
def _return(it: Interpreter, node: cst.Return) -> None:
    value = NONE if node.value is None else it.ev(node.value)
    it.returns(value)
    raise Terminated


@statement(cst.Raise)
def _raise(it: Interpreter, node: cst.Raise) -> None:
    if node.exc is not None:
        it.ev(node.exc)
    raise Terminated


@statement(cst.Break)
def _break(it: Interpreter, node: cst.Break) -> None:
    if it.frame.loops:
        loop = it.frame.loops[-1]
        loop.breaks = join_states(loop.breaks, it.state)
    raise Terminated


@statement(cst.Continue)
def _continue(it: Interpreter, node: cst.Continue) -> None:
    if it.frame.loops:
        loop = it.frame.loops[-1]
        loop.continues = join_states(loop.continues, it.state)
    raise Terminated


@statement(cst.Assert)
def _assert(it: Interpreter, node: cst.Assert) -> None:
    truth = operations.condition(it, node.test, Assertion)
    if node.msg is not None and truth is not True:
        failed = it.state.copy()
        with it.branch(failed):
            narrowing.assume(it, node.test, False)
            with suppress(Terminated):
                it.ev(node.msg)
    if truth is False:
        raise Terminated
    narrowing.assume(it, node.test, True)


@statement(cst.Del)
def _del(it: Interpreter, node: cst.Del) -> None:
    targets = (
        [element.value for element in node.target.elements]
        if type(node.target) is cst.Tuple
        else [node.target]
    )
    for target in targets:
        if type(target) is cst.Name:
            it.variables(it.frame.env).pop(target.value, None)
        elif type(target) is cst.Subscript:
            owner = it.ev(target.value)
            if isinstance(owner, Ref):
                it.signal(ContentsChanged(owner, None, target, target.value, "deletion"))


@statement(cst.Global)
def _global(it: Interpreter, node: cst.Global) -> None:
    it.frame.globals.update(item.name.value for item in node.names)


@statement(cst.Nonlocal)
def _nonlocal(it: Interpreter, node: cst.Nonlocal) -> None:
    it.frame.outer.update(item.name.value for item in node.names)


@statement(cst.Import)
@statement(cst.ImportFrom)
def _import(it: Interpreter, node: cst.Import | cst.ImportFrom) -> None:
    from jitlint.absint.program.scopes import import_statement

    for name, value in import_statement(it, node):
        assignment.bind(it, name, value)


@statement(cst.FunctionDef)
def _function(it: Interpreter, node: cst.FunctionDef) -> None:
    from jitlint.absint.python.calls import make_function

    code = it.store.of_node(node, it.frame.parsed, it.frame.qualname)
    if it.frame.code is None and it.frame.parsed.unit.cls is not None:
        code.cls = it.frame.parsed.unit.cls
    value: Value = make_function(it, code)
    assignment.bind(it, node.name.value, decorate(it, value, node.decorators))


@statement(cst.ClassDef)
def _class(it: Interpreter, node: cst.ClassDef) -> None:
    # A class made inside a function: its methods would need an index of their own; unknown.
    assignment.bind(it, node.name.value, UNKNOWN)


@verb("decorate")
def decorate(it: Interpreter, value: Value, decorators: Sequence[cst.Decorator]) -> Value:
    """Apply decorators, innermost first."""
    from jitlint.absint.machine.arguments import Arguments

    for decorator in reversed(decorators):
        wrapper = it.ev(decorator.decorator)
        if isinstance(wrapper, External) and wrapper.name.startswith("builtins."):
            kind = wrapper.name.removeprefix("builtins.")
            if kind in ("property", "staticmethod", "classmethod"):
                value = Descriptor(kind, value)
                continue
        if isinstance(wrapper, External) and wrapper.name in _TRANSPARENT:
            if wrapper.name in _PROPERTIES:
                base = base_function(value)
                if base is not None:
                    # Its body runs once for each object.
                    it.signal(CachedCalled(base.code))
                value = Descriptor("cached_property", value)
            continue
        if isinstance(value, Descriptor):
            # `@jax.jit` above `@staticmethod`: the descriptor's function is what runs.
            inner = it.call(wrapper, Arguments([value.function]), decorator.decorator)
            value = Descriptor(value.kind, inner)
        else:
            value = it.call(wrapper, Arguments([value]), decorator.decorator)
    return value


_PROPERTIES = frozenset({"functools.cached_property"})
#: decorators that leave what the function computes as it is
_TRANSPARENT = frozenset(
    {
        "abc.abstractmethod",
        "functools.cached_property",
        "typing.no_type_check",
        "typing.final",
        "typing.override",
        "typing.overload",
        "typing_extensions.override",
        "typing_extensions.final",
        "typing_extensions.deprecated",
        "warnings.deprecated",
        "flax.linen.compact",
        "flax.linen.nowrap",
        "haiku.transparent",
        "haiku.name_like",
        "jaxtyping.jaxtyped",
        "beartype.beartype",
        "typeguard.typechecked",
        "chex.assert_max_traces",
        "jax.named_scope",
        "jax.named_call",
        "jax.profiler.annotate_function",
    }
)


# -- branches -------------------------------------------------------------------------------------


@statement(cst.If)
def _if(it: Interpreter, node: cst.If) -> None:
    then, otherwise = _branch_states(it, node)
    ended = None if then is None else run_from(it, then, body_of(node.body))
    other = None if otherwise is None else _run_else(it, otherwise, node)
    merged = join_states(ended, other)
    if merged is None:
        raise Terminated
    it.state = merged


def _branch_states(it: Interpreter, node: cst.If) -> tuple[State | None, State | None]:
    """The states in which the two branches start, None for one that is never taken."""
    truth = operations.condition(it, node.test, Branch, construct=_if_word(it, node))
    then = otherwise = None
    if truth is not False:
        then = _assuming(it, node.test, True)
    if truth is not True:
        otherwise = _assuming(it, node.test, False)
    return then, otherwise


def _assuming(it: Interpreter, test: cst.BaseExpression, truth: bool) -> State:
    """A copy of the current state in which a test has come out one way."""
    before = it.state
    it.state = before.copy()
    try:
        narrowing.assume(it, test, truth)
        return it.state
    finally:
        it.state = before


def _run_else(it: Interpreter, state: State, node: cst.If) -> State | None:
    if node.orelse is None:
        return state
    if type(node.orelse) is cst.If:
        it.syntax.setdefault(("elif", id(node.orelse)), node.orelse)
        return run_from(it, state, [node.orelse])
    return run_from(it, state, body_of(node.orelse.body))


def _if_word(it: Interpreter, node: cst.If) -> str:
    return "elif" if ("elif", id(node)) in it.syntax else "if"


def _run_partitioned(
    it: Interpreter, key: str, atom: cst.BaseExpression, statements: Sequence[cst.CSTNode]
) -> None:
    it.frame.partitions += 1
    merged: State | None = None
    for truth in (True, False):
        start = it.state.copy()
        start.assumed[key] = truth
        with it.branch(start):
            narrowing.assume(it, atom, truth)
            start = it.state
        merged = join_states(merged, run_from(it, start, statements))
    if merged is None:
        raise Terminated
    it.state = merged


# -- loops ----------------------------------------------------------------------------------------


@statement(cst.For)
def _for(it: Interpreter, node: cst.For) -> None:
    iterable = it.ev(node.iter)
    element, items = operations.iterate(it, iterable, node.iter)
    if items is not None and len(items) == 0:
        _loop_else(it, node)
        return
    certain = items is not None
    if isinstance(element, Tuple):
        element = _told_apart(it, node, element)

    def turn() -> None:
        assignment.assign(it, node.target, element, node.iter)

    if items is not None and len(items) <= 4 and not all(item == items[0] for item in items):
        _unrolled(it, node, items)
        return
    _loop(it, node, turn, None, runs_once=certain)


def _told_apart(it: Interpreter, node: cst.For, element: Tuple) -> Tuple:
    """The parts of an element of which a loop asks one what to do with another.

    ``for kind, function in TABLE.items(): if kind == "mesh": ...``: not every function of the table
    gets to every call.
    """
    targets = node.target
    if not isinstance(targets, cst.Tuple) or not any(map(_are_callables, element.items)):
        return element
    names = [part.value.value for part in targets.elements if isinstance(part.value, cst.Name)]
    tests = (inner.test for inner in walk_own(node.body) if isinstance(inner, (cst.If, cst.IfExp)))
    asked = {
        inner.value
        for test in tests
        for inner in walk_own(test)
        if isinstance(inner, cst.Name) and inner.value in names
    }
    if len(names) != len(element.items) or not asked:
        return element
    return Tuple(
        tuple(
            Union(item.members, exclusive=True)
            if isinstance(item, Union) and _are_callables(item) and asked != {name}
            else item
            for name, item in zip(names, element.items, strict=True)
        ),
        element.cls,
    )


def _are_callables(value: Value) -> bool:
    return isinstance(value, Union) and all(
        isinstance(member, (Function, BoundMethod, Partial, Transformed))
        for member in value.members
    )


def _unrolled(it: Interpreter, node: cst.For, items: Sequence[Value]) -> None:
    """A short loop over unlike things, turn by turn."""
    loop = LoopFrame()
    it.frame.loops.append(loop)
    it.frame.turns.append(node)
    try:
        state: State | None = it.state
        for item in items:
            if state is None:
                break
            it.state = state
            assignment.assign(it, node.target, item, node.iter)
            loop.continues = None
            ended = run_from(it, it.state, body_of(node.body))
            state = join_states(ended, loop.continues)
    finally:
        it.frame.loops.pop()
        it.frame.turns.pop()
    if state is not None:
        it.state = state
        _loop_else(it, node)
        state = it.state
    state = join_states(state, loop.breaks)
    if state is None:
        raise Terminated
    it.state = state


@statement(cst.While)
def _while(it: Interpreter, node: cst.While) -> None:
    _loop(it, node, None, node.test, runs_once=False)


def _loop(
    it: Interpreter,
    node: cst.For | cst.While,
    turn: Any,
    test: cst.BaseExpression | None,
    *,
    runs_once: bool,
) -> None:
    _let_go(it, node)
    entry = it.state
    head = entry.copy()
    exits: State | None = None
    for round_ in range(it.limits.loop_rounds):
        loop = LoopFrame()
        it.frame.loops.append(loop)
        it.frame.turns.append(node)
        try:
            it.state = head.copy()
            truth: bool | None = None
            if test is not None:
                truth = operations.condition(it, test, Loop)
                exits = None if truth is True else it.state.copy()
                if exits is not None:
                    with it.branch(exits):
                        narrowing.assume(it, test, False)
                        exits = it.state
                if truth is False:
                    loop.breaks = None
                    break
                narrowing.assume(it, test, True)
            else:
                exits = it.state.copy()
                turn()
            ended = run_from(it, it.state, body_of(node.body))
        except Terminated:
            ended = None
        finally:
            it.frame.loops.pop()
            it.frame.turns.pop()
        back = join_states(ended, loop.continues)
        if back is None:
            if runs_once and round_ == 0:
                exits = None
            break
        merged = join_states(head, back)
        assert merged is not None
        _prefer_traced(head, back, merged)
        if merged.heap == head.heap:
            if test is None and round_ == 0 and runs_once:
                exits = back
            break
        if round_ >= it.limits.loop_rounds - 2:
            merged = widen_states(head, merged)
        if runs_once and test is None:
            exits = back
        head = merged
    else:
        loop = LoopFrame()
    after: State | None = None
    if exits is not None:
        it.state = exits
        _loop_else(it, node)
        after = it.state
    after = join_states(after, loop.breaks)
    if after is None:
        raise Terminated
    it.state = after


def _let_go(it: Interpreter, node: cst.For | cst.While) -> None:
    """Operands of a body that a loop binds anew are no longer those that the body was given."""
    contents = it.contents(it.frame.env)
    held = [
        (name, made)
        for name, value in (contents.items() if isinstance(contents, Variables) else ())
        if (made := made_anew(value)) is not value
    ]
    for name, made in held:
        if name in _bound_within(it, node):
            it.variables(it.frame.env)[name] = made


def _bound_within(it: Interpreter, node: cst.For | cst.While) -> frozenset[str]:
    known: frozenset[str] | None = it.syntax.get(("bound", id(node)))
    if known is None:
        targets = (
            inner.target
            for inner in walk_own(node)
            if isinstance(inner, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For))
        )
        names = (name for target in targets for name in target_names(target))
        known = it.syntax[("bound", id(node))] = frozenset(names)
    return known


def _prefer_traced(head: State, back: State, merged: State) -> None:
    """A number that a turn of the loop makes traced is traced from the second turn on."""
    for id_, after in back.heap.items():
        before = head.heap.get(id_)
        if before is None or before is after:
            continue
        if isinstance(after, Variables):
            for name in _turned(before, after):
                merged.edit(id_)[name] = after[name]
        elif isinstance(after, Instance):
            for name in _turned(before.attributes, after.attributes):
                merged.edit(id_).attributes[name] = after.attributes[name]
        elif isinstance(after, DictObject):
            for name in _turned(before.items, after.items):
                merged.edit(id_).items[name] = after.items[name]
        elif isinstance(after, ListObject) and after.items and before.items:
            numbered = _turned(dict(enumerate(before.items)), dict(enumerate(after.items)))
            for index in numbered:
                items = list(merged.edit(id_).items or ())
                if index < len(items):
                    items[index] = after.items[index]
                    merged.edit(id_).items = tuple(items)


def _turned(before: Mapping[Any, Value], after: Mapping[Any, Value]) -> list[Any]:
    """The entries that were numbers before the turn and are traced after it."""
    return [
        name
        for name, value in after.items()
        if isinstance(value, Array)
        and value.level is not Level.CONCRETE
        and isinstance(before.get(name), (Const, Static))
        and before.get(name) != NONE
    ]


def _loop_else(it: Interpreter, node: cst.For | cst.While) -> None:
    if node.orelse is not None:
        run_block(it, body_of(node.orelse.body))


# -- exceptions -----------------------------------------------------------------------------------

#: handler classes that catch what tracing raises, with the errors they catch
_TYPE_ERRORS = frozenset(
    {
        "ConcretizationTypeError",
        "TracerBoolConversionError",
        "TracerArrayConversionError",
        "TracerIntegerConversionError",
        "JAXTypeError",
        "TypeError",
    }
)
_ALL_ERRORS = _TYPE_ERRORS | {
    "NonConcreteBooleanIndexError",
    "IndexError",
    "ValueError",
    "AttributeError",
}
_SWALLOWS = {
    "builtins.TypeError": _TYPE_ERRORS,
    "builtins.Exception": _ALL_ERRORS,
    "builtins.BaseException": _ALL_ERRORS,
    "builtins.IndexError": frozenset({"NonConcreteBooleanIndexError", "IndexError"}),
}


@statement(cst.Try)
@statement(cst.TryStar)
def _try(it: Interpreter, node: cst.Try | cst.TryStar) -> None:
    guard = _try_guard(it, node)
    start = it.state.copy()
    if guard is not None:
        it.frame.tries.append(guard)
    try:
        states: list[State] = [start]
        ended = _run_tried(it, it.state.copy(), body_of(node.body), states)
    finally:
        if guard is not None:
            it.frame.tries.pop()
    if ended is not None and node.orelse is not None:
        ended = run_from(it, ended, body_of(node.orelse.body))
    thrown: State | None = None
    for state in states:
        thrown = join_states(thrown, state)
    assert thrown is not None
    for handler in node.handlers:
        caught = thrown.copy()
        with it.branch(caught):
            if handler.type is not None:
                it.ev(handler.type)
            if handler.name is not None and type(handler.name.name) is cst.Name:
                assignment.bind(it, handler.name.name.value, UNKNOWN)
            caught = it.state
        ended = join_states(ended, run_from(it, caught, body_of(handler.body)))
    if node.finalbody is not None:
        final = body_of(node.finalbody.body)
        if ended is None:
            run_from(it, thrown.copy(), final)
        else:
            ended = run_from(it, ended, final)
    if ended is None:
        raise Terminated
    it.state = ended


def _run_tried(
    it: Interpreter, state: State, body: Sequence[cst.CSTNode], states: list[State]
) -> State | None:
    """Run a body statement by statement; every state between them may reach a handler."""
    current: State | None = state
    for node in body:
        if current is None:
            break
        current = run_from(it, current, [node])
        if current is not None:
            states.append(current.copy())
    return current


def _try_guard(it: Interpreter, node: cst.Try | cst.TryStar) -> TryFrame | None:
    swallows: set[str] = set()
    deliberate = False
    place = None
    text = ""
    for handler in node.handlers:
        if _reraises(handler):
            continue
        classes = [UNKNOWN] if handler.type is None else _classes(it, handler.type)
        names = (
            {"builtins.BaseException"}
            if handler.type is None
            else {value.name for value in classes if isinstance(value, External)}
        )
        caught: set[str] = set()
        for name in names:
            caught |= _SWALLOWS.get(name, frozenset())
            if name.startswith(("jax.errors.", "jax.core.")):
                caught |= _ALL_ERRORS
                deliberate = True
        if caught:
            swallows |= caught
            if place is None:
                place = it.place(node)
                text = "" if handler.type is None else it.text(handler.type)
    if place is None:
        return None
    deliberate = deliberate or (
        all(_is_probe(inner) for inner in body_of(node.body))
        and all(_leaves(handler) for handler in node.handlers)
    )
    return TryFrame(frozenset(swallows), deliberate, place, text)


def _leaves(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
    """Whether a handler goes another way instead of putting a value in place."""
    last = body_of(handler.body)[-1]
    if type(last) is cst.SimpleStatementLine:
        last = last.body[-1]
    return isinstance(last, (cst.Return, cst.Raise, cst.Pass, cst.Continue, cst.Break))


def _is_probe(node: cst.CSTNode) -> bool:
    """Whether a statement only asks if a value is concrete.

    ``n = int(x)`` or ``if np.asarray(x) < 0: raise`` under a ``try`` is how libraries tell a
    tracer from an array: what follows is in the handler on purpose.
    """
    if type(node) is cst.If:
        return node.orelse is None and all(
            type(small) is cst.Raise
            for line in body_of(node.body)
            for small in (line.body if type(line) is cst.SimpleStatementLine else [line])
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


def _classes(it: Interpreter, node: cst.BaseExpression) -> list[Value]:
    value = it.ev(node)
    return list(value.items) if isinstance(value, Tuple) else [value]


def _reraises(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
    body = body_of(handler.body)
    last = body[-1] if body else None
    if type(last) is cst.SimpleStatementLine:
        return any(type(small) is cst.Raise for small in last.body)
    return type(last) is cst.Raise


@statement(cst.With)
def _with(it: Interpreter, node: cst.With) -> None:
    from jitlint.absint.python.contexts import enter_context

    restore = []
    for item in node.items:
        manager = it.ev(item.item)
        value, undo = enter_context(it, manager, item.item)
        restore.append(undo)
        if item.asname is not None:
            assignment.assign(it, item.asname.name, value, item.item)
    returned = it.frame.return_state
    raised = True
    try:
        run_block(it, body_of(node.body))
        raised = False
    finally:
        raised = raised and it.frame.return_state is returned
        for undo in reversed(restore):
            if undo is not None:
                undo(raised)


@statement(cst.Match)
def _match(it: Interpreter, node: cst.Match) -> None:
    from jitlint.absint.python.patterns import run_match

    run_match(it, node)
