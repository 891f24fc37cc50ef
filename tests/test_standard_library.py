"""The largest body of Python at hand goes through without an internal error.

The standard library has no traced function; it has every construct of the language, files that are
broken on purpose, and very long ones.
"""

from __future__ import annotations

import ast
import json
import shutil
import symtable
import sysconfig
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.commands import jitlint

LIBRARY = Path(sysconfig.get_path("stdlib"))
ROOT = Path(__file__).resolve().parent.parent


def _check(project: Path, *folders: Path) -> list[dict[str, object]]:
    """What is reported of all that folders hold, as a project of their own.

    Where they stand they may be part of a larger one, as of a folder of many versions of Python.
    """
    left_out = shutil.ignore_patterns("site-packages", "__pycache__", "*.so", "*.a", "*.pyc")
    for folder in folders:
        shutil.copytree(folder, project / folder.name, ignore=left_out)
    (project / "pyproject.toml").write_text("")
    command = ["check", "--isolated", "--output-format", "json"]
    # What an earlier run has kept would show nothing.
    done = jitlint(
        *command, "--no-cache", "--no-prefilter", project,
        cwd=ROOT,
        # The first crash is raised with its traceback.
        env={"JITLINT_STRICT": "1"},
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr[-3000:]
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def _refused(parse: Callable[[bytes], object], paths: Iterable[Path]) -> set[Path]:
    refused = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in paths:
            try:
                parse(path.read_bytes())
            except (SyntaxError, ValueError):
                refused.add(path)
    return refused


def _broken() -> set[Path]:
    paths = [path for path in LIBRARY.rglob("*.py") if "site-packages" not in path.parts]
    # Parses as well, makes no tree, which takes the most time, and then refuses somewhat more.
    suspects = _refused(lambda text: symtable.symtable(text, "", "exec"), paths)
    return {path.relative_to(LIBRARY) for path in _refused(ast.parse, suspects)}


@pytest.mark.slow
@pytest.mark.skipif(
    not (LIBRARY / "test" / "test_grammar.py").exists(), reason="installed without its tests"
)
def test_the_standard_library_with_its_tests(tmp_path: Path) -> None:
    found = _check(tmp_path, LIBRARY)
    codes = {str(report["code"]) for report in found}
    assert "JIT900" not in codes
    reported = {
        Path(str(report["filename"])).relative_to(tmp_path / LIBRARY.name)
        for report in found
        if report["code"] == "JIT901"
    }
    missed = {path.name for path in _broken() - reported}
    # "utf8" after a byte order mark: CPython wants it spelled "utf-8".
    assert missed <= {"bad_coding2.py"}
    assert codes <= {"JIT901", "JIT903"}


@pytest.mark.slow
def test_jitlint_itself(tmp_path: Path) -> None:
    rooms = (ROOT / "jitlint" / room for room in ("cli", "fixes", "output", "source", "verify"))
    assert _check(tmp_path, *rooms, ROOT / "tools") == []
