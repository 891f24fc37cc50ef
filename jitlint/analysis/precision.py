"""Whether a project turns x64 on: asked once, of all its files, when everything else is known.

Parts are interpreted and remembered as if it did not.  An edit of a workflow or a ``conftest.py``
changes what is reported elsewhere, and nothing that is kept of any part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jitlint.diagnostics import Diagnostic
from jitlint.jaxmodel.wide_dtypes import knows_x64

if TYPE_CHECKING:
    from jitlint.analysis.inputs import Reader
    from jitlint.project.project import Project

_WITHOUT_X64: Final = "JIT403"


def without_wide_dtypes(
    diagnostics: Sequence[Diagnostic], project: Project, settings: Iterable[Path], read: Reader
) -> list[Diagnostic]:
    """Drop the reports on dtypes of 64 bits if a project runs with x64, or without as it likes.

    Args:
      diagnostics: what was found.
      project: the project.
      settings: files that say how it is run.
      read: reads them.
    """
    others = [item for item in diagnostics if item.code != _WITHOUT_X64]
    if len(others) == len(diagnostics):
        return list(diagnostics)
    known = knows_x64(
        _texts(project, settings, read), lambda name: project.locate(name) is not None
    )
    return others if known else list(diagnostics)


def _texts(project: Project, settings: Iterable[Path], read: Reader) -> Iterator[str]:
    for path in project.files:
        text = project.text(path)
        if isinstance(text, str):
            yield text
    yield from map(read.settings, settings)
