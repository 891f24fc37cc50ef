"""Lint short sources in tests.

The expectation stands in the source itself: a comment ``# JIT101`` (or several codes, separated by
spaces) on each line where a report is due, and nothing anywhere else.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from msgspec.structs import replace

from jitlint.analysis.engine import Analysis, analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Severity

#: what every source of one file starts with
PRELUDE = """\
import functools
import math
from functools import partial
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
"""
_LABEL = re.compile(r"#((?:\s+JIT\d{3})+)\s*$")


def analysis(sources: str | Mapping[str, str], options: AnalysisOptions | None = None) -> Analysis:
    """Analyse one source, or the files of a project by their relative paths."""
    return _analysis(sources, replace(options or AnalysisOptions(), listing=True))


def _analysis(sources: str | Mapping[str, str], options: AnalysisOptions) -> Analysis:
    if isinstance(sources, str):
        sources = {"module.py": _with_prelude(sources)}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for name, text in sources.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text), encoding="utf-8")
        found = analyze(root=root, targets=[root], options=options)
        if options.listing:
            found.traced, found.omissions  # noqa: B018 -- located while the files are there
        return found


def reports(source: str, *, at_least: Severity = Severity.WARNING) -> list[tuple[int, str]]:
    """Rows and codes reported in one source; its own first line is row 1."""
    shift = len(PRELUDE.splitlines())
    return [
        (diagnostic.location.row - shift, diagnostic.code)
        for diagnostic in _analysis(source, AnalysisOptions()).diagnostics
        if diagnostic.severity >= at_least
    ]


def project_reports(
    sources: Mapping[str, str], *, at_least: Severity = Severity.WARNING
) -> list[tuple[str, int, str]]:
    """Files, rows and codes reported in a project."""
    return [
        (_relative(diagnostic.filename, sources), diagnostic.location.row, diagnostic.code)
        for diagnostic in _analysis(sources, AnalysisOptions()).diagnostics
        if diagnostic.severity >= at_least
    ]


def check(source: str) -> None:
    """Assert that exactly the labelled lines of one source are reported."""
    found, due = reports(source), _labels(dedent(source))
    assert found == due, f"reported {found}, due {due}{_shown(source)}"


def check_project(sources: Mapping[str, str], *, at_least: Severity = Severity.WARNING) -> None:
    """Assert that exactly the labelled lines of a project are reported."""
    due = [(name, row, code) for name in sources for row, code in _labels(dedent(sources[name]))]
    found = sorted(project_reports(sources, at_least=at_least))
    assert found == sorted(due), f"reported {found}, due {sorted(due)}"


def traced(sources: str | Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The traced functions, by qualified name, with the kinds of their parameters."""
    return {entry.qualname: dict(entry.parameters) for entry in analysis(sources).traced}


def _labels(text: str) -> list[tuple[int, str]]:
    return [
        (row, code)
        for row, line in enumerate(text.splitlines(), 1)
        if (found := _LABEL.search(line))
        for code in found[1].split()
    ]


def _with_prelude(source: str) -> str:
    return PRELUDE + dedent(source)


def _relative(filename: str, sources: Mapping[str, str]) -> str:
    return max((name for name in sources if filename.endswith("/" + name)), key=len)


def _shown(source: str) -> str:
    return "\n" + "\n".join(
        f"{row:3} {line}" for row, line in enumerate(dedent(source).splitlines(), 1)
    )
