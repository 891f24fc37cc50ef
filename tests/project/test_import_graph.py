"""Who may import whom: told from texts, before anything is parsed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from jitlint.analysis import engine
from jitlint.analysis.inputs import Reader
from jitlint.imports.graph import ImportGraph
from jitlint.project.project import ParseFailure, Project
from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.usage_errors import UsageError

STEP = "import jax\n\n\n@jax.jit\ndef step(x):\n    return half(x) if x > 0 else x\n"


def _write(root: Path, files: Mapping[str, str]) -> list[Path]:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [root / name for name in files]


def _graph(root: Path, files: Mapping[str, str]) -> ImportGraph:
    return Project(root, _write(root, files), lambda path: path.read_text(encoding="utf-8")).graph


def _names(root: Path, graph: ImportGraph, some: int) -> set[str]:
    return {path.relative_to(root).as_posix() for path in graph.those(some)}


def _below(root: Path, files: Mapping[str, str], name: str) -> set[str]:
    """What a file leads to besides itself."""
    graph = _graph(root, files)
    return _names(root, graph, graph.below(root / name)) - {name}


@pytest.mark.parametrize(
    "text",
    [
        "import one.steps",
        "import os, one.steps as s",
        "import os, \\\n  one.steps as s",
        "from one import steps",
        "from one.steps import f",
        "from one.steps \\\n    import f",
        "from one.steps import *",
        "from one import (\n    other,  # others (all of them)\n    steps,\n)",
        "def g():\n    from one import steps",
        "try: import one.steps\nexcept ImportError: pass",
        "x = 1; from one import steps",
        "import importlib\nsteps = importlib.import_module('one.steps')",
        "import importlib\nsteps = importlib.import_module(\n    name='one.steps'\n)",
        "steps = __import__('one.steps')",
    ],
)
@pytest.mark.parametrize("init", [{"one/__init__.py": ""}, {}], ids=["package", "namespace"])
def test_a_text_leads_to_what_it_imports(tmp_path, text, init):
    files = {**init, "one/steps.py": "", "two/main.py": text, "three/main.py": "import jax"}
    assert _below(tmp_path, files, "two/main.py") - {*init} == {"one/steps.py"}
    assert _below(tmp_path, files, "one/steps.py") == set()
    graph = _graph(tmp_path, files)
    assert len(graph.components()) == 2
    for name in ("one/steps.py", "two/main.py"):
        around = _names(tmp_path, graph, graph.around(tmp_path / name))
        assert around == {*files} - {"three/main.py"}


@pytest.mark.parametrize(
    "text",
    [
        "from . import steps",
        "from .steps import f",
        "from .steps import *",
        "from ..pkg.steps import f",
        "from importlib import import_module\nimport_module('.steps', __package__)",
        "import top.pkg\n\ntop.pkg.steps.f()",
        "import top.pkg.other\n\ntop.pkg.steps.f()",
        "import top.pkg as p\n\np.steps.f()",
        "from top import pkg\n\npkg.steps.f()",
    ],
)
def test_relative_names_and_attributes_of_packages(tmp_path, text):
    files = {
        "top/__init__.py": "",
        "top/pkg/__init__.py": "",
        "top/pkg/steps.py": "",
        "top/pkg/other.py": "",
        "top/pkg/main.py": text,
    }
    assert "top/pkg/steps.py" in _below(tmp_path, files, "top/pkg/main.py")


def test_packages_around_are_imported_but_not_named(tmp_path):
    files = {
        "pkg/__init__.py": "from pkg.all import everything\n",
        "pkg/all.py": "import pkg.heavy\n",
        "pkg/heavy.py": "",
        "pkg/leaf.py": "",
        "main.py": "from pkg.leaf import f\n",
        "user.py": "from pkg import everything\n",
        "sub.py": "from pkg import leaf\n",
    }
    assert _below(tmp_path, files, "main.py") == {"pkg/leaf.py"}
    assert _below(tmp_path, files, "sub.py") == {"pkg/leaf.py"}
    assert _below(tmp_path, files, "user.py") >= {"pkg/__init__.py", "pkg/heavy.py"}
    graph = _graph(tmp_path, files)
    assert "pkg/heavy.py" in _names(tmp_path, graph, graph.around(tmp_path / "main.py"))


@pytest.mark.parametrize(
    "init",
    [
        "from pkg.other import leaf\n",
        "from .other import *\n",
        "from .other import make as leaf\n",
        "leaf = 3\n",
        "def leaf(): ...\n",
    ],
)
def test_a_package_that_binds_the_name_of_its_module_is_named(tmp_path, init):
    files = {
        "pkg/__init__.py": init,
        "pkg/leaf.py": "",
        "pkg/other.py": "",
        "main.py": "from pkg import leaf\n",
    }
    assert _below(tmp_path, files, "main.py") >= {"pkg/leaf.py", "pkg/__init__.py"}


def test_pytest_imports_what_configures_the_tests_below(tmp_path):
    files = {
        "tests/conftest.py": "",
        "tests/deep/conftest.py": "",
        "tests/deep/test_a.py": "",
        "tests/deep/tools.py": "",
        "test_b.py": "",
    }
    both = {"tests/conftest.py", "tests/deep/conftest.py"}
    assert _below(tmp_path, files, "tests/deep/test_a.py") == both
    assert _below(tmp_path, files, "tests/deep/tools.py") == set()
    assert _below(tmp_path, files, "test_b.py") == set()


@pytest.mark.parametrize(
    ("keeper", "filler"),
    [
        ("KNOWN = {}\n", "from keeper import KNOWN\n\nKNOWN['a'] = f\n"),
        ("KNOWN: list = []\n", "import keeper\n\nkeeper.KNOWN.append(f)\n"),
        (
            "KNOWN = dict()\n\ndef register(f):\n    KNOWN[f.name] = f\n    return f\n",
            "from keeper import register\n\n@register\ndef f(): ...\n",
        ),
        (
            "class Base:\n    def run(self):\n        raise NotImplementedError\n",
            "import keeper\n\nclass Own(keeper.Base):\n    def run(self): ...\n",
        ),
        (
            "import abc\n\nclass Base(abc.ABC):\n    @abc.abstractmethod\n    def run(self): ...\n"
            "\nclass Middle(Base):\n    pass\n",
            "from keeper import Middle as M\n\nclass Own(M):\n    def run(self): ...\n",
        ),
    ],
)
def test_what_leaves_something_open_leads_to_what_fills_it_in(tmp_path, keeper, filler):
    files = {"keeper.py": keeper, "filler.py": filler, "asks.py": "import keeper\n"}
    assert _below(tmp_path, files, "asks.py") == {"keeper.py", "filler.py"}
    # Who only uses what is there puts nothing in.
    files["filler.py"] = filler.partition("\n\n")[0] + "\n\ndef f():\n    return KNOWN\n"
    assert _below(tmp_path, files, "asks.py") == {"keeper.py"}


def test_circles(tmp_path):
    files = {
        "a.py": "import b\n",
        "b.py": "import c\n",
        "c.py": "import a, d\n",
        "d.py": "",
        "e.py": "import c\n",
    }
    graph = _graph(tmp_path, files)
    assert _names(tmp_path, graph, graph.below(tmp_path / "b.py")) == {*files} - {"e.py"}
    assert _names(tmp_path, graph, graph.above(tmp_path / "d.py")) == {*files}
    assert _names(tmp_path, graph, graph.above(tmp_path / "b.py")) == {*files} - {"d.py"}


def test_only_what_belongs_to_a_target_is_parsed_and_nothing_else_changes(tmp_path):
    """A function that another file calls, and one of that name in a folder that nobody imports."""
    caller = "import jax\nfrom steps import go\n\n\n@jax.jit\ndef f(x):\n    return go(x)\n"
    _write(
        tmp_path,
        {
            "near/steps.py": "def go(x):\n    return float(x)\n",
            "near/main.py": caller,
            "far/steps.py": STEP.replace("half", "abs"),
            "far/more.py": STEP.replace("half", "abs"),
        },
    )
    alone = engine.analyze(tmp_path, [tmp_path / "near/steps.py"])
    whole = engine.analyze(tmp_path, [tmp_path])
    assert [item.code for item in alone.diagnostics] == ["JIT105"]
    own = [item for item in whole.diagnostics if "near" in item.filename]
    assert list(alone.diagnostics) == own
    assert len(whole.diagnostics) == 3
    assert (alone.parsed_files, whole.parsed_files) == (2, 4)
    assert [item.qualname for item in whole.traced] == ["step", "step", "f", "go"]


def test_of_a_large_folder_without_a_mark_only_what_may_matter_is_looked_at(tmp_path, monkeypatch):
    """A home folder: a script, what it imports, who imports it, and thousands of strangers."""
    caller = "import jax\nfrom steps import go\n\n\n@jax.jit\ndef f(x):\n    return go(x)\n"
    files = {
        "steps.py": "from kit.tools import half\n\n\ndef go(x):\n    return half(float(x))\n",
        "main.py": caller,
        "kit/__init__.py": "",
        "kit/tools.py": "from . import other\n\n\ndef half(x):\n    return x / 2\n",
        "kit/other.py": "import far.more\n",
        "far/more.py": "",
        "strangers/steps.py": STEP.replace("half", "abs"),
        "strangers/main.py": caller,
        "stranger.py": STEP.replace("half", "abs"),
    }
    _write(tmp_path, files)
    read: set[str] = set()
    before = Reader.__call__

    def reading(self: Reader, path: Path) -> str | ParseFailure:
        read.add(path.relative_to(tmp_path).as_posix())
        return before(self, path)

    monkeypatch.setattr(Reader, "__call__", reading)
    small = engine.analyze(tmp_path, [tmp_path / "steps.py"])
    assert read == {*files}
    read.clear()
    monkeypatch.setattr(engine, "MOST_UNMARKED", 5)
    large = engine.analyze(tmp_path, [tmp_path / "steps.py"])
    assert [item.code for item in large.diagnostics] == ["JIT105"]
    assert large.diagnostics == small.diagnostics
    assert read == {name for name in files if not name.startswith("strangers")}
    _write(tmp_path, {"setup.py": ""})
    engine.analyze(tmp_path, [tmp_path / "steps.py"])
    assert read == {*files, "setup.py"}


def test_a_configuration_that_concerns_no_target_stops_nothing(tmp_path):
    _write(
        tmp_path,
        {
            "mine.py": STEP.replace("half", "abs"),
            "theirs/jitlint.toml": "selekt = []\n",
            "theirs/model.py": "import jax\n",
        },
    )
    found = run(Request(paths=(tmp_path / "mine.py",)))
    assert [item.code for item in found.diagnostics] == ["JIT101"]
    with pytest.raises(UsageError, match="selekt"):
        run(Request(paths=(tmp_path / "theirs" / "model.py",)))
