"""Whether a project turns x64 on: asked once, of all its files, when everything else is known.

Parts are interpreted and remembered as if it did not.  An edit of a workflow or a ``conftest.py``
changes what is reported elsewhere, and nothing that is kept of any part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jitlint.diagnostics import Diagnostic
from jitlint.jaxmodel.wide_dtypes import knows_x64, x64_in

if TYPE_CHECKING:
    from jitlint.analysis.inputs import Reader
    from jitlint.project.file_texts import FileText
    from jitlint.project.project import Project

_WITHOUT_X64: Final = "JIT403"


def without_wide_dtypes(
    diagnostics: Sequence[Diagnostic], project: Project, settings: Iterable[Path], read: Reader
) -> list[Diagnostic]:
    """Drop the reports on dtypes of 64 bits where a program runs with x64, or without as it likes.

    What turns it on counts for all that may be in one process with it; settings count everywhere.

    Args:
      diagnostics: what was found.
      project: the project.
      settings: files that say how it is run.
      read: reads them.
    """
    others = [item for item in diagnostics if item.code != _WITHOUT_X64]
    if len(others) == len(diagnostics):
        return list(diagnostics)
    graph = project.graph

    def is_own(name: str) -> bool:
        return project.locate(name) is not None

    if knows_x64(map(read.settings, settings), is_own):
        return others
    #: by what may be in one process with a file, whether some of that knows of x64
    known: dict[int, bool] = {}
    found = []
    for item in diagnostics:
        around = graph.around(Path(item.filename)) if item.code == _WITHOUT_X64 else 0
        if around not in known:
            texts = map(project.file_text, graph.those(around))
            said = (text.fact(_of_x64) for text in texts if text is not None)
            known[around] = any(knows or not all(map(is_own, names)) for knows, names in said)
        if not known[around]:
            found.append(item)
    return found


def _of_x64(text: FileText) -> tuple[bool, frozenset[str]]:
    return x64_in(text.code)
