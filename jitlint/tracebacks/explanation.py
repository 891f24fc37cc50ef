"""From a pasted exception to its rule, the user's line that caused it, and what to do."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitlint.diagnostics import Diagnostic, Location, Severity
from jitlint.jaxmodel.errors import ErrorKind, kind_of
from jitlint.rules.meta import RuleMeta
from jitlint.rules.registry import find
from jitlint.tracebacks.askers import askers, choose, statement_at, statement_of
from jitlint.tracebacks.frames import Frame, Raised

#: what ``check`` reports in a file
ReportsOf = Callable[[Path], Sequence[Diagnostic]]
#: the lines of a file, None where it cannot be read
LinesOf = Callable[[Path], Sequence[str] | None]

_TRACING = re.compile(
    r"The error occurred while tracing the function (?P<function>\S+)"
    r"(?: at (?P<file>.+?):(?P<row>\d+))? for (?P<transform>\w+)\.\s*"
    r"(?:This concrete value was not available in Python because it (?P<why>[^\n]*?)\.)?",
)
_LEAKED = re.compile(
    r"The leaked intermediate value was created on line (?P<file>.+?):(?P<row>\d+):(?P<column>\d+)"
    r" \((?P<function>[^)]*)\)"
)
_MADE_BY = re.compile(
    r"The function being traced when the value leaked was (?P<function>\S+) at "
    r"(?P<file>.+?):(?P<row>\d+) traced for (?P<transform>\w+)"
)
_OF_CALLS = frozenset({"JIT304", "JIT305", "JIT308", "JIT309"})
_CALLED = re.compile(r"<(?:function|bound method) (?P<function>[\w.<>]+)")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the user's code.

    Args:
      filename: where the file is on this machine, else as it was pasted.
      row: from 1.
      column: from 1, in code points; None where nothing tells.
      end_column: exclusive.
      function: the frame's function.
      lines: the source by row, of the file or of the paste.
      on_disk: the file is here, and its line is the pasted one.
      changed: the file is here, but its line is another than the pasted one.
    """

    filename: str
    row: int
    column: int | None
    end_column: int | None
    function: str | None
    lines: tuple[tuple[int, str], ...]
    on_disk: bool
    changed: bool = False

    @property
    def line(self) -> str:
        """The line itself; empty where it is not known."""
        return dict(self.lines).get(self.row, "")


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is said about one exception.

    Args:
      raised: the exception.
      kind: what JAX means by it; None where the table does not know it.
      rules: the rules that speak of it, the likeliest first; one where it is certain.
      place: the user's line; None where the paste has no frame of the user.
      report: what ``check`` says there.
      others: what else ``check`` says that may have caused it, where JAX does not say what did.
      library: the frame of an installed package that lies between, where one raised it.
    """

    raised: Raised
    kind: ErrorKind | None
    rules: tuple[RuleMeta, ...]
    place: Place | None
    report: Diagnostic | None = None
    others: tuple[Diagnostic, ...] = ()
    library: Frame | None = None

    @property
    def certain(self) -> bool:
        """Whether one rule is meant."""
        return len(self.rules) == 1

    @property
    def raised_at(self) -> Frame | None:
        """The user's frame in which the exception arose."""
        return _user_frame(self.raised)

    @property
    def tracing(self) -> str | None:
        """What JAX says of the function it traced and of the arguments, in a few words."""
        for pattern in (_TRACING, _MADE_BY):
            match = pattern.search(self.raised.message)
            if match is None:
                continue
            said = match.groupdict()
            text = f"JAX was tracing {said['function']}"
            if said.get("file"):
                text += f" ({Path(said['file']).name}:{said['row']})"
            text += f" for {said['transform']}"
            return f"{text}; the value {said['why']}" if said.get("why") else text
        return None

    def diagnostic(self) -> Diagnostic | None:
        """The explanation as a report: the one of ``check``, or one made of the traceback."""
        place = self.place
        if self.report is not None or place is None:
            return self.report
        # Without carets the code of the line is marked, without its comment.
        code = place.line.partition("  #")[0].rstrip()
        start = place.column or len(code) - len(code.lstrip()) + 1
        end = place.end_column or max(len(code) + 1, start + 1)
        return Diagnostic(
            code=self.codes,
            name="",
            severity=Severity.ERROR,
            message=self.meaning,
            help=self.help,
            filename=place.filename,
            location=Location(place.row, start),
            end_location=Location(place.row, end),
            function=place.function,
            trace=(),
            hazard=None,
            noqa_row=place.row,
            fingerprint="",
        )

    @property
    def codes(self) -> str:
        """The rules in words."""
        *most, last = [rule.code for rule in self.rules] or ["no rule"]
        return f"{', '.join(most)} or {last}" if most else last

    @property
    def meaning(self) -> str:
        """What happened, in a sentence."""
        return "jitlint does not know this error." if self.kind is None else self.kind.meaning

    def to_json(self) -> dict[str, Any]:
        """The explanation as an object of ``--output-format json``."""
        place = self.place
        return {
            "exception": self.raised.exception,
            "message": self.raised.message.splitlines()[0] if self.raised.message else "",
            "rules": [rule.code for rule in self.rules],
            "meaning": None if self.kind is None else self.kind.meaning,
            "help": self.help,
            "filename": None if place is None else place.filename,
            "location": None
            if place is None
            else {"row": place.row, "column": place.column, "end_column": place.end_column},
            "function": None if place is None else place.function,
            "source": None if place is None else place.line or None,
            "on_disk": place is not None and place.on_disk,
            "tracing": self.tracing,
            "report": None if self.report is None else dict(self.report.to_json()),
            "other_reports": [dict(item.to_json()) for item in self.others],
        }

    @property
    def help(self) -> str | None:
        """What to do, in general."""
        if self.rules:
            return self.rules[0].help
        return self.kind.cure or None if self.kind is not None else None


class Explainer:
    """Explains exceptions.

    Args:
      folder: where relative names are looked for.
      lines_of: the lines of a file.
      reports_of: what ``check`` says of a file.
    """

    def __init__(self, folder: Path, lines_of: LinesOf, reports_of: ReportsOf) -> None:
        self._folder = folder
        self._lines_of = lines_of
        self._reports_of = reports_of

    def explain(self, found: Sequence[Raised]) -> list[Explanation]:
        """Explain what a paste holds.

        Args:
          found: its exceptions.

        Returns:
          One explanation for each exception; of a chain, only for those that a row of the table
          fits, or for the last one.
        """
        chains: list[list[Raised]] = []
        for raised in found:
            if raised.linked and chains:
                chains[-1].append(raised)
            else:
                chains.append([raised])
        made: list[Explanation] = []
        for chain in chains:
            under_jax = any(_shows_jax(raised) for raised in chain)
            each = [self._explain(raised, under_jax) for raised in chain]
            known = [item for item in each if item.kind is not None]
            # Libraries try one thing and then another; the user's line stands in one of them.
            mine = [item for item in known if _user_frame(item.raised, strict=True) is not None]
            made += mine or known or each[-1:]
        # A bare line that nothing knows is prose about errors rather than an error.
        sure = [item for item in made if item.kind is not None or item.raised.frames]
        return sure or made

    def _explain(self, raised: Raised, under_jax: bool) -> Explanation:
        kind = kind_of(raised.exception, raised.message)
        if kind is not None and not kind.of_jax_only and not under_jax and raised.frames:
            # NumPy alone says the same; only what check reports there can tell.
            place = self._place(_user_frame(raised))
            report = self._report(raised, kind, place) if place is not None else None
            rules = (_rule(report.code),) if report is not None else ()
            return Explanation(raised, kind if report else None, rules, place, report)
        frame = _user_frame(raised)
        place = self._place(frame)
        library = raised.frames[-1] if raised.frames else None
        if library is frame or library is None or library.of_jax or not library.of_library:
            library = None
        if kind is not None and kind.leak:
            return self._explain_leak(raised, kind, place)
        report = self._report(raised, kind, place)
        if report is not None:
            return Explanation(raised, kind, (_rule(report.code),), place, report, (), library)
        if kind is None:
            return Explanation(raised, None, (), place, None, (), library)
        codes = self._codes(kind, place)
        return Explanation(raised, kind, tuple(map(_rule, codes)), place, None, (), library)

    def _codes(self, kind: ErrorKind, place: Place | None) -> tuple[str, ...]:
        """The rules of a kind that the statement leaves over."""
        if len(kind.rules) < 2 or place is None or not place.line:
            return kind.rules
        if kind.rules[0] in _OF_CALLS:
            return kind.rules[:1]
        statement = None
        marked: tuple[int, int, int] | None = None
        lines = self._lines_of(Path(place.filename)) if place.on_disk else None
        if lines is not None:
            try:
                statement = statement_at(ast.parse("\n".join(lines)), place.row)
            except (SyntaxError, ValueError):
                statement = None
            row, shift = place.row, 0
        if statement is None:
            statement = statement_of(place.line)
            row, shift = 1, len(place.line) - len(place.line.lstrip())
            # `elif` is read as `if`.
            shift += 2 if place.line.strip().startswith("elif") else 0
        if statement is None:
            return kind.rules
        if place.column is not None and place.end_column is not None:
            marked = (row, place.column - 1 - shift, place.end_column - 1 - shift)
        return tuple(choose(askers(statement), kind.rules, marked)) or kind.rules

    # -- what check says --------------------------------------------------------------------------

    def _report(
        self, raised: Raised, kind: ErrorKind | None, place: Place | None
    ) -> Diagnostic | None:
        """What ``check`` says of the exception's line."""
        if place is None or not place.on_disk:
            return None
        reports = self._reports_of(Path(place.filename))
        codes = () if kind is None else kind.rules
        last = raised.exception.rpartition(".")[2]
        here = [
            item
            for item in reports
            if item.location.row <= place.row <= item.end_location.row
            or place.row in (item.noqa_row, item.location.row)
        ] or self._of_statement(reports, place)
        fitting = [item for item in here if item.code in codes or _predicts(item, last)]
        if not fitting and kind is not None and set(codes) & _OF_CALLS:
            fitting = self._of_call(reports, raised, codes)
        if not fitting:
            return None
        return min(fitting, key=lambda item: _distance(item, place))

    def _of_statement(self, reports: Sequence[Diagnostic], place: Place) -> list[Diagnostic]:
        """Reports in the statement of a line, for tracebacks that name another of its lines."""
        lines = self._lines_of(Path(place.filename))
        if lines is None:
            return []
        try:
            statement = statement_at(ast.parse("\n".join(lines)), place.row)
        except (SyntaxError, ValueError):
            return []
        if statement is None:
            return []
        body = getattr(statement, "body", None)
        last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
        return [item for item in reports if statement.lineno <= item.location.row <= last]

    def _of_call(
        self, reports: Sequence[Diagnostic], raised: Raised, codes: Sequence[str]
    ) -> list[Diagnostic]:
        """Reports on the function that a call could not pass its arguments to."""
        rows = {frame.row for frame in raised.frames}
        match = _CALLED.search(raised.message)
        name = match["function"].rpartition(".")[2] if match else None
        return [
            item
            for item in reports
            if item.code in codes
            and (item.location.row in rows or (name and _last(item.function) == name))
        ]

    def _explain_leak(self, raised: Raised, kind: ErrorKind, used: Place | None) -> Explanation:
        """A leak: the fault lies in the function whose value it was, not where it was used."""
        match = _LEAKED.search(raised.message)
        made: Place | None = None
        function = None
        if match is not None:
            function = match["function"]
            made = self._place(Frame(match["file"], int(match["row"]), function))
        reports: list[Diagnostic] = []
        for place in (made, used):
            if place is not None and place.on_disk and not reports:
                reports = [
                    item
                    for item in self._reports_of(Path(place.filename))
                    if item.hazard is not None and item.hazard.kind == "leaks"
                ]
        if made is not None and function is not None:
            inside = [r for r in reports if _last(r.function) == _last(function)]
            reports = inside or reports
            reports.sort(key=lambda r: abs(r.location.row - made.row))
        if len(reports) == 1 or (reports and made is not None):
            report = reports[0]
            return Explanation(
                raised, kind, (_rule(report.code),), made or used, report, tuple(reports[1:])
            )
        codes = dict.fromkeys(item.code for item in reports) or kind.rules
        return Explanation(
            raised, kind, tuple(map(_rule, codes)), made or used, None, tuple(reports)
        )

    # -- places -----------------------------------------------------------------------------------

    def _place(self, frame: Frame | None) -> Place | None:
        """Where a frame is on this machine."""
        if frame is None:
            return None
        changed = False
        for path in self._candidates(frame.filename):
            lines = self._lines_of(path)
            if lines is None:
                continue
            line = lines[frame.row - 1] if 1 <= frame.row <= len(lines) else None
            if line is None or (frame.line and line.strip() != frame.line):
                changed = changed or path.name == Path(frame.filename).name
                continue
            shown = range(max(1, frame.row - 1), min(len(lines), frame.row + 1) + 1)
            source = tuple((row, lines[row - 1]) for row in shown)
            column, end = _columns(frame, line)
            return Place(
                str(path), frame.row, column, end, _name(frame.function), source, on_disk=True
            )
        source = tuple(sorted(frame.lines.items()))
        column, end = _columns(frame, frame.lines.get(frame.row, ""))
        return Place(
            frame.filename,
            frame.row,
            column,
            end,
            _name(frame.function),
            source,
            on_disk=False,
            changed=changed,
        )

    def _candidates(self, filename: str) -> list[Path]:
        """Where a pasted name may lie here: as it is, or by its last parts below the folder."""
        if filename.startswith(("<", "Cell In", "Input In")):
            return []
        try:
            path = Path(filename).expanduser()
        except RuntimeError:
            path = Path(filename)
        found = [path if path.is_absolute() else Path(self._folder, path)]
        parts = [part for part in re.split(r"[\\/]", filename) if part not in ("", ".", "..", "~")]
        found += [Path(self._folder, *parts[start:]) for start in range(1, len(parts))]
        return list(dict.fromkeys(Path(str(item)) for item in found))


def _columns(frame: Frame, line: str) -> tuple[int | None, int | None]:
    """The columns of the carets in a line, from 1, the end exclusive."""
    if frame.marked is None:
        return None, None
    indent = len(line) - len(line.lstrip())
    start, end = frame.marked
    return max(start, 0) + indent + 1, min(end, len(line.strip())) + indent + 1


def _user_frame(raised: Raised, *, strict: bool = False) -> Frame | None:
    """The innermost frame of the user's code; of a package, where all frames are of packages.

    Args:
      raised: the exception.
      strict: do not look into packages.
    """
    own = [frame for frame in raised.frames if not frame.of_library]
    if not own and not strict:
        own = [frame for frame in raised.frames if frame.of_package and not frame.of_jax]
    # What was typed at a prompt or passed with -c has no source.
    named = [frame for frame in own if not frame.filename.startswith("<")]
    own = named or own
    return own[-1] if own else None


def _shows_jax(raised: Raised) -> bool:
    """Whether anything in an exception shows that JAX took part."""
    text = f"{raised.exception} {raised.message}"
    if re.search(r"\bjax\b|\bJAX\b|Tracer|traced array", text):
        return True
    lines = (line for frame in raised.frames for line in frame.lines.values())
    return any(frame.of_jax for frame in raised.frames) or any(
        re.search(r"\b(jax|jnp|jit|vmap|lax)\b", line) for line in lines
    )


def _predicts(item: Diagnostic, exception: str) -> bool:
    hazard = item.hazard
    if hazard is None or hazard.kind != "raises":
        return False
    return exception in {name.rpartition(".")[2] for name in hazard.exceptions}


def _distance(item: Diagnostic, place: Place) -> tuple[int, int]:
    column = place.column or item.location.column
    return abs(item.location.row - place.row), abs(item.location.column - column)


def _rule(code: str) -> RuleMeta:
    rule = find(code)
    assert rule is not None, code
    return rule


def _name(function: str | None) -> str | None:
    """A function's name without the arguments that IPython shows."""
    if function is None:
        return None
    name = function.partition("(")[0].replace("<locals>.", "").strip()
    return None if name in ("<module>", "<cell line:", "") else name


def _last(function: str | None) -> str | None:
    return None if function is None else function.rpartition(".")[2]
