"""A few lines of Python that show again what was seen.

Runs in a child process only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from jitlint.verify.driving.oracles.findings import Runs
from jitlint.verify.recording.records import Report

#: hazards that show when the same is done again
REPEATED = frozenset({"runs-once", "stale", "recompiles", "mismeasured"})
#: what runs whole programs and tests, which may do anything to files
_OF_PROGRAMS = frozenset({"runpy", "pytest"})
_NO_COPY = "# This runs your own program or test, in place: nothing keeps it from changing files."
#: what a call may name, and how that is imported
_IMPORTS = {
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "np": "import numpy as np",
    "collections": "import collections",
}


def reproducer(
    report: Report, runs: Runs, paths: Sequence[str], evidence: dict[str, Any]
) -> dict[str, Any] | None:
    """How to see again what confirmed a report, None where that cannot be written down.

    Args:
      report: the report.
      runs: the runs that confirmed it.
      paths: the import roots of its module.
      evidence: what they have shown.
    """
    if runs.code is None:
        return None
    made = [
        runs.code(turn) for turn in range(2 if report.kind in REPEATED and not runs.real else 1)
    ]
    known = [code for code in made if code is not None]
    if len(known) < len(made):
        return None
    calls = list(dict.fromkeys(code.call for code in known))
    imports = imports_of(calls, known[0].module)
    after = " (once the fault before it is cured)" if "substituted" in evidence else ""
    observed = str(evidence.get("summary", "")).partition("\n")[0]
    lines = [
        *([_NO_COPY] if known[0].module in _OF_PROGRAMS else []),
        f"import sys; sys.path[:0] = {list(paths)!r}",
        *imports,
        *(["", *calls] if any(calls) else []),
        f"# {observed}{after}",
    ]
    return {"imports": imports, "calls": calls, "text": "\n".join(lines)}


def imports_of(calls: Sequence[str], module: str) -> list[str]:
    """The imports that some calls need, besides that of their module."""
    text = "\n".join(calls)
    needed = [line for name, line in _IMPORTS.items() if re.search(rf"\b{name}\.", text)]
    return [*needed, f"import {module}"]
