"""JIT903: one of the two parsers is too old for the file."""

from __future__ import annotations

from jitlint.diagnostics import Severity
from jitlint.rules.meta import RuleMeta

META = RuleMeta(
    code="JIT903",
    name="unsupported-syntax",
    summary="the syntax is newer than this Python or this libcst",
    severity=Severity.WARNING,
    why=(
        "One parser accepts the file and the other does not, which happens with syntax newer than "
        "the Python that runs jitlint, or newer than the installed libcst. The file is skipped: "
        "nothing is said about its code."
    ),
    help="Run jitlint under a newer Python, or install a newer libcst.",
    bad=None,
    good=None,
    hazard=None,
    since="0.1.0",
)
