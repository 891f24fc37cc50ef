"""The thread behind the language server: what changed last, and no queue."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

pytest.importorskip("lsprotocol")

from jitlint.integrations.server.debounced_worker import Stale, Worker  # noqa: E402


class Task:
    """Counts runs, each of some seconds."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.runs = 0
        self.overtaken = 0
        self.done = threading.Event()

    def __call__(self, stale: Stale) -> None:
        self.runs += 1
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            if stale():
                self.overtaken += 1
                return
            time.sleep(0.005)
        if not stale():
            self.done.set()


def test_the_first_request_is_served_at_once() -> None:
    task = Task()
    worker = Worker(task, pause=30)
    worker.request()
    assert task.done.wait(10)
    worker.stop()


def test_a_burst_is_served_once_when_it_ends() -> None:
    task = Task()
    worker = Worker(task, pause=0.3)
    worker.request()
    assert task.done.wait(10)
    task.done.clear()
    for _ in range(50):
        worker.request()
    assert task.done.wait(10)
    time.sleep(0.5)
    assert task.runs == 2
    worker.stop()


def test_a_run_that_was_overtaken_gives_up() -> None:
    task = Task(seconds=5)
    worker = Worker(task, pause=0.01)
    worker.request()
    _wait_for(lambda: task.runs == 1)
    task.seconds = 0
    worker.request(at_once=True)
    assert task.done.wait(2)
    assert task.overtaken == 1
    worker.stop()


def test_slow_runs_begin_with_the_first_key_and_again_when_typing_ends() -> None:
    task = Task(seconds=0.6)
    worker = Worker(task, pause=0.05)
    worker.request()
    assert task.done.wait(10)
    time.sleep(0.5)
    task.done.clear()
    for _ in range(10):
        worker.request()
        time.sleep(0.1)
    # The pauses between keys are shorter than those that are waited for.
    assert (task.runs, task.overtaken) == (2, 1)
    assert task.done.wait(10)
    assert (task.runs, task.overtaken) == (3, 1)
    worker.stop()


def test_what_was_left_is_tidied_up_once_nobody_asks_for_more() -> None:
    task, tidied = Task(), []
    worker = Worker(task, pause=0.01, tidy=lambda: tidied.append(task.runs), rest=0.3)
    for runs in (1, 2):
        worker.request(at_once=True)
        _wait_for(lambda runs=runs: task.runs == runs)
    assert not tidied
    _wait_for(lambda: tidied)
    time.sleep(0.5)
    assert tidied == [2]
    worker.request(at_once=True)
    _wait_for(lambda: tidied == [2, 3])
    worker.stop()


def test_nothing_begins_after_the_end() -> None:
    task = Task()
    worker = Worker(task)
    worker.stop()
    worker.request(at_once=True)
    time.sleep(0.2)
    assert task.runs == 0


def _wait_for(condition: Any) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)
