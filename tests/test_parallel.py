"""Several processes report what one reports, and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from jitlint.analysis import sharing
from jitlint.analysis.children import Shares
from jitlint.analysis.engine import Analysis, analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.analysis.parts.roots import Roots
from jitlint.cli.main import main
from jitlint.config.configuration import Config
from jitlint.foundation import forks
from jitlint.foundation.forks import Channel, ForkLostError, Forks, can_fork
from jitlint.run.execution import processes
from jitlint.run.request import Request

pytestmark = pytest.mark.skipif(not can_fork(), reason="this platform cannot fork")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "ROWS_PER_PROCESS", 1)


def write(folder: Path, **modules: str) -> Path:
    for name, source in modules.items():
        (folder / f"{name}.py").write_text(source)
    return folder


def by_jobs(folder: Path, jobs: int) -> Analysis:
    return analyze(folder, [folder], options=AnalysisOptions(jobs=jobs, listing=True))


CALLED_ELSEWHERE = {
    "model": """
import jax

@jax.jit
def step(x, flag):
    if flag:
        return x
    return -x

def inner(x):
    return x + 1
""",
    "train": """
import model
import jax.numpy as jnp

def train():
    return model.step(jnp.ones(3), jnp.array(True))
""",
}


def test_calls_in_another_share_count(tmp_path: Path) -> None:
    folder = write(tmp_path, **CALLED_ELSEWHERE)
    found = by_jobs(folder, 3)
    assert [(d.code, d.location.row) for d in found.diagnostics] == [("JIT101", 6)]
    assert found.diagnostics == by_jobs(folder, 1).diagnostics


def test_calls_from_functions_that_nobody_calls_count(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        a="import jax\n\n@jax.jit\ndef last(x, n=3):\n    return [x for _ in range(n)]\n",
        b="import jax\nimport a\n\n@jax.jit\ndef middle(x):\n    return a.last(x)\n",
        c="import jax\nimport b\n\n@jax.jit\ndef first(x):\n    return b.middle(x)\n",
    )
    assert by_jobs(folder, 1).diagnostics == ()
    assert by_jobs(folder, 3).diagnostics == ()


def test_loops_in_another_share_count(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        a="import jax\n\ndef double(x):\n    return jax.jit(lambda y: y * 2)(x)\n",
        b="import a\nimport jax\n\ndef many():\n    for i in range(9):\n        a.double(i)\n"
        "    return jax.jit(a.double)\n",
    )
    one = by_jobs(folder, 1)
    assert "JIT301" in {d.code for d in one.diagnostics}
    assert by_jobs(folder, 2).diagnostics == one.diagnostics


def test_every_record_of_jitted_functions_is_shared() -> None:
    from jitlint.absint.detectors.compilation.jit_sites import JitUses

    # `jitlint.analysis.parts.jit_uses` exchanges the first; the others matter in one part only.
    shared = {"sites", "called_by", "kept", "calls", "method_calls", "cached", "traced", "runs"}
    shared |= {"passed", "staged"}
    local = {"received", "places", "kept_functions", "scripted", "of_objects", "forwards"}
    assert {*JitUses.__struct_fields__} == shared | local


def test_traced_functions_are_listed(tmp_path: Path) -> None:
    folder = write(tmp_path, **CALLED_ELSEWHERE)
    assert by_jobs(folder, 2).traced == by_jobs(folder, 1).traced


def test_equal_places_have_the_same_fingerprints(tmp_path: Path) -> None:
    body = "".join(
        f"@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return {number}\n\n"
        for number in range(4)
    )
    folder = write(tmp_path, a=f"import jax\n\n{body}")
    one = by_jobs(folder, 1)
    assert len({d.fingerprint for d in one.diagnostics}) == len(one.diagnostics)
    assert by_jobs(folder, 4).diagnostics == one.diagnostics


def test_internal_errors_of_every_share_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Roots, unit: object) -> None:
        raise ValueError("broken")

    folder = write(tmp_path, **CALLED_ELSEWHERE)
    monkeypatch.setattr(Roots, "_run_body", fail)
    one = by_jobs(folder, 1)
    assert "JIT900" in {d.code for d in one.diagnostics}
    assert by_jobs(folder, 2).diagnostics == one.diagnostics


def test_a_report_that_cannot_be_made_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jitlint.rules.concretization.branch_on_traced_value import BranchOnTracedValue

    def fail(self: BranchOnTracedValue, event: object) -> None:
        raise ValueError("broken")

    body = "@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return int(x)\n"
    folder = write(tmp_path, a=f"import jax\n\n\n{body}")
    monkeypatch.delenv("JITLINT_STRICT", raising=False)
    monkeypatch.setattr(BranchOnTracedValue, "check", fail)
    one = by_jobs(folder, 1)
    assert [d.code for d in one.diagnostics] == ["JIT900", "JIT105"]
    assert "ValueError: broken" in one.diagnostics[0].message
    assert by_jobs(folder, 2).diagnostics == one.diagnostics


def test_a_lost_process_hides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parent, run_root = os.getpid(), Roots._run_root

    def die(self: Roots, unit: object) -> None:
        if os.getpid() != parent and unit.is_function:  # type: ignore[attr-defined]
            os.kill(os.getpid(), signal.SIGKILL)
        run_root(self, unit)  # type: ignore[arg-type]

    folder = write(tmp_path, **CALLED_ELSEWHERE)
    one = by_jobs(folder, 1)
    monkeypatch.setattr(Roots, "_run_root", die)
    assert by_jobs(folder, 2).diagnostics == one.diagnostics


def test_little_work_is_not_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "ROWS_PER_PROCESS", 1_000)
    monkeypatch.setattr(os, "fork", None)
    assert by_jobs(write(tmp_path, **CALLED_ELSEWHERE), 8).diagnostics


def test_platforms_without_fork_use_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "fork")
    assert by_jobs(write(tmp_path, **CALLED_ELSEWHERE), 2).diagnostics


@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5"])
def test_wrong_numbers_are_refused(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"--jobs={value}"]) == 2
    assert "expected a number from 1" in capsys.readouterr().err


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path, **CALLED_ELSEWHERE)
    arguments = ["check", "--isolated", "--output-format", "json", str(folder)]
    assert main(arguments) == main([*arguments, "--jobs", "2"]) == 1
    first, second = capsys.readouterr().out.split("\n]\n")[:2]
    assert first == second


# -- processes -------------------------------------------------------------------------------------


def test_messages_of_any_size() -> None:
    def echo(number: int, channel: Channel) -> None:
        channel.send((number, channel.receive()))

    big = "x" * 5_000_000
    with Forks(echo, 2) as forks:
        for channel in forks.channels:
            channel.send(big)
        assert [channel.receive() for channel in forks.channels] == [(0, big), (1, big)]


def test_the_end_of_a_child_is_noticed() -> None:
    def fail(number: int, channel: Channel) -> None:
        raise ValueError

    with Forks(fail, 1) as forks, pytest.raises(ForkLostError):
        forks.channels[0].receive()


_BUSY = """
import os, signal, sys, time
from jitlint.foundation.forks import Forks

# Who runs the tests in the background may have told them to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)

def busy(number, channel):
    channel.send(os.getpid())
    while True:
        pass

with Forks(busy, 2) as forks:
    print(*(channel.receive() for channel in forks.channels), flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("reason", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_child_outlives_its_parent(reason: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _BUSY],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        children = [int(word) for word in parent.stdout.readline().split()]
        assert len(children) == 2
        parent.send_signal(reason)
        parent.wait(timeout=20)
    deadline = time.monotonic() + 20
    while any(_runs(child) for child in children):
        assert time.monotonic() < deadline, "a child is still running"
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    # A dead child whose new parent does not wait for it is no longer running.
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_the_largest_part_comes_first_and_each_once() -> None:
    sizes = {0: 5, 1: 50, 2: 20, 3: 5, 4: 60, 5: 10}
    shares = Shares(sizes, 2)
    first, second = shares.next(0), shares.next(1)
    assert (first, second) == (1, 4)
    dealt = [shares.next(0) for _ in range(5)]
    # Its neighbours first, then those of the other.
    assert dealt == [2, 0, 5, 3, None]
    assert shares.next(1) is None


def test_any_number_of_processes_deals_everything() -> None:
    for count in range(1, 9):
        shares = Shares({number: number % 7 + 1 for number in range(20)}, count)
        dealt = [shares.next(turn % count) for turn in range(20)]
        assert sorted(map(str, dealt)) == sorted(map(str, range(20)))


def test_as_many_as_there_are_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jitlint.run.execution.processors", lambda: 6)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    assert processes(Request(jobs=None), Config()) == 6
    assert processes(Request(jobs=None), Config(jobs=4)) == 4
    assert processes(Request(jobs=2), Config(jobs=4)) == 2
    # Whoever calls it from a program of his own is asked for nothing that he has not chosen.
    assert processes(Request(), Config()) == 1


def test_one_beside_other_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jitlint.run.execution.processors", lambda: 6)
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    try:
        assert processes(Request(jobs=None), Config()) == 1
    finally:
        ended.set()
        other.join()


@pytest.mark.parametrize(
    ("said", "granted"),
    [(["max 100000"], None), (["150000 100000"], 2), (["50000 100000"], 1), ([], None),
     (["-1", "100000"], None), (["200000", "100000"], 2), (["nonsense"], None)],
)  # fmt: skip
def test_a_container_may_grant_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str], granted: int | None
) -> None:
    names = [str(tmp_path / str(number)) for number in range(len(said) or 1)]
    for name, text in zip(names, said, strict=False):
        Path(name).write_text(f"{text}\n")
    monkeypatch.setattr(forks, "_QUOTAS", (tuple(names),))
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: range(64), raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert forks.processors() == (granted or 64)
