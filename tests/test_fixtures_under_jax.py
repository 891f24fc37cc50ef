"""Every label of the fixtures and test programs is true under the installed JAX."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools import score
from tools.labels.checking import verify_many
from tools.labels.results import CaseResult

pytestmark = [pytest.mark.jax, pytest.mark.slow]


def _complaint(result: CaseResult) -> str:
    what = f"@{result.tag}" if result.tag is not None else f"innocent {result.innocent}"
    return f"{result.program} {what}: {result.why} {result.message or ''}"


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def _check(pairs: list[tuple[Path, Path]]) -> None:
    # Several children, one after the other if need be, as one would hold all that it compiled.
    count = max(2, min(_processors(), 4))
    shares = [pairs[start::count] for start in range(count)]
    # The other processes of tests have processors, too: one more than there are slows all down.
    others = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    with ThreadPoolExecutor(max(1, min(_processors() // others, count))) as pool:
        results = [result for share in pool.map(verify_many, shares) for result in share]
    bad = [_complaint(result) for result in results if not result.ok]
    assert not bad, "\n".join(bad)
    ran = {result.program for result in results}
    assert ran == {str(program) for program, _ in pairs}, "a program has no case at all"


def test_fixtures() -> None:
    _check([(module, score.fixture_cases(module)) for module in score.fixture_modules()])


# The largest family by itself, for what compiled programs take of memory; the others share what it
# takes to start JAX and to import the frameworks.
@pytest.mark.parametrize(
    "families", [score.FAMILIES[:1], score.FAMILIES[1:]], ids=["first", "others"]
)
def test_programs(families: Sequence[score.Family]) -> None:
    _check([(it, family.cases(it)) for family in families for it in family.programs()])
