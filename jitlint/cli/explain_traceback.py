"""``jitlint explain --traceback``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jitlint.cli.exit_codes import FOUND, OK
from jitlint.cli.streams import tell, uses_color, write
from jitlint.diagnostics import Diagnostic
from jitlint.output.colors import Painter
from jitlint.output.explained import render
from jitlint.output.json_format import render_objects
from jitlint.tracebacks.explanation import Explainer
from jitlint.tracebacks.parsing import parse
from jitlint.usage_errors import UsageError

_STDIN = Path("-")
# A paste is text; more than this is a log, whose end is looked at.
_MOST_BYTES = 8 * 1024 * 1024
_LARGEST_FILE = 20 * 1024 * 1024


def explain_traceback(arguments: argparse.Namespace) -> int:
    """Lead a pasted traceback back to a rule and a line.

    Args:
      arguments: the parsed command line.

    Returns:
      The exit code: 1 when no rule speaks of one of the errors.

    Raises:
      UsageError: the file cannot be read, or holds no traceback.
    """
    found = parse(_text(arguments.traceback))
    if not found:
        raise UsageError(
            "there is no traceback and no error message of JAX in the text (expected what Python, "
            "IPython or pytest print, or its last line)"
        )
    sources = _Sources()
    explained = Explainer(Path.cwd(), sources.lines, sources.reports).explain(found)
    if arguments.output_format == "json":
        write(render_objects(item.to_json() for item in explained), arguments.output_file)
    else:
        painter = Painter(uses_color(arguments))
        lines = render(explained, sources.lines, Path.cwd(), painter, summary=not arguments.quiet)
        write(lines, arguments.output_file)
    return OK if all(item.rules for item in explained) else FOUND


def _text(path: Path) -> str:
    """The text to look at.

    Raises:
      UsageError: the file cannot be read.
    """
    if path == _STDIN:
        if sys.stdin.isatty():
            tell("paste the traceback, then end it with Ctrl-D on a line of its own")
        raw = sys.stdin.buffer.read()
    else:
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise UsageError(f"--traceback: cannot read {path}: {error.strerror}") from None
    return raw[-_MOST_BYTES:].decode("utf-8", errors="replace")


class _Sources:
    """The files that a traceback names, and what ``check`` says of them."""

    def __init__(self) -> None:
        self._lines: dict[Path, Sequence[str] | None] = {}
        self._reports: dict[Path, Sequence[Diagnostic]] = {}

    def lines(self, path: Path) -> Sequence[str] | None:
        """The lines of a file, None where it is not here or is no text."""
        if path not in self._lines:
            self._lines[path] = _read(path)
        return self._lines[path]

    def reports(self, path: Path) -> Sequence[Diagnostic]:
        """All that ``check`` says of a file, without regard to what is selected or silenced."""
        if path not in self._reports:
            from jitlint.foundation.garbage_collection import no_collection
            from jitlint.run.request import Request
            from jitlint.run.runner import run

            try:
                with no_collection():
                    result = run(Request(paths=(path,)))
            except UsageError as error:
                tell(f"warning: {path} cannot be checked: {error}")
                self._reports[path] = ()
            else:
                self._reports[path] = [
                    item
                    for item in result.sources.located(result.diagnostics)
                    if item.filename == str(path) and item.cell is None
                ]
        return self._reports[path]


def _read(path: Path) -> Sequence[str] | None:
    from jitlint.source.decoding import read_document
    from jitlint.source.document import DecodeFailure, split_lines

    if path.suffix not in (".py", ".pyw"):
        return None
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_FILE:
            return None
        document = read_document(path)
    except OSError:
        return None
    return None if isinstance(document, DecodeFailure) else split_lines(document.text)
