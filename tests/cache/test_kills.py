"""A run may be killed at any moment: whatever it leaves behind, the next one says what is so."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.edits.differences import difference
from benchmarks.edits.runs import command, prepare, read, write
from jitlint.cache import folder
from jitlint.foundation.forks import Channel, Forks, can_fork
from jitlint.run.request import Request
from jitlint.run.runner import run

pytestmark = pytest.mark.skipif(not can_fork(), reason="this platform has no forks")

HOSTILE = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
FILES = {
    "pyproject.toml": "",
    "a.py": HOSTILE,
    "b.py": "import jax\nfrom a import f\n\n\n@jax.jit\ndef g(x):\n    return float(f(x))\n",
    "c.py": "import jax\nimport b\n\n\ndef use(xs):\n    return jax.vmap(b.g)(xs)\n",
}
EDITED = {**FILES, "a.py": f"# moved\n\n{HOSTILE}", "b.py": FILES["b.py"].replace("float", "int")}
#: kills at a moment by the clock, and kills while something is written
TIMED, WRITING = 60, 40


@pytest.fixture(scope="module", autouse=True)
def _prepared() -> None:
    prepare()


def dies_while_writing(count: int, how: int) -> Callable[[], None]:
    """Has a process end with its count-th file half written, or written and not yet in place."""

    def patch() -> None:
        left = count
        write_bytes, replace = Path.write_bytes, Path.replace

        def die() -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        def writing(path: Path, data: bytes) -> int:
            nonlocal left
            left -= 1
            if left == 0 and how < 2:
                write_bytes(path, data[: len(data) // 2 if how else 0])
                die()
            return write_bytes(path, data)

        def replacing(path: Path, target: Path) -> Path:
            if left == 0 and how == 2:
                die()
            found = replace(path, target)
            if left == 0:
                die()
            return found

        Path.write_bytes = writing  # type: ignore[method-assign, assignment]
        Path.replace = replacing  # type: ignore[method-assign, assignment]

    return patch


@pytest.mark.slow
def test_a_hundred_kills(tmp_path: Path) -> None:
    rng = random.Random(39)
    root, cache = tmp_path / "project", tmp_path / "cache"
    root.mkdir()
    states: list[dict[str, str]] = [FILES, EDITED]
    expected = []
    before: dict[str, str] = {}
    for state in states:
        write(root, before, state)
        expected.append(command(root, cache=None))
        before = state
    whole = expected[0].seconds
    assert expected[0].reports and difference(*expected) is not None
    killed = halves = 0
    while killed < TIMED + WRITING:
        now = rng.randrange(2)
        write(root, before, states[now])
        before = states[now]
        if rng.random() < 0.2:
            for path in cache.rglob("*.msgpack"):
                path.unlink()
        if killed < TIMED:
            died = command(root, cache=cache, killed_after=rng.random() * whole).exit_code == -1
            killed += died
        else:
            try:
                command(
                    root, cache=cache, first=dies_while_writing(rng.randint(1, 5), rng.randrange(4))
                )
            except RuntimeError as error:
                assert "status 9" in str(error)
                killed += 1
        halves = max(halves, len([*cache.rglob("*.msgpack.*")]))
        if rng.random() < 0.25:
            assert difference(command(root, cache=cache), expected[now]) is None
    assert halves > 3
    for state, cold in zip(states, expected, strict=True):
        write(root, before, state)
        before = state
        assert difference(command(root, cache=cache), cold) is None
    assert read(root) == EDITED


def test_two_processes_ask_other_things_of_one_folder(tmp_path: Path) -> None:
    root, cache = tmp_path / "project", tmp_path / "cache"
    root.mkdir()
    write(root, {}, FILES)
    asked = [(root,), (root / "b.py",), (root / "a.py", root / "c.py")]

    def lint(number: int, channel: Channel) -> None:
        while channel.receive():
            made = Request(paths=asked[number], cache=True, cache_folder=cache)
            channel.send([dict(item.to_json()) for item in run(made).diagnostics])

    def answers(forks: Forks) -> list[Any]:
        for channel in forks.channels:
            channel.send(True)
        return [channel.receive() for channel in forks.channels]

    alone = [
        [dict(item.to_json()) for item in run(Request(paths=paths)).diagnostics] for paths in asked
    ]
    with Forks(lint, 3) as forks:
        for _ in range(5):
            assert answers(forks) == alone
            (root / "a.py").write_text((root / "a.py").read_text() + "\n")
        for channel in forks.channels:
            channel.send(False)


def test_the_folder_is_bounded_where_something_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_KEPT_BYTES", 7_200)
    root, cache = tmp_path / "project", tmp_path / "cache"
    root.mkdir()
    write(root, {}, FILES)
    (root / "gone.py").symlink_to("nowhere.py")
    for number in range(30):
        (root / "a.py").write_text("# more\n" * number + HOSTILE)
        found = run(Request(paths=(root,), cache=True, cache_folder=cache))
        assert found.failures
        assert sum(path.stat().st_size for path in cache.glob("*/*")) <= 7_200
