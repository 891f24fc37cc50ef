"""Functions that run in other threads: ``Thread(target=f).start()``, ``pool.submit(f, x)``.

They run at once here, and what they change may have happened or not when the caller goes on.  A
trace does not reach into another thread, so that nothing is run while one is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.library.inspection import attribute
from jitlint.absint.library.registry import Call, method, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    ExternalInstance,
    Partial,
    Ref,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance
from jitlint.absint.values.lattice import join_states
from jitlint.jaxmodel.host_code import THREAD

#: under what an object of a project's own class keeps its function
_TARGET: Final = "_target"
_TIMER: Final = "threading.Timer"
_POOL: Final = "concurrent.futures.ThreadPoolExecutor"
_FUTURE: Final = "concurrent.futures.Future"


def _run_beside(it: Interpreter, function: Value, args: Arguments, node: cst.CSTNode) -> Value:
    """Run a function of another thread; what it gives."""
    if it.trace is not None:
        return UNKNOWN
    before, outer = it.state.copy(), it.other_threads
    it.other_threads = len(it.stack)
    try:
        result = it.call(function, args, node)
    except Terminated:
        # Most threads work in a loop that never ends.
        it.state = before
        return UNKNOWN
    finally:
        it.other_threads = outer
    merged = join_states(it.state, before)
    assert merged is not None
    it.state = merged
    return result


def _start_thread(it: Interpreter, function: Value, node: cst.CSTNode) -> None:
    """Run what a thread of its own was made for."""
    before, it.starting = it.starting, node
    try:
        _run_beside(it, function, Arguments(), node)
    finally:
        it.starting = before


def _bound(it: Interpreter, call: Call, function: Value | None, arguments: int) -> Value:
    """What a thread will run: a function with the arguments that it will be called with.

    Args:
      it: the interpreter.
      call: a call that makes a thread.
      function: what is to run, if anything is.
      arguments: the position of the tuple of arguments; the dict of keywords follows it.

    Returns:
      None where no function is given, Unknown where its arguments are.
    """
    if function is None or function == NONE:
        return NONE
    positional = _positional(it, call.args.get(arguments, "args"))
    keywords = _keywords(it, call.args.get(arguments + 1, "kwargs"))
    if positional is None or keywords is None:
        return UNKNOWN
    return Partial(function, tuple(positional), keywords)


def _positional(it: Interpreter, given: Value | None) -> Sequence[Value] | None:
    if given is None or given == NONE:
        return ()
    elements = sequence_items(it, given)
    return None if elements is None else elements[1]


def _keywords(it: Interpreter, given: Value | None) -> tuple[tuple[str, Value], ...] | None:
    if given is None or given == NONE:
        return ()
    contents = it.contents(given) if isinstance(given, Ref) else None
    if not isinstance(contents, DictObject) or contents.rest is not None:
        return None
    named = tuple((key, value) for key, value in contents.items.items() if isinstance(key, str))
    return named if len(named) == len(contents.items) else None


@model(THREAD)
def _thread(it: Interpreter, call: Call) -> Value:
    target = _bound(it, call, call.args.get(1, "target"), 3)
    return ExternalInstance(THREAD, ((_TARGET, target),))


@model(_TIMER)
def _timer(it: Interpreter, call: Call) -> Value:
    target = _bound(it, call, call.args.get(1, "function"), 2)
    return ExternalInstance(THREAD, ((_TARGET, target),))


@method(THREAD, "start", "run")
def _start(it: Interpreter, call: Call) -> Value:
    target = dict(call.receiver.attributes)[_TARGET]
    if isinstance(target, Partial):
        _start_thread(it, target, call.node)
    return NONE


@model(f"{THREAD}.__init__")
def _init_own(it: Interpreter, call: Call) -> Value:
    """The constructor that a class of the project inherits, or calls."""
    if isinstance(call.first, Ref) and isinstance(it.contents(call.first), Instance):
        target = _bound(it, call, call.args.get(2, "target"), 4)
        it.edit(call.first).attributes[_TARGET] = target
    return NONE


@model(f"{THREAD}.start")
def _start_own(it: Interpreter, call: Call) -> Value:
    run = attribute(it, call.first, "run", call.node)
    if run != UNKNOWN:
        _start_thread(it, run, call.node)
    return NONE


@model(f"{THREAD}.run")
def _run_own(it: Interpreter, call: Call) -> Value:
    held = it.contents(call.first) if isinstance(call.first, Ref) else None
    target = held.attributes.get(_TARGET) if isinstance(held, Instance) else None
    if isinstance(target, Partial):
        it.call(target, Arguments(), call.node)
    return NONE


@model(_POOL, "concurrent.futures.thread.ThreadPoolExecutor")
def _pool(it: Interpreter, call: Call) -> Value:
    return ExternalInstance(_POOL)


@method(_POOL, "submit")
def _submit(it: Interpreter, call: Call) -> Value:
    if not call.positional:
        return UNKNOWN
    result = _run_beside(it, call.first, call.args.dropped(1), call.node)
    return ExternalInstance(_FUTURE, (("result", result),))


@method(_POOL, "map")
def _map(it: Interpreter, call: Call) -> Value:
    """Each call is like the others, on an element of each argument."""
    if len(call.positional) < 2 or call.starred:
        return UNKNOWN
    elements = [it.iterate(values, call.node)[0] for values in call.positional[1:]]
    _run_beside(it, call.first, Arguments(elements), call.node)
    return UNKNOWN


@method(_FUTURE, "result")
def _result(it: Interpreter, call: Call) -> Value:
    result: Value = dict(call.receiver.attributes)["result"]
    return result
