"""Whether the safe fixes of the fixtures and test programs leave what they do as it was."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tools.fix_proofs.listing import verdicts
from tools.observed.kept import ROOT, Kind, Subject, digest, files_of, harness

PROVEN, NOT_RUN = "proven", "not run"
_HARNESS = (
    *("tools/fix_proofs/running.py", "tools/harm.py", "tools/observation.py"),
    *("jitlint/verify/recording", "jitlint/verify/proving"),
)

Case = dict[str, Any]


def subjects(cases: Iterable[Case]) -> list[Subject[Case]]:
    """The cases of fixed places, as ``tools.fix_proofs.listing.listed`` gives them."""
    return [_subject(case) for case in cases]


def _subject(case: Case) -> Subject[Case]:
    old, new, file = (Path(case[key]) for key in ("old", "new", "cases"))
    left = [(Path(name).relative_to(new).as_posix(), *place) for name, *place in case["left"]]
    told = json.dumps([case["tag"], case["code"], case["numpy"], sorted(left)])
    found = digest([*files_of(old), *files_of(new), file], told, harness(*_HARNESS))
    return Subject(
        f"{file.relative_to(ROOT).as_posix()} @{case['tag']} {case['code']}", found, case
    )


def _run(cases: Sequence[Case]) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="jitlint-fixes-") as scratch:
        found = verdicts(cases, Path(scratch).resolve())
    return [_outcome(it) for it in found]


def _outcome(case: Case) -> str:
    verdict: str = case["verdict"]
    return verdict if verdict in (PROVEN, NOT_RUN) else f"{verdict}: {case['why']}"


FIXES: Kind[Case] = Kind("fixes", _run, frozenset({PROVEN, NOT_RUN}))
