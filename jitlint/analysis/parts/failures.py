"""Diagnostics about what could not be analysed."""

from __future__ import annotations

import os
from pathlib import Path

from jitlint.diagnostics import Diagnostic, Location, Severity
from jitlint.project.project import ParseFailure
from jitlint.project.units import Unit
from jitlint.rules.registry import find
from jitlint.source.document import DecodeFailure

_CODES = {"syntax": "JIT901", "unsupported": "JIT903"}


def failed(failure: ParseFailure) -> Diagnostic:
    """A file could not be read or parsed."""
    code = _CODES.get(failure.kind, "JIT900")
    return _report(failure.path, code, failure.message, failure.row, failure.column)


def broken(failure: DecodeFailure) -> Diagnostic:
    """A cell of a notebook is no Python."""
    return _report(failure.path, "JIT901", failure.message, failure.row, failure.column)


def unsupported(path: Path, row: int, message: str) -> Diagnostic:
    """Syntax that libcst refuses."""
    return _report(path, "JIT903", message, row)


def internal_error(unit: Unit, error: Exception) -> Diagnostic:
    """The interpretation of a unit, or the report of something in it, failed inside jitlint."""
    if os.environ.get("JITLINT_STRICT"):
        raise error
    message = f"jitlint failed on `{unit.qualname or 'this statement'}`: "
    message += f"{type(error).__name__}: {error}"
    return _report(unit.module.path, "JIT900", message, unit.first)


def _report(path: Path, code: str, message: str, row: int, column: int = 1) -> Diagnostic:
    meta = find(code)
    assert meta is not None
    return Diagnostic(
        code=code,
        name=meta.name,
        severity=meta.severity if code != "JIT903" else Severity.WARNING,
        message=message,
        help=meta.help,
        filename=str(path),
        location=Location(row, column),
        end_location=Location(row, column + 1),
        function=None,
        trace=(),
        hazard=None,
        noqa_row=row,
        fingerprint="\0".join((code, path.name, "", message)),
    )
