"""Clocks and what measures by them: ``time.perf_counter()``, ``timeit.timeit(work)``."""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import pairwise

import libcst as cst

from jitlint.absint.library.registry import Call, Model, method, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.clock_signals import ClockRead, Elapsed, TimerStarted, TimerStopped
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import attributes_of
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.packages.arrays import numpy_result
from jitlint.absint.packages.facts import apply_fact
from jitlint.absint.python.contexts import BINDING, TIMER
from jitlint.absint.python.quoted_code import run_text
from jitlint.absint.values.domain import (
    NDARRAY,
    NONE,
    UNKNOWN,
    Const,
    Duration,
    External,
    ExternalInstance,
    Partial,
    Reading,
    Value,
    members_of,
)
from jitlint.absint.values.heap import ListObject
from jitlint.jaxmodel.asynchrony import MANY_EXECUTIONS, READINGS, magic_runs_often
from jitlint.jaxmodel.functions import lookup


def _clock(kind: str | None) -> Model:
    def read(it: Interpreter, call: Call) -> Value:
        if it.trace is not None:
            return UNKNOWN
        it.keep(call.node)
        number = it.new_id(id(call.node), "clock", it.frame.env, it.frame.turns)
        it.signal(ClockRead(number, call.node))
        return Reading(frozenset({number}), kind)

    return read


for _name, _kind in READINGS.items():
    model(_name)(_clock(_kind))


@model("numpy.diff")
def _differences(it: Interpreter, call: Call) -> Value:
    """``np.diff(stamps)``: what was measured between each reading and the next."""
    fact = lookup("numpy.diff")
    assert fact is not None
    result = numpy_result(it, "numpy.diff", call, apply_fact(it, fact, call))
    found = sequence_items(it, call.first)
    if it.trace is not None or found is None:
        return result
    element, items = found
    stamps = [element] * 2 if items is None else list(items)
    numbers = [_numbers(stamp) for stamp in stamps]
    spans = frozenset(
        (first, second)
        for earlier, later in pairwise(numbers)
        for first in earlier
        for second in later
    )
    if spans:
        it.signal(Elapsed(spans, call.node))
        return Duration(spans, NDARRAY.type)
    return result


@attributes_of(Duration)
def _duration(it: Interpreter, value: Duration, name: str, node: cst.CSTNode) -> Value:
    """``(stop - start).total_seconds()``; ``.seconds`` without the call."""
    if name == "total_seconds":
        return Partial(External("jitlint.keep"), (value,), ())
    return value if name in ("seconds", "microseconds") else UNKNOWN


def _numbers(value: Value) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    return found.union(*(v.numbers for v in members_of(value) if isinstance(v, Reading)))


# -- what runs a function to measure it -----------------------------------------------------------


@model("timeit.timeit", "timeit.repeat")
def _timeit(it: Interpreter, call: Call) -> Value:
    """``timeit.timeit(work, number=10)``; the work is a function, or the text of a call."""
    each = call.name == "repeat"
    return _measured(it, call, call.args.get(0, "stmt"), _is_often(call, 3 + each), each=each)


@model("timeit.Timer")
def _timer(it: Interpreter, call: Call) -> Value:
    work = call.args.get(0, "stmt")
    return UNKNOWN if work is None else ExternalInstance("timeit.Timer", (("work", work),))


@method("timeit.Timer", "timeit", "repeat", "autorange")
def _run_timer(it: Interpreter, call: Call) -> Value:
    work, each = dict(call.receiver.attributes).get("work"), call.name == "repeat"
    often = call.name == "autorange" or _is_often(call, int(each))
    return _measured(it, call, work, often, each=each)


def _is_often(call: Call, position: int) -> bool:
    """Whether ``number`` says that something runs so often that little of it is left in the end."""
    number = call.args.get(position, "number")
    if number is None:
        # A million times.
        return True
    known = number.value if isinstance(number, Const) else None
    return isinstance(known, int) and known >= MANY_EXECUTIONS


def _measured(it: Interpreter, call: Call, work: Value | None, often: bool, *, each: bool) -> Value:
    """Run something to measure it; the result is a duration, or a list of them."""
    if it.trace is not None or work is None:
        return UNKNOWN
    node = call.node
    it.keep(node)
    number = it.new_id(id(node), "timer", it.frame.env, it.frame.turns)
    text = work.value if isinstance(work, Const) else None
    it.signal(TimerStarted(None, number, node))
    with suppress(Terminated):
        if isinstance(text, str):
            run_text(it, text, node)
        else:
            it.call(work, Arguments(), node)
    it.signal(TimerStopped(None, number, node, often))
    duration = Duration(frozenset({(number, number)}), "float")
    if each:
        return it.allocate(node, ListObject(None, duration, mutable=True), "durations")
    return duration


# -- magics of IPython, as documents write them in Python -----------------------------------------


@model("__import__")
def _import(it: Interpreter, call: Call) -> Value:
    """A module of Python by its name."""
    name = call.first.value if isinstance(call.first, Const) else None
    return External(name) if name in sys.stdlib_module_names else UNKNOWN


@model("contextlib.nullcontext")
def _context(it: Interpreter, call: Call) -> Value:
    """A context that does nothing, or stands for ``%timeit``."""
    said = call.first.value if isinstance(call.first, Const) else None
    if isinstance(said, str) and said[:1] == "%":
        return ExternalInstance(TIMER, (("often", Const(magic_runs_often(said))),))
    given = call.args.get(0, "enter_result")
    return ExternalInstance(BINDING, (("value", NONE if given is None else given),))
