"""The README's table of rules.

``python -m tools.readme`` renews it; a test fails when it is stale.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jitlint.rules.meta import RuleMeta
from jitlint.rules.registry import all_rules

README = Path(__file__).resolve().parents[1] / "README.md"

_BEGIN = "<!-- rules: begin (python -m tools.readme) -->"
_END = "<!-- rules: end -->"


def renewed(text: str) -> str:
    """A document with a new table between its markers.

    Args:
      text: the document.

    Raises:
      ValueError: the document lacks the markers.
    """
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"no {_BEGIN!r} ... {_END!r}")
    return f"{before}{_BEGIN}\n\n{_table(all_rules())}\n{_END}{after}"


def _table(rules: Iterable[RuleMeta]) -> str:
    rows = ["| Code | Name | Severity | What it finds |", "|---|---|---|---|"]
    rows += [
        f"| {rule.code} | {rule.name} | {rule.severity.label} | {_cell(rule.summary)} |"
        for rule in rules
    ]
    return "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    """Text as a table cell: one line, and no bar that would end the cell."""
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    README.write_text(renewed(README.read_text(encoding="utf-8")), encoding="utf-8")
