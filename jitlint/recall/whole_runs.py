"""What came of a whole analysis, for as long as all that it has read would be read again.

An edit of comments, blank rows or anything else that does not count changes no meaning, so nothing
is indexed, let alone interpreted: reports are moved to where their code stands now.  Of a file that
means something else all is asked that anything of that run has asked of it; an edit of what nobody
has looked at leaves every answer as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from jitlint.cache.folder import digest
from jitlint.diagnostics import Diagnostic
from jitlint.project.reading import Sink, fingerprint
from jitlint.recall.decoding import decoded
from jitlint.recall.kept_readings import Answers, KeptReadings
from jitlint.recall.layouts import Layouts, Moves, UnknownRowError, files_named, moved
from jitlint.recall.readings import RunReadings

if TYPE_CHECKING:
    from jitlint.cache.stores import Store
    from jitlint.project.project import Project

_KIND = "whole"


class _Record(Struct, frozen=True):
    """What came of an analysis; files by their paths as texts.

    Args:
      files: each with digests of its source and of its meaning.
      settings: a digest of what else decides.
      edges: a fingerprint of the import graph.
      selected: names for what was selected.
      selecting: what was read to select that.
      diagnostics: all that was found.
      read: what else was read.
    """

    files: dict[str, tuple[str, str]]
    settings: str
    edges: str
    selected: list[str]
    selecting: KeptReadings
    diagnostics: list[Diagnostic]
    read: KeptReadings


class WholeRuns:
    """The analyses of one project with one set of choices.

    Args:
      store: where they are kept.
      project: the project as it is now.
      choices: all that decides what is found besides the project, as texts.
      settings: texts of files that are no Python and decide, too.
      looked_at: whether a text is looked at at all.
    """

    def __init__(
        self,
        store: Store,
        project: Project,
        choices: Iterable[str],
        settings: Iterable[str],
        looked_at: Callable[[str], bool],
    ) -> None:
        self._store = store
        self._looked_at = looked_at
        self._project = project
        self._key = digest(*choices)
        self._settings = digest(*settings)
        self._known = decoded(store.read(_KIND, self._key), _Record)
        before = {} if self._known is None else self._known.files
        self._files = {str(path): self._digests(path, before) for path in project.files}
        known = self._known
        earlier = () if known is None else (known.selecting, known.read)
        self._answers = Answers(project, earlier, lambda p: before.get(p) == self._files.get(p))

    def _digests(self, path: Path, known: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
        """Digests of the source of a file and of its meaning."""
        text = self._project.text(path)
        content = text if isinstance(text, str) else repr(text)
        source = digest(content)
        before = known.get(str(path))
        if before is not None and before[0] == source:
            return before
        plain = self._project.plain(path, content)
        # Whether a file may have to do with JAX is asked of all of its text.
        return source, digest(plain.normal(plain.text, 1), str(self._looked_at(content)))

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """Digests of the sources of all files."""
        return {path: digests[0] for path, digests in self._files.items()}

    @cached_property
    def edges(self) -> str:
        """A fingerprint of the import graph, which the project has by then."""
        return fingerprint(tuple(self._project.graph.edges))

    def find(self) -> Sequence[Diagnostic] | None:
        """What would be found, as no file means anything else; None if that may not be so."""
        known = self._comparable()
        return None if known is None or self._meaning_more(known) else self._found(known)

    def find_unread(self) -> Sequence[Diagnostic] | None:
        """What would be found, as nothing was read that is another now; None if some may have been.

        The project has its import graph, and knows what the compiler takes.
        """
        known = self._comparable()
        if known is None or known.edges != self.edges or not self._holds(known, known.selecting):
            return None
        return self._unread(known, lambda: known.selecting)

    def find_selected(
        self, selected: list[str], selecting: RunReadings
    ) -> Sequence[Diagnostic] | None:
        """What would be found, as the same is selected and nothing else was read that is another.

        Args:
          selected: names for what is selected.
          selecting: what was read to select that.
        """
        known = self._comparable()
        if known is None or known.edges != self.edges or known.selected != selected:
            return None
        return self._unread(known, lambda: self._answers.keep(selecting, self._project.files))

    def _unread(
        self, known: _Record, selecting: Callable[[], KeptReadings]
    ) -> Sequence[Diagnostic] | None:
        """What would be found, as nothing was read of what is selected that is another now.

        Args:
          known: what is known.
          selecting: what has been read this time to select the same.
        """
        if not self._holds(known, known.read):
            return None
        found = self._found(known)
        if found is not None and self._meaning_more(known) and self._store.writable:
            # The next edit is one of this state.
            files, diagnostics = self._files, list(found)
            self._write(replace(known, files=files, selecting=selecting(), diagnostics=diagnostics))
        return found

    def _holds(self, known: _Record, read: KeptReadings) -> bool:
        """Whether the files that mean something else answer as they did."""
        return all(self._answers.holds(path, read) for path in self._meaning_more(known))

    def _comparable(self) -> _Record | None:
        """What is known, if it is of the same files, and all else that decides is the same."""
        known = self._known
        if known is None or known.settings != self._settings:
            return None
        return known if known.files.keys() == self._files.keys() else None

    def _meaning_more(self, known: _Record) -> list[str]:
        """The files that mean something else than they did."""
        return [path for path, now in self._files.items() if known.files[path][1] != now[1]]

    def _found(self, known: _Record) -> Sequence[Diagnostic] | None:
        """What was found, where its code stands now; None if that cannot be told."""
        changed = [path for path, digests in self._files.items() if known.files[path] != digests]
        if any(known.read.is_remarked(p) or known.selecting.is_remarked(p) for p in changed):
            return None
        # A fix may keep a comment, or be none because of one.
        if any(item.filename in changed for item in known.diagnostics):
            return None
        layouts = Layouts(self._store)
        named = files_named(known.diagnostics)
        moves: Moves = {
            path: layouts.moves(self._project, path, known.files[path][0])
            for path in named.intersection(changed)
        }
        try:
            found = [moved(item, moves) for item in known.diagnostics]
        except UnknownRowError:
            return None
        if any(self._project.failures.values()):
            return None
        return found

    def keep(
        self,
        diagnostics: Sequence[Diagnostic],
        selected: list[str],
        selecting: RunReadings,
        sink: Sink,
        pieces: Iterable[RunReadings],
    ) -> None:
        """Keep what was found.

        Args:
          diagnostics: all of it.
          selected: names for what was selected.
          selecting: what was read to select that.
          sink: what else was read of the project,
          pieces: but for what those have read that are kept by themselves.
        """
        keep, files = self._answers.keep, self._project.files
        read = self.read(sink, pieces)
        self._write(
            _Record(
                self._files,
                self._settings,
                self.edges,
                selected,
                keep(selecting, files),
                list(diagnostics),
                keep(read, files),
            )
        )

    def read(self, sink: Sink, pieces: Iterable[RunReadings]) -> RunReadings:
        """What was read, put together.

        Args:
          sink: what was read of the project,
          pieces: but for what those have read that are kept by themselves.
        """
        read = RunReadings()
        for piece in pieces:
            read.add(piece.readings, piece.words)
        read.add(self._answers.fingerprints.of(sink))
        return read

    def _write(self, record: _Record) -> None:
        self._store.write(_KIND, self._key, msgspec.msgpack.encode(record))
        layouts = Layouts(self._store)
        for path in files_named(record.diagnostics):
            layouts.keep(self._project, path, self._files[path][0])
