"""JIT901: the file is no Python."""

from __future__ import annotations

from jitlint.diagnostics import Severity
from jitlint.rules.meta import RuleMeta

META = RuleMeta(
    code="JIT901",
    name="syntax-error",
    summary="the file is not valid Python",
    severity=Severity.ERROR,
    why=(
        "Neither parser accepts the file: it has a syntax error, its bytes do not match its "
        "declared encoding, it is binary, or it is a broken notebook. Nothing in it can be linted, "
        "and what it defines is unknown to the files that import it."
    ),
    help="Correct the syntax or the encoding, or exclude the file.",
    bad=None,
    good=None,
    hazard=None,
    since="0.1.0",
)
