"""Writing: the result to a file or to standard output, remarks on the run to standard error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from jitlint.foundation.phrases import printable
from jitlint.usage_errors import UsageError


def write(lines: Iterable[str], path: Path | None) -> None:
    """Write to a file or to standard output.

    Raises:
      UsageError: the file cannot be written.
    """
    if path is None:
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        return
    try:
        with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def check_writable(path: Path | None, option: str = "--output-file") -> None:
    """Refuse a file that cannot be written, before anything else is done.

    Args:
      path: the file, None for standard output.
      option: the option that names it.

    Raises:
      UsageError: the file's folder does not exist, or the file is one.
    """
    if path is None:
        return
    if path.is_dir():
        raise UsageError(f"{option}: cannot write {path}: is a folder (expected a file)")
    if not path.parent.is_dir():
        raise UsageError(
            f"{option}: cannot write {path}: no such folder: {path.parent} "
            "(expected an existing one)"
        )


def tell(message: str) -> None:
    """Say something about the run, as against about the code: on stderr, one line."""
    sys.stderr.write(f"jitlint: {' '.join(printable(part) for part in message.splitlines())}\n")


def uses_color(arguments: argparse.Namespace) -> bool:
    """Whether to colour; a file is no terminal, so only when told to."""
    from jitlint.output.colors import wants_color

    if arguments.output_file is not None:
        return bool(arguments.color == "always")
    return wants_color(arguments.color, sys.stdout)
