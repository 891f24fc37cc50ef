"""The reports of jitlint against the labels: exact in the fixtures, by the bars in the programs.

What is hard to get to has a list of what is not right yet, which has to be exact.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Severity
from jitlint.rules.registry import all_rules
from tools import score

LEAST_FOUND = 0.95
MOST_FALSE = 0.02


@cache
def _programs() -> tuple[score.Score, ...]:
    return tuple(score.score(program) for program in score.programs())


@cache
def _reported(folder: Path) -> list[score.Place]:
    """The reports in all modules of a folder of fixtures, which is a project."""
    return score.reported_places(folder)


@pytest.mark.parametrize(
    "module", score.fixture_modules(), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_a_fixture_gets_exactly_its_labels(module: Path) -> None:
    expected = [str(place) for place in score.expected_places(module)]
    reported = [str(place) for place in _reported(module.parent) if place.file == module.name]
    assert reported == expected


def test_every_rule_has_hostile_and_innocent_fixtures() -> None:
    for meta in all_rules():
        # Infos are not reported by default and carry no labels; JIT9 is jitlint's own.
        if meta.code.startswith("JIT9") or meta.severity is Severity.INFO:
            continue
        folder = score.FIXTURES / f"{meta.code}_{meta.name.replace('-', '_')}"
        modules = sorted(folder.glob("*.py"))
        labelled = [module for module in modules if score.expected_places(module)]
        assert labelled and len(labelled) < len(modules), folder


def test_the_same_function_in_a_loop_is_an_info() -> None:
    module = score.FIXTURES / "JIT302_jit_in_loop" / "same_function.py"
    diagnostics = analyze(
        root=module.parent, targets=[module], options=AnalysisOptions()
    ).diagnostics
    # The last place jits several functions, once each, which the cache serves as well.
    assert {(one.code, one.severity) for one in diagnostics} == {("JIT302", Severity.INFO)}
    assert {13, 18, 35} <= {one.location.row for one in diagnostics}


@pytest.mark.slow
def test_programs_are_found() -> None:
    scores = _programs()
    together = score.total(scores)
    assert len(together.found) >= LEAST_FOUND * together.labels, "\n" + score.table(scores)


def test_programs_get_no_false_reports() -> None:
    scores = _programs()
    together = score.total(scores)
    assert len(together.false) <= MOST_FALSE * together.reports, "\n" + score.table(scores)


def test_every_rule_of_the_catalogue_has_hostile_and_innocent_programs() -> None:
    due = {program: score.expected_places(program) for program in score.CATALOGUE.programs()}
    for folder in {program.parent for program in due}:
        labelled = [bool(places) for program, places in due.items() if program.parent == folder]
        assert {*labelled} == {True, False}, folder
    assert sum(map(len, due.values())) >= 120
    assert sum(map(bool, due.values())) >= 60
    assert sum(not places for places in due.values()) >= 60


@pytest.mark.parametrize(
    "family", [score.REACH, score.CATALOGUE, score.INPUTS], ids=lambda one: one.root.name
)
def test_the_known_gaps_are_exact(family: score.Family) -> None:
    known = family.known_gaps.read_text(encoding="utf-8").splitlines()
    today = score.gaps(score.score(program) for program in family.programs())
    new = sorted({*today} - {*known})
    cured = sorted({*known} - {*today})
    assert today == known, "\n".join(["new:", *new, "cured, to be taken out:", *cured])
