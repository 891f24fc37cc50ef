"""The action for continuous integration does what it says, as its own steps do it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOSTILE = """\
import jax


@jax.jit
def f(x):
    if x > 0:
        return x
    return -x
"""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="the action runs in bash")


def step(name: str) -> dict[str, Any]:
    (found,) = [each for each in ACTION["runs"]["steps"] if each.get("name") == name]
    return found


class Ran:
    def __init__(self, folder: Path, **inputs: str) -> None:
        given = {name: entry.get("default", "") for name, entry in ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): value for name, value in inputs.items()}
        names = {
            variable: expression.removeprefix("${{ inputs.").removesuffix(" }}")
            for variable, expression in step("Run jitlint")["env"].items()
        }
        environment = {key: given[name] for key, name in names.items() if name in given}
        outputs = folder / "outputs"
        environment |= {
            "JITLINT_PYTHON": sys.executable,
            "GITHUB_OUTPUT": str(outputs),
            "RUNNER_TEMP": str(folder),
            "PYTHONPATH": str(ROOT),
        }
        result = subprocess.run(
            ["bash", "-e", "-c", step("Run jitlint")["run"]],
            cwd=folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        self.code = result.returncode
        self.text = result.stdout
        lines = outputs.read_text(encoding="utf-8").splitlines()
        self.outputs = dict(line.split("=", 1) for line in lines)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (tmp_path / "with space.py").write_text(HOSTILE, encoding="utf-8")
    (tmp_path / "clean.py").write_text("import jax\n", encoding="utf-8")
    return tmp_path


def test_reports_are_annotated_and_handed_to_code_scanning(project: Path) -> None:
    ran = Ran(project, upload_sarif="true")
    assert ran.code == 1
    assert "::error " in ran.text
    assert ran.outputs["exit-code"] == "1"
    log = json.loads(Path(ran.outputs["sarif-file"]).read_text(encoding="utf-8"))
    assert [found["ruleId"] for found in log["runs"][0]["results"]] == ["JIT101"]


def test_paths_and_options_are_read_as_a_shell_reads_them(project: Path) -> None:
    ran = Ran(project, annotations="false", args="--min-severity info", paths="'with space.py'")
    assert ran.code == 1
    assert "::error " not in ran.text
    assert ran.outputs["sarif-file"] == ""
    assert Ran(project, paths="clean.py").code == 0


def test_modules_of_the_project_are_not_taken_for_pythons(project: Path) -> None:
    for name in ("subprocess", "types", "libcst"):
        (project / f"{name}.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    ran = Ran(project, sarif_file="found.sarif")
    assert ran.code == 1
    assert "::error " in ran.text


def test_what_could_not_be_done_is_told(project: Path) -> None:
    assert Ran(project, args="--no-such-option").outputs["exit-code"] == "2"


def test_every_input_is_used() -> None:
    written = (ROOT / "action.yml").read_text(encoding="utf-8").partition("runs:")[2]
    assert [name for name in ACTION["inputs"] if f"inputs.{name}" not in written] == []
