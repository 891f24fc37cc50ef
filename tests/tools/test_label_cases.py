"""The child-process harness says clearly what went wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.labels.checking import verify_many
from tools.labels.results import CaseResult

pytestmark = pytest.mark.jax

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import time

import jax
import jax.numpy as jnp


@jax.jit
def branch(x, y):
    if (
        x > 0  # expect: JIT101 @branch
        and y > 0
    ):
        return x
    return jnp.zeros(
        y  # expect: JIT108 @zeros
    )


def hang():
    time.sleep(600)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "model.py").write_text(PROGRAM)
    return folder


def _cases(program: Path, name: str, text: str) -> Path:
    path = program.parent / f"{name}.py"
    path.write_text(text)
    return path


def _by_tag(results: list[CaseResult]) -> dict[str | None, CaseResult]:
    return {result.tag: result for result in results}


def test_verdicts_of_one_program(program: Path) -> None:
    cases = _cases(
        program,
        "cases",
        "import jax, model\n"
        "print('not a result')\n"
        "only = jax.jit(model.branch.__wrapped__, static_argnums=0)\n"
        "HOSTILE = {'branch': lambda: model.branch(1, 1), 'zeros': lambda: only(-1, 2),\n"
        "           'extra': lambda: None}\n"
        "EXPECT = {'branch': ('TracerBoolConversionError',), 'zeros': ('ValueError',)}\n"
        "INNOCENT = [lambda: 1, lambda: model.branch(1, 1)]\n",
    )
    run = subprocess.run(
        [sys.executable, "-m", "tools.labels", str(program), str(cases)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    results = [CaseResult.from_json(json.loads(line)) for line in run.stdout.splitlines()]
    tagged = _by_tag([result for result in results if result.innocent is None])
    assert tagged["branch"].ok and tagged["branch"].observed == "TracerBoolConversionError"
    assert not tagged["zeros"].ok and "raised TypeError" in (tagged["zeros"].why or "")
    assert not tagged["extra"].ok and tagged["extra"].why == "no such label"
    innocent = [result.ok for result in results if result.innocent is not None]
    assert innocent == [True, False]


def test_a_raise_elsewhere_is_not_ok(program: Path) -> None:
    cases = _cases(
        program,
        "cases",
        "import model\n"
        "HOSTILE = {'zeros': lambda: model.branch(1, 1)}\n"
        "EXPECT = {'zeros': ('TracerBoolConversionError',)}\n",
    )
    results = _by_tag(verify_many([(program, cases)]))
    assert "the label is at" in (results["zeros"].why or "")
    assert results["branch"].why == "the label has no case"


def test_crash_and_time_out_do_not_take_the_rest_along(program: Path) -> None:
    crash = _cases(program, "crash", "import os\nos._exit(3)\n")
    hang = _cases(program, "hang", "import model\nINNOCENT = [model.hang]\n")
    fine = _cases(program, "fine", "import model\nINNOCENT = [lambda: model.branch]\n")
    results = verify_many([(program, crash), (program, hang), (program, fine)], timeout=5)
    assert "ended with status 3" in (results[0].why or "")
    assert "Timeout" in (results[1].why or "")
    assert [result.ok for result in results if result.innocent is not None] == [True]


def test_programs_do_not_see_each_other(program: Path) -> None:
    other = program.parent / "other"
    other.mkdir()
    (other / "model.py").write_text(
        "import jax\njax.config.update('jax_enable_x64', True)\nNAME = 'other'\n"
    )
    first = _cases(program, "first", "import model\nINNOCENT = [lambda: model.NAME.upper()]\n")
    second = _cases(
        program,
        "second",
        "import jax, model\n"
        "assert not jax.config.jax_enable_x64\n"
        "INNOCENT = [lambda: model.branch]\n",
    )
    results = verify_many([(other, first), (program, second)])
    assert [result.ok for result in results if result.innocent is not None] == [True, True]


def test_cases_that_do_not_load(program: Path) -> None:
    missing = program.parent / "missing.py"
    broken = _cases(program, "broken", "import no_such_module\n")
    results = verify_many([(program, missing), (program, broken)])
    assert "no cases file" in (results[0].why or "")
    assert "no_such_module" in (results[1].why or "")
