"""Which code is interpreted at all."""

from __future__ import annotations

from pathlib import Path

from jitlint.project.project import Project
from jitlint.tracing.selection import Selection


def _selected(folder: Path, files: dict[str, str]) -> set[str]:
    for name, text in files.items():
        (folder / name).write_text(text)
    paths = [folder / name for name in files]
    project = Project(folder, paths, Path.read_text)
    modules = [module for path in project.files if (module := project.module_at(path))]
    return {unit.qualname for unit in Selection(project, modules).units.values()}


def test_host_code_that_reads_clocks_or_asks_for_wide_dtypes_next_to_jax_is_looked_at(
    tmp_path: Path,
) -> None:
    text = """
import time
from datetime import datetime
import jax.numpy as jnp
import numpy as np

def seconds(x):
    start = time.perf_counter()
    y = x @ x
    return y, time.perf_counter() - start

def stamp():
    return datetime.now()

def wide():
    return jnp.zeros(3, jnp.float64)

def host():
    return np.zeros(3, np.float64)

def named(time, float64):
    return time + float64
"""
    assert _selected(tmp_path, {"module.py": text}) == {"seconds", "stamp", "wide"}


def test_clocks_are_of_no_interest_without_jax(tmp_path: Path) -> None:
    text = "import time\n\ndef seconds():\n    return time.perf_counter()\n"
    assert _selected(tmp_path, {"module.py": text}) == set()
