"""``tools/fixable.py``: how many reports have a fix."""

from __future__ import annotations

from pathlib import Path

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from tools import fixable


def test_errors_and_others_are_counted_by_rule(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import jax\nimport jax.numpy as jnp\n\n@jax.jit\ndef f(x):\n    print(x)\n"
        "    y = x.sum() + 1\n    if y > 0:\n        raise ValueError\n"
        "    return jnp.where(y > 1, x, 0), float(y)\n"
    )
    found = analyze(root=tmp_path, targets=[path], options=AnalysisOptions()).diagnostics
    rows = [line.split() for line in fixable.table(found).splitlines()]
    assert ["JIT101", "0", "0", "0", "1", "0%"] in rows
    assert ["JIT105", "0", "1", "0", "0", "100%"] in rows
    assert ["JIT201", "1", "0", "0", "0", "100%"] in rows
    assert ["all", "0", "1", "0", "1", "50%"] in rows
