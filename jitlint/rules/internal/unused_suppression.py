"""JIT902: a comment that silences nothing."""

from __future__ import annotations

from jitlint.diagnostics import Severity
from jitlint.rules.meta import RuleMeta

META = RuleMeta(
    code="JIT902",
    name="unused-suppression",
    summary="a `# noqa: JIT...` or `# jitlint:` comment that silences nothing",
    severity=Severity.WARNING,
    why=(
        "The comment names a rule that reports nothing on its statement: the code was corrected "
        "meanwhile, or the comment stands on another line than the report. It would hide the next "
        "fault that somebody writes there.\n\n"
        "Only codes of jitlint are judged, and only rules that this run looks for: a comment for a "
        "rule that is deselected, or ignored in that file, may well be needed in another run. For "
        "the same reason a family (`JIT1`) is judged only where all its rules are on, and "
        "`# jitlint: ignore-file` only where all rules are. A bare `# noqa` is never judged, as it "
        "may silence another linter. A comment after `# jitlint:` that is neither `ignore[CODES]` "
        "nor `ignore-file`, or that names no rule, silences nothing either, and is reported too."
    ),
    help="Remove the comment, or those codes from it.",
    bad=None,
    good=None,
    hazard=None,
    since="0.1.0",
)
