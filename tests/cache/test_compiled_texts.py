"""Python's compiler is asked of a text once, and whatever it refuses is told each time."""

from __future__ import annotations

from pathlib import Path

import pytest

import jitlint.project.project as projects
from jitlint.analysis.engine import analyze
from jitlint.cache.folder import CacheFolder, PartFolder
from jitlint.cache.stores import Store

LAYERS = "import jax\n\n\n@jax.jit\ndef dense(x, w):\n    return x @ w\n"
LOSSES = "import jax\n\n\ndef loss(x):\n    return jax.numpy.sum(x)\n"
#: which the parser takes
REFUSED = f"{LOSSES}\n\nreturn loss\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "pyproject.toml").write_text("")
    (root / "layers.py").write_text(LAYERS)
    (root / "losses.py").write_text(LOSSES)
    return root


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that the compiler is asked of."""
    names: list[str] = []

    def spy(tree: object, filename: str, mode: str, *, dont_inherit: bool) -> object:
        names.append(Path(filename).name)
        return compile(tree, filename, mode, dont_inherit=dont_inherit)  # type: ignore[call-overload]

    monkeypatch.setattr(projects, "compile", spy, raising=False)
    return names


def found(project: Path, store: Store) -> list[tuple[str, int, str]]:
    analysis = analyze(project, [project], cache=store)
    return [(Path(r.filename).name, r.location.row, r.code) for r in analysis.diagnostics]


def test_only_what_is_new_is_shown_to_it(project: Path, store: Store, asked: list[str]) -> None:
    assert found(project, store) == []
    assert sorted(asked) == ["layers.py", "losses.py"]
    asked.clear()
    (project / "losses.py").write_text(f"{LOSSES}    # And no more.\n\n\nSCALE = 2\n")
    assert found(project, store) == []
    assert asked == ["losses.py"]
    asked.clear()
    # What was changed back is new again: only the last text of a file is remembered.
    (project / "losses.py").write_text(LOSSES)
    (project / "layers.py").write_text(f"{LAYERS}\n\nSIZE = 3\n")
    assert found(project, store) == []
    assert sorted(asked) == ["layers.py", "losses.py"]


def test_what_it_refuses_is_told_each_time(project: Path, store: Store, asked: list[str]) -> None:
    assert found(project, store) == []
    (project / "losses.py").write_text(REFUSED)
    wrong = found(project, store)
    assert [(name, row) for name, row, _ in wrong] == [("losses.py", 8)]
    (project / "layers.py").write_text(f"{LAYERS}\n\nSIZE = 3\n")
    assert found(project, store) == wrong
    assert asked.count("losses.py") == 3
    (project / "losses.py").write_text(LOSSES)
    assert found(project, store) == []


def test_a_broken_record_is_none(project: Path, tmp_path: Path, asked: list[str]) -> None:
    store = PartFolder(CacheFolder(tmp_path / "cache"), "")
    assert found(project, store) == []
    for record in (tmp_path / "cache").rglob("compiled-*"):
        record.write_bytes(b"\xc1")
    asked.clear()
    (project / "losses.py").write_text(f"{LOSSES}\n\nSCALE = 2\n")
    assert found(project, store) == []
    assert sorted(asked) == ["layers.py", "losses.py"]
