"""Which code is interpreted at all."""

from __future__ import annotations

from pathlib import Path

from jitlint.project.project import Project
from jitlint.tracing.selection import Selection
from tests.linting import check


def _selected(folder: Path, files: dict[str, str]) -> set[str]:
    for name, text in files.items():
        (folder / name).write_text(text)
    paths = [folder / name for name in files]
    project = Project(folder, paths, Path.read_text)
    modules = [module for path in project.files if (module := project.module_at(path))]
    return {unit.qualname for unit in Selection(project, project.files, modules).units.values()}


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


_OWN_JIT = """
import jax

__all__ = ["compiled"]

def compiled(function):
    return jax.jit(function)
"""


def test_packages_hand_on_what_they_do_not_mention(tmp_path: Path) -> None:
    (tmp_path / "pack" / "programs").mkdir(parents=True)
    files = {
        "pack/__init__.py": "from . import programs\n",
        "pack/programs/__init__.py": "from ._compiled import *\n",
        "pack/programs/_compiled.py": _OWN_JIT,
        "script.py": (
            "import pack as p\n\n@p.programs.compiled\ndef double(x):\n    return 2 * x\n\n"
            "print(double(3))\n\ndef other():\n    return 0\n"
        ),
    }
    assert "double" in (selected := _selected(tmp_path, files))
    assert "other" not in selected


def test_a_script_that_measures_with_what_a_package_hands_on_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "pack").mkdir()
    files = {
        "pack/__init__.py": "from pack.rates import Rates\n",
        "pack/rates.py": (
            "import time\nimport jax\n\nclass Rates:\n    def __call__(self, solve, x):\n"
            "        start = time.time()\n        solve(x)\n        print(time.time() - start)\n"
        ),
        "pack/solvers.py": "import jax\n\nsolve = jax.jit(lambda x: 2 * x)\n",
        "script.py": (
            "from pack import Rates\nfrom pack.solvers import solve\n\nrates = Rates()\n"
            "rates.add(solve)\nrates(3, 4)\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    project = Project(tmp_path, [tmp_path / name for name in files], Path.read_text)
    modules = [module for path in project.files if (module := project.module_at(path))]
    texts = {
        unit.text.strip() for unit in Selection(project, project.files, modules).units.values()
    }
    assert "rates(3, 4)" in texts


def test_statements_that_use_an_object_of_the_module() -> None:
    check(
        """
        class World:
            def __init__(self, size):
                self.size = size

            @partial(jax.jit, static_argnums=0)
            def step(self, x, how):
                return x * self.size


        world = World(3)
        x = jnp.ones(3)
        for _ in range(3):
            x = world.step(x, "fast")  # JIT308
        """
    )


def test_a_package_whose_modules_star_import_each_other_is_read_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "flows" / "util").mkdir(parents=True)
    within = "import flows as fl\nimport flows.util as util\n"
    timer = (
        "import time\n\n\nclass Watch:\n    def __call__(self, solve, x):\n"
        "        start = time.time()\n        solve(x)\n        return time.time() - start\n"
    )
    files = {
        "pyproject.toml": "",
        "flows/__init__.py": "from flows.util import *\nfrom flows.layers import *\n",
        "flows/util/__init__.py": "from flows.util.misc import *\nfrom flows.util.more import *\n",
        "flows/util/misc.py": (
            within + "import jax\n\n\ndef mapped(f, x):\n    return jax.vmap(f)(x)\n"
        ),
        "flows/util/more.py": within + "from flows.util.misc import *\n" + timer,
        "flows/layers.py": (
            within + "from flows.util import *\n\n\n"
            "def layer(x):\n    return fl.util.mapped(abs, x)\n"
        ),
    }
    assert {"mapped", "layer"} <= _selected(tmp_path, files)


def test_a_script_is_looked_at_where_it_uses_what_its_calls_are_given(tmp_path: Path) -> None:
    text = """
import jax

class Rate:
    def slow(self):
        self.value = 0.5

def update(rate, x):
    return x - rate.value * x

step = jax.jit(update, static_argnums=0)
rate, x = Rate(), 1.0
other = {}
x = step(rate, x)
rate.slow()
other["unused"] = 1
print(x)
"""
    (tmp_path / "script.py").write_text(text)
    project = Project(tmp_path, [tmp_path / "script.py"], Path.read_text)
    modules = [module for path in project.files if (module := project.module_at(path))]
    rows = {unit.first for unit in Selection(project, project.files, modules).units.values()}
    assert {11, 12, 14, 15, 17} <= rows
    assert {13, 16}.isdisjoint(rows)
