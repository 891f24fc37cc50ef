"""Of several processes that are asked the same at once, one does the work."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from jitlint.cache.lock import fcntl, locked
from jitlint.foundation.forks import Channel, Forks, apart, can_fork
from jitlint.run.request import Request
from jitlint.run.runner import run

pytestmark = pytest.mark.skipif(
    fcntl is None or not can_fork(), reason="this platform has neither such locks nor forks"
)

HOSTILE = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"


def test_one_process_works_and_the_others_wait(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"m{number}.py").write_text(HOSTILE)

    def lint(number: int, channel: Channel) -> None:
        channel.receive()
        found = run(Request(paths=(tmp_path,), cache=True))
        channel.send((found.analysis is not None, len(found.diagnostics)))

    with Forks(lint, 3) as forks:
        for channel in forks.channels:
            channel.send("now")
        answers = [channel.receive() for channel in forks.channels]
    assert sorted(worked for worked, _ in answers) == [False, False, True]
    assert {reports for _, reports in answers} == {40}


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "lock"

    def hold(number: int, channel: Channel) -> None:
        with locked(path):
            channel.send(os.getpid())
            time.sleep(60)

    with Forks(hold, 1) as forks:
        os.kill(forks.channels[0].receive(), signal.SIGKILL)
        started = time.monotonic()
        with locked(path):
            assert time.monotonic() - started < 20


def test_nobody_waits_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path) as first, locked(path, patience=0.1) as second:
        assert (first, second) == (False, True)


def test_a_folder_without_locks_is_no_hindrance(tmp_path: Path) -> None:
    with locked(tmp_path / "missing" / "lock") as another:
        assert not another


def test_what_is_called_apart_leaves_nothing_behind() -> None:
    kept = []

    def call() -> int:
        kept.append(1)
        return os.getpid()

    assert apart(call) != os.getpid()
    assert kept == []


def test_what_is_raised_apart_is_raised_here() -> None:
    def call() -> None:
        raise KeyError("name")

    with pytest.raises(KeyError, match="name"):
        apart(call)


def test_what_cannot_come_back_is_done_here() -> None:
    assert apart(lambda: lambda: 1)() == 1
