"""The largest body of Python at hand goes through without an internal error.

The standard library has no traced function; it has every construct of the language, files that are
broken on purpose, and very long ones.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import symtable
import sys
import sysconfig
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

LIBRARY = Path(sysconfig.get_path("stdlib"))
ROOT = Path(__file__).resolve().parent.parent
SECONDS = 900


def _check(*arguments: str) -> list[dict[str, object]]:
    command = [sys.executable, "-m", "jitlint", "check", "--isolated", "--output-format", "json"]
    # What an earlier run has kept would show nothing.
    done = subprocess.run(
        [*command, "--no-cache", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        # The first crash is raised with its traceback.
        env={**os.environ, "JITLINT_STRICT": "1"},
        timeout=SECONDS,
        check=False,
    )
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


def _broken() -> set[str]:
    paths = [path for path in LIBRARY.rglob("*.py") if "site-packages" not in path.parts]
    # Parses as well, makes no tree, which takes the most time, and then refuses somewhat more.
    suspects = _refused(lambda text: symtable.symtable(text, "", "exec"), paths)
    return {str(path.resolve()) for path in _refused(ast.parse, suspects)}


@pytest.mark.slow
@pytest.mark.skipif(
    not (LIBRARY / "test" / "test_grammar.py").exists(), reason="installed without its tests"
)
def test_the_standard_library_with_its_tests() -> None:
    found = _check("--no-prefilter", "--exclude", "site-packages", str(LIBRARY))
    codes = {str(report["code"]) for report in found}
    assert "JIT900" not in codes
    reported = {
        str(Path(str(report["filename"])).resolve())
        for report in found
        if report["code"] == "JIT901"
    }
    missed = {Path(path).name for path in _broken() - reported}
    # "utf8" after a byte order mark: CPython wants it spelled "utf-8".
    assert missed <= {"bad_coding2.py"}
    assert codes <= {"JIT901", "JIT903"}


@pytest.mark.slow
def test_jitlint_itself() -> None:
    assert _check("--no-prefilter", str(ROOT / "jitlint")) == []
