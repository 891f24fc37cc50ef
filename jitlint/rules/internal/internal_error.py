"""JIT900: a fault of jitlint."""

from __future__ import annotations

from jitlint.diagnostics import Severity
from jitlint.rules.meta import RuleMeta

META = RuleMeta(
    code="JIT900",
    name="internal-error",
    summary="jitlint failed on this file or could not read it",
    severity=Severity.ERROR,
    why=(
        "The file was not linted: it could not be read, or jitlint itself failed on it. All other "
        "files were linted as usual, and the exit code is 2, so that a run with a hole in it never "
        "looks like a clean one."
    ),
    help=(
        "Check that the file can be read; otherwise report the fault with the file, and exclude "
        "the file meanwhile."
    ),
    bad=None,
    good=None,
    hazard=None,
    since="0.1.0",
)
