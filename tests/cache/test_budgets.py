"""A budget that is used up in one module is the matter of those modules that rest on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jitlint.analysis import engine
from jitlint.analysis.options import AnalysisOptions
from jitlint.cache.folder import CacheFolder, PartFolder

#: so little that a few dozen statements are too much
OPTIONS = AnalysisOptions(budget_scale=0.01, omissions=True)

#: computes more than its budget allows
HEAVY = """
import jax
import jax.numpy as jnp
import used

def grow(x):
    return x + 1

{rows}

@jax.jit
def step(x):
    return x * total
"""


def heavy(before: int, after: int) -> str:
    """Code that computes some arrays, then asks another module, then computes more."""
    items = ["jax.vmap(grow)(jnp.ones(3))"]
    one = f"total = sum([{', '.join([*items * before, 'used.last', *items * after])}])\n"
    return HEAVY.format(rows=one * 12)


#: changes something of another module in the middle of a statement
USED = """
import jax
import registry

def add(x):
    return x + 1

last = [jax.jit(add)(1), {items}, registry.bump(), {items}]
"""
REGISTRY = """
class Count:
    value = 0

COUNT = Count()

def bump():
    COUNT.value += 1
"""
#: tells whether that was done twice
READER = """
import jax
import registry

@jax.jit
def read(x):
    return float(x) if registry.COUNT.value > 1 else x
"""
#: starts that: code that nothing imports is nobody else's business
MAIN = "import heavy\n"
APART = "import jax\n\n@jax.jit\ndef f(x):\n    return float(x)\n"


class Project:
    """Linted again after each edit, and each time compared with a run that knows nothing."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.root.mkdir()
        self.warm = CacheFolder(folder / "warm")
        #: what a run that knows nothing said last
        self.cold: list[str] = []

    def lint(self, **files: str) -> set[str]:
        """Write some modules; those whose functions were interpreted."""
        for name, text in files.items():
            (self.root / f"{name}.py").write_text(text)
        kept = PartFolder(self.warm, "")
        self.cold = self.said(None)
        assert self.said(kept) == self.cold
        return {path.stem for path in kept.interpreted}

    def said(self, cache: PartFolder | None) -> list[str]:
        found = engine.analyze(self.root, [self.root], options=OPTIONS, cache=cache)
        reports = [json.dumps(dict(item.to_json())) for item in found.diagnostics]
        return [*reports, *map(repr, found.omissions)]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_others_do_not_rest_on_it(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = exhausted_in(monkeypatch)
    project.lint(
        heavy=heavy(1, 30), used=USED.format(items="1.0"), registry=REGISTRY, reader=READER,
        apart=APART, other=APART, main=MAIN,
    )  # fmt: skip
    assert {path.stem for path in seen} == {"heavy"}
    assert project.lint(apart=APART + "\ng = jax.jit(f)\n") == {"apart"}
    # Nothing that is run in the course of it is left out, so nobody else rests on how much it is.
    assert project.lint(heavy=heavy(1, 40)) == {"heavy"}


@pytest.mark.slow
def test_what_is_run_in_the_course_of_it_rests_on_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = exhausted_in(monkeypatch)
    used = USED.format(items=", ".join(["jax.vmap(add)(1)"] * 6))
    project.lint(
        heavy=heavy(0, 0), used=used, registry=REGISTRY, reader=READER, apart=APART, other=APART,
        main=MAIN,
    )  # fmt: skip
    again, said = set[str](), set[bool]()
    for before in (8, 12, 17, 12):
        found = project.lint(heavy=heavy(before, 20))
        assert "apart" not in found
        again |= found
        said.add(any("reader.py" in line for line in project.cold))
    assert {path.stem for path in seen} >= {"heavy"}
    # What the reader sees hangs on how much is run before, though it has never heard of that.
    assert said == {True, False}
    assert again >= {"heavy", "reader"}


def exhausted_in(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """The modules whose code turns out to be too much to be run."""
    from jitlint.absint.machine.reads import ModuleReads

    seen: set[Path] = set()
    used_up = ModuleReads.used_up

    def told(self: ModuleReads) -> None:
        used_up(self)
        seen.update(self.exhausted)

    monkeypatch.setattr(ModuleReads, "used_up", told)
    return seen
