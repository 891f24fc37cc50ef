"""``with`` statements: entering and leaving context managers, which may change how code runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial
from operator import is_not

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.blocks import BlockLeft
from jitlint.absint.machine.clock_signals import TimerStarted, TimerStopped
from jitlint.absint.machine.frames import Block, Context, Ending, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import executes
from jitlint.absint.program.special_methods import call_special
from jitlint.absint.python.assignment import assign
from jitlint.absint.python.expectations import guard_of, is_expectation
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Const,
    External,
    ExternalInstance,
    Ref,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import Instance

#: measures what runs in its block: a magic of IPython
TIMER = "jitlint.managed.timer"
#: only binds something: ``contextlib.nullcontext(value)``, ``contextlib.closing(value)``
BINDING = "jitlint.managed.value"
#: have other context managers entered until their own block ends
EXIT_STACKS = frozenset({"contextlib.ExitStack", "contextlib.AsyncExitStack"})
_EAGER = frozenset({"jax.ensure_compile_time_eval", "jax.disable_jit"})


@executes(cst.With)
def _with(it: Interpreter, node: cst.With) -> None:
    _enter_from(it, node, 0)


def _enter_from(it: Interpreter, node: cst.With, first: int) -> None:
    """Enter the managers of a ``with`` from one on, and run its block."""
    restore = []
    swallows = False
    frame = it.frame
    exits = frame.exits
    raised = True
    expected = False
    try:
        for index, item in enumerate(node.items[first:], start=first):
            manager, deferred = _manager_of(it, item.item)
            swallows = swallows or _may_swallow(manager)
            expected = expected or is_expectation(manager)
            if deferred is not None:
                _run_within(it, deferred, node, index)
                break
            value, undo = enter(it, manager, _place_of(manager, item.item, node.body))
            restore.append(undo)
            if item.asname is not None:
                assign(it, item.asname.name, value, item.item)
        else:
            it.run(node.body.body)
        raised = False
    except Terminated:
        raised = not any(map(is_not, frame.exits, exits))
        if not (swallows and raised) or (frame.ending is Ending.TRACED and not expected):
            raise
    finally:
        for undo in reversed(restore):
            if undo is not None:
                undo(raised)


def _manager_of(
    it: Interpreter, node: cst.BaseExpression
) -> tuple[Value, tuple[Value, Arguments] | None]:
    """What a ``with`` enters, and the call that is yet to be made where a generator manages it.

    In a trace only: what measures the blocks of host code is found in other ways.
    """
    if it.trace is None or type(node) is not cst.Call:
        return it.ev(node), None
    before = it.deferring, it.deferred
    it.deferring, it.deferred = node, None
    try:
        manager = it.ev(node)
        return manager, it.deferred
    finally:
        it.deferring, it.deferred = before


def _run_within(
    it: Interpreter, deferred: tuple[Value, Arguments], node: cst.With, index: int
) -> None:
    """Run the block of a ``with``, and managers that are entered later, where a generator yields.

    Args:
      it: the interpreter.
      deferred: the generator, and what it is given.
      node: the ``with``.
      index: which of its managers that is.
    """
    function, args = deferred
    item = node.items[index]
    base = base_function(function)
    assert base is not None
    left = BlockLeft(it.frame)

    def block(value: Value) -> None:
        if item.asname is not None:
            assign(it, item.asname.name, value, item.item)
        _enter_from(it, node, index + 1)

    def run(value: Value) -> None:
        left.after(it, managed, partial(block, value))

    managed = it.block = Block(base.code, run)
    try:
        made = it.call(function, args, item.item)
    except Terminated:
        if not left.entered:
            raise
        made = UNKNOWN
    finally:
        it.block = None
    if not left.entered:
        # It is not looked into, or never yields.
        value, _ = it.iterate(made, item.item)
        undo = _enter_block(it, function, item.item)
        try:
            block(value)
        finally:
            if undo is not None:
                undo(False)
        return
    left.go_on(it, managed)


def _place_of(manager: Value, node: cst.CSTNode, body: cst.BaseSuite) -> cst.CSTNode:
    """Where entering a context manager is told of: of a magic on one row, at what it runs."""
    is_timer = isinstance(manager, ExternalInstance) and manager.cls == TIMER
    return body.body[0] if is_timer and isinstance(body, cst.SimpleStatementSuite) else node


def _may_swallow(manager: Value) -> bool:
    """Whether an exception may end at a context manager: ``pytest.raises``, ``suppress``."""
    if isinstance(manager, ExternalInstance):
        return not manager.cls.startswith("jitlint.managed")
    return manager == UNKNOWN


def eager_block(code: Code) -> tuple[str, Code]:
    """Under which key it is registered what a generator has entered where its block runs."""
    return "eager block", code


def enter(
    it: Interpreter, manager: Value, node: cst.CSTNode
) -> tuple[Value, Callable[[bool], None] | None]:
    """Enter a context manager.

    Args:
      it: the interpreter.
      manager: what is entered.
      node: where.

    Returns:
      The value bound by ``as``, and how to leave it, which is told whether the block raised.
    """
    name = manager.cls if isinstance(manager, ExternalInstance) else None
    if isinstance(manager, External):
        name = manager.name
    if name in EXIT_STACKS:
        holder, stacks = it.frame, it.frame.entered
        stack: list[Callable[[bool], None]] = []
        holder.entered = (*stacks, stack)

        def unwind(raised: bool) -> None:
            holder.entered = stacks
            for undo in reversed(stack):
                undo(raised)

        return manager, unwind
    if name in _EAGER:
        # Operations on constants stay concrete here; what is a tracer already stays one.
        frame = it.frame
        before = frame.context
        disabled = before.disabled or name == "jax.disable_jit"
        frame.context = Context(disabled=disabled, replaced=before.replaced)
        around, frame.eager = frame.eager, name

        def leave(raised: bool) -> None:
            frame.eager, frame.context = around, before

        return UNKNOWN, leave
    if is_expectation(manager):
        assert isinstance(manager, ExternalInstance)
        frame = it.frame
        frame.tries.append(guard_of(it, manager, node))

        def forget(raised: bool) -> None:
            frame.tries.pop()

        return UNKNOWN, forget
    one = _representative(it, manager)
    if one is not None:
        value = call_special(it, one, "__enter__", node)
        if value == one:
            value = manager
        it.managers.append(one)

        def exit_context(raised: bool) -> None:
            it.managers.pop()
            # What it is told of an exception is not followed.
            doubt = it.speculating() if raised else nullcontext()
            with doubt, suppress(Terminated):
                call_special(it, one, "__exit__", node, NONE, NONE, NONE)

        return value or UNKNOWN, exit_context
    if isinstance(manager, ExternalInstance):
        if manager.cls == "jitlint.managed":
            held = dict(manager.attributes)
            return held["value"], _enter_block(it, held["function"], node)
        if manager.cls == BINDING:
            return dict(manager.attributes)["value"], None
        if manager.cls == TIMER:
            often = dict(manager.attributes)["often"] == Const(True)
            return manager, _time_block(it, None, node, often=often)
        return manager, None
    return UNKNOWN, None


def _representative(it: Interpreter, manager: Value) -> Ref | None:
    """The object whose block runs: one of several of one class stands for all of them."""
    if isinstance(manager, Ref):
        return manager
    found: Ref | None = None
    classes = set()
    for member in members_of(manager):
        contents = it.contents(member) if isinstance(member, Ref) else None
        if not isinstance(member, Ref) or not isinstance(contents, Instance):
            return None
        classes.add(contents.cls)
        found = found or member
    return found if len(classes) == 1 else None


def _enter_block(
    it: Interpreter, function: Value, node: cst.CSTNode
) -> Callable[[bool], None] | None:
    """Enter what a generator has entered where its block runs, or else measure the block."""
    base = base_function(function)
    entered = None if base is None else it.registered.get(eager_block(base.code))
    if entered is None:
        return _time_block(it, function, node)
    return enter(it, External(entered), node)[1]


def _time_block(
    it: Interpreter, function: Value | None, node: cst.CSTNode, *, often: bool = False
) -> Callable[[bool], None] | None:
    """Measure a block, if what manages it does, perhaps ``often``; how to stop that."""
    base = None if function is None else base_function(function)
    if it.trace is not None or (function is not None and base is None):
        return None
    timer = None if base is None else base.code
    it.keep(node)
    number = it.new_id(id(node), "timer", it.frame.env, it.frame.turns)
    it.signal(TimerStarted(timer, number, node))

    def stop(raised: bool) -> None:
        it.signal(TimerStopped(timer, number, node, often))

    return stop
