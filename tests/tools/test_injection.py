"""Faults that are put into real code: where they land, which go together, what is said of them."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tools.injection.experiment import DISTANCES, Project, distance, inject
from tools.injection.hazards import HAZARDS, Insertion, insert
from tools.injection.listing import Comparison, Listing
from tools.injection.packages import PACKAGES
from tools.injection.recording import Function, Recording, digest, from_json, read, with_tracers
from tools.injection.rounds import rounds

ROOT = Path(__file__).resolve().parents[2]


def function(
    file: str = "p/a.py",
    row: int = 1,
    qualname: str = "f",
    distance: int = 0,
    parameters: dict[str, str] | None = None,
    callers: tuple[int, ...] = (),
) -> Function:
    kinds = {"x": "t"} if parameters is None else parameters
    return Function(file, row, qualname, distance, kinds, ("DynamicJaxprTrace",), callers)


# -- insertions -----------------------------------------------------------------------------------


SOURCE = dedent('''\
    import jax

    @jax.jit
    def decorated(x):
        """Doc
        string."""
        return x

    def short(x): return x

    class C:
        def method(self, x, y=1):
            @jax.jit
            def inner(z):
                return z
            return inner(x)

    def only(x):
        """Nothing else."""

    def both(x): "The docstring stands in the way."; return x
    ''')


def test_statements_stand_behind_docstrings() -> None:
    rows = {3: "decorated", 9: "short", 12: "method", 13: "inner", 18: "only"}
    insertions = [Insertion(row, name, f"print({name!r})") for row, name in rows.items()]
    text, found = insert(SOURCE, insertions, "LAST = 1")
    tree = ast.parse(text)
    lines = text.splitlines()
    assert lines[-1] == "LAST = 1"
    for insertion in insertions:
        assert lines[found[insertion] - 1].strip() == insertion.statement
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name != "both":
            body = node.body[ast.get_docstring(node) is not None :]
            assert ast.unparse(body[0]) == f"print({node.name!r})"


def test_what_is_not_there_is_left_out() -> None:
    places = [(4, "decorated"), (3, "other"), (21, "both")]
    text, found = insert(SOURCE, [Insertion(row, name, "1") for row, name in places])
    assert text == SOURCE
    assert found == {}


def test_hazards_need_what_makes_them_happen() -> None:
    f = function(parameters={"self": "so", "n": "s", "p": "cv", "x": "nt", "y": "t"})
    assert {hazard.parameter(f) for hazard in HAZARDS.values()} == {"x"}
    assert HAZARDS["attribute"].parameter(function(parameters={"self": "s", "x": "t"})) is None
    assert HAZARDS["branch"].parameter(function(parameters={"x": "v"})) is None
    assert HAZARDS["branch"].parameter(function(qualname="f.<locals>.<lambda>")) is None


# -- rounds ---------------------------------------------------------------------------------------


def test_callers_and_callees_are_apart() -> None:
    functions = [
        function(),
        function(callers=(0,)),
        function(parameters={"x": "c"}, callers=(1,)),
        function(callers=(2, 3)),
        function(callers=(0, 3)),
    ]
    wanted = [0, 1, 3, 4]
    groups = rounds(functions, wanted)
    assert sorted(number for group in groups for number in group) == wanted
    group_of = {number: index for index, group in enumerate(groups) for number in group}
    # The one in between takes no fault, and hands on what was reported in its caller.
    for caller, callee in ((0, 1), (1, 3), (0, 4), (3, 4)):
        assert group_of[caller] != group_of[callee]


# -- recordings -----------------------------------------------------------------------------------


def test_recordings_survive_writing() -> None:
    functions = (function(), function("driver.py", 7, "g", parameters={"a": "nt"}, callers=(0,)))
    recording = Recording("p", "1.0", "abc", functions, ("feature: ValueError: no",))
    assert from_json(recording.to_json()) == recording
    assert [distance(each) for each in functions] == ["entry", "driver"]
    assert distance(function(distance=7)) == DISTANCES[-1]
    assert function(parameters={"a": "ns", "b": "sv", "c": "cs", "d": "h"}).kinds == {
        "a": "static",
        "b": "traced",
        "c": "container",
        "d": "container",
    }


RECORDED = [package for package in PACKAGES.values() if package.recording.exists()]


@pytest.mark.parametrize("package", RECORDED, ids=lambda package: package.name)
def test_recordings_are_of_these_drivers(package) -> None:
    recording = read(package.recording)
    assert recording.package == package.name
    assert recording.driver == digest(package.driver.read_text(encoding="utf-8"))
    assert recording.failures == ()


def test_functions_without_tracers_are_left_out() -> None:
    functions = [
        function(),
        function(parameters={"n": "s"}, callers=(0,)),
        function(callers=(1,)),
        function(parameters={"tree": "c"}, callers=(2, 1)),
    ]
    kept = with_tracers(functions)
    assert [each.callers for each in kept] == [(), (0,), (0, 1)]


# -- experiments ----------------------------------------------------------------------------------


PACKAGE = {
    "driver.py": """\
        import jax
        import jax.numpy as jnp
        from toy import ops

        @jax.jit
        def run(x):
            return ops.entry(x, 2)

        def feature():
            return run(jnp.ones(3))
        """,
    "toy/__init__.py": "",
    "toy/ops.py": """\
        import importlib

        def entry(x, power):
            return helper({"a": x}, power) + hidden()(x)

        def helper(tree, power):
            return tree["a"] ** power

        def hidden():
            return importlib.import_module("toy.ops").secret

        def secret(x):
            return x
        """,
}


@pytest.fixture
def toy(tmp_path: Path) -> Project:
    for name, text in PACKAGE.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return Project(tmp_path)


TOY = Recording(
    "toy",
    "1.0",
    "",
    (
        function("driver.py", 5, "run"),
        function("toy/ops.py", 3, "entry", 0, {"x": "t", "power": "s"}, (0,)),
        function("toy/ops.py", 6, "helper", 1, {"tree": "c", "power": "s"}, (1,)),
        function("toy/ops.py", 12, "secret", 1, {"x": "t"}, (1,)),
    ),
)


@pytest.mark.parametrize("hazard", ["branch", "float", "numpy", "mask", "append", "print"])
def test_faults_are_found_where_the_analysis_comes(toy: Project, hazard: str) -> None:
    found = {injection.number: injection.found for injection in inject(toy, TOY, HAZARDS[hazard])}
    assert found == {0: True, 1: True, 3: False}


def test_faults_by_themselves(toy: Project) -> None:
    (injection,) = inject(toy, TOY, HAZARDS["branch"], only={1}, alone=True)
    assert injection.found and injection.number == 1


def test_what_is_listed_is_compared(toy: Project) -> None:
    listing = Listing(toy)
    comparison = listing.compare(TOY)
    assert (comparison.listed, comparison.functions) == (2, 3)
    assert comparison.kinds == {
        ("traced", "traced"): 2,
        ("static", "static"): 2,
        ("container", "container"): 1,
    }
    reason = listing.reason(TOY, TOY.functions[3], "x")
    assert reason == "not reached: unknown-callee in a caller"
    total = Comparison()
    total += comparison
    assert str(total) == "listed 2/3 67%, kinds 5/5 100%, 0 unknown"


# -- recording ------------------------------------------------------------------------------------


DRIVER = """\
    import jax
    import jax.numpy as jnp
    from toy import ops

    @jax.jit
    def run(x):
        return ops.entry(x, 2)

    @jax.grad
    def sloped(x):
        return ops.helper({"a": x}, 2)

    def feature():
        return run(jnp.ones(3))

    def slope():
        return sloped(1.0)

    def broken():
        raise ValueError("on purpose")
    """


@pytest.mark.jax
def test_a_driver_is_recorded(toy: Project, tmp_path: Path) -> None:
    driver = tmp_path / "toy_driver.py"
    driver.write_text(dedent(DRIVER), encoding="utf-8")
    info = tmp_path / "toy-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    target = tmp_path / "toy.json"
    command = [sys.executable, "-m", "tools.injection.recorder", "toy", "toy"]
    command += [str(driver), str(target), "--path", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert json.loads(target.read_text())["version"] == "1.0"
    recording = read(target)
    assert recording.failures == ("broken: ValueError: on purpose",)
    seen = {each.qualname: each for each in recording.functions}
    assert set(seen) == {"run", "sloped", "entry", "helper", "secret"}
    assert seen["run"].in_driver
    assert seen["entry"].parameters == {"x": "t", "power": "s"}
    assert seen["helper"].parameters == {"tree": "c", "power": "s"}
    # Under the gradient alone its value is known.
    assert seen["sloped"].parameters == {"x": "v"}
    assert [seen[name].distance for name in ("entry", "helper", "secret")] == [0, 0, 1]
    callers = {recording.functions[number].qualname for number in seen["helper"].callers}
    assert callers == {"entry", "sloped"}
