"""What the documents are labelled with is what JAX does when a reader runs them."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import traceback
from pathlib import Path
from typing import Any

import pytest

from jitlint.rules.registry import find
from jitlint.source.decoding import read_document
from jitlint.source.document import Document, is_document

HERE = Path(__file__).resolve().parent
DOCUMENTS = sorted(path for path in HERE.iterdir() if is_document(path))

pytestmark = pytest.mark.jax


class Shell:
    """What magics and commands give."""

    def run(self, *arguments: Any) -> list[str]:
        return ["a file"]


def raising_rows(document: Document) -> set[int]:
    """The rows of a document's Python at which an error arises or passes, statement by statement.

    As in a notebook, a reader goes on behind an error.
    """
    # A magic takes what its argument gives; else it gives the shell.
    names: dict[str, Any] = {"get_ipython": lambda *given: Shell(), "__name__": "__main__"}
    found: set[int] = set()
    for statement in ast.parse(document.text).body:
        code = compile(
            ast.Module([statement], []),
            str(document.path),
            "exec",
            ast.PyCF_ALLOW_TOP_LEVEL_AWAIT,
        )
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                result = eval(code, names)
                if inspect.iscoroutine(result):
                    asyncio.run(result)
        except Exception as error:
            if not _is_raised_by_jax(error):
                continue
            for frame in traceback.extract_tb(error.__traceback__):
                if frame.filename == str(document.path) and frame.lineno is not None:
                    found.add(frame.lineno)
    return found


def _is_raised_by_jax(error: Exception) -> bool:
    text = "".join(traceback.format_exception(error))
    return type(error).__module__.startswith("jax") or "Tracer" in text or "tracer" in text


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_each_label_of_an_error_is_seen(path: Path) -> None:
    document = read_document(path)
    assert isinstance(document, Document)
    seen = raising_rows(document)
    missing = []
    for row, line in enumerate(document.lines, start=1):
        for code in line.partition("#")[2].split():
            rule = find(code)
            raises = rule is not None and rule.hazard is not None and rule.hazard.kind == "raises"
            if raises and row not in seen:
                missing.append((document.origin(row, 1), line))
    assert not missing
