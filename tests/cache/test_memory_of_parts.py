"""What the language server remembers: after an edit only dependents are interpreted again."""

from __future__ import annotations

import json
import random
from pathlib import Path

from jitlint.analysis import engine
from jitlint.cache.memory import PartMemory
from jitlint.project.memory import Memory
from tests.cache.changing_project import ChangingProject
from tests.cache.test_random_edits import reports, write


def test_edits_of_what_is_open(tmp_path: Path) -> None:
    project = ChangingProject(random.Random(7))
    write(project, tmp_path / "project")
    root = tmp_path / "project"
    memory, parts = Memory(), PartMemory()
    for _ in range(15):
        project.edit()
        write(project, root)
        found = engine.analyze(root, [root], memory=memory, cache=parts).diagnostics
        assert [json.dumps(dict(item.to_json())) for item in found] == reports(root, None)
    again = engine.analyze(root, [root], memory=memory, cache=parts).diagnostics
    assert again == found
    assert parts.interpreted == []


def test_a_text_that_stands_for_a_file(tmp_path: Path) -> None:
    names = ("a.py", "b.py")
    for name in names:
        (tmp_path / name).write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return x\n")
    memory, parts = Memory(), PartMemory()
    engine.analyze(tmp_path, [tmp_path], memory=memory, cache=parts)
    assert sorted(path.name for path in parts.interpreted) == ["a.py", "b.py"]
    text = (tmp_path / "a.py").read_text().replace("return x", "return float(x)")
    overlays = {tmp_path / "a.py": text}
    found = engine.analyze(
        tmp_path, [tmp_path], overlays=overlays, memory=memory, cache=parts
    ).diagnostics
    assert [path.name for path in parts.interpreted] == ["a.py"]
    assert [item.code for item in found] == ["JIT105"]
