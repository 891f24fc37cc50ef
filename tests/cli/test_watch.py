"""``jitlint check --watch``, in a process of its own."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.commands import jitlint

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "import jax\n\n\n@jax.jit\ndef f(x):\n    return float(x)\n"
CLEAN = HOSTILE.replace("float(x)", "x")
_SECONDS = 60


class Watching:
    """The running command; its output line by line."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "jitlint", "check", "--watch", "--output-format", "concise"]
            + list(arguments),
            cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip())

    def round(self) -> list[str]:
        """What is said until it waits again."""
        found = []
        while True:
            line = self._lines.get(timeout=_SECONDS)
            if "watching for changes" in line:
                return found
            found.append(line)

    def interrupt(self) -> int:
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(_SECONDS)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def watching(tmp_path):
    started = []

    def start(*arguments: str) -> Watching:
        started.append(Watching(tmp_path, *arguments))
        return started[-1]

    yield start
    for each in started:
        each.kill()


def test_changes_are_linted_until_an_interrupt(tmp_path, watching):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.py").write_text(CLEAN)
    running = watching()
    assert running.round() == ["All checks passed!"]
    (tmp_path / "a.py").write_text(HOSTILE)
    assert running.round()[0].startswith("a.py:6:12: JIT105 ")
    (tmp_path / "b.py").write_text(HOSTILE)
    assert [line[:14] for line in running.round()[:2]] == ["a.py:6:12: JIT", "b.py:6:12: JIT"]
    (tmp_path / "a.py").unlink()
    assert running.round()[0].startswith("b.py:6:12: JIT105 ")
    (tmp_path / "pyproject.toml").write_text("[tool.jitlint]\nwrong = 1\n")
    assert "unknown key 'wrong'" in running.round()[0]
    (tmp_path / "pyproject.toml").write_text('[tool.jitlint]\nignore = ["JIT105"]\n')
    assert running.round() == ["All checks passed!"]
    assert running.interrupt() == 0


@pytest.mark.parametrize(
    "arguments", [["-"], ["--add-noqa"], ["--show-files"], ["--show-settings"]]
)
def test_what_cannot_be_watched(tmp_path, arguments):
    done = jitlint("check", "--watch", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert "--watch: cannot be combined with" in done.stderr


def test_changes_are_fixed_as_they_come(tmp_path, watching):
    path = tmp_path / "module.py"
    path.write_text("import jax\n")
    running = watching(tmp_path, "--fix", "--no-cache", ".")
    running.round()
    path.write_text(
        "import jax\n\n\n@jax.jit\ndef f(x):\n    x = x + 1\n    x[0] = 2.0\n    return x\n"
    )
    assert any("Fixed 1 report" in line for line in running.round())
    assert "x = x.at[0].set(2.0)" in path.read_text()
