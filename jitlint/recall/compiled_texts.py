"""Which texts Python's compiler took in an earlier run, so that it is not asked of them again.

It refuses more than the parser, so every text is shown to it; what it says depends on nothing but
the text and the version of Python, of which each has a cache of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from jitlint.recall.decoding import decoded

if TYPE_CHECKING:
    from jitlint.cache.stores import Store
    from jitlint.project.project import Project

_KIND = "compiled"


class CompiledTexts:
    """The texts of one project that the compiler took, by their files.

    Args:
      store: where they are kept.
      project: the project as it is now, which is told of them.
      sources: digests of the sources of its files.
    """

    def __init__(self, store: Store, project: Project, sources: Mapping[str, str]) -> None:
        self._store = store
        self._project = project
        self._sources = sources
        self._known = decoded(store.read(_KIND, str(project.root)), dict[str, str]) or {}
        project.compiled.update(
            path for path in project.files if self._known.get(str(path)) == sources[str(path)]
        )

    def keep(self) -> None:
        """Keep what the compiler took by now; what is known of files that are gone is dropped."""
        # What records name may be no file of the project any more, though it is there.
        names = sorted(map(str, self._project.compiled))
        found = {name: self._sources[name] for name in names if name in self._sources}
        if self._store.writable and found != self._known:
            self._store.write(_KIND, str(self._project.root), msgspec.msgpack.encode(found))
