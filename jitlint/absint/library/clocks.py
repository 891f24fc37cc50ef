"""Clocks and what measures by them: ``time.perf_counter()``, ``timeit.timeit(work)``."""

from __future__ import annotations

from jitlint.absint.library.arrays import numpy_result
from jitlint.absint.library.facts import apply_fact
from jitlint.absint.library.registry import Call, Model, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ClockRead, Elapsed
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.values.domain import NDARRAY, UNKNOWN, Duration, Reading, Value, members_of
from jitlint.jaxmodel.asynchrony import READINGS
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
    result = numpy_result("numpy.diff", call, apply_fact(it, fact, call))
    found = sequence_items(it, call.first)
    if it.trace is not None or found is None:
        return result
    element, items = found
    stamps = [element] * 2 if items is None else list(items)
    numbers = [_numbers(stamp) for stamp in stamps]
    spans = frozenset(
        (first, second)
        for earlier, later in zip(numbers, numbers[1:], strict=False)
        for first in earlier
        for second in later
    )
    if spans:
        it.signal(Elapsed(spans, call.node))
        return Duration(spans, NDARRAY.type)
    return result


def _numbers(value: Value) -> frozenset[int]:
    found: frozenset[int] = frozenset()
    return found.union(*(v.numbers for v in members_of(value) if isinstance(v, Reading)))
