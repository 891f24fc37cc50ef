"""After any edit a warm run says what a cold one says."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from jitlint.analysis import engine
from jitlint.cache.folder import CacheFolder, PartFolder
from jitlint.foundation.garbage_collection import no_collection
from tests.cache.changing_project import ChangingProject

_EDITS = 30


def write(project: ChangingProject, root: Path) -> None:
    shutil.rmtree(root, ignore_errors=True)
    for name, text in project.files():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def reports(root: Path, cache: PartFolder | None) -> list[str]:
    with no_collection():
        found = engine.analyze(root, [root], cache=cache)
    return [json.dumps(dict(item.to_json())) for item in found.diagnostics]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_warm_and_cold_runs_agree(seed: int, tmp_path: Path) -> None:
    project = ChangingProject(random.Random(seed))
    root = tmp_path / "project"
    warm = CacheFolder(tmp_path / "warm")
    spared = parts = 0
    log = []
    for number in range(_EDITS):
        log += [project.edit() for _ in range(project.chance.choice((1, 1, 1, 2, 5)))]
        write(project, root)
        kept = PartFolder(warm, "")
        found = reports(root, kept)
        fresh = PartFolder(CacheFolder(tmp_path / f"cold{number}"), "")
        assert found == reports(root, fresh), log
        assert found == reports(root, None), log
        spared += len(fresh.interpreted) - len(kept.interpreted)
        parts += len(fresh.interpreted)
    # It would be no cache if everything were interpreted again.
    assert spared > parts / 2
