"""Rules in words: the page that ``jitlint explain`` shows, and the README's table.

``python -m jitlint.rules.docs --write README.md`` renews the table; a test fails when it is stale.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

from jitlint.diagnostics import Hazard
from jitlint.rules.meta import Example, RuleMeta

BEGIN = "<!-- rules: begin (python -m jitlint.rules.docs --write README.md) -->"
END = "<!-- rules: end -->"

_WIDTH = 88

_HAZARDS = {
    "raises": "The line raises",
    "leaks": "A traced value leaks out of the function",
    "silently-wrong": "Nothing is raised, but the result is wrong",
    "runs-once": "It happens once, while tracing, and not when the compiled function runs",
    "stale": "The compiled function keeps the value it saw while tracing",
    "recompiles": "JAX compiles again",
    "unrolls": "Every turn of the loop is compiled separately",
}


def page(rule: RuleMeta) -> str:
    """A rule's page.

    Args:
      rule: the rule.

    Returns:
      Markdown, ending in a newline.
    """
    parts = [
        f"# {rule.code} {rule.name}",
        _wrapped(_sentence(rule.summary)),
        f"Severity: {rule.severity.label}. Since {rule.since}.",
        f"## Why\n\n{_wrapped(rule.why)}",
    ]
    if rule.hazard is not None:
        parts.append(f"## What happens\n\n{_wrapped(_hazard(rule.hazard))}")
    parts.append(f"## What to do\n\n{_wrapped(rule.help)}")
    if rule.bad is not None:
        parts.append(f"## Example\n\n{_example(rule.bad)}")
    if rule.good is not None:
        parts.append(f"## Use instead\n\n{_example(rule.good)}")
    if rule.references:
        links = "\n".join(f"- <{reference}>" for reference in rule.references)
        parts.append(f"## References\n\n{links}")
    return "\n\n".join(parts) + "\n"


def table(rules: Iterable[RuleMeta]) -> str:
    """The table of rules.

    Args:
      rules: in the order of their rows.

    Returns:
      Markdown, ending in a newline.
    """
    rows = ["| Code | Name | Severity | What it finds |", "|---|---|---|---|"]
    rows += [
        f"| {rule.code} | {rule.name} | {rule.severity.label} | {_cell(rule.summary)} |"
        for rule in rules
    ]
    return "\n".join(rows) + "\n"


def renew(text: str, rules: Iterable[RuleMeta]) -> str:
    """Replace the table between the markers of a document.

    Args:
      text: the document.
      rules: what the table is to hold.

    Returns:
      The document with the new table.

    Raises:
      ValueError: the document lacks the markers.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no {BEGIN!r} ... {END!r}")
    return f"{before}{BEGIN}\n\n{table(rules)}\n{END}{after}"


def _sentence(text: str) -> str:
    text = text.strip()
    if not text.startswith("jitlint"):
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _wrapped(text: str) -> str:
    """Prose at a width that reads well in a terminal; lists and indented text stay as they are."""
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(
        paragraph
        if paragraph.startswith(("- ", "* ", " ", "|", "```"))
        else textwrap.fill(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)
        for paragraph in paragraphs
    )


def _cell(text: str) -> str:
    """Text as a table cell: one line, and no bar that would end the cell."""
    return " ".join(text.split()).replace("|", "\\|")


def _hazard(hazard: Hazard) -> str:
    text = _HAZARDS.get(hazard.kind, hazard.kind)
    names = [f"`{name}`" for name in hazard.exceptions]
    if names:
        text += f" {' or '.join(names)}"
    return f"{text}."


def _example(example: Example) -> str:
    code = example.code.strip()
    return f"```python\n{code}\n\n{example.call.strip()}\n```"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, or renew it in a document.

    Args:
      argv: the arguments; those of the process by default.

    Returns:
      The exit code.
    """
    # The registry imports every rule; importing it late lets rules import this module.
    from jitlint.rules.registry import all_rules

    parser = argparse.ArgumentParser(
        prog="python -m jitlint.rules.docs", description="Print the table of rules."
    )
    parser.add_argument("--write", metavar="FILE", type=Path, help="renew the table in this file")
    arguments = parser.parse_args(argv)
    if arguments.write is None:
        sys.stdout.write(table(all_rules()))
        return 0
    old = arguments.write.read_text(encoding="utf-8")
    arguments.write.write_text(renew(old, all_rules()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
