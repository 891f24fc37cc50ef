"""How long diagnostics take after a keystroke, as a ratio to libcst's parse of the same file.

``python benchmarks/editor.py FILE ...`` lints each file as the language server does, once for each
of some edits in different places, and prints medians of CPU time.  The bar is 1.5.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import libcst

from jitlint.integrations.server.linting import Workspace, lint
from jitlint.integrations.server.open_documents import OpenDocument
from jitlint.project.memory import Memory


def edits(text: str, count: int) -> list[str]:
    """Texts that differ from one another by a space at the end of a row of code."""
    lines = text.split("\n")
    rows = [row for row, line in enumerate(lines) if line[:1] == " " and line.strip()[:1].isalpha()]
    found = []
    for number in range(count):
        row = rows[len(rows) * (number + 1) // (count + 1)]
        found.append("\n".join([*lines[:row], f"{lines[row]} ", *lines[row + 1 :]]))
    return found


def measure(path: Path, count: int) -> tuple[float, float]:
    """Median seconds of CPU for a parse, and for diagnostics after an edit."""
    text = path.read_text(encoding="utf-8")
    parses: list[float] = []
    keystrokes: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "pyproject.toml").write_text("")
        memories: dict[Path, Memory] = {}
        for number, edited in enumerate([text, *edits(text, count)]):
            start = time.process_time()
            libcst.parse_module(edited)
            middle = time.process_time()
            document = OpenDocument((root / path.name).as_uri(), root / path.name, 1, edited)
            lint(Workspace([document]), lambda: False, memories)
            if number:
                parses.append(middle - start)
                keystrokes.append(time.process_time() - middle)
    return statistics.median(parses), statistics.median(keystrokes)


def main(argv: Sequence[str] | None = None) -> int:
    """Print one line a file.

    Args:
      argv: the arguments; those of the process by default.

    Returns:
      0.
    """
    parser = argparse.ArgumentParser(description="Measure diagnostics after a keystroke.")
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
    parser.add_argument("--edits", metavar="N", type=int, default=9)
    arguments = parser.parse_args(argv)
    for path in arguments.files:
        parse, keystroke = measure(path, arguments.edits)
        print(f"{path.name}: {keystroke / parse:.2f} ({keystroke:.3f} s / {parse:.3f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
