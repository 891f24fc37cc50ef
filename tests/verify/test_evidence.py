"""Evidence that people can use: calls that can be pasted, files of them, and stubs to fill in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.jax, pytest.mark.slow]

MADE_UP = """\
import dataclasses

import jax
import jax.numpy as jnp


@jax.jit
def plain(x, key):
    if x.sum() > jax.random.uniform(key):
        return x
    return -x


@jax.jit
def structured(params):
    return float(params["w"].sum()) + params["b"]


def make(scale):
    @jax.jit
    def inner(x):
        while x.sum() < scale:
            x = x + 1
        return x

    return inner


@dataclasses.dataclass
class Model:
    rate: float

    def step(self, x):
        return jax.jit(self._loss)(x)

    def _loss(self, x):
        assert x.sum() > self.rate
        return x


@jax.jit
def noisy(x):
    print(x)
    return x


# What it is given cannot be made up.
def through(table):
    return jax.jit(scaled)(table.read_all().to_matrix())


def scaled(x):
    return x * 2 if x.sum() > 0 else x


def kept(x):
    return x * 2 if x.sum() > 0 else x


# It is jitted as the module is imported, and nothing can call what is kept.
KEPT = frozenset([(jax.jit(kept),)])


class Unknown:
    def __init__(self, table):
        self.rows = table.read_all("rows").to_matrix()

    @staticmethod
    @jax.jit
    def total(x):
        return x.sum()

    def first(self, x):
        return jax.jit(lambda y: 1 if y > 0 else 2)(x.nothing_of_this_name(self.rows))

    @jax.jit
    def second(self, x):
        return x + 1
"""
# What is reported in the one module is made traced by the other, which can be imported.
FAR = """\
import nothing_of_this_name
from far_library import start


def build(rows):
    def far(x):
        return 1 if x > 0 else rows

    return start(far, 1.0)
"""
FAR_LIBRARY = """\
import jax


def start(function, x):
    return jax.jit(function)(x)
"""
OWN = """\
import jax


@jax.jit
def f(x):
    if x > 0:
        return x
    return -x


def main():
    f(1.0)


if __name__ == "__main__":
    main()
"""
OWN_TEST = "import unused\n\n\ndef test_g():\n    unused.g(1.0)\n"


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    folder = tmp_path_factory.mktemp("project")
    (folder / "pyproject.toml").touch()
    (folder / "src" / "pkg").mkdir(parents=True)
    (folder / "src" / "pkg" / "__init__.py").touch()
    (folder / "src" / "pkg" / "made_up.py").write_text(MADE_UP)
    (folder / "far.py").write_text(FAR)
    (folder / "far_library.py").write_text(FAR_LIBRARY)
    (folder / "own.py").write_text(OWN)
    (folder / "unused.py").write_text(OWN.partition("def main")[0].replace("def f", "def g"))
    (folder / "test_unused.py").write_text(OWN_TEST)
    return _verify(folder, "--write-cases", str(folder / "cases")), folder


def _verify(folder: Path, *options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "jitlint", "verify", str(folder), "--platform", "cpu"]
    command += ["--output-format", "json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def _confirmed(values: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [
        (report, report["verdicts"][0]["evidence"])
        for report in values["reports"]
        if report["verdicts"][0]["verdict"] == "confirmed"
    ]


def test_what_is_pasted_shows_it_again(outcome: Any) -> None:
    found = _confirmed(outcome[0])
    functions = {report["function"] for report, _ in found}
    assert {"plain", "structured", "make.inner", "Model._loss", "noisy", "f", "g"} <= {
        name.replace(".<locals>", "") for name in functions
    }
    programs = [
        (evidence["reproducer"]["text"], evidence.get("exception")) for _, evidence in found
    ]
    runner = (
        "import json, sys\n"
        "for text, exception in json.load(sys.stdin):\n"
        "    try:\n        exec(text, {})\n"
        "    except Exception as error:\n        raised = type(error).__name__\n"
        "    else:\n        raised = None\n"
        "    print(json.dumps([text, exception, raised]), file=sys.stderr)\n"
    )
    # Where it has nothing to do with the project.
    done = subprocess.run(
        [sys.executable, "-c", runner],
        input=json.dumps(programs),
        capture_output=True,
        text=True,
        check=False,
        cwd=outcome[1].parent,
    )
    told = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("[")]
    assert len(told) == len(programs), done.stderr
    for text, exception, raised in told:
        # pytest keeps to itself what a test raises.
        assert raised == exception or "pytest.main" in text, text
        # What is made up calls a function; a program may remove what it likes.
        assert text.startswith("# This runs") == ("runpy." in text or "pytest.main" in text)
    assert "1 failed" in done.stdout


def test_by_what_it_is_confirmed(outcome: Any) -> None:
    by = {report["function"]: evidence["by"] for report, evidence in _confirmed(outcome[0])}
    assert by["f"] == by["g"] == "a call of your code"
    assert by["plain"] == "a made-up call"
    assert by["kept"] == "a made-up call under a jit of jitlint's own"


def test_a_jit_of_jitlints_own_confirms_only_what_went_the_claimed_way(outcome: Any) -> None:
    found = [r["verdicts"][0] for r in outcome[0]["reports"] if r["function"] == "scaled"]
    assert [verdict["verdict"] for verdict in found] == ["inconclusive"]
    assert "a jit of jitlint's own" in found[0]["evidence"]["summary"]


def test_what_is_not_reached_gives_a_stub(outcome: Any) -> None:
    left = [
        report["verdicts"][0]["evidence"]
        for report in outcome[0]["reports"]
        if report["verdicts"][0]["verdict"] == "not-reached"
    ]
    # The decorator of `second` has run; what it is reported for are calls.
    stubs = {f"__jitlint_cases__ = [lambda: Unknown(...).{it}(...)]" for it in ("first", "second")}
    assert {it["stub"] for it in left} == stubs
    assert all("making Unknown raises AttributeError" in it["summary"] for it in left)


def test_a_stub_stands_in_the_module_of_its_report(outcome: Any) -> None:
    (far,) = [r["verdicts"][0] for r in outcome[0]["reports"] if r["function"] == "build.far"]
    assert far["verdict"] == "inconclusive"
    assert far["evidence"]["stub"] == "__jitlint_cases__ = [lambda: build(...)]"


def test_files_of_cases_are_read_again(outcome: Any) -> None:
    values, folder = outcome
    written = sorted(path.relative_to(folder) for path in (folder / "cases").rglob("*.py"))
    # What the user's own calls confirm needs none.
    assert written == [Path("cases/src/pkg/made_up.py")]
    before = (folder / written[0]).read_text()
    again = _verify(folder, "--write-cases", str(folder / "cases"))
    assert (folder / written[0]).read_text() == before
    made_up = [
        report for report, evidence in _confirmed(values) if evidence["by"] != "a call of your code"
    ]
    named = {(r["code"], r["location"]["row"]): r["verdicts"][0] for r in again["reports"]}
    for report in made_up:
        verdict = named[report["code"], report["location"]["row"]]
        assert verdict["verdict"] == "confirmed"
        assert verdict["inputs"].startswith("the case '")
        assert verdict["evidence"]["by"] == "a call of your code"
