"""Notebooks and prose, each run in order as one program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.jax, pytest.mark.slow]

CELLS = [
    "%matplotlib inline\nimport jax\nimport numpy as np\n!ls",
    "rate = np.loadtxt('rates.csv')[0]\ndisplay(rate)",
    "@jax.jit\ndef step(params):\n    if params['w'] > rate:\n        return params['w']\n"
    "    return params['b']",
    "%time step({'w': rate, 'b': 2.0})",
    "raise RuntimeError('shown on purpose')\nnever = 1",
    "@jax.jit\ndef converted(x):\n    return float(x)",
    "converted(rate)",
    "open('written.txt', 'w').write('beside the notebook')",
]
PROSE = """\
Every statement that fails ends by itself:

```python
import jax

raise ValueError("on purpose")

@jax.jit
def f(x):
    if x > 0:
        return x
    return -x

f(1.0)
```
"""
# What is reported is not reached, for a reason that is to be told.
FAILING = """\
```python
import jax
settings = jax.nothing_of_this_name()

@jax.jit
def f(x):
    if x > settings.limit:
        return x
    return -x
```
"""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("project")
    (folder / "pyproject.toml").touch()
    (folder / "notes").mkdir()
    (folder / "notes" / "rates.csv").write_text("1.0\n2.0\n")
    cells = [{"cell_type": "code", "metadata": {}, "source": text, "outputs": []} for text in CELLS]
    cells.insert(1, {"cell_type": "markdown", "metadata": {}, "source": "Text."})
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "notes" / "first-steps.ipynb").write_text(json.dumps(notebook))
    (folder / "prose.md").write_text(PROSE)
    (folder / "failing.md").write_text(FAILING)
    command = [sys.executable, "-m", "jitlint", "verify", str(folder), "--platform", "cpu"]
    command += ["--output-format", "json", "--report", str(folder / "page.html")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout), folder


def _reports(outcome: tuple[int, dict[str, Any], Path], name: str) -> list[dict[str, Any]]:
    return [r for r in outcome[1]["reports"] if Path(r["filename"]).name == name]


def test_cells_of_a_notebook(outcome: Any) -> None:
    branch, conversion = _reports(outcome, "first-steps.ipynb")
    assert (branch["code"], branch["cell"], branch["location"]["row"]) == ("JIT101", 3, 3)
    assert (conversion["code"], conversion["cell"], conversion["location"]["row"]) == (
        *("JIT105", 6, 3),
    )
    for report in (branch, conversion):
        (verdict,) = report["verdicts"]
        assert verdict["verdict"] == "confirmed", verdict
        assert verdict["inputs"] == "running it in order"
        assert verdict["evidence"]["cell"] == report["cell"]
        assert verdict["evidence"]["location"]["row"] == report["location"]["row"]
    assert "cell 3, row 3" in (outcome[2] / "page.html").read_text()
    assert not (outcome[2] / "notes" / "written.txt").exists()


def test_blocks_of_prose(outcome: Any) -> None:
    (report,) = _reports(outcome, "prose.md")
    assert report["verdicts"][0]["verdict"] == "confirmed"
    assert report["location"]["row"] == 10
    assert report["verdicts"][0]["inputs"] == "running it in order"


def test_only_what_was_not_run_counts_as_not_run(outcome: Any) -> None:
    code, values, folder = outcome
    (report,) = _reports(outcome, "failing.md")
    assert report["verdicts"][0]["verdict"] == "inconclusive"
    assert code == 2
    (line,) = values["not_run"]
    assert line.startswith(str(folder / "failing.md"))
    assert "nothing_of_this_name" in line
