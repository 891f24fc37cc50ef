"""From all that was found to what is shown: rules, files, suppression comments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import field

from jitlint.config.configuration import Config
from jitlint.config.nearest import Configurations
from jitlint.config.rule_selection import Selection
from jitlint.diagnostics import Diagnostic
from jitlint.filters.tested_code import is_contradicted
from jitlint.filters.unused_suppressions import unused
from jitlint.foundation.records import Record
from jitlint.rules.codes import INTERNAL_ERROR, UNUSED_SUPPRESSION
from jitlint.source import suppression
from jitlint.source.file_discovery import PatternSet
from jitlint.source.suppression import Suppressions

if TYPE_CHECKING:
    from jitlint.run.execution import Run


#: the rules to show under a configuration
Select = Callable[[Config], Selection]


class Filter(Record):
    """Everything that stands between what the engine found and what is shown.

    Args:
      configs: the configurations, each of which holds for some files.
      select: the rules to show under a configuration.
      read_text: the text of a linted file, None where it cannot be had.
    """

    configs: Configurations
    select: Select
    read_text: Callable[[str], str | None]
    _by_config: dict[int, _Choice] = field(default_factory=dict)

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
        judged = {
            str(path)
            for path in commented
            if UNUSED_SUPPRESSION in self._choice(str(path)).selection.enabled
        }
        kept: list[Diagnostic] = []
        for filename in sorted({*by_file, *judged}):
            kept += self._of_file(filename, by_file.get(filename, []), filename in judged)
        return sorted(kept, key=lambda item: item.sort_key)

    def _of_file(
        self, filename: str, found: Sequence[Diagnostic], judge: bool
    ) -> Iterable[Diagnostic]:
        """The reports of one file to show."""
        choice = self._choice(filename)
        selection, ignored = choice.selection, choice.ignored_in(filename)

        def wanted(item: Diagnostic) -> bool:
            if item.code == INTERNAL_ERROR:
                return True
            if choice.trusts_tests and is_contradicted(item):
                return False
            return selection.shows(item) and not item.code.startswith(ignored)

        shown = [choice.fixes.of(item) for item in found if wanted(item)]
        text = self.read_text(filename) if shown or judge else None
        if text is None or not suppression.may_suppress(text):
            return shown
        comments = suppression.read(text)
        kept = list(unsilenced(shown, comments))
        if judge:
            here = {code for code in selection.enabled if not code.startswith(ignored)}
            unused = filter(wanted, unused_in(filename, found, here, comments, comments))
            kept += map(choice.fixes.of, unused)
        return kept

    def _choice(self, filename: str) -> _Choice:
        config = self.configs.of(Path(filename))
        known = self._by_config.get(id(config))
        if known is None:
            known = self._by_config[id(config)] = _Choice(config, self.select(config))
        return known


class _Choice:
    """What is shown in the files that one configuration holds for.

    Args:
      config: the configuration.
      selection: the rules.
    """

    def __init__(self, config: Config, selection: Selection) -> None:
        self.selection = selection
        self.fixes = config.fixes
        self.trusts_tests = config.trust_tests
        self._base = config.base
        self._ignores = [
            (PatternSet([pattern], config.base), prefixes)
            for pattern, prefixes in config.per_file_ignores.items()
        ]

    def ignored_in(self, filename: str) -> tuple[str, ...]:
        """The prefixes that are ignored in a file."""
        path = Path(filename)
        return tuple(
            prefix
            for patterns, prefixes in self._ignores
            if patterns.matches_below(path, self._base)
            for prefix in prefixes
        )


def shown_of(run: Run, select: Select) -> list[Diagnostic]:
    """The reports of a run to show.

    Args:
      run: the run, with the configurations that held.
      select: the rules to show under a configuration.
    """
    return Filter(run.configs, select, run.sources.text).apply(run.diagnostics, run.commented)


def unsilenced(shown: Iterable[Diagnostic], comments: Suppressions) -> Iterator[Diagnostic]:
    """Yield the reports of one file that its comments do not silence.

    Args:
      shown: the reports that would be shown.
      comments: those that count.
    """
    for item in shown:
        if item.code == INTERNAL_ERROR or not comments.silences(item.code, _rows(item)):
            yield item


def unused_in(
    filename: str,
    found: Sequence[Diagnostic],
    enabled: Collection[str],
    comments: Suppressions,
    silencing: Suppressions,
) -> Iterator[Diagnostic]:
    """Yield the reports of one file on comments that silence nothing.

    Args:
      filename: the file.
      found: everything the engine found in it, whatever its severity.
      enabled: the codes that this run looks for in this file.
      comments: all its comments.
      silencing: those that can silence these reports.
    """
    for item in unused(filename, comments, found, enabled):
        if not silencing.silences_line(item.code, _rows(item)):
            yield item


def _rows(item: Diagnostic) -> set[int]:
    return {item.noqa_row, item.location.row}
