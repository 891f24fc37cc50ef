"""Fixing in rounds: fix, lint again, take back what did not help, until nothing changes.

A fix is taken back that leads to a syntax error or leaves a name without a value, that leaves its
report, or that brings another of the same or a higher severity, whichever rules are selected.  What
a later round fixes was not brought; what is left in the end was, and then everything begins anew
without that fix.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from jitlint.diagnostics import Applicability, Diagnostic
from jitlint.filters.diagnostic_filter import Select, shown_of
from jitlint.fixes.application import Fixed, fixable_together
from jitlint.fixes.bound_names import unbound_names
from jitlint.fixes.comparison import Comparison, TakenBack
from jitlint.fixes.documents import DocumentFiles, rewritten
from jitlint.fixes.writing import encoded
from jitlint.foundation.records import Record
from jitlint.project.memory import Memory
from jitlint.run.execution import Run
from jitlint.run.request import Request
from jitlint.run.runner import run as run_request
from jitlint.source.document import Document, is_document

_MOST_ROUNDS = 10
#: more suspects than these are all taken back, without asking which of them it was
_MOST_TRIALS = 8

#: names a fix: its file, rule and what its report stands for
_Key = tuple[str, str, str]


@dataclass(frozen=True)
class Outcome:
    """What came of fixing.

    Args:
      run: the last run, over the texts as they are then.
      shown: the reports of it to show.
      texts: each file that changed: the Python before and after.
      files: of those that are more than Python, the bytes before and after.
      fixed: the reports that are gone, in the order in which they were fixed.
      taken_back: the fixes that did no good.
      rounds: what each round has made of each file, in their order.
    """

    run: Run
    shown: Sequence[Diagnostic]
    texts: Mapping[Path, tuple[str, str]]
    files: Mapping[Path, tuple[bytes, bytes]]
    fixed: Sequence[Diagnostic]
    taken_back: Sequence[TakenBack]
    rounds: Sequence[Mapping[Path, Fixed]]


class Fixing(Record):
    """What is fixed, and how far.

    Args:
      request: what was linted.
      select: the rules to show under a configuration.
      unsafe: whether unsafe fixes are applied too.
      wanted: whether a report is among those to fix.
    """

    request: Request
    select: Select
    unsafe: bool
    wanted: Callable[[Diagnostic], bool]

    def applies(self, report: Diagnostic) -> bool:
        """Whether the fix of a report is one to apply."""
        fix = report.fix
        return fix is not None and (
            fix.applicability is Applicability.SAFE
            or (fix.applicability is Applicability.UNSAFE and self.unsafe)
        )


def fix_all(fixing: Fixing, first: Run) -> Outcome:
    """Apply fixes until nothing changes.

    Args:
      fixing: what is fixed.
      first: what came of linting the files as they are.

    Returns:
      What is fixed, and what is left; nothing is written.
    """
    memory = Memory()
    taken_back: dict[_Key, TakenBack] = {}
    while True:
        attempt = _Attempt(fixing, first, memory, taken_back)
        attempt.run_rounds()
        blamed = attempt.blamed()
        if not blamed:
            return attempt.outcome()
        for culprit in blamed:
            taken_back[culprit.report.lasting_key] = culprit


def fixes_to_apply(fixing: Fixing, run: Run) -> list[Diagnostic]:
    """The reports of a run whose fixes would be applied."""
    shown = shown_of(run, fixing.select)
    return [item for item in shown if fixing.applies(item) and fixing.wanted(item)]


@dataclass
class _Attempt:
    """All rounds, without what was taken back before."""

    fixing: Fixing
    current: Run
    memory: Memory
    taken_back: dict[_Key, TakenBack]
    texts: dict[Path, tuple[str, str]] = field(default_factory=dict)
    fixed: list[Diagnostic] = field(default_factory=list)
    rounds: list[Mapping[Path, Fixed]] = field(default_factory=list)
    #: reports that came with a fix and are still there, with the fix
    brought: list[tuple[Diagnostic, TakenBack]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.first = self.current
        self.files = DocumentFiles(self.fixing.request.stdin)

    def run_rounds(self) -> None:
        left = _MOST_ROUNDS
        while left and (chosen := self._chosen()):
            # A round that makes none has taken some back: others are left that waited for these.
            left -= self._round(chosen)

    def _chosen(self) -> dict[Path, list[Diagnostic]]:
        left = [
            item
            for item in fixes_to_apply(self.fixing, self.current)
            if item.lasting_key not in self.taken_back and self._may_be_written(Path(item.filename))
        ]
        by_file: dict[Path, list[Diagnostic]] = {}
        for item in fixable_together(left):
            by_file.setdefault(Path(item.filename), []).append(item)
        return by_file

    def _may_be_written(self, path: Path) -> bool:
        """Whether what was linted is the file's own text, or the Python of a document.

        Examples in docstrings are their authors' to write.
        """
        document = self.current.sources.document(str(path))
        if document is None:
            return False
        return document.origins is None or (
            is_document(path) and path not in self.fixing.request.documents
        )

    def _round(self, chosen: dict[Path, list[Diagnostic]]) -> bool:
        """Apply some fixes, without those that prove to be wrong; False if that leaves none."""
        while chosen:
            tried = self._try(chosen)
            culprits = [*_spoiling(tried, self._text), *self._misplaced(tried)]
            if not culprits:
                after = self._lint(tried)
                comparison = Comparison(self.current, after, tried)
                culprits = list(comparison.not_removed())
                culprits += self._bringers(chosen, comparison)
            if not culprits:
                self._accept(tried, after, comparison)
                return True
            for culprit in culprits:
                self.taken_back[culprit.report.lasting_key] = culprit
            chosen = _without(chosen, [culprit.report for culprit in culprits])
        return False

    def _try(self, chosen: Mapping[Path, Sequence[Diagnostic]]) -> dict[Path, Fixed]:
        return {path: Fixed(self._text(path), reports) for path, reports in chosen.items()}

    def _misplaced(self, tried: Mapping[Path, Fixed]) -> Iterable[TakenBack]:
        """The fixes that cannot be made within the code of a document."""
        for path, fixed in tried.items():
            document = self._known(path)
            if not self._is_document(path) or self.files.refusal(document, fixed) is None:
                continue
            for report in fixed.reports:
                alone = self.files.refusal(document, Fixed(document.text, [report]))
                yield TakenBack(report, alone or "it does not go together with another")

    def _is_document(self, path: Path) -> bool:
        return self._known(path).origins is not None

    def _known(self, path: Path) -> Document:
        document = self.current.sources.document(str(path))
        assert document is not None
        return document

    def _text(self, path: Path) -> str:
        text = self.current.sources.text(str(path))
        assert text is not None
        return text

    def _bringers(
        self, chosen: dict[Path, list[Diagnostic]], comparison: Comparison
    ) -> list[TakenBack]:
        """The fixes that bring reports which no later round will see to."""
        found: list[TakenBack] = []
        for new in comparison.brought():
            if self.fixing.applies(new) and new.lasting_key not in self.taken_back:
                continue
            suspects: Sequence[Diagnostic] = comparison.suspects(new)
            if len(suspects) > 1:
                suspects = self._guilty(chosen, suspects, new)
            known = [culprit.report for culprit in found]
            found += [comparison.blame(it, new) for it in suspects if it not in known]
        return found

    def _guilty(
        self, chosen: dict[Path, list[Diagnostic]], suspects: Sequence[Diagnostic], new: Diagnostic
    ) -> Sequence[Diagnostic]:
        """Of several fixes the one without which a report does not come; all if it is none."""
        if len(suspects) > _MOST_TRIALS:
            return suspects
        for suspect in suspects:
            tried = self._try(_without(chosen, [suspect]))
            comparison = Comparison(self.current, self._lint(tried), tried)
            if not any(each.lasting_key == new.lasting_key for each in comparison.brought()):
                return [suspect]
        return suspects

    def _lint(self, tried: Mapping[Path, Fixed]) -> Run:
        request = self.fixing.request
        if request.stdin is not None:
            path = request.stdin_path
            document = self._known(path)
            if self._is_document(path):
                data = self.files.after(document, tried[path])
            else:
                data = encoded(document, tried[path].text)
            return self._run(replace(request, stdin=data))
        documents: dict[Path, Document] = dict(request.documents)
        for path, (_, text) in self.texts.items():
            known = self._known(path)
            documents[path] = known if self._is_document(path) else _with_text(known, text)
        for path, fixed in tried.items():
            known = self._known(path)
            if self._is_document(path):
                documents[path] = rewritten(known, self.files.data(path), fixed.edits)
            else:
                documents[path] = _with_text(known, fixed.text)
        return self._run(replace(request, documents=documents))

    def _run(self, request: Request) -> Run:
        if request.cache:
            return run_request(request)
        from jitlint.analysis import engine

        analyze = partial(engine.analyze, memory=self.memory)
        return run_request(request, analyze=analyze)

    def _accept(self, tried: Mapping[Path, Fixed], after: Run, comparison: Comparison) -> None:
        self.rounds.append(tried)
        for path, fixed in tried.items():
            if self._is_document(path):
                self.files.accept(self._known(path), fixed)
            before = self.texts[path][0] if path in self.texts else self._text(path)
            self.texts[path] = before, fixed.text
            self.fixed += fixed.reports
        self.brought += [
            (new, comparison.blame(suspect, new))
            for new in comparison.brought()
            for suspect in comparison.suspects(new)
        ]
        self.current = after

    def blamed(self) -> list[TakenBack]:
        """The fixes that brought something which is still there after all rounds."""
        left = {item.lasting_key for item in self.current.diagnostics}
        found = [taken_back for new, taken_back in self.brought if new.lasting_key in left]
        return found + [
            TakenBack(report, "the fix of what it uncovers brings it back")
            for report in self.fixed
            if report.lasting_key in left and self._is_back(report)
        ]

    def _is_back(self, report: Diagnostic) -> bool:
        """Whether there are more reports of a kind left than not all of them were fixed."""

        def count(reports: Iterable[Diagnostic]) -> int:
            alike = (report.filename, report.code, report.function)
            return sum((it.filename, it.code, it.function) == alike for it in reports)

        fixed = count(self.fixed)
        return count(self.current.diagnostics) > count(self.first.diagnostics) - fixed

    def outcome(self) -> Outcome:
        shown = shown_of(self.current, self.fixing.select)
        taken_back = list(self.taken_back.values())
        return Outcome(
            self.current,
            shown,
            self.texts,
            self.files.changed,
            self.fixed,
            taken_back,
            self.rounds,
        )


def _with_text(document: Document, text: str) -> Document:
    return Document(document.path, text, document.encoding, document.has_bom)


def _without(
    chosen: Mapping[Path, Sequence[Diagnostic]], reports: Sequence[Diagnostic]
) -> dict[Path, list[Diagnostic]]:
    left = {path: [item for item in items if item not in reports] for path, items in chosen.items()}
    return {path: items for path, items in left.items() if items}


def _spoiling(tried: Mapping[Path, Fixed], text_of: Callable[[Path], str]) -> Iterable[TakenBack]:
    """The fixes after which a text is no program any more; all of it, if none is to blame alone."""
    for path, fixed in tried.items():
        text = text_of(path)
        reason = _spoiled(text, fixed.text)
        if reason is None:
            continue
        alone = [
            TakenBack(report, why)
            for report in fixed.reports
            if (why := _spoiled(text, Fixed(text, [report]).text)) is not None
        ]
        yield from alone or [TakenBack(report, reason) for report in fixed.reports]


def _spoiled(before: str, after: str) -> str | None:
    """What is wrong with a text that was not before: no Python, or a name without a meaning."""
    if _parses(before) and not _parses(after):
        return "it leads to a syntax error"
    left = unbound_names(after) - unbound_names(before)
    return f"it leaves `{min(left)}` without a value" if left else None


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
