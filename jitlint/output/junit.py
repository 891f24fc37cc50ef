"""JUnit's XML, for continuous integration that shows test results: a report is a failed test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from jitlint.diagnostics import Diagnostic
from jitlint.output.report import Report
from jitlint.source.file_names import portable_name

# What no XML 1.0 document may hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    found = report.diagnostics
    yield '<?xml version="1.0" encoding="utf-8"?>'
    if not found:
        # A file of results without a test counts as broken with some readers.
        yield '<testsuites name="jitlint" tests="1" failures="0" errors="0">'
        yield '  <testsuite name="jitlint" tests="1" failures="0" errors="0">'
        yield '    <testcase name="no reports" classname="jitlint"/>'
        yield "  </testsuite>"
        yield "</testsuites>"
        return
    yield f'<testsuites name="jitlint" tests="{len(found)}" failures="{len(found)}" errors="0">'
    for filename, group in groupby(found, key=lambda item: item.filename):
        name = portable_name(filename, report.top)
        items = list(group)
        counts = f'tests="{len(items)}" failures="{len(items)}" errors="0"'
        yield f"  <testsuite name={_attribute(name)} {counts}>"
        for item in items:
            yield from _case(item, name)
        yield "  </testsuite>"
    yield "</testsuites>"


def _case(item: Diagnostic, name: str) -> Iterator[str]:
    cell = "" if item.cell is None else f"cell {item.cell}:"
    place = f"{cell}{item.location.row}:{item.location.column}"
    title = _attribute(f"{item.code} {item.name} at {place}")
    # A reader that links to a line takes it from here.
    where = f'classname={_attribute(name)} file={_attribute(name)} line="{item.location.row}"'
    text = f"{name}:{place}: {item.code} {item.message}"
    if item.help:
        text = f"{text}\n{item.help}"
    yield f"    <testcase name={title} {where}>"
    kind = f"{item.severity.label}"
    failure = f"<failure message={_attribute(item.message)} type={_attribute(kind)}>"
    yield f"      {failure}{escape(_legal(text))}</failure>"
    yield "    </testcase>"


def _attribute(text: str) -> str:
    return quoteattr(_legal(text))


def _legal(text: str) -> str:
    """A text without characters that XML cannot hold; they become Python's escapes."""

    def escaped(match: re.Match[str]) -> str:
        return match.group().encode("unicode_escape", "surrogatepass").decode("ascii")

    return _FORBIDDEN.sub(escaped, text)
