"""One page for each rule, and a table of them all."""

from __future__ import annotations

from collections.abc import Iterable

from jitlint.rules.docs import page
from jitlint.rules.meta import RuleMeta
from jitlint.rules.registry import all_rules
from tools.site.linted import said_of

_FAMILIES = {
    "1": "Python needs a value that does not exist yet",
    "2": "It happens while tracing, not while running",
    "3": "The compilation cache, and arguments",
    "4": "Measurement and precision",
    "9": "jitlint itself",
}


def rule_pages() -> dict[str, str]:
    """The pages by their names in the folder of rules."""
    rules = all_rules()
    said = said_of({rule.code: _module(rule) for rule in rules if rule.bad is not None})
    pages = {f"{rule.code}.md": _page(rule, said.get(rule.code)) for rule in rules}
    return {"index.md": _index(rules), **pages}


def _module(rule: RuleMeta) -> str:
    assert rule.bad is not None
    return f"{rule.bad.code.strip()}\n\n{rule.bad.call.strip()}\n"


def _page(rule: RuleMeta, said: str | None) -> str:
    parts = [page(rule).strip()]
    if said is not None:
        parts.append(f"## What jitlint says\n\nOf the first example:\n\n```text\n{said}```")
    if rule.hazard is not None:
        parts.append(
            "The tests run both examples under JAX: the first one does this harm, and the second "
            "one does none."
        )
    parts.append(
        "## Configuration\n\n"
        "```toml\n[tool.jitlint]\n"
        f'ignore = ["{rule.code}"]\n\n'
        '[tool.jitlint.per-file-ignores]\n"tests/*" = '
        f'["{rule.code}"]\n```\n\n'
        f"At one place: `# noqa: {rule.code}` or `# jitlint: ignore[{rule.code}] why`. "
        "See [Configuration](../configuration.md) and [Silence a report](../silence.md)."
    )
    return "\n\n".join(parts) + "\n"


def _index(rules: Iterable[RuleMeta]) -> str:
    parts = [
        "# Rules\n\n"
        "An **error** raises, leaks or computes something wrong whenever the line is reached under "
        "tracing; a\n**warning** costs time or correctness in some calls; an **info** is advice, "
        "shown with\n`--min-severity info`. `jitlint explain CODE` shows a rule's page in the "
        "terminal."
    ]
    listed = list(rules)
    for digit, title in _FAMILIES.items():
        rows = ["| Code | Name | Severity | What it finds |", "|---|---|---|---|"]
        rows += [
            f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.severity.label} "
            f"| {_cell(rule.summary)} |"
            for rule in listed
            if rule.code[3] == digit
        ]
        parts.append(f"## JIT{digit}: {title}\n\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    """Text as a table cell: one line, and no bar that would end the cell."""
    return " ".join(text.split()).replace("|", "\\|")
