"""Rules in words: the page that ``jitlint explain`` shows."""

from __future__ import annotations

import textwrap

from jitlint.diagnostics import Hazard
from jitlint.rules.meta import Example, RuleMeta

_WIDTH = 88

_HAZARDS = {
    "raises": "The line raises",
    "leaks": "A traced value leaks out of the function",
    "silently-wrong": "Nothing is raised, but the result is wrong",
    "runs-once": "It happens once, while tracing, and not when the compiled function runs",
    "stale": "The compiled function keeps the value it saw while tracing",
    "recompiles": "JAX compiles again",
    "unrolls": "Every turn of the loop is compiled separately",
    "mismeasured": "Nothing is raised, but the duration is not what the code takes to run",
    "bloats": "The program that is compiled grows with the data",
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


def _hazard(hazard: Hazard) -> str:
    text = _HAZARDS.get(hazard.kind, hazard.kind)
    names = [f"`{name}`" for name in hazard.exceptions]
    if names:
        text += f" {' or '.join(names)}"
    return f"{text}."


def _example(example: Example) -> str:
    code = example.code.strip()
    return f"```python\n{code}\n\n{example.call.strip()}\n```"
