"""Several processes and one find the same and keep the same."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from jitlint.analysis import engine, sharing
from jitlint.analysis.options import AnalysisOptions
from jitlint.analysis.parts import stored_parts
from jitlint.cache.folder import CacheFolder, PartFolder
from jitlint.foundation.forks import ForkLostError, can_fork

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
Linted = tuple[list[str], list[Path], dict[str, bytes]]

pytestmark = pytest.mark.skipif(not can_fork(), reason="this platform cannot fork")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fixtures on what parts must tell each other: how compiled functions are used."""
    root = tmp_path_factory.mktemp("project")
    for folder in FIXTURES.glob("JIT30[1-4]*"):
        shutil.copytree(folder, root / folder.name)
    return root


@pytest.fixture(scope="module")
def alone(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Linted:
    found = linted(root, tmp_path_factory.mktemp("alone"), 1)
    assert len(found[0]) > 20
    return found


def linted(root: Path, folder: Path, jobs: int) -> Linted:
    kept = PartFolder(CacheFolder(folder), "")
    options = AnalysisOptions(jobs=jobs)
    found = engine.analyze(root, [root], options=options, cache=kept)
    files = {path.name: path.read_bytes() for path in folder.rglob("part-*.msgpack")}
    return (
        [json.dumps(dict(item.to_json())) for item in found.diagnostics],
        sorted(kept.interpreted),
        files,
    )


def rests_on(data: bytes) -> list[object]:
    """What a record says that its part has read."""
    record = stored_parts.read(data)
    return [
        record.starts, record.modules, record.readings, record.lookups, record.words,
        record.sources,
    ]  # fmt: skip


@pytest.mark.slow
def test_any_number_of_processes(root, alone, tmp_path, monkeypatch):
    forked = []
    real = sharing.Forks
    monkeypatch.setattr(
        sharing, "Forks", lambda task, count: forked.append(count) or real(task, count)
    )
    monkeypatch.setattr(sharing, "ROWS_PER_PROCESS", 100)
    for jobs in (2, 5):
        shared = linted(root, tmp_path / str(jobs), jobs)
        assert shared[:2] == alone[:2]
        for name, content in alone[2].items():
            assert rests_on(shared[2][name]) == rests_on(content)
        # One process takes over what several have found.
        assert linted(root, tmp_path / str(jobs), 1)[:2] == (alone[0], [])
    assert forked == [2, 5]


def test_a_lost_child_costs_only_time(root, alone, tmp_path, monkeypatch):
    monkeypatch.setattr(sharing, "ROWS_PER_PROCESS", 100)

    def lost(works, it, channel):
        raise ForkLostError("gone")

    monkeypatch.setattr(sharing, "serve", lost)
    assert linted(root, tmp_path / "2", 3)[:2] == alone[:2]
