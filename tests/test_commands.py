"""Command lines that are forked do what those do that are started."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jitlint.foundation.forks import can_fork
from tests import commands
from tests.commands import Process, jitlint

pytestmark = pytest.mark.skipif(not can_fork(), reason="this platform has no forks")

HOSTILE = "import jax\n\n\n@jax.jit\ndef f(x):\n    return 'é', float(x)\n"
LINES: dict[str, Callable[[], Any]] = {
    "bytes": lambda: jitlint("check", "--no-cache", "--output-format", "json", text=False),
    "a folder": lambda: jitlint("check", "--no-cache", "a.py", cwd="inner"),
    "standard input": lambda: jitlint("check", "-", stdin=HOSTILE),
    "a wrong option": lambda: jitlint("check", "--no-such-option"),
    "the environment": lambda: jitlint("--help", env={"COLUMNS": "40"}),
    "the start": lambda: jitlint("check", "--no-cache", env={"PYTHONIOENCODING": "ascii"}),
    "another program": lambda: jitlint("--select=JIT", "inner", module="flake8"),
    "no program": lambda: jitlint(module="tests.no_such_program").returncode,
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.py").write_text(HOSTILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("what", LINES)
def test_a_fork_and_a_start_say_the_same(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forked = LINES[what]()
    monkeypatch.setattr(commands, "can_fork", lambda: False)
    started = LINES[what]()
    for name in ("returncode", "stdout", "stderr") if what != "no program" else ():
        assert getattr(forked, name) == getattr(started, name)


def test_a_process_may_end_before_anybody_asks() -> None:
    asking, template = socket.socketpair()
    with template:
        template.sendall(b"123\n-9\n")
    ended = commands._Forked(asking, ["quick"])
    assert (ended.pid, ended.wait(1)) == (123, -9)


def test_a_fork_has_the_environment_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    jitlint("--version")
    monkeypatch.setenv("COLUMNS", "40")
    assert max(map(len, jitlint("--help").stdout.splitlines())) <= 40


def test_signals_arrive() -> None:
    for number, code in ((signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)):
        running = Process("server")
        assert running.poll() is None
        running.send_signal(number)
        assert running.wait(30) == code
        assert running.stdout.read() == b""


def test_an_interrupt_ends_a_command() -> None:
    running = Process("check", "--watch", "--no-cache")
    assert any(b"watching" in line for line in running.stderr)
    running.send_signal(signal.SIGINT)
    assert running.wait(30) == 0
