"""Parts of a project that have nothing to do with each other are analysed by themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.analysis import engine
from jitlint.project.project import Project
from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.usage_errors import UsageError

STEP = "import jax\n\n\n@jax.jit\ndef step(x):\n    return half(x) if x > 0 else x\n"


def _write(root: Path, files: dict[str, str]) -> list[Path]:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [root / name for name in files]


def _parts(root: Path, files: dict[str, str]) -> list[list[str]]:
    project = Project(root, _write(root, files), lambda path: path.read_text(encoding="utf-8"))
    return [
        sorted(str(path.relative_to(root)) for path in part.files) for part in project.components()
    ]


@pytest.mark.parametrize(
    "text",
    [
        "import one.steps",
        "import os, one.steps as s",
        "from one import steps",
        "from one.steps import f",
        "from one import (\n    other,\n    steps,\n)",
        "def g():\n    from one import steps",
        "import importlib\nsteps = importlib.import_module('one.steps')",
    ],
)
@pytest.mark.parametrize("init", [{"one/__init__.py": ""}, {}], ids=["package", "namespace"])
def test_who_imports_belongs_to_what_is_imported(tmp_path, text, init):
    files = {**init, "one/steps.py": "", "two/main.py": text, "three/main.py": "import jax"}
    assert sorted(_parts(tmp_path, files)) == sorted(
        [[*init, "one/steps.py", "two/main.py"], ["three/main.py"]]
    )


def test_files_that_no_import_joins(tmp_path):
    files = {"a.py": "import utils", "b.py": "", "c/utils.py": "", "c/d/e.py": "", "f/g.py": ""}
    assert sorted(_parts(tmp_path, files)) == [
        ["a.py", "b.py"],
        ["c/d/e.py", "c/utils.py"],
        ["f/g.py"],
    ]


def test_a_root_that_is_a_package_is_one(tmp_path):
    files = {"__init__.py": "", "a/__init__.py": "", "a/x.py": "from ..b import y", "b.py": ""}
    assert len(_parts(tmp_path, files)) == 1


def test_only_what_belongs_to_a_target_is_parsed_and_nothing_else_changes(tmp_path):
    """A function that another file calls, and one of that name in a folder that nobody imports."""
    caller = "import jax\nfrom steps import go\n\n\n@jax.jit\ndef f(x):\n    return go(x)\n"
    _write(
        tmp_path,
        {
            "near/steps.py": "def go(x):\n    return float(x)\n",
            "near/main.py": caller,
            "far/steps.py": STEP.replace("half", "abs"),
            "far/more.py": STEP.replace("half", "abs"),
        },
    )
    alone = engine.analyze(tmp_path, [tmp_path / "near/steps.py"])
    whole = engine.analyze(tmp_path, [tmp_path])
    assert [item.code for item in alone.diagnostics] == ["JIT105"]
    own = [item for item in whole.diagnostics if "near" in item.filename]
    assert list(alone.diagnostics) == own
    assert len(whole.diagnostics) == 3
    assert (alone.parsed_files, whole.parsed_files) == (2, 4)
    assert [item.qualname for item in whole.traced] == ["step", "step", "f", "go"]


def test_of_a_large_folder_without_a_mark_only_what_may_matter_is_looked_at(tmp_path, monkeypatch):
    """A home folder: a script, what it imports, who imports it, and thousands of strangers."""
    caller = "import jax\nfrom steps import go\n\n\n@jax.jit\ndef f(x):\n    return go(x)\n"
    files = {
        "steps.py": "from kit.tools import half\n\n\ndef go(x):\n    return half(float(x))\n",
        "main.py": caller,
        "kit/__init__.py": "",
        "kit/tools.py": "from . import other\n\n\ndef half(x):\n    return x / 2\n",
        "kit/other.py": "import far.more\n",
        "far/more.py": "",
        "strangers/steps.py": STEP.replace("half", "abs"),
        "strangers/main.py": caller,
        "stranger.py": STEP.replace("half", "abs"),
    }
    _write(tmp_path, files)
    small = engine.analyze(tmp_path, [tmp_path / "steps.py"])
    monkeypatch.setattr(engine, "MOST_UNMARKED", 5)
    large = engine.analyze(tmp_path, [tmp_path / "steps.py"])
    assert [item.code for item in large.diagnostics] == ["JIT105"]
    assert large.diagnostics == small.diagnostics
    assert (small.parsed_files, large.parsed_files) == (4, 3)
    _write(tmp_path, {"setup.py": ""})
    assert engine.analyze(tmp_path, [tmp_path / "steps.py"]).parsed_files == 4


def test_a_configuration_that_concerns_no_target_stops_nothing(tmp_path):
    _write(
        tmp_path,
        {
            "mine.py": STEP.replace("half", "abs"),
            "theirs/jitlint.toml": "selekt = []\n",
            "theirs/model.py": "import jax\n",
        },
    )
    found = run(Request(paths=(tmp_path / "mine.py",)))
    assert [item.code for item in found.diagnostics] == ["JIT101"]
    with pytest.raises(UsageError, match="selekt"):
        run(Request(paths=(tmp_path / "theirs" / "model.py",)))
