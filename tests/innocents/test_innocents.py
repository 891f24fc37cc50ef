"""Programs that look like faults and are none: no report, and JAX runs them to their end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Severity
from tools.observed import innocents
from tools.observed.innocents import INNOCENT, INNOCENTS

GAPS = Path(__file__).with_name("known_gaps.txt")


def _reported(program: Path, scratch: Path) -> list[str]:
    root = scratch.resolve()
    shutil.copy(program, root / program.name)
    found = analyze(root=root, targets=[root], options=AnalysisOptions()).diagnostics
    return [
        f"{program.name}:{diagnostic.location.row} {diagnostic.code}"
        for diagnostic in found
        if diagnostic.severity >= Severity.WARNING
    ]


@pytest.mark.parametrize("program", innocents.programs(), ids=lambda path: path.stem)
def test_nothing_is_reported(program: Path, tmp_path: Path) -> None:
    known = GAPS.read_text(encoding="utf-8").splitlines()
    due = [gap for gap in known if gap.startswith(f"{program.name}:")]
    assert sorted(set(_reported(program, tmp_path))) == due


def test_there_are_many_channels_and_all_families() -> None:
    heads = [path.read_text(encoding="utf-8").splitlines() for path in innocents.programs()]
    channels = {head[2] for head in heads}
    codes = {head[0].split()[-1].rstrip(".") for head in heads}
    assert len(heads) >= 190 and len(channels) >= 140
    assert len(codes) >= 35 and {code[3] for code in codes} == set("1234")


@pytest.mark.jax
@pytest.mark.slow
def test_all_of_them_run() -> None:
    wrong = [
        f"{name}: {outcome}"
        for name, outcome in INNOCENTS.observe(innocents.subjects())
        if outcome != INNOCENT
    ]
    assert not wrong, "\n".join(wrong)
