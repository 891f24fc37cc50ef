"""Which code belongs to tests, by the names that test runners go by, and what tests replace."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jitlint.imports.test_files import is_test_file

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex

#: `patch("pkg.name")`, `patch.object(owner, "name")`, `monkeypatch.setattr(owner, "name", new)`
_REPLACED: Final = re.compile(
    r"""\b(?:patch(?:\.object)?|monkeypatch\.setattr)\(\s*(?:[\w.]+\s*,\s*)?["'](?:[\w.]*\.)?(\w+)["']"""
)


@cache
def is_test(path: Path, qualname: str) -> bool:
    """Whether code belongs to a test, or to what tests are set up with."""
    if is_test_file(path) or path.stem == "conftest":
        return True
    return any(part.startswith("test_") for part in qualname.split("."))


def replaced_names(module: ModuleIndex) -> frozenset[str]:
    """The names, of functions and classes, that tests of a file have stand-ins for.

    Which of its tests does so for which of them is not asked: what they are given there is made up
    for the stand-ins.
    """
    if not module.words & {"patch", "monkeypatch"}:
        return frozenset()
    return frozenset(_REPLACED.findall(module.text))
