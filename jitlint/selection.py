"""Which reports are shown: rule codes and prefixes, severity, files, suppression comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jitlint.diagnostics import Diagnostic, Severity
from jitlint.rules.codes import CODES
from jitlint.source import suppression
from jitlint.source.discovery import PatternSet
from jitlint.unused_suppressions import CODE as UNUSED
from jitlint.unused_suppressions import unused

_CODE_LENGTH = len("JIT101")
#: Asking for some rules only does not hide that a file was not linted.
_ALWAYS_ON = ("JIT900", "JIT901", "JIT903")
#: Goes with exit code 2, so it can be neither ignored nor suppressed.
INTERNAL_ERROR = "JIT900"


def known_codes() -> tuple[str, ...]:
    """The codes of all rules, sorted."""
    return CODES


def check_codes(values: Iterable[str]) -> tuple[str, ...]:
    """Check codes and prefixes against the rules that exist.

    Args:
      values: as the user wrote them, in any case.

    Returns:
      The values in upper case.

    Raises:
      ValueError: one of them selects no rule; the message lists the codes.
    """
    codes = known_codes()
    checked = []
    for value in values:
        upper = value.strip().upper()
        if not upper.startswith("JIT") or not any(code.startswith(upper) for code in codes):
            raise ValueError(
                f"unknown rule code {value!r}: expected a prefix such as JIT1, or one of "
                f"{', '.join(codes)}"
            )
        checked.append(upper)
    return tuple(checked)


@dataclass(frozen=True, slots=True)
class Layer:
    """One source of choices: the configuration file, or the command line.

    Args:
      select: begins anew with these; None keeps what the layer below chose.
      extend_select: adds these.
      ignore: takes these away.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules that are shown.

    Args:
      enabled: their codes.
      named: codes that were selected in full; their infos are shown too.
      min_severity: the mildest severity shown of other rules.
    """

    enabled: frozenset[str]
    named: frozenset[str] = frozenset()
    min_severity: Severity = Severity.WARNING

    def shows(self, diagnostic: Diagnostic) -> bool:
        """Whether a report passes by its rule and severity."""
        code = diagnostic.code
        if code == INTERNAL_ERROR:
            return True
        if code not in self.enabled:
            return False
        return diagnostic.severity >= self.min_severity or code in self.named


def select_rules(
    codes: Sequence[str], layers: Sequence[Layer], min_severity: Severity
) -> Selection:
    """Decide which rules are shown.

    All rules are enabled at first.  Each layer changes what the one below it chose; within a layer
    the longer, more exact prefix wins, and ``ignore`` wins over ``select`` of the same length.

    Args:
      codes: of all rules.
      layers: checked choices, the strongest last.
      min_severity: the mildest severity shown.

    Returns:
      The selection.
    """
    enabled = set(codes)
    named: set[str] = set()
    for layer in layers:
        chosen = (*(layer.select or ()), *layer.extend_select)
        if layer.select is not None:
            enabled = {code for code in enabled if code in _ALWAYS_ON}
        for code in codes:
            gained = _match_length(code, chosen)
            lost = _match_length(code, layer.ignore)
            if gained > lost:
                enabled.add(code)
            elif lost:
                enabled.discard(code)
        named |= {code for code in chosen if len(code) == _CODE_LENGTH}
    return Selection(frozenset(enabled), frozenset(named), min_severity)


def _match_length(code: str, prefixes: Iterable[str]) -> int:
    """The length of the longest prefix of ``code`` among the prefixes; 0 for none."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


@dataclass(frozen=True)
class Filter:
    """Everything that stands between what the engine found and what is shown.

    Args:
      selection: the rules.
      per_file_ignores: pattern to codes and prefixes that are not shown in matching files.
      base: the folder those patterns are relative to.
      read_text: the text of a linted file, None where it cannot be had.
    """

    selection: Selection
    per_file_ignores: Mapping[str, tuple[str, ...]]
    base: Path
    read_text: Callable[[str], str | None]
    _patterns: dict[str, PatternSet] = field(default_factory=dict)

    def apply(
        self, diagnostics: Iterable[Diagnostic], commented: Iterable[Path] = ()
    ) -> list[Diagnostic]:
        """Keep the reports to show, in their order, and add those on unused suppressions.

        Args:
          diagnostics: everything the engine found.
          commented: the linted files whose comments are to be judged.

        Returns:
          The reports to show.
        """
        by_file: dict[str, list[Diagnostic]] = {}
        for diagnostic in diagnostics:
            by_file.setdefault(diagnostic.filename, []).append(diagnostic)
        judged = {str(path) for path in commented} if UNUSED in self.selection.enabled else set()
        kept: list[Diagnostic] = []
        for filename in sorted({*by_file, *judged}):
            kept += self._of_file(filename, by_file.get(filename, []), filename in judged)
        return sorted(kept, key=lambda item: item.sort_key)

    def _of_file(
        self, filename: str, found: Sequence[Diagnostic], judge: bool
    ) -> Iterable[Diagnostic]:
        """The reports of one file to show."""
        ignored = self._ignored_in(filename)

        def wanted(item: Diagnostic) -> bool:
            if item.code == INTERNAL_ERROR:
                return True
            return self.selection.shows(item) and not item.code.startswith(ignored)

        shown = [item for item in found if wanted(item)]
        text = self.read_text(filename) if shown or judge else None
        if text is None or not suppression.may_suppress(text):
            return shown
        comments = suppression.read(text)
        kept = [
            item
            for item in shown
            if item.code == INTERNAL_ERROR
            or not comments.silences(item.code, {item.noqa_row, item.location.row})
        ]
        if judge:
            known = known_codes()
            here = {code for code in self.selection.enabled if not code.startswith(ignored)}
            kept += [
                item
                for item in unused(filename, comments, found, here, known)
                if wanted(item)
                and not comments.silences_line(item.code, {item.noqa_row, item.location.row})
            ]
        return kept

    def _ignored_in(self, filename: str) -> tuple[str, ...]:
        """The prefixes that are ignored in a file."""
        ignored: tuple[str, ...] = ()
        path = Path(filename)
        for pattern, prefixes in self.per_file_ignores.items():
            patterns = self._patterns.get(pattern)
            if patterns is None:
                patterns = self._patterns[pattern] = PatternSet([pattern], self.base)
            if patterns.matches_below(path, self.base):
                ignored += prefixes
        return ignored
