"""What the texts of a project said of each other in the last run, for as long as they still do.

Most edits change nothing that the import graph asks of a text, so that nobody needs to read the
others again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from jitlint.cache.folder import digest
from jitlint.imports.graph import Edges
from jitlint.recall.decoding import decoded

if TYPE_CHECKING:
    from jitlint.cache.stores import Store
    from jitlint.project.project import Project

_KIND = "imports"


class _Record(Struct, frozen=True):
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
    known = decoded(store.read(_KIND, key), _Record)
    paths = {str(path): path for path in project.files}

    def said(name: str, edges: Edges) -> tuple[str, str]:
        return sources[name], digest(repr(graph.said(paths[name], edges.open)))

    if known is not None and known.roots == roots and [*known.files] == [*paths]:
        now = {
            name: before if before[0] == sources[name] else said(name, known.edges)
            for name, before in known.files.items()
        }
        if all(now[name][1] == told for name, (_, told) in known.files.items()):
            graph.edges = known.edges
            if store.writable and now != known.files:
                _write(store, key, _Record(roots, now, known.edges))
            return
    if store.writable:
        files = {name: said(name, graph.edges) for name in paths}
        _write(store, key, _Record(roots, files, graph.edges))


def _write(store: Store, key: str, record: _Record) -> None:
    store.write(_KIND, key, msgspec.msgpack.encode(record))
