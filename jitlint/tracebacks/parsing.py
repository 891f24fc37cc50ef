"""Read pasted tracebacks: of Python 3.11 to 3.14, of IPython and of pytest.

The text may carry colours, be quoted or indented, hold several tracebacks, or be just the last line
of one.  Nothing is assumed about what stands around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from jitlint.tracebacks.frames import Frame, Raised

_ANSI = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")
_HEADER = re.compile(r"Traceback \(most recent call last\)")
_NAMED_HEADER = re.compile(r"^\s*(?P<exception>[A-Za-z_][\w.]*)\s+Traceback \(most recent call ")
_FRAME = re.compile(r'^(?P<indent>\s*)File "(?P<file>[^"]+)", line (?P<row>\d+)(, in (?P<in>.+))?$')
_CELL = re.compile(r"^\s*(?P<file>Cell In ?\[\d+\]), line (?P<row>\d+)(, in (?P<in>.+))?$")
_FILE_ROW = re.compile(r"^\s*File (?P<file>[^\s\"].*?):(?P<row>\d+)(, in (?P<in>.+))?$")
# Before IPython 8.5 the row stood only at the arrow.
_ARROW_ONLY = re.compile(
    r"^\s*(?:File )?(?P<file>Input In ?\[\d+\]|<ipython-input-[^>]*>|(?:~|/|[A-Za-z]:\\)\S*\.py),? "
    r"in (?P<in>\S.*)$"
)
_NUMBERED = re.compile(r"^\s*(?P<arrow>-+>)?\s*(?P<row>\d+)(?: (?P<text>.*))?$")
_PYTEST = re.compile(
    r"^\s*(?P<file>[^\s:\"'](?:[^:\"']|:(?=\\))*\.pyw?):(?P<row>\d+): ?"
    r"(?:in (?P<in>\S.*)|(?P<exception>[A-Za-z_][\w.]*)(?:: (?P<message>.*))?)?$"
)
_PYTEST_CODE = re.compile(r"^\s*>(?P<text>\s+\S.*)$")
_PYTEST_ERROR = re.compile(r"^\s*E( {1,}(?P<text>.*))?$")
_PYTEST_SUMMARY = re.compile(r"^\s*(?:FAILED|ERROR) \S+ - (?P<rest>\S.*)$")
_MARKS = re.compile(r"^\s*[~^][~^ ]*$")
_EXCEPTION = re.compile(
    r"^(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_<>]\w*>?)*)(?::(?: (?P<message>.*))?)?$"
)
_SURELY = re.compile(r"\w(?:Error|Exception|Interrupt|Exit|Iteration|Trace|Fault)$")
_CHAINED = re.compile(
    r"The above exception was the direct cause of the following|"
    r"During handling of the above exception, another"
)
_END = re.compile(
    r"For simplicity, JAX has removed its internal frames|The stack trace below excludes|"
    r"The preceding is the original exception|^_{3,} .* _{3,}$|^={3,} .* ={3,}$|^-{60,}$"
)
_REPEATED = re.compile(r"^\s*\[(?:Previous line repeated|\.\.\. skipping)")
# A message by itself, without a class.
_BARE_MESSAGE = re.compile(
    r"Attempted boolean conversion of traced array|Abstract tracer value encountered|"
    r"The __index__\(\) method was called on traced|__array__\(\) was called on traced|"
    r"Array boolean indices must be concrete|Encountered an unexpected tracer|"
    r"Slice entries must be static integers|Non-hashable static arguments are not supported|"
    r"Error interpreting argument to |JAX arrays are immutable|in static_argnames\. Function|"
    r"Shapes must be 1D sequences of concrete values"
)
_LONGEST_MESSAGE = 60
_LONGEST_LINE = 4000
_MOST_ERRORS = 200
# What JAX raises to show where something comes from.
_SCAFFOLDING = frozenset(
    {"UnfilteredStackTrace", "SimplifiedTraceback", "JaxStackTraceBeforeTransformation"}
)
_PYTHON_STYLE, _IPYTHON_STYLE, _PYTEST_STYLE = "python", "ipython", "pytest"


@dataclass(frozen=True, slots=True)
class _Code:
    """A line that pytest marks, whose place it names further below."""

    text: str
    indent: int
    marked: tuple[int, int] | None = None


def parse(text: str) -> list[Raised]:
    """Find the exceptions of a paste.

    Args:
      text: what was pasted.

    Returns:
      The exceptions in the order of the text.
    """
    reader = _Reader()
    for line in _plain(text):
        reader.read(line)
    reader.close()
    # Of a log of errors the end is looked at.
    return _distinct(reader.found[-_MOST_ERRORS:])


def _plain(text: str) -> list[str]:
    """Lines without colours, quotation marks and common indentation."""
    lines = [
        line[:_LONGEST_LINE].replace("\xa0", " ").rstrip()
        for line in _ANSI.sub("", text.lstrip("\ufeff")).replace("\r\n", "\n").split("\n")
    ]
    for _ in range(3):
        lines, changed = _unquoted(lines)
        if not changed:
            break
    return _unprefixed(lines)


def _unquoted(lines: Sequence[str]) -> tuple[list[str], bool]:
    """Lines without Markdown's quotation marks; pytest also marks lines so, but single ones."""
    found = list(lines)
    changed = False
    start = 0
    while start < len(lines):
        end = start
        while end < len(lines) and lines[end].lstrip().startswith(">"):
            end += 1
        if end - start >= 3 or (end > start and len(lines) == end - start):
            changed = True
            for position in range(start, end):
                found[position] = re.sub(r"^\s*> ?", "", lines[position])
        start = max(end, start + 1)
    return found, changed


def _unprefixed(lines: list[str]) -> list[str]:
    """Lines without what stands before every line of a traceback: indentation, ``#``, ``|``."""
    for start, line in enumerate(lines):
        header = _HEADER.search(line)
        if header is None or _NAMED_HEADER.match(line):
            continue
        prefix = line[: header.start()]
        for mark in ("Exception Group ", "+ "):
            prefix = prefix.removesuffix(mark)
        if not prefix:
            continue
        lines[start] = line[len(prefix) :]
        for position in range(start + 1, len(lines)):
            current = lines[position]
            if current.startswith(prefix):
                lines[position] = current[len(prefix) :]
            elif not current or current == prefix.rstrip():
                lines[position] = ""
            else:
                break
    return lines


def _distinct(found: Sequence[Raised]) -> list[Raised]:
    """Without repetitions: filtered and unfiltered forms of one error, and pytest's summary."""
    kept: list[Raised] = []
    for item in found:
        if item.exception.rpartition(".")[2] in _SCAFFOLDING:
            continue
        same = [
            number
            for number, other in enumerate(kept)
            if _same_class(item, other) and _says_the_same(item, other)
        ]
        if not same:
            kept.append(item)
            continue
        other = kept[same[0]]
        if not other.frames or (item.frames and len(item.frames) < len(other.frames)):
            longer = max(item.message, other.message, key=len)
            kept[same[0]] = Raised(
                item.exception, longer, item.frames or other.frames, other.linked
            )
    return kept


def _same_class(one: Raised, other: Raised) -> bool:
    return one.exception.rpartition(".")[2] == other.exception.rpartition(".")[2]


def _says_the_same(one: Raised, other: Raised) -> bool:
    if one.frames and other.frames:
        ours = [frame for frame in one.frames if not frame.of_library][-1:]
        theirs = [frame for frame in other.frames if not frame.of_library][-1:]
        places = [[(f.filename, f.row) for f in frames] for frames in (ours, theirs)]
        return one.message[:80] == other.message[:80] and places[0] == places[1]
    first, second = (
        item.message.strip().splitlines()[0] if item.message.strip() else ""
        for item in (one, other)
    )
    # pytest's summary cuts messages short.
    short, long = sorted((first.removesuffix("..."), second.removesuffix("...")), key=len)
    return long.startswith(short)


class _Reader:
    """Reads lines one by one; ``found`` holds the finished exceptions."""

    def __init__(self) -> None:
        self.found: list[Raised] = []
        self._linked = False
        self._named = ""
        self._clear()

    def _clear(self) -> None:
        self._frames: list[Frame] = []
        self._style = ""
        self._name = ""
        self._message: list[str] = []
        # The indentation of the last frame, and of the source below it.
        self._indent = 0
        self._offset: int | None = None
        self._code: _Code | None = None

    def close(self) -> None:
        """Finish the exception at hand."""
        if self._name or self._message:
            message = "\n".join(self._message[:_LONGEST_MESSAGE]).strip()
            self.found.append(Raised(self._name, message, tuple(self._frames), self._linked))
            self._linked = False
        self._clear()

    def read(self, line: str) -> None:
        """Take in a line."""
        if _CHAINED.search(line):
            self.close()
            self._linked = True
        elif _END.search(line):
            # pytest names the place of an error after its text.
            if self._name and self._style != _PYTEST_STYLE:
                self.close()
        elif _HEADER.search(line):
            named = _NAMED_HEADER.match(line)
            if self._name or self._frames:
                self.close()
            self._named = named["exception"].rpartition(".")[2] if named else ""
        elif not _REPEATED.match(line):
            known = self._frame(line) or self._pytest(line) or self._source(line)
            if not known:
                self._text(line)

    # -- frames -----------------------------------------------------------------------------------

    def _start_frame(self, frame: Frame, style: str, line: str) -> None:
        if self._name:
            # Another traceback, whose header was not pasted.
            self.close()
        self._style = style
        self._indent = _indent(line)
        self._offset = None
        self._frames.append(frame)

    def _frame(self, line: str) -> bool:
        match, style = _FRAME.match(line), _PYTHON_STYLE
        if match is None:
            match, style = _CELL.match(line) or _FILE_ROW.match(line), _IPYTHON_STYLE
        if match is not None:
            self._start_frame(Frame(match["file"], int(match["row"]), match["in"]), style, line)
            return True
        match = _ARROW_ONLY.match(line)
        if match is not None:
            self._start_frame(Frame(match["file"], 0, match["in"]), style, line)
        return match is not None

    def _source(self, line: str) -> bool:
        """A line of source below a frame, or the marks below that."""
        if not self._frames or self._name:
            return False
        frame = self._frames[-1]
        if self._style == _IPYTHON_STYLE:
            numbered = _NUMBERED.match(line)
            if numbered is None:
                return False
            row = int(numbered["row"])
            lines = {**frame.lines, row: numbered["text"] or ""}
            own = row if numbered["arrow"] and not frame.row else frame.row
            self._frames[-1] = replace(frame, row=own, lines=lines)
            return True
        indent = _indent(line)
        if _MARKS.match(line):
            if self._offset is not None and frame.marked is None:
                start = indent - self._offset
                self._frames[-1] = replace(frame, marked=(start, start + len(line.strip())))
            return True
        if not line.strip() or indent <= self._indent:
            return False
        if not frame.lines:
            self._offset = indent
            self._frames[-1] = replace(frame, lines={frame.row: line.strip()})
        elif self._offset is not None and frame.marked is None:
            # Python 3.13 shows all lines of a statement; marks count below the first only.
            self._offset = None
        return self._style == _PYTHON_STYLE or self._offset is not None

    # -- pytest -----------------------------------------------------------------------------------

    def _pytest(self, line: str) -> bool:
        error = _PYTEST_ERROR.match(line)
        if error is not None:
            return self._pytest_error(error["text"] or "")
        place = _PYTEST.match(line)
        if place is not None and not str(place["exception"]).endswith("Warning"):
            self._pytest_place(place, line)
            return True
        code = _PYTEST_CODE.match(line)
        if code is not None and not self._name:
            self._code = _Code(code["text"].strip(), _indent(line.replace(">", " ", 1)))
            return True
        if self._code is not None and _MARKS.match(line):
            start = _indent(line) - self._code.indent
            self._code = replace(self._code, marked=(start, start + len(line.strip())))
            return True
        summary = _PYTEST_SUMMARY.match(line)
        if summary is not None:
            self.close()
            match = _EXCEPTION.match(summary["rest"])
            if match is not None and _SURELY.search(match["name"]):
                self.found.append(Raised(match["name"], match["message"] or ""))
        return summary is not None

    def _pytest_error(self, text: str) -> bool:
        """A line that starts with ``E``."""
        if self._style == _PYTEST_STYLE and self._name:
            self._message.append(text.strip())
            return True
        match = _EXCEPTION.match(text.strip())
        if match is None:
            return False
        if self._name:
            self.close()
        self._style = _PYTEST_STYLE
        self._name, self._message = match["name"], [match["message"] or ""]
        return True

    def _pytest_place(self, place: re.Match[str], line: str) -> None:
        """``file:row:``, above the source of a frame in the short form, else below it."""
        filename, row = place["file"], int(place["row"])
        if place["in"] is not None:
            self._start_frame(Frame(filename, row, place["in"]), _PYTEST_STYLE, line)
            return
        lines, marked = ({}, None) if self._code is None else ({row: self._code.text}, None)
        if self._code is not None:
            marked = self._code.marked
        self._code = None
        self._style = _PYTEST_STYLE
        self._frames.append(Frame(filename, row, None, lines, marked))
        if place["message"] is not None and not self._name:
            self._name, self._message = place["exception"], [place["message"]]
        if self._name:
            self.close()

    # -- the exception ----------------------------------------------------------------------------

    def _text(self, line: str) -> None:
        """A line of the exception itself, or of what stands around the tracebacks."""
        text = line.strip()
        if self._name:
            if self._style == _PYTEST_STYLE or not self._begins_another(text):
                self._message.append(text)
                return
            self.close()
        match = _EXCEPTION.match(_without_mark(text))
        if match is None:
            if not self._frames and _BARE_MESSAGE.search(text):
                self._message = [text]
                self.close()
            return
        if self._style == _PYTEST_STYLE:
            return
        last = match["name"].rpartition(".")[2]
        surely = _SURELY.search(last) is not None or last == self._named
        if surely or (self._style == _PYTHON_STYLE and _indent(line) < max(self._indent, 1)):
            self._name, self._message = match["name"], [match["message"] or ""]

    def _begins_another(self, text: str) -> bool:
        """Whether a line after an exception is an exception of its own."""
        match = _EXCEPTION.match(text)
        if match is None or len(self._message) < 2 or self._message[-1]:
            return False
        return _SURELY.search(match["name"]) is not None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without_mark(text: str) -> str:
    """An exception's line without what loggers and Markdown put before it."""
    return re.sub(r"^(?:[-*#|>`]+\s*|(?:ERROR|CRITICAL)[\s:|-]+)+", "", text).strip("`")
