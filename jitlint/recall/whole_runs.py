"""What came of a whole analysis, for as long as the code of its files means the same.

An edit of comments, blank rows or anything else that does not count changes no meaning, so nothing
is indexed, let alone interpreted: reports are moved to where their code stands now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from jitlint.cache.folder import digest
from jitlint.diagnostics import Diagnostic
from jitlint.recall.layouts import Layouts, Moves, UnknownRowError, files_named, moved

if TYPE_CHECKING:
    from jitlint.cache.stores import Store
    from jitlint.project.project import Project

_KIND = "whole"


@dataclass(frozen=True, slots=True)
class _Record:
    """What came of an analysis; files by their paths as texts.

    Args:
      files: each with digests of its source and of its meaning.
      settings: a digest of what else decides.
      diagnostics: all that was found.
      remarked: the files of which comments were looked at.
    """

    files: dict[str, tuple[str, str]]
    settings: str
    diagnostics: list[Diagnostic]
    remarked: frozenset[str]


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
        data = store.read(_KIND, self._key)
        self._known = _read(data)
        before = {} if self._known is None else self._known.files
        self._files = {str(path): self._digests(path, before) for path in project.files}

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

    @property
    def sources(self) -> Mapping[str, str]:
        """Digests of the sources of all files."""
        return {path: digests[0] for path, digests in self._files.items()}

    def find(self) -> Sequence[Diagnostic] | None:
        """What would be found; None if only an analysis can tell."""
        known = self._known
        if known is None or known.settings != self._settings:
            return None
        if known.files.keys() != self._files.keys():
            return None
        changed = [path for path, digests in self._files.items() if known.files[path] != digests]
        if any(known.files[path][1] != self._files[path][1] for path in changed):
            return None
        if not known.remarked.isdisjoint(changed):
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

    def keep(self, diagnostics: Sequence[Diagnostic], remarked: frozenset[str]) -> None:
        """Keep what was found.

        Args:
          diagnostics: all of it.
          remarked: the files of which comments were looked at.
        """
        record = _Record(self._files, self._settings, list(diagnostics), remarked)
        self._store.write(_KIND, self._key, msgspec.msgpack.encode(record))
        layouts = Layouts(self._store)
        for path in files_named(diagnostics):
            layouts.keep(self._project, path, self._files[path][0])


def _read(data: bytes | None) -> _Record | None:
    try:
        return None if data is None else msgspec.msgpack.decode(data, type=_Record)
    except (msgspec.DecodeError, RecursionError):
        return None
