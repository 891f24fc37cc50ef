"""JIT903: one of the two parsers is too old for a statement."""

from __future__ import annotations

from jitlint.diagnostics import Severity
from jitlint.rules.meta import RuleMeta

META = RuleMeta(
    code="JIT903",
    name="unsupported-syntax",
    summary="the syntax is newer than this Python or this libcst",
    severity=Severity.WARNING,
    why=(
        "One parser accepts a statement or function and the other does not, which happens with "
        "syntax newer than the installed libcst, or newer than the Python that runs jitlint, and "
        "where code is nested too deeply. Nothing is said about that code; the rest of the file is "
        "analysed."
    ),
    help="Run jitlint under a newer Python, or install a newer libcst.",
    bad=None,
    good=None,
    hazard=None,
    since="0.1.0",
)
