"""The largest body of Python at hand goes through without an internal error.

The standard library has no traced function; it has every construct of the language, files that are
broken on purpose, and very long ones.  A share of it is linted, always the same one;
``JITLINT_OBSERVE=all`` in the environment has everything linted, as the workflow on GitHub does.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import symtable
import sysconfig
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from zlib import crc32

import pytest

from tests.commands import jitlint

#: one of so many parts is linted
SHARE = 7
LIBRARY = Path(sysconfig.get_path("stdlib"))
ROOT = Path(__file__).resolve().parent.parent


def _check(project: Path) -> list[dict[str, object]]:
    """What is reported of a project.

    Where its files stood they may have been part of a larger one, as of a folder of many versions
    of Python.
    """
    (project / "pyproject.toml").write_text("")
    command = ["check", "--isolated", "--output-format", "json"]
    # What an earlier run has kept would show nothing.
    done = jitlint(
        *command,
        "--no-cache",
        "--no-prefilter",
        project,
        cwd=ROOT,
        # The first crash is raised with its traceback.
        env={"JITLINT_STRICT": "1"},
    )
    assert done.returncode in (0, 1), done.stderr[-3000:]
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


def _share() -> list[Path]:
    """Files of the library, by their names within it."""
    paths = [
        path.relative_to(LIBRARY)
        for path in sorted(LIBRARY.rglob("*.py"))
        if "site-packages" not in path.parts
    ]
    if os.environ.get("JITLINT_OBSERVE") == "all":
        return paths
    return [path for path in paths if crc32(path.as_posix().encode()) % SHARE == 0]


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


def _broken(project: Path) -> set[Path]:
    paths = project.rglob("*.py")
    # Parses as well, makes no tree, which takes the most time, and then refuses somewhat more.
    suspects = _refused(lambda text: symtable.symtable(text, "", "exec"), paths)
    return _refused(ast.parse, suspects)


@pytest.mark.slow
@pytest.mark.skipif(
    not (LIBRARY / "test" / "test_grammar.py").exists(), reason="installed without its tests"
)
def test_the_standard_library_with_its_tests(tmp_path: Path) -> None:
    share = _share()
    assert len(share) > 100
    for path in share:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(LIBRARY / path, tmp_path / path)
    found = _check(tmp_path)
    codes = {str(report["code"]) for report in found}
    assert "JIT900" not in codes
    reported = {Path(str(report["filename"])) for report in found if report["code"] == "JIT901"}
    missed = {path.name for path in _broken(tmp_path) - reported}
    # "utf8" after a byte order mark: CPython wants it spelled "utf-8".
    assert missed <= {"bad_coding2.py"}
    assert codes <= {"JIT901", "JIT903"}


@pytest.mark.slow
def test_jitlint_itself(tmp_path: Path) -> None:
    rooms = (ROOT / "jitlint" / room for room in ("cli", "fixes", "output", "source", "verify"))
    for folder in (*rooms, ROOT / "tools"):
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(folder, tmp_path / folder.name, ignore=left_out)
    assert _check(tmp_path) == []
