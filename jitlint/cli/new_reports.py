"""``--baseline`` and ``--changed-since``: of what would be shown, only what is new."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jitlint.cli.streams import tell
from jitlint.config.rule_selection import Selection
from jitlint.diagnostics import Diagnostic
from jitlint.foundation.phrases import counted
from jitlint.run.execution import Run
from jitlint.run.request import Request
from jitlint.usage_errors import UsageError

if TYPE_CHECKING:
    from jitlint.filters.baseline import Entry
    from jitlint.filters.changed_lines import ChangedLines


class NewReports:
    """What the two options ask for, read before anything is linted.

    Args:
      arguments: the parsed command line.
      request: what is linted.

    Raises:
      UsageError: the baseline or the revision is wrong.
    """

    def __init__(self, arguments: argparse.Namespace, request: Request) -> None:
        self._path: Path | None = arguments.baseline
        self._quiet: bool = arguments.quiet
        self._entries: list[Entry] | None = None
        self._changed: ChangedLines | None = None
        self._stdin = request.stdin is not None
        if self._path is not None:
            from jitlint.filters.baseline import read

            self._entries = read(self._path)
            if self._entries is None and self._stdin:
                raise UsageError(
                    f"--baseline: no such file: {self._path} (expected one that "
                    "'jitlint check --baseline' wrote of the project; standard input makes none)"
                )
        if arguments.changed_since is not None:
            from jitlint.filters.changed_lines import changed_since
            from jitlint.source.file_discovery import common_folder

            self._changed = changed_since(arguments.changed_since, common_folder(request.paths))

    def among(
        self, shown: Sequence[Diagnostic], run: Run, selection: Selection
    ) -> Sequence[Diagnostic]:
        """Keep what is new, and bring the baseline up to date.

        Args:
          shown: the reports that would be shown.
          run: what they came from.
          selection: the rules of the run.

        Returns:
          The reports to show.

        Raises:
          UsageError: a baseline cannot be made.
        """
        if self._path is not None:
            shown = self._without_baseline(self._path, shown, run, selection)
        if self._changed is not None:
            from jitlint.filters.changed_lines import on_changed_lines

            shown = on_changed_lines(shown, self._changed)
        return shown

    def _without_baseline(
        self, path: Path, shown: Sequence[Diagnostic], run: Run, selection: Selection
    ) -> Sequence[Diagnostic]:
        from jitlint.filters import baseline

        entries = self._entries
        if entries is None:
            entries = baseline.entries_of(shown, run.root)
            baseline.write(path, entries)
            self._say(f"wrote {path}, which sets {counted(len(entries), 'report')} aside")
        result = baseline.compare(entries, shown, run, selection.enabled)
        # What an editor holds is not yet so in the file.
        if result.gone and not self._stdin:
            try:
                baseline.write(path, result.kept)
            except UsageError as error:
                # The reports are right all the same; the next run that may write does it.
                tell(f"warning: {error}")
            else:
                self._say(f"took {counted(result.gone, 'report')} that are gone out of {path}")
        return result.new

    def _say(self, message: str) -> None:
        if not self._quiet:
            tell(message)
