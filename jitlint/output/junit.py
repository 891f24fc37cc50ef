"""JUnit's XML, for continuous integration that shows test results: a report is a failed test.

Where the code was run, a refuted report is a test that passes, and one of which nothing is known is
one that was skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from jitlint.diagnostics import Diagnostic
from jitlint.output.report import Judgement, Report
from jitlint.source.file_names import portable_name

# What no XML 1.0 document may hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> Iterator[str]:
    """Yield the lines of the format, without their ends."""
    judged = [*report.judged]
    yield '<?xml version="1.0" encoding="utf-8"?>'
    if not judged:
        # A file of results without a test counts as broken with some readers.
        yield '<testsuites name="jitlint" tests="1" failures="0" errors="0">'
        yield '  <testsuite name="jitlint" tests="1" failures="0" errors="0">'
        yield '    <testcase name="no reports" classname="jitlint"/>'
        yield "  </testsuite>"
        yield "</testsuites>"
        return
    yield f'<testsuites name="jitlint" {_counts(judged)}>'
    for filename, group in groupby(judged, key=lambda each: each[0].filename):
        name = portable_name(filename, report.top)
        items = list(group)
        yield f"  <testsuite name={_attribute(name)} {_counts(items)}>"
        for item, judgement in items:
            yield from _case(item, judgement, name)
        yield "  </testsuite>"
    yield "</testsuites>"


def _counts(judged: Sequence[tuple[Diagnostic, Judgement | None]]) -> str:
    standings = ["fails" if each is None else each.standing for _, each in judged]
    counts = f'tests="{len(judged)}" failures="{standings.count("fails")}" errors="0"'
    skipped = standings.count("open")
    return f'{counts} skipped="{skipped}"' if skipped else counts


def _case(item: Diagnostic, judgement: Judgement | None, name: str) -> Iterator[str]:
    cell = "" if item.cell is None else f"cell {item.cell}:"
    place = f"{cell}{item.location.row}:{item.location.column}"
    title = _attribute(f"{item.code} {item.name} at {place}")
    # A reader that links to a line takes it from here.
    where = f'classname={_attribute(name)} file={_attribute(name)} line="{item.location.row}"'
    if judgement is not None and judgement.standing == "passes":
        yield f"    <testcase name={title} {where}/>"
        return
    yield f"    <testcase name={title} {where}>"
    if judgement is not None and judgement.standing == "open":
        yield f"      <skipped message={_attribute(judgement.text)}/>"
    else:
        said = [f"{name}:{place}: {item.code} {item.message}"]
        said += [] if judgement is None else [judgement.text]
        said += [item.help] if item.help else []
        kind = _attribute(item.severity.label)
        failure = f"<failure message={_attribute(item.message)} type={kind}>"
        text = "\n".join(said)
        yield f"      {failure}{escape(_legal(text))}</failure>"
    yield "    </testcase>"


def _attribute(text: str) -> str:
    return quoteattr(_legal(text))


def _legal(text: str) -> str:
    """A text without characters that XML cannot hold; they become Python's escapes."""

    def escaped(match: re.Match[str]) -> str:
        return match.group().encode("unicode_escape", "surrogatepass").decode("ascii")

    return _FORBIDDEN.sub(escaped, text)
