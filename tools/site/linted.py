"""What jitlint says of examples, each as if it were a project of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from jitlint.config.rule_selection import Layer
from jitlint.diagnostics import Severity
from jitlint.filters.diagnostic_filter import shown_of
from jitlint.output.full import render
from jitlint.output.report import Report
from jitlint.run.request import Request
from jitlint.run.runner import run


def said_of(
    examples: Mapping[str, str], filename: str = "example.py", *, color: bool = False
) -> dict[str, str]:
    """What ``jitlint check --min-severity info`` prints of some examples.

    Args:
      examples: their texts.
      filename: what each is called in its folder.
      color: as on a terminal.

    Returns:
      The outputs, by the keys of the examples.
    """
    with tempfile.TemporaryDirectory(prefix="jitlint-site-") as folder:
        top = Path(folder).resolve()
        folders = {key: top / f"{number:03}" for number, key in enumerate(examples)}
        for key, text in examples.items():
            folders[key].mkdir()
            # A project by itself, so that no example knows of another.
            (folders[key] / "pyproject.toml").write_text("", encoding="utf-8")
            (folders[key] / filename).write_text(text, encoding="utf-8")
        return {key: _said_in(where, filename, color) for key, where in folders.items()}


def _said_in(folder: Path, filename: str, color: bool) -> str:
    found = run(Request(paths=(folder / filename,), isolated=True))
    shown = shown_of(found, lambda config: config.selection(Layer(), Severity.INFO))
    report = Report(
        diagnostics=shown,
        lines_of=found.sources.written,
        folder=folder,
        color=color,
        root=found.root,
    )
    return "\n".join(line.rstrip() for line in render(report)).strip() + "\n"
