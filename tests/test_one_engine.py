"""However a project is analysed, the reports are the same to the byte, explanations included."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from jitlint.analysis import sharing
from jitlint.analysis.engine import Analysis, analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.cache.folder import CacheFolder, PartFolder
from jitlint.cache.memory import PartMemory
from jitlint.diagnostics import Diagnostic
from jitlint.tracing.markers import has_marker
from tests.commands import jitlint
from tools.score import CATALOGUE, FIXTURES, PROGRAMS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "chex"
#: trees of many small projects, of which some are copied
OWN = {"programs": PROGRAMS, "fixtures": FIXTURES}
#: ``benchmarks/edits`` and ``benchmarks/reach`` compare larger ones
TREES = [*OWN, PACKAGE]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trees")


def tree(name: str, place: Path) -> Path:
    """An installed package, or an eighth of the folders of ours, which ones its name says."""
    if name in OWN:
        root = place / name
        if not root.exists():
            folders = sorted(path for path in OWN[name].iterdir() if path.is_dir())
            for folder in random.Random(name).sample(folders, len(folders) // 8):
                shutil.copytree(folder, root / folder.name)
            (root / "pyproject.toml").touch()
        return root
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        pytest.skip(f"{name} is not installed")
    return Path(spec.origin).parent


@cache
def plain(root: Path) -> Analysis:
    """What all modes are held against: everything at once, in this process, without a cache."""
    return analyze(root, [root], options=AnalysisOptions(listing=True))


def said(found: Analysis, path: Path | None = None) -> list[str]:
    """What is reported, of all files or of one."""

    def line(item: Diagnostic) -> str:
        return json.dumps(dict(item.to_json()))

    return [line(item) for item in found.diagnostics if path in (None, Path(item.filename))]


@pytest.fixture(autouse=True, scope="module")
def forgotten() -> Iterator[None]:
    """What is kept of whole packages would slow down all tests that follow."""
    yield
    plain.cache_clear()


@pytest.fixture(autouse=True)
def small_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "ROWS_PER_PROCESS", 50)


@pytest.mark.slow
@pytest.mark.parametrize("name", TREES)
def test_cache_processes_and_order(name: str, place: Path, tmp_path: Path) -> None:
    root = tree(name, place)
    expected = plain(root)
    assert len(expected.diagnostics) > (1 if name == PACKAGE else 30)
    files = [path for path in sorted(root.rglob("*.py")) if "__pycache__" not in path.parts]
    random.Random(name).shuffle(files)
    folder = CacheFolder(tmp_path)
    first = PartFolder(folder, "")
    # More processes parse more of the same again; that they agree is as well seen of small trees.
    several = AnalysisOptions(jobs=4 if name == PACKAGE else 2)
    assert said(analyze(root, files, options=several, cache=first)) == said(expected)
    assert first.interpreted
    second = PartFolder(folder, "")
    assert said(analyze(root, [root], cache=second)) == said(expected)
    assert second.interpreted == []
    # One alone, with something to report and without a word of JAX: what is known serves it, too.
    reported = Counter(Path(item.filename) for item in expected.diagnostics).most_common(1)
    silent = (path for path in files if not has_marker(path.read_text(encoding="utf-8")))
    for one in {*(Path(name) for name, _ in reported), next(silent, files[0])}:
        third = PartFolder(folder, "")
        assert said(analyze(root, [one], cache=third)) == said(expected, one)
        # Code of modules may be run in another order where there are less of them.
        assert len(third.interpreted) * 4 < len(first.interpreted)


def test_one_file_memory_and_processes_without_a_cache(place: Path) -> None:
    root = tree("programs", place)
    expected = plain(root)
    several = analyze(root, [root], options=AnalysisOptions(jobs=2, listing=True))
    assert said(several) == said(expected)
    assert several.traced == expected.traced
    assert several.parsed_files == expected.parsed_files
    assert several.parsed_share == expected.parsed_share
    assert said(analyze(root, [root], cache=PartMemory())) == said(expected)
    # One that something is said of, and one that need not be such.
    reported = {Path(item.filename) for item in expected.diagnostics}
    other = min(root.rglob("__init__.py"))
    for path in {*sorted(reported)[:3], other}:
        assert said(analyze(root, [path])) == said(expected, path)


def test_what_one_file_keeps_and_another_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "ROWS_PER_PROCESS", 1)
    root = tmp_path / "project"
    shutil.copytree(CATALOGUE.root / "programs" / "JIT208" / "orbit_settings", root)
    cache = CacheFolder(tmp_path / "cache")

    def everywhere() -> list[str]:
        expected = analyze(root, [root])
        for options in (AnalysisOptions(), AnalysisOptions(jobs=3)):
            assert said(analyze(root, [root], options=options)) == said(expected)
            found = analyze(root, [root], options=options, cache=PartFolder(cache, ""))
            assert said(found) == said(expected)
        return [item.code for item in expected.diagnostics]

    assert everywhere() == ["JIT208", "JIT208"]
    run = root / "run.py"
    run.write_text(re.sub(r"settings\.\w+ = ", "ignored = ", run.read_text()))
    assert everywhere() == []


def test_working_directories(tmp_path: Path) -> None:
    shutil.copytree(PROGRAMS / "heat_rod", tmp_path / "project" / "package")
    places = (tmp_path, tmp_path / "project", tmp_path / "project" / "package", Path("/"))
    command = ["check", "--isolated", "--output-format", "json"]
    found = set()
    for place in places:
        for more in (["--no-cache"], [], ["--jobs", "2"]):
            target = os.path.relpath(tmp_path / "project", place)
            done = jitlint(*command, *more, target, cwd=place)
            assert done.returncode == 1, done.stderr
            found.add(done.stdout)
    assert len(found) == 1


BEFORE = """
import jax
import jax.numpy as jnp
from collections import defaultdict

_series = defaultdict(list)


def record(name, value):
    _series[name].append(value)


@jax.jit
def loss(x):
    record("a", x)
    return x

"""
CLEARS = """
def cleared():
    _series.clear()
    loss(jnp.ones(3))

"""
KEEPS = """
def kept():
    loss(jnp.ones(3))

"""


@pytest.mark.parametrize("more", [KEEPS, CLEARS + KEEPS, KEEPS + CLEARS])
def test_no_starting_point_hides_what_another_one_finds(more: str, tmp_path: Path) -> None:
    """What one leaves in an object of the module is not what the next one finds there."""
    (tmp_path / "module.py").write_text(BEFORE + more)
    found = analyze(tmp_path, [tmp_path]).diagnostics
    assert [item.code for item in found] == ["JIT202"]


def test_no_module_hides_what_another_one_finds(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(BEFORE + KEEPS)
    (tmp_path / "a_test.py").write_text(
        "import jax.numpy as jnp\nimport model\n\n\ndef test():\n"
        "    model._series.clear()\n    model.loss(jnp.ones(3))\n"
    )
    found = analyze(tmp_path, [tmp_path]).diagnostics
    assert [(Path(item.filename).name, item.code) for item in found] == [("model.py", "JIT202")]
