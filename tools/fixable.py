"""How many of the reports on our own programs have a fix, rule by rule.

    python -m tools.fixable [--unfixed CODE]

lints the fixtures and the three families of test programs, each by itself, and prints for each rule
how many errors, and how many warnings and infos, have a fix of which applicability.  ``--unfixed``
lists the places of a rule that have none.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Applicability, Diagnostic, Severity
from tools import score

_KINDS = (*(kind.value for kind in Applicability), "none")


def reports() -> Iterator[Diagnostic]:
    """The reports on all fixtures and programs."""
    families = (family.programs() for family in score.FAMILIES)
    for program in (*score.fixture_modules(), *(each for family in families for each in family)):
        root = program if program.is_dir() else program.parent
        yield from analyze(root=root, targets=[program], options=AnalysisOptions()).diagnostics


def kind(report: Diagnostic) -> str:
    """How far the fix of a report may be trusted; ``none`` where there is no fix."""
    return "none" if report.fix is None else report.fix.applicability.value


def table(found: Sequence[Diagnostic]) -> str:
    """The shares as text, errors first."""
    lines = []
    for title, errors in (("errors", True), ("others", False)):
        chosen = [it for it in found if (it.severity is Severity.ERROR) == errors]
        lines.append(f"{title:8}" + "".join(f"{each:>14}" for each in _KINDS) + f"{'share':>8}")
        for code in sorted({it.code for it in chosen}):
            lines.append(_row(code, [kind(it) for it in chosen if it.code == code]))
        lines.append(_row("all", [kind(it) for it in chosen]))
    return "\n".join(lines)


def _row(name: str, kinds: Sequence[str]) -> str:
    counts = Counter(kinds)
    share = 1 - counts["none"] / len(kinds) if kinds else 0.0
    return f"{name:8}" + "".join(f"{counts[each]:14}" for each in _KINDS) + f"{share:8.0%}"


def main(arguments: Sequence[str]) -> int:
    """Print the table, or the places of a rule without a fix."""
    found = list(reports())
    if arguments[:1] == ["--unfixed"]:
        for it in found:
            if it.code in arguments[1:] and it.fix is None:
                place = f"{Path(it.filename).relative_to(score.ROOT)}:{it.location.row}"
                sys.stdout.write(f"{place} {it.severity.label} {it.code} {it.message}\n")
    else:
        sys.stdout.write(table(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
