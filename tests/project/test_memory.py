"""An analysis that remembers the one before finds what a fresh one finds."""

from __future__ import annotations

import random
from pathlib import Path

from jitlint.analysis import engine
from jitlint.project.memory import Memory, Trees

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
FILES = sorted(FIXTURES.glob("JIT1*/*.py"))[:3] + sorted(FIXTURES.glob("JIT2*/*.py"))[:3]


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


def test_a_tree_is_lent_once() -> None:
    trees = Trees()
    first, second = object(), object()
    trees.add("x", False, first)
    trees.add("x", False, second)
    assert trees.take("x", False) is None
    trees.begin()
    assert trees.take("x", True) is None
    assert {trees.take("x", False), trees.take("x", False)} == {first, second}
    trees.begin()
    trees.take("x", False)
    trees.end()
    trees.begin()
    assert trees.take("x", False) is not None
    assert trees.take("x", False) is None
