"""A rule needs no more than an event, a detector and a rule file: here they are, and they work.

What a detector keeps in the state joins where paths meet, and survives a remembered call.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from jitlint.absint import assembly  # noqa: F401  -- it brings the detectors that there are
from jitlint.absint.machine import signals
from jitlint.rules import registry
from tests.linting import reports

_PROGRAM = """
import time

@jax.jit
def work(x):
    return x * 2

def tick():
    return time.perf_counter()

def measured(x):
    start = time.perf_counter()
    y = work(x)
    return y, time.perf_counter() - start  # due

def printed(x):
    start = time.perf_counter()
    y = work(x)
    print(y)
    return time.perf_counter() - start

def on_one_path(x, flag):
    start = time.perf_counter()
    if flag:
        y = work(x)
    return time.perf_counter() - start  # due

def by_a_call_that_is_remembered(x):
    tick()
    work(x)
    print(x)
    tick()
    work(x)
    return time.perf_counter()  # due
"""


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    observers = {kind: list(known) for kind, known in signals.OBSERVERS.items()}
    slots = list(signals.SLOTS)
    from tests.absint.trial_rule import detector, rule

    monkeypatch.setattr(registry, "_RULES", (*registry._RULES, rule.TimingWithoutBlockUntilReady()))
    registry.rules_for.cache_clear()
    yield
    signals.OBSERVERS.clear()
    signals.OBSERVERS.update(observers)
    signals.SLOTS[:] = slots
    del sys.modules[detector.__name__]
    registry.rules_for.cache_clear()


@pytest.mark.usefixtures("trial")
def test_a_rule_is_an_event_a_detector_and_a_rule_file() -> None:
    due = [row for row, line in enumerate(_PROGRAM.splitlines(), 1) if "# due" in line]
    assert [row for row, code in reports(_PROGRAM) if code == "JIT499"] == due


def test_without_it_nothing_is_told() -> None:
    assert not [code for _, code in reports(_PROGRAM) if code == "JIT499"]
