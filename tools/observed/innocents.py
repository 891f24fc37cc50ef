"""Whether the programs of ``tests/innocents`` run under JAX to their end: each is innocent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.observed.kept import ROOT, Kind, Subject, digest

PROGRAMS = ROOT / "tests" / "innocents" / "programs"
INNOCENT = "innocent"
#: seconds until a program is given up
_PATIENCE = 300


def programs() -> list[Path]:
    """All programs, in order."""
    return sorted(PROGRAMS.glob("*.py"))


def subjects() -> list[Subject[Path]]:
    """All programs; nothing but themselves is run."""
    return [
        Subject(program.relative_to(ROOT).as_posix(), digest([program]), program)
        for program in programs()
    ]


def _run(found: Sequence[Path]) -> list[str]:
    # Each by itself, since some of them change what is there for all.
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(_outcome, found))


def _outcome(program: Path) -> str:
    done = subprocess.run(
        [sys.executable, program.name],
        cwd=program.parent,
        env={**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=_PATIENCE,
    )
    if done.returncode == 0:
        return INNOCENT
    return (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]


INNOCENTS: Kind[Path] = Kind("innocents", _run, frozenset({INNOCENT}))
