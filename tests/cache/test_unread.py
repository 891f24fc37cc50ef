"""An edit of what no earlier run has looked at needs no engine; any other one is analysed."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.analysis import sharing
from jitlint.analysis.engine import analyze
from jitlint.cache.stores import Store
from jitlint.recall.whole_runs import WholeRuns

FILES = {
    "pyproject.toml": "",
    "layers.py": """\
import jax
import sizes


def describe(layer):
    label = "layer of"
    return f"{label} {layer}"


def scale(x):
    return x * sizes.WIDTH


@jax.jit
def dense(x):
    if x.sum() > 0:
        return x
    return scale(x)
""",
    "sizes.py": """\
WIDTH = 3


def report(run):
    total = 0
    for each in run:
        total += each
    return total
""",
    "plots.py": """\
def draw(figure):
    for axis in figure:
        axis.plot()
    return figure
""",
}
#: by what it is, a file, what is replaced in it, and whether that needs the engine
EDITS = {
    "a number of what nobody traces": ("sizes.py", "total = 0", "total = 1", False),
    "a new local name there": ("sizes.py", "return total", "end = total\n    return end", False),
    "a statement less there": ("sizes.py", "        total += each\n", "        pass\n", False),
    "a file without JAX": ("plots.py", "axis.plot()", "axis.scatter(axis.extent)", False),
    "beside a report": ("layers.py", '"layer of"', '"a layer of"', True),
    "a number that is traced": ("sizes.py", "WIDTH = 3", "WIDTH = 4", True),
    "what is traced": ("layers.py", "x * sizes", "x + sizes", True),
    "a function more there": ("sizes.py", "def report", "def less(x): ...\n\n\ndef report", False),
    "a function more": ("layers.py", "def scale", "def less(x): ...\n\n\ndef scale", True),
    "JAX where there was none": ("plots.py", "axis.plot()", "import jax", True),
    "a caller": ("sizes.py", "total = 0", "from layers import dense\n    total = dense(0)", True),
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    return root


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Something for each time that anything is analysed."""
    found: list[int] = []
    run = sharing.run

    def spy(*arguments: object) -> object:
        found.append(1)
        return run(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(sharing, "run", spy)
    return found


def edit(project: Path, name: str, old: str, new: str) -> None:
    text = (project / name).read_text()
    assert text.count(old) == 1
    (project / name).write_text(text.replace(old, new))


@pytest.mark.parametrize("kind", EDITS)
def test_who_needs_the_engine(project: Path, store: Store, runs: list[int], kind: str) -> None:
    name, old, new, needed = EDITS[kind]
    analyze(project, [project], cache=store)
    runs.clear()
    edit(project, name, old, new)
    warm = analyze(project, [project], cache=store).diagnostics
    assert bool(runs) is needed
    assert warm == analyze(project, [project]).diagnostics


def test_one_edit_after_another(project: Path, store: Store, runs: list[int]) -> None:
    first = analyze(project, [project], cache=store).diagnostics
    assert [(item.location.row, item.code) for item in first] == [(16, "JIT101")]
    runs.clear()
    edit(project, "sizes.py", "WIDTH = 3\n", "WIDTH = 3\n\n# Wider is slower.\n")
    edit(project, "sizes.py", "total = 0", "total = 1")
    assert analyze(project, [project], cache=store).diagnostics == first
    edit(project, "plots.py", "return figure", "return None")
    assert analyze(project, [project], cache=store).diagnostics == first
    assert runs == []
    edit(project, "sizes.py", "total = 1", "total = dense.width")
    edit(project, "layers.py", "if x.sum() > 0:", "if x.shape[0] > 0:")
    assert analyze(project, [project], cache=store).diagnostics == ()
    assert runs == [1]


def test_what_is_selected_anew_may_be_the_same(
    project: Path, store: Store, runs: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Selecting looks at each unit that names a transform; this one names none of JAX."""
    known: list[object] = []
    find_unread = WholeRuns.find_unread

    def spy(whole: WholeRuns) -> object:
        known.append(find_unread(whole))
        return known[-1]

    monkeypatch.setattr(WholeRuns, "find_unread", spy)
    (project / "sizes.py").write_text(f"import jax\n\n{FILES['sizes.py']}")
    first = analyze(project, [project], cache=store).diagnostics
    known.clear()
    runs.clear()
    edit(project, "sizes.py", "total = 0", "total = run.scan")
    assert analyze(project, [project], cache=store).diagnostics == first
    assert (known, runs) == ([None], [])
    # What was read to select that is what the next run begins with.
    edit(project, "sizes.py", "total = run.scan", "total = run.scan.width")
    analyze(project, [project], cache=store)
    assert known[1] is None
    edit(project, "sizes.py", "total += each", "total -= each")
    assert analyze(project, [project], cache=store).diagnostics == first
    assert (known[2], runs) == ([*first], [])
    edit(project, "sizes.py", "total = run.scan.width", "total = jax.jit(run)(3)")
    assert analyze(project, [project], cache=store).diagnostics == first
    assert len(runs) == 1


def test_a_broken_file_is_told(project: Path, store: Store) -> None:
    analyze(project, [project], cache=store)
    edit(project, "layers.py", "def describe(layer):", "def describe(layer:")
    warm = analyze(project, [project], cache=store).diagnostics
    assert warm == analyze(project, [project]).diagnostics
    assert {item.code for item in warm} == {"JIT901"}
