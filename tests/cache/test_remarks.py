"""What does not count of a text and decides all the same: where fixes go, cells that are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jitlint.analysis.engine import analyze
from jitlint.cache.memory import PartMemory

CHOOSES = (
    "@jax.jit\ndef f(x):\n    if x > 0:\n        y = x\n    else:\n        y = -x\n    return y\n"
)
LOOPS = "@jax.jit\ndef f(x):\n    while x > 0:\n        x = x - 1\n    return x\n"


def agree(folder: Path, name: str, *texts: str) -> list[int]:
    """Analyse a file with each text in turn; how many reports there were."""
    (folder / "pyproject.toml").touch()
    kept, counts = PartMemory(), []
    for text in texts:
        (folder / name).write_text(text)
        warm = analyze(folder, [folder], cache=kept).diagnostics
        assert warm == analyze(folder, [folder]).diagnostics
        counts.append(len(warm))
    return counts


@pytest.mark.parametrize("remark", ["# remark\n", "\n", "# one\n\n# other\n"])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import jax\n", f"X = 1\n\n\n{CHOOSES}"),
        ("import jax\n", CHOOSES),
        (f"import jax\n\n\n{CHOOSES}", "X = 1\n"),
        (f"import jax\n\n\n{LOOPS}"[: -len("    return x\n")], "    return x\n"),
    ],
)
def test_a_remark_where_a_fix_puts_something_in(
    before: str, after: str, remark: str, tmp_path: Path
) -> None:
    """An import goes behind the others, however far what stands below them has moved."""
    plain = before + after
    assert agree(tmp_path, "a.py", plain, before + remark + after, plain) == [1, 1, 1]


def test_a_cell_that_is_broken(tmp_path: Path) -> None:
    """Nothing of it is in the text, so the text with it means what it meant without."""

    def notebook(*sources: str) -> str:
        cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
        return json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})

    code = "import jax\n\n\n@jax.jit\ndef f(x):\n    return x\n"
    whole, broken = notebook(code), notebook(code, "def (:\n")
    assert agree(tmp_path, "n.ipynb", whole, broken, whole, broken) == [0, 1, 0, 1]
