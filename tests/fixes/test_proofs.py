"""Every safe fix of the fixtures and test programs, proven by running: nothing else changes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jitlint.fixes.making.registry import FIXERS
from tests.fixes import proving
from tests.fixes.fixing import outcome_of
from tools import score
from tools.labels.comments import read_labels

pytestmark = [pytest.mark.jax, pytest.mark.slow]

_ROOT = Path(__file__).resolve().parents[2]
_FIXED = frozenset(FIXERS)
#: labels whose fix is proven by NumPy's arrays
_STORES = frozenset({"JIT205"})


def _cases_of(folder: Path, old: Path, new: Path, cases: Path) -> Iterator[dict[str, Any]]:
    """Fix a copy of a program, and list the labelled places that are fixed in the first round."""
    labels = [it for path in folder.rglob("*.py") for it in read_labels(path.read_text("utf-8"))]
    if not _FIXED.intersection(label.code for label in labels):
        return
    shutil.copytree(folder, old)
    shutil.copytree(folder, new)
    outcome = outcome_of(new)
    if not outcome.texts:
        return
    for path, (_, text) in outcome.texts.items():
        path.write_text(text, encoding="utf-8")
    gone = {(Path(item.filename).name, item.location.row, item.code) for item in outcome.fixed}
    for path in sorted(old.rglob("*.py")):
        for label in read_labels(path.read_text(encoding="utf-8")):
            if (path.name, label.row, label.code) in gone:
                yield {
                    "old": str(old),
                    "new": str(new),
                    "cases": str(cases),
                    "tag": label.tag,
                    "code": label.code,
                    "numpy": label.code in _STORES,
                }


def _listed(tmp_path: Path) -> Iterator[dict[str, Any]]:
    for number, module in enumerate(score.fixture_modules()):
        folder = tmp_path / f"fixture{number}"
        source = tmp_path / f"source{number}"
        source.mkdir()
        shutil.copy(module, source)
        yield from _cases_of(source, folder / "old", folder / "new", score.fixture_cases(module))
    for family in score.FAMILIES:
        for program in family.programs():
            if program.is_dir() and family.cases(program).is_file():
                folder = tmp_path / family.root.parent.name / program.name
                yield from _cases_of(program, folder / "old", folder / "new", family.cases(program))


def test_safe_fixes_change_nothing(tmp_path: Path) -> None:
    items = [{**item, "cases": str(Path(item["cases"]).resolve())} for item in _listed(tmp_path)]
    listing = tmp_path / "listing.json"
    listing.write_text(json.dumps(items), encoding="utf-8")
    command = [sys.executable, proving.__file__, str(listing)]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    verdicts = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(verdicts) == len(items)
    wrong = [item for item in verdicts if item["verdict"] in ("changes", "fails")]
    assert not wrong, "\n".join(
        f"{it['cases']} @{it['tag']} {it['code']}: {it['why']}" for it in wrong
    )
    counts = Counter(item["verdict"] for item in verdicts)
    assert counts["proven"] >= counts["not run"], counts
