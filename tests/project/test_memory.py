"""An analysis that remembers the one before finds what a fresh one finds."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from jitlint.analysis import engine
from jitlint.analysis.engine import Analysis
from jitlint.cache.memory import PartMemory
from jitlint.foundation.interruption import Interrupted, interruptible
from jitlint.project.memory import Memory, Trees

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: short ones, as all of them are interpreted twice after each edit
FILES = [
    FIXTURES / "JIT112_type_test_on_traced_value" / "unit_conversion.py",
    FIXTURES / "JIT104_boolean_operator_on_traced_value" / "collision_flags.py",
    FIXTURES / "JIT103_assert_on_traced_value" / "sanity_checks.py",
    FIXTURES / "JIT211_mutable_default_mutation" / "shared_defaults.py",
    FIXTURES / "JIT213_constant_prng_key" / "repeated_noise.py",
]


def edited(text: str, rng: random.Random) -> str:
    """A text after an edit such as a person makes, which may leave it broken."""
    lines = text.split("\n")
    row = rng.randrange(len(lines))
    kind = rng.randrange(5)
    if kind == 0:
        lines.insert(row, "")
    elif kind == 1:
        lines[row] += "  # remark"
    elif kind == 2:
        del lines[row]
    elif kind == 3:
        # The same piece of source twice.
        end = min(row + rng.randrange(1, 12), len(lines))
        lines[row:row] = lines[row:end]
    else:
        lines[row] = lines[row].replace("x", "y").replace(">", "<")
    return "\n".join(lines)


@pytest.mark.slow
def test_random_edits(tmp_path: Path) -> None:
    rng = random.Random(5)
    (tmp_path / "pyproject.toml").write_text("")
    texts = {}
    for number, path in enumerate(FILES):
        texts[tmp_path / f"m{number}.py"] = path.read_text(encoding="utf-8")
    # Every module knows its predecessor.
    for number, path in enumerate(list(texts)[1:]):
        texts[path] += f"\nimport m{number}\n"
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    memory = Memory()
    targets = list(texts)
    reports = 0
    for turn in range(40):
        path = rng.choice(targets)
        # Now and then everything is undone.
        texts[path] = path.read_text("utf-8") if turn % 7 == 6 else edited(texts[path], rng)
        fresh = engine.analyze(tmp_path, targets, overlays=texts)
        kept = engine.analyze(tmp_path, targets, overlays=texts, memory=memory)
        assert kept.diagnostics == fresh.diagnostics
        reports += len(fresh.diagnostics)
    assert reports > 40


def test_what_was_cut_short_leaves_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    text = (FIXTURES / "JIT101_branch_on_traced_value" / "step_control.py").read_text("utf-8")

    class Stop(Exception):
        pass

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise Stop

    memory = Memory()
    for _ in range(3):
        try:
            engine.analyze(tmp_path, [path], overlays={path: text}, memory=memory, progress=stop)
        except Stop:
            continue
        raise AssertionError("it was not stopped")
    kept = engine.analyze(tmp_path, [path], overlays={path: text}, memory=memory)
    fresh = engine.analyze(tmp_path, [path], overlays={path: text})
    assert kept.diagnostics == fresh.diagnostics != ()


class _Patience:
    """Is asked so many times, and then says that enough is enough."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked > self.limit


def test_what_was_interrupted_anywhere_leaves_no_harm(tmp_path: Path) -> None:
    rng = random.Random(11)
    (tmp_path / "pyproject.toml").write_text("")
    texts = {}
    for number, path in enumerate(FILES[:4]):
        texts[tmp_path / f"m{number}.py"] = path.read_text(encoding="utf-8")
    for number, path in enumerate(list(texts)[1:]):
        texts[path] += f"\nimport m{number}\n"
    targets = list(texts)
    memory = Memory(parts=PartMemory())

    def kept(asked: Callable[[], bool]) -> Analysis:
        with interruptible(asked):
            return engine.analyze(
                tmp_path, targets, overlays=texts, memory=memory, cache=memory.parts
            )

    interrupted = reports = 0
    for turn in range(20):
        if turn % 10 == 5:
            memory = Memory(parts=PartMemory())
        changed = rng.choice(targets)
        original = FILES[targets.index(changed)].read_text("utf-8")
        texts[changed] = original if turn % 5 == 4 else edited(texts[changed], rng)
        unlimited = _Patience(10**9)
        with interruptible(unlimited):
            fresh = engine.analyze(tmp_path, targets, overlays=texts)
        reports += len(fresh.diagnostics)
        for _ in range(10):
            # What is known already is not asked for again, so that most have to end early.
            patience = _Patience(int(unlimited.asked ** rng.uniform(0, 1)))
            try:
                kept(patience)
                break
            except Interrupted:
                interrupted += 1
        assert kept(_Patience(10**9)).diagnostics == fresh.diagnostics
    assert interrupted > 60
    assert reports > 16


def test_whoever_is_interrupted_was_asked_often(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    text = (FIXTURES / "JIT101_branch_on_traced_value" / "step_control.py").read_text("utf-8")
    patience = _Patience(10**9)
    with interruptible(patience):
        engine.analyze(tmp_path, [path], overlays={path: text})
    # For each statement that is interpreted, and each piece that is parsed.
    assert patience.asked > text.count("\n") // 2
    asked = patience.asked
    engine.analyze(tmp_path, [path], overlays={path: text})
    assert patience.asked == asked


def test_a_tree_is_lent_once() -> None:
    trees = Trees()
    first, second = object(), object()
    trees.add("x", False, first)
    trees.add("x", False, second)
    assert trees.take("x", False) is None
    trees.begin()
    assert trees.take("x", True) is None
    assert {trees.take("x", False), trees.take("x", False)} == {first, second}


def test_only_the_trees_that_were_used_last_are_remembered() -> None:
    trees = Trees(most=12)
    for text in ("first", "second", "third"):
        trees.add(text, False, object())
    trees.begin()
    # What is in use is not forgotten; the oldest that is not makes room.
    trees.take("first", False)
    trees.add("four", False, object())
    trees.begin()
    assert trees.take("second", False) is None
    assert trees.take("third", False) is None
    assert trees.take("first", False) is not None
    assert trees.take("four", False) is not None
    trees.begin()
    trees.add("x" * 20, False, object())
    trees.begin()
    assert trees.take("first", False) is None
    assert trees.take("x" * 20, False) is not None
