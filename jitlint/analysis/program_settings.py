"""How a project has JAX run: asked once, of all its files, when everything else is known.

Parts are interpreted and remembered as if it did not say.  An edit of a workflow or a
``conftest.py`` changes what is reported elsewhere, and nothing that is kept of any part.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jitlint.diagnostics import Diagnostic
from jitlint.jaxmodel.asynchrony import has_calls_wait
from jitlint.jaxmodel.wide_dtypes import knows_x64, x64_in
from jitlint.project.test_code import is_test

if TYPE_CHECKING:
    from jitlint.analysis.inputs import Reader
    from jitlint.project.file_texts import FileText
    from jitlint.project.project import Project

_WITHOUT_X64: Final = "JIT403"
_WITHOUT_WAITING: Final = "JIT401"


def as_programs_run(
    diagnostics: Sequence[Diagnostic], project: Project, settings: Iterable[Path], read: Reader
) -> list[Diagnostic]:
    """Drop the reports on what is otherwise where a program runs as it says.

    Those on dtypes of 64 bits where it runs with x64, or without as it likes; those on durations
    where each call waits.  What says so counts for all that may be in one process with it; settings
    count everywhere.  Modules of a package that nothing in sight runs are not known to run
    otherwise than the rest of the project does.

    Args:
      diagnostics: what was found.
      project: the project.
      settings: files that say how it is run.
      read: reads them.
    """

    def is_own(name: str) -> bool:
        return project.locate(name) is not None

    def x64_in_file(text: FileText) -> bool:
        knows, imported = text.fact(_of_x64)
        return knows or not all(map(is_own, imported))

    def x64_in_setting(text: str) -> bool:
        return knows_x64([text], is_own)

    texts = list(map(read.settings, settings)) if diagnostics else []
    found = _unless(diagnostics, _WITHOUT_X64, project, texts, x64_in_setting, x64_in_file)
    return _unless(found, _WITHOUT_WAITING, project, texts, has_calls_wait, _waits_in_file)


def _unless(
    diagnostics: Sequence[Diagnostic],
    code: str,
    project: Project,
    settings: Iterable[str],
    is_set: Callable[[str], bool],
    sets: Callable[[FileText], bool],
) -> list[Diagnostic]:
    """Drop the reports of a rule where something is set.

    Args:
      diagnostics: what was found.
      code: the rule.
      project: the project.
      settings: texts that count everywhere.
      is_set: whether such a text sets it.
      sets: whether a file does.
    """
    if not any(item.code == code for item in diagnostics):
        return list(diagnostics)
    if any(map(is_set, settings)):
        return [item for item in diagnostics if item.code != code]
    graph = project.graph
    #: by what may be in one process with a file, whether some of that sets it
    known: dict[int, bool] = {}

    def is_set_in(files: int) -> bool:
        if files not in known:
            texts = map(project.file_text, graph.those(files))
            known[files] = any(sets(text) for text in texts if text is not None)
        return known[files]

    found = []
    for item in diagnostics:
        if item.code == code:
            path = Path(item.filename)
            if is_set_in(graph.around(path)):
                continue
            if not _is_run(project, path) and is_set_in((1 << len(graph.files)) - 1):
                continue
        found.append(item)
    return found


def _is_run(project: Project, path: Path) -> bool:
    """Whether a file is there to be started, or something that leads to it, and no mere module."""
    graph = project.graph
    return any(
        each.parent / "__init__.py" not in graph.numbers
        or is_test(each, "")
        or _acts_in(project.file_text(each))
        for each in graph.those(graph.above(path))
    )


def _acts_in(text: FileText | None) -> bool:
    return text is not None and text.fact(_acts)


def _acts(text: FileText) -> bool:
    """Whether a file does something where it is started: it asks for that, or calls something."""
    if "__main__" in text.code:
        return True
    try:
        body = ast.parse(text.code).body
    except (SyntaxError, ValueError):
        return False
    return any(isinstance(each, ast.Expr) and isinstance(each.value, ast.Call) for each in body)


def _of_x64(text: FileText) -> tuple[bool, frozenset[str]]:
    return x64_in(text.code)


def _waits(text: FileText) -> bool:
    return has_calls_wait(text.code)


def _waits_in_file(text: FileText) -> bool:
    return text.fact(_waits)
