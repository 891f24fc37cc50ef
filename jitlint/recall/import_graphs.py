"""What the texts of a project said of each other in the last run, for as long as they still do.

Most edits change nothing that the import graph asks of a text, so that nobody needs to read the
others again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from jitlint.cache.folder import digest
from jitlint.imports.graph import Edges

if TYPE_CHECKING:
    from jitlint.cache.stores import Store
    from jitlint.project.project import Project

_KIND = "imports"


@dataclass(frozen=True, slots=True)
class _Record:
    """The import graph of some files.

    Args:
      roots: where absolute imports start.
      files: the files in their order, each with digests of its source and of what it says.
      edges: what they say of each other.
    """

    roots: list[str]
    files: dict[str, tuple[str, str]]
    edges: Edges


def recall(store: Store, project: Project, sources: Mapping[str, str]) -> None:
    """Give a project the edges of its import graph, and keep them where they are new.

    Args:
      store: where they are kept.
      project: the project.
      sources: digests of the sources of its files.
    """
    graph = project.graph
    key, roots = str(project.root), [str(root) for root in project.import_roots]
    known = _read(store.read(_KIND, key))
    paths = {str(path): path for path in project.files}
    same = known is not None and known.roots == roots and [*known.files] == [*paths]
    said: dict[str, tuple[str, str]] = {}
    if known is not None and same:
        for name, path in paths.items():
            before = known.files[name]
            told = before[1]
            if before[0] != sources[name]:
                told = digest(repr(graph.said(path, known.edges.open)))
                same = same and told == before[1]
            said[name] = sources[name], told
    if known is not None and same:
        graph.edges = known.edges
        if said == known.files:
            return
    elif store.writable:
        left_open = graph.edges.open
        said = {
            name: (sources[name], digest(repr(graph.said(path, left_open))))
            for name, path in paths.items()
        }
    if store.writable:
        store.write(_KIND, key, msgspec.msgpack.encode(_Record(roots, said, graph.edges)))


def _read(data: bytes | None) -> _Record | None:
    try:
        return None if data is None else msgspec.msgpack.decode(data, type=_Record)
    except (msgspec.DecodeError, RecursionError):
        return None
