"""What is said of a file does not depend on which files were named.

What a file cannot reach, and what cannot reach it, says nothing about it: also not in a run over
everything.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from jitlint.analysis import coordinator
from jitlint.analysis.engine import Analysis, analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.cache.memory import PartMemory
from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.source.file_discovery import project_files
from tools.score import FIXTURES, PROGRAMS

_LABEL = re.compile(r"#((?:\s+JIT\d{3})+)\s*$")
LISTED = AnalysisOptions(listing=True, omissions=True)


def _said(found: Analysis, paths: Sequence[Path]) -> list[str]:
    """All that is said of some files."""
    names = set(map(str, paths))
    lines = [json.dumps(dict(d.to_json())) for d in found.diagnostics if d.filename in names]
    lines += [repr(item) for item in found.omissions if item.filename in names]
    lines += [repr(item) for item in found.traced if item.filename in names]
    return lines


def _agree(root: Path, files: Sequence[Path], whole: Analysis) -> None:
    """Each of some files by itself is told what the run over everything tells it."""
    for path in files:
        assert _said(analyze(root, [path], options=LISTED), [path]) == _said(whole, [path]), path


def _check(root: Path, sources: Mapping[str, str]) -> None:
    """Exactly what is labelled is reported, whichever files are named."""
    due = []
    for name, text in sources.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = dedent(text)
        path.write_text(text, encoding="utf-8")
        if path.suffix != ".py":
            continue
        for row, line in enumerate(text.splitlines(), start=1):
            labels = _LABEL.search(line)
            due += [(name, row, code) for code in (labels[1].split() if labels else ())]
    whole = analyze(root, [root], options=LISTED)
    found = [
        (Path(item.filename).relative_to(root).as_posix(), item.location.row, item.code)
        for item in whole.diagnostics
        if item.severity.name != "INFO" and item.filename.endswith(".py")
    ]
    assert sorted(found) == sorted(due)
    paths = [root / name for name in sources]
    _agree(root, paths, whole)
    # What earlier runs found out serves all, whichever files they were about.
    memory = PartMemory()
    for path in (*paths, *reversed(paths)):
        one = analyze(root, [path], cache=memory)
        assert [d.to_json() for d in one.diagnostics] == [
            d.to_json() for d in whole.diagnostics if d.filename == str(path)
        ]
    again = analyze(root, [root], cache=memory)
    assert [d.to_json() for d in again.diagnostics] == [d.to_json() for d in whole.diagnostics]


_FAULT = """
import jax

@jax.jit
def step(x):
    return x if x > 0 else -x  # JIT101
"""

SOLVER = """
    import jax
    import jax.numpy as jnp

    class Solver:
        def refine(self, x):
            {label}
            return jax.jit(lambda y: jnp.sum(y**2))(x){said}
"""


def _solver(said: str) -> str:
    return SOLVER.format(label="y = x", said=said)


LOOP = """
    {imports}

    def go(solver, arrays):
        for array in arrays:
            solver.refine(array)
"""


def test_what_only_the_compiler_refuses(tmp_path: Path) -> None:
    sources = {
        "learner.py": """
            import jax


            @jax.jit
            def update(x, rate=0.1, rate=1):  # JIT901
                return x * rate
            """,
        "train.py": """
            import jax
            from learner import update


            @jax.jit
            def train(x):
                if x > 0:  # JIT101
                    return update(x)
                return x
            """,
    }
    _check(tmp_path, sources)


def test_a_method_of_the_same_name_is_a_strangers(tmp_path):
    """Who cannot have a solver calls something else of that name, and asks nothing of it."""
    _check(
        tmp_path,
        {
            "solver.py": _solver(""),
            "stranger.py": LOOP.format(imports="import jax"),
        },
    )


def test_a_method_is_called_by_its_name_where_that_can_be(tmp_path):
    _check(
        tmp_path,
        {
            "solver.py": _solver("  # JIT301"),
            "user.py": LOOP.format(imports="import jax\n    import solver as made"),
        },
    )


def test_a_stranger_with_such_a_method_takes_no_certainty_away(tmp_path):
    """There is one class that has it in all that can be in one program."""
    _check(
        tmp_path,
        {
            "solver.py": _solver("  # JIT301"),
            "user.py": LOOP.format(imports="import jax\n    import solver as made"),
            "stranger.py": "import jax\n\nclass Other:\n    def refine(self, x):\n        ...\n",
        },
    )


WIDE = "import jax.numpy as jnp\n\nZEROS = jnp.zeros(3, jnp.float64){}\n"
X64 = "import jax\n\njax.config.update('jax_enable_x64', True)\n"


def test_x64_by_another_script(tmp_path):
    _check(tmp_path, {"wide.py": WIDE.format("  # JIT403"), "script.py": X64})


def test_x64_by_the_script_that_imports_it(tmp_path):
    _check(tmp_path, {"wide.py": WIDE.format(""), "script.py": f"import wide\n{X64}"})


def test_x64_by_what_configures_its_tests(tmp_path):
    _check(
        tmp_path,
        {
            "wide.py": WIDE.format(""),
            "tests/conftest.py": X64,
            "tests/test_wide.py": "import wide\n",
            "alone.py": WIDE.format("  # JIT403"),
        },
    )


REGISTRY = """
    KNOWN = {}

    def register(function):
        KNOWN[function.__name__] = function
        return function
"""
RUN = """
    import functools
    import jax
    from registry import KNOWN

    @functools.partial(jax.jit, static_argnames="name")
    def run(x, name):
        return KNOWN[name](x)
"""
PLUGIN = """
    import jax.numpy as jnp
    from registry import register

    @register
    def hinge(x):
        if jnp.sum(x) > 0:{}
            return x
        return -x
"""


def test_a_registry_leads_to_what_registers_with_it(tmp_path):
    sources = {"registry.py": REGISTRY, "run.py": RUN}
    _check(tmp_path, {**sources, "plugin.py": PLUGIN.format("  # JIT101")})


def test_a_registry_of_the_same_name(tmp_path):
    _check(
        tmp_path,
        {
            "one/registry.py": REGISTRY,
            "one/run.py": RUN,
            "two/registry.py": REGISTRY,
            "two/plugin.py": PLUGIN.format(""),
        },
    )


BASE = """
    import functools
    import jax

    class Model:
        @functools.partial(jax.jit, static_argnums=0)
        def loss(self, x):
            return self.energy(x)

        def energy(self, x):
            raise NotImplementedError
"""
OWN = """
    import jax.numpy as jnp
    {imports}

    class Own(Model):
        def energy(self, x):
            return float(jnp.sum(x)){label}
"""


def test_what_a_class_declares_leads_to_who_defines_it(tmp_path):
    imports = "from base import Model"
    own = OWN.format(imports=imports, label="  # JIT105")
    _check(tmp_path, {"base.py": BASE, "own.py": own})


def test_code_of_a_stranger_that_changes_an_object_of_a_module(tmp_path):
    """One script sets what another finds as it was: they are no one program."""
    reads = """
        import jax
        import settings

        FACTOR = settings.FACTORS[-1]

        @jax.jit
        def step(x):
            if FACTOR is None:
                return float(x){label}
            return x
    """
    changes = (
        "import jax\nimport settings\n\nsettings.FACTORS.append(2.0)\nG = jax.jit(lambda x: x)\n"
    )
    sources = {
        "settings.py": "FACTORS = [None]\n",
        "reads.py": reads.format(label="  # JIT105"),
    }
    _check(tmp_path / "alone", sources)
    _check(tmp_path / "beside", {"changes.py": changes, **sources})


def test_who_calls_what_another_makes(tmp_path):
    """A stranger that makes the same, and calls it, takes nothing from who leaves it uncalled."""
    made = """
        import jax

        def make(scale):
            @jax.jit
            def step(x):
                return x if scale(x) > 0 else -x  # JIT101

            return step
    """
    _check(
        tmp_path,
        {
            "made.py": made,
            "calls.py": "import made, jax\n\ndef go(x):\n    return made.make(abs)(x)\n",
            "leaves.py": """
                import jax
                import made

                def scale(x):
                    return x * float(x)  # JIT105

                def go():
                    return made.make(scale)
            """,
        },
    )


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("from pkg.steps import half", "half(x)"),
        ("from pkg import steps", "steps.half(x)"),
        ("import pkg.steps", "pkg.steps.half(x)"),
        ("import pkg", "pkg.steps.half(x)"),
        ("from pkg.steps import *", "half(x)"),
        ("import importlib\n\nsteps = importlib.import_module('pkg.steps')", "steps.half(x)"),
    ],
)
@pytest.mark.parametrize("init", [{"pkg/__init__.py": ""}, {}], ids=["package", "namespace"])
def test_ways_to_import(tmp_path, imports, call, init):
    # A folder without `__init__.py` is no value, nor is what such a call gives; both lead there.
    followed = "importlib" not in imports and (init or not imports.startswith("import pkg"))
    label = "  # JIT105" if followed else ""
    _check(
        tmp_path,
        {
            **init,
            "pkg/steps.py": f"def half(x):\n    return float(x) / 2{label}\n",
            "main.py": f"import jax\n{imports}\n\n@jax.jit\ndef f(x):\n    return {call}\n",
            "stranger.py": _FAULT,
        },
    )


def test_relative_imports(tmp_path):
    _check(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/deep/__init__.py": "",
            "pkg/steps.py": "def half(x):\n    return float(x) / 2  # JIT105\n",
            "pkg/deep/main.py": "import jax\nfrom ..steps import half\n\nf = jax.jit(half)\n",
        },
    )


def test_a_notebook_leads_to_what_it_imports(tmp_path):
    source = ["import jax\n", "from steps import half\n", "jax.jit(half)(1.0)\n"]
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    notebook = {
        "cells": [{**cell, "source": source}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    _check(
        tmp_path,
        {
            "steps.py": "def half(x):\n    return float(x) / 2  # JIT105\n",
            "explore.ipynb": json.dumps(notebook),
        },
    )


def test_what_cannot_lead_to_a_file_is_not_interpreted(tmp_path, monkeypatch):
    sources = {
        "lib.py": "import jax\n\ndef half(x):\n    return x / 2\n",
        "near.py": "import jax\nfrom lib import half\n\n@jax.jit\ndef f(x):\n    return half(x)\n",
        "far.py": f"from lib import half\n{_FAULT}",
        "stranger.py": _FAULT,
    }
    for name, text in sources.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    begun: list[str] = []
    before = coordinator.ModulePart.fork

    def fork(self, code, units, *rest):
        begun.extend(unit.module.path.name for unit in (*code, *units))
        return before(self, code, units, *rest)

    monkeypatch.setattr(coordinator.ModulePart, "fork", fork)
    found = analyze(tmp_path, [tmp_path / "near.py"])
    assert set(begun) == {"near.py"}
    assert found.parsed_files == 2
    begun.clear()
    analyze(tmp_path, [tmp_path / "lib.py"])
    assert set(begun) == {"lib.py", "near.py", "far.py"} & set(begun)
    assert "stranger.py" not in begun


_TASKS = """
    import functools
    import jax

    class Task:
        sizes = None

        def __init__(self, size):
            self.size = size
            self.notes = []
            self.notes.append(size)

    def named(function):
        @functools.wraps(function)
        def run(*args):
            return function(*args)
        return run

    default = Task(2)

    @jax.jit
    def step(x):
        return x + default.size
"""
_SCRIPT = """
    import time
    import jax.numpy as jnp
    import tasks

    task = tasks.Task(3)
    start = time.perf_counter()
    tasks.step(jnp.ones(task.size)).block_until_ready()
    seconds = time.perf_counter() - start

    @tasks.named
    def report():
        print(seconds)
{more}
"""


@pytest.mark.parametrize("changes", [False, True])
def test_code_of_modules_is_run_again_where_a_stranger_changed_something(
    tmp_path, monkeypatch, changes
):
    """Not where modules have called the same, measured the same, or made objects of one class."""
    again = []
    apart = coordinator.ModulePart.apart

    def counted(part, it, units, world):
        again.append(world)
        return apart(part, it, units, world)

    monkeypatch.setattr(coordinator.ModulePart, "apart", counted)
    more = "    tasks.default.size = 4" if changes else ""
    sources = {"tasks.py": _TASKS}
    sources |= {f"script{n}.py": _SCRIPT.format(more="") for n in range(3)}
    sources["script3.py"] = _SCRIPT.format(more=more)
    # Something else starts them; by themselves they would be nobody's business.
    sources |= {f"main{n}.py": f"import script{n}\nscript{n}.report()\n" for n in range(4)}
    for name, text in sources.items():
        (tmp_path / name).write_text(dedent(text), encoding="utf-8")
    paths = sorted(tmp_path.glob("*.py"))
    whole = analyze(tmp_path, [tmp_path], options=LISTED)
    assert bool(again) is changes
    _agree(tmp_path, paths, whole)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tutorials", "regressions", "programs"])
def test_files_of_ours_by_themselves(tmp_path, name):
    source = PROGRAMS if name == "programs" else FIXTURES / name
    root = tmp_path / name
    root.mkdir()
    (root / "pyproject.toml").touch()
    rng = random.Random(name)
    # ``benchmarks/reach`` compares more of them.
    entries = sorted(path for path in source.iterdir() if path.name != "__pycache__")
    for entry in rng.sample(entries, min(len(entries), 30)):
        if entry.is_dir():
            shutil.copytree(entry, root / entry.name)
        else:
            shutil.copy(entry, root)
    whole = analyze(root, [root], options=LISTED)
    files = sorted(project_files(root, [root], {}))
    told = sorted({Path(item.filename) for item in whole.diagnostics})
    some = {*rng.sample(told, min(len(told), 5)), *rng.sample(files, min(len(files), 3))}
    _agree(root, sorted(some), whole)
    both = rng.sample(files, min(len(files), 3))
    assert _said(analyze(root, both, options=LISTED), both) == _said(whole, both)


def test_what_is_assumed_of_another_file(tmp_path):
    """Also where that does not mention JAX, and where the named file has nothing that matches."""
    sources = {
        "steps.py": "def half(x):\n    return float(x) / 2\n",
        "main.py": "from steps import half\n\ndef run(x):\n    return half(x)\n",
        "empty.py": "",
    }
    for name, text in sources.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    options = AnalysisOptions(
        listing=True, omissions=True, assume_traced={str(tmp_path / "main.py"): ()}
    )
    whole = analyze(tmp_path, [tmp_path], options=options)
    (report,) = whole.diagnostics
    assert (Path(report.filename).name, report.code) == ("steps.py", "JIT105")
    for path in (tmp_path / name for name in sources):
        assert _said(analyze(tmp_path, [path], options=options), [path]) == _said(whole, [path])


def test_a_file_of_a_project_inside_another(tmp_path):
    """Everything is what the nearest project holds; who names the outer one asks about that."""
    sources = {
        "pyproject.toml": "",
        "user.py": "import jax\nfrom inner.steps import half\n\nf = jax.jit(half)\n",
        "inner/setup.cfg": "",
        "inner/__init__.py": "",
        "inner/steps.py": "def half(x):\n    return float(x) / 2\n",
        "inner/main.py": "import jax\nfrom steps import half\n\nhalf(1)\n",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = (tmp_path, tmp_path / "inner", tmp_path / "inner/steps.py")
    found = [[item.code for item in run(Request(paths=(path,))).diagnostics] for path in paths]
    assert found == [["JIT105"], [], []]
