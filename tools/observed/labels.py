"""Whether the labels of the fixtures and test programs are true."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import score
from tools.labels.checking import verify_many
from tools.labels.results import CaseResult
from tools.observed.kept import ROOT, Kind, Subject, digest, files_of, harness

#: Compiled programs are not given back: a child that held many more would need too much memory.
PROGRAMS_OF_A_CHILD = 120
TRUE = "true"
_HARNESS = ("tools/labels", "tools/harm.py", "tools/observation.py", "jitlint/verify/recording")

Program = tuple[Path, Path]


def subjects() -> list[Subject[Program]]:
    """All programs with their cases."""
    pairs = [(module, score.fixture_cases(module)) for module in score.fixture_modules()]
    pairs += [(it, family.cases(it)) for family in score.FAMILIES for it in family.programs()]
    return [
        Subject(
            program.relative_to(ROOT).as_posix(),
            digest([*files_of(program), cases], harness(*_HARNESS)),
            (program, cases),
        )
        for program, cases in pairs
    ]


def _run(programs: Sequence[Program]) -> list[str]:
    # Children share what it takes to start JAX and to import the frameworks.
    count = -(-len(programs) // PROGRAMS_OF_A_CHILD)
    shares = [programs[start::count] for start in range(count)]
    # The other processes of tests have processors, too: one more than there are slows all down.
    others = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    with ThreadPoolExecutor(max(1, min(_processors() // others, count))) as pool:
        results = [result for share in pool.map(verify_many, shares) for result in share]
    found: dict[str, list[CaseResult]] = defaultdict(list)
    for result in results:
        found[result.program].append(result)
    return [_outcome(found[str(program)]) for program, _ in programs]


def _outcome(results: Sequence[CaseResult]) -> str:
    if not results:
        return "it has no case at all"
    return "\n".join(_complaint(result) for result in results if not result.ok) or TRUE


def _complaint(result: CaseResult) -> str:
    what = f"@{result.tag}" if result.tag is not None else f"innocent {result.innocent}"
    return f"{what}: {result.why} {result.message or ''}"


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


LABELS: Kind[Program] = Kind("labels", _run, frozenset({TRUE}))
