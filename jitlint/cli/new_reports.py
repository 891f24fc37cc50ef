"""``--baseline`` and ``--changed-since``: of what would be shown, only what is new."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jitlint.cli.streams import tell
from jitlint.diagnostics import Diagnostic
from jitlint.filters.diagnostic_filter import Select
from jitlint.foundation.phrases import counted
from jitlint.rules.codes import INTERNAL_ERROR
from jitlint.run.execution import Run
from jitlint.run.request import Request
from jitlint.usage_errors import UsageError

if TYPE_CHECKING:
    from jitlint.filters.baseline import Entry
    from jitlint.filters.changed_lines import ChangedLines


class NewReports:
    """What these options ask for, read before anything is linted.

    Args:
      arguments: the parsed command line.
      request: what is linted.

    Raises:
      UsageError: the baseline or the revision is wrong.
    """

    def __init__(self, arguments: argparse.Namespace, request: Request) -> None:
        self._path: Path | None = arguments.baseline
        self._written: Path | None = arguments.write_baseline
        self._quiet: bool = arguments.quiet
        self._entries: list[Entry] = []
        self._changed: ChangedLines | None = None
        self._since: str | None = arguments.changed_since
        self._paths = request.paths
        self._stdin = request.stdin is not None
        if self._written is not None:
            for other, given in (
                ("--baseline", self._path),
                ("--changed-since", arguments.changed_since),
                ("standard input", request.stdin),
            ):
                if given is not None:
                    raise UsageError(f"--write-baseline: cannot be combined with {other}")
            if not self._written.parent.is_dir():
                raise UsageError(f"--write-baseline: no such folder: {self._written.parent}")
        if self._path is not None:
            from jitlint.filters.baseline import read

            self._entries = read(self._path)
        self.look_again()

    def look_again(self) -> None:
        """See which lines have changed, now that files may be other than before.

        Raises:
          UsageError: the revision is wrong.
        """
        if self._since is not None:
            from jitlint.filters.changed_lines import changed_since
            from jitlint.source.file_discovery import common_folder

            self._changed = changed_since(self._since, common_folder(self._paths))

    def set_aside(
        self, shown: Sequence[Diagnostic], run: Run, select: Select
    ) -> set[tuple[str, str, str]]:
        """What is not new: file, code and fingerprint of each; nothing is written.

        Args:
          shown: the reports that would be shown, where they are in the files.
          run: what they came from.
          select: the rules to show under a configuration.
        """
        new = {item.lasting_key for item in self._new(shown, run, select, update=False)}
        return {item.lasting_key for item in shown} - new

    def among(self, shown: Sequence[Diagnostic], run: Run, select: Select) -> Sequence[Diagnostic]:
        """Keep what is new, and bring the baseline up to date.

        Args:
          shown: the reports that would be shown.
          run: what they came from.
          select: the rules to show under a configuration.

        Returns:
          The reports to show.

        Raises:
          UsageError: a baseline cannot be made.
        """
        if self._written is not None:
            return self._set_aside(self._written, shown, run)
        return self._new(shown, run, select, update=True)

    def _new(
        self, shown: Sequence[Diagnostic], run: Run, select: Select, *, update: bool
    ) -> Sequence[Diagnostic]:
        if self._path is not None:
            shown = self._without_baseline(self._path, shown, run, select, update=update)
        if self._changed is not None:
            from jitlint.filters.changed_lines import on_changed_lines

            shown = on_changed_lines(shown, self._changed)
        return shown

    def _set_aside(self, path: Path, shown: Sequence[Diagnostic], run: Run) -> Sequence[Diagnostic]:
        """Write a baseline; what is left is what none can hold."""
        from jitlint.filters import baseline

        entries = baseline.entries_of(shown, run.root)
        baseline.write(path, entries)
        self._say(f"wrote {path}, which sets {counted(len(entries), 'report')} aside")
        return [item for item in shown if item.code == INTERNAL_ERROR]

    def _without_baseline(
        self,
        path: Path,
        shown: Sequence[Diagnostic],
        run: Run,
        select: Select,
        *,
        update: bool,
    ) -> Sequence[Diagnostic]:
        from jitlint.filters import baseline

        def enabled(path: Path) -> Collection[str]:
            return select(run.configs.of(path)).enabled

        result = baseline.compare(self._entries, shown, run, enabled)
        # What an editor holds is not yet so in the file.
        if result.gone and update and not self._stdin:
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
