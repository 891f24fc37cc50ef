"""More code must not mean less found: strangers and callers beside a program hide no fault of it.

A stranger defines what the program defines, by the same names and without a relation to it.  A
caller calls the program's traced functions with arrays.  What was found before either came is
found again.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from jitlint.analysis.engine import Analysis, analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Severity, TracedFunctionReport
from jitlint.foundation.deep_stack import with_deep_stack

TESTS = Path(__file__).resolve().parent
# Every sixth of the programs, which are many, and all that is hard to get to; those with faults.
PROGRAMS = [
    folder
    for folder in (
        *sorted(path for path in (TESTS / "programs").iterdir() if path.is_dir())[::6],
        *sorted((TESTS / "reach" / "programs").glob("*/*")),
    )
    if any("# expect:" in path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
]
_STRANGER = '''
"""Has nothing to do with the rest."""
import jax
import jax.numpy as jnp


class Base:
    def __init__(self, value=None):
        self._state = value
        self._loss = None

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, value):
        self._state = value

    def step(self, x):
        raise NotImplementedError

    def loss(self, x):
        return x


def f(x, n=2):
    return x


def step(state, batch):
    return state


def loss(params, x):
    return 0.0


def update(params, grads):
    return params
'''

#: a call that passes everything says that the default is not what is passed
_ALWAYS_PASSED = {"masked_readers"}


def _analysed(root: Path, *, listing: bool = False) -> Analysis:
    def run() -> Analysis:
        found = analyze(root, [root], options=AnalysisOptions(listing=listing))
        if listing:
            found.traced  # noqa: B018 -- located while the files are as they are
        return found

    return with_deep_stack(run)


def _errors(found: Analysis) -> set[tuple[str, int, str]]:
    return {
        (Path(item.filename).name, item.location.row, item.code)
        for item in found.diagnostics
        if item.severity is Severity.ERROR
    }


def _caller(traced: Iterable[TracedFunctionReport], root: Path) -> str:
    """A module that calls every jitted function whose parameters are arrays."""
    lines = ["import jax.numpy as jnp"]
    for item in traced:
        module = Path(item.filename).relative_to(root).with_suffix("")
        jitted = item.transform.endswith("jit") and "." not in item.qualname
        if jitted and all(map(str.isidentifier, module.parts)):
            name = ".".join(module.parts)
            if set(item.parameters.values()) <= {"traced"}:
                arrays = ", ".join("jnp.ones(3)" for _ in item.parameters)
                lines += [f"import {name}", f"{name}.{item.qualname}({arrays})"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_strangers_and_callers_hide_nothing(program: Path, tmp_path: Path) -> None:
    root = tmp_path.resolve() / "project"
    shutil.copytree(program, root)
    (root / "pyproject.toml").write_text("")
    alone = _analysed(root, listing=True)
    (root / "stranger.py").write_text(_STRANGER)
    if program.name not in _ALWAYS_PASSED:
        (root / "callers.py").write_text(_caller(alone.traced, root))
    assert _errors(alone) <= _errors(_analysed(root))
