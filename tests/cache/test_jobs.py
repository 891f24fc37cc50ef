"""Several processes and one find the same and keep the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jitlint.analysis import coordinator, engine
from jitlint.analysis.options import AnalysisOptions
from jitlint.cache.folder import CacheFolder, PartFolder
from jitlint.foundation.forks import ForkLostError, can_fork

ROOT = Path(__file__).resolve().parents[2] / "fixtures"

pytestmark = pytest.mark.skipif(not can_fork(), reason="this platform cannot fork")


def linted(folder: Path, jobs: int) -> tuple[list[str], list[Path], dict[str, bytes]]:
    kept = PartFolder(CacheFolder(folder), "")
    options = AnalysisOptions(jobs=jobs)
    found = engine.analyze(ROOT, [ROOT], options=options, cache=kept)
    files = {path.name: path.read_bytes() for path in folder.rglob("part-*.json")}
    return (
        [json.dumps(dict(item.to_json())) for item in found.diagnostics],
        sorted(kept.interpreted),
        files,
    )


@pytest.mark.slow
def test_any_number_of_processes(tmp_path, monkeypatch):
    alone = linted(tmp_path / "1", 1)
    forked = []
    real = coordinator.Forks
    monkeypatch.setattr(
        coordinator, "Forks", lambda task, count: forked.append(count) or real(task, count)
    )
    monkeypatch.setattr(coordinator, "ROWS_PER_PROCESS", 100)
    for jobs in (2, 5):
        shared = linted(tmp_path / str(jobs), jobs)
        assert shared[:2] == alone[:2]
        for name, content in alone[2].items():
            assert json.loads(shared[2][name]).keys() == json.loads(content).keys()
        # One process takes over what several have found.
        assert linted(tmp_path / str(jobs), 1)[:2] == (alone[0], [])
    assert forked == [2, 5]


def test_a_lost_child_costs_only_time(tmp_path, monkeypatch):
    monkeypatch.setattr(coordinator, "ROWS_PER_PROCESS", 100)
    alone = linted(tmp_path / "1", 1)

    def lost(works, it, channel):
        raise ForkLostError("gone")

    monkeypatch.setattr(coordinator, "serve", lost)
    assert linted(tmp_path / "2", 3)[:2] == alone[:2]
