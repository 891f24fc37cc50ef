"""The table of errors is what JAX does: every row is provoked, and its traceback fed back in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from jitlint.diagnostics import Diagnostic
from jitlint.jaxmodel.errors import KINDS, ErrorKind
from jitlint.rules.meta import RuleMeta
from jitlint.rules.registry import all_rules, find
from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.tracebacks.explanation import Explainer, Explanation
from jitlint.tracebacks.parsing import parse

pytestmark = pytest.mark.jax

MODES = ("auto", "off", "remove_frames", "tracebackhide")
PRELUDE = """\
import operator
import pickle

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

kept = []


class Scaler:
    @jax.jit
    def apply(self, x):
        return x


@jax.jit
def keep(x):
    kept.append(x * 2)
    return x


def leak():
    keep(1.0)
    return kept[-1] + 1


def donated():
    x = jnp.ones(3)
    jax.jit(lambda v: v + 1, donate_argnums=0)(x)
    return x + 1


"""
RUNNER = """\
import importlib, json, sys, traceback
import jax
names, modes = json.loads(sys.argv[1])
found = {}
for mode in modes:
    jax.config.update("jax_traceback_filtering", mode)
    for name in names:
        jax.clear_caches()
        try:
            importlib.import_module(name).main()
        except BaseException as error:
            found[f"{name} {mode}"] = traceback.format_exc()
print("RESULT" + json.dumps(found))
"""
# What leaks raises where the leaked value is used, which the examples of the rules do not do.
USES = {
    "JIT202": "import jax.numpy as jnp\nseen = []\n@jax.jit\ndef f(x):\n    y = x * 2\n"
    "    seen.append(y)\n    return y\ndef main():\n    f(1.0)\n    return jnp.sin(seen[0])\n",
    "JIT203": "import jax.numpy as jnp\nlast = None\n@jax.jit\ndef f(x):\n    global last\n"
    "    last = x * 2\n    return x\ndef main():\n    f(1.0)\n    return jnp.sin(last)\n",
    "JIT204": "import jax.numpy as jnp\nclass State: pass\nstate = State()\n@jax.jit\ndef f(x):\n"
    "    state.last = x * 2\n    return x\ndef main():\n    f(1.0)\n"
    "    return jnp.sin(state.last)\n",
}
RAISING = [
    rule
    for rule in all_rules()
    if rule.bad is not None and rule.hazard is not None and rule.hazard.kind == "raises"
]


def _module(index: int) -> str:
    return f"kind_{index}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("provoked")
    (folder / "pyproject.toml").write_text("")
    for index, kind in enumerate(KINDS):
        text = f"{PRELUDE}def main():\n    return {kind.evidence}\n"
        (folder / f"{_module(index)}.py").write_text(text)
    for rule in RAISING:
        assert rule.bad is not None
        text = f"{rule.bad.code}\n\ndef main():\n    return {rule.bad.call}\n"
        (folder / f"bad_{rule.code.lower()}.py").write_text(text)
    for code, text in USES.items():
        (folder / f"bad_{code.lower()}.py").write_text(f"import jax\n{text}")
    return folder


@pytest.fixture(scope="module")
def tracebacks(folder: Path) -> Mapping[str, str]:
    names = [path.stem for path in sorted(folder.glob("*.py"))]
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, json.dumps([names, MODES])],
        cwd=folder,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout.rpartition("RESULT")[2])
    return found


@pytest.fixture(scope="module")
def reports(folder: Path) -> Mapping[Path, list[Diagnostic]]:
    found: dict[Path, list[Diagnostic]] = {}
    for item in run(Request(paths=(folder,))).diagnostics:
        found.setdefault(Path(item.filename), []).append(item)
    return found


def _lines(path: Path) -> list[str] | None:
    return path.read_text().splitlines() if path.is_file() else None


def _explain(
    text: str, folder: Path, reports_of: Callable[[Path], Sequence[Diagnostic]]
) -> Explanation:
    (found,) = Explainer(folder, _lines, reports_of).explain(parse(text))
    return found


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_row_is_what_jax_raises(
    tracebacks: Mapping[str, str], folder: Path, kind: ErrorKind, mode: str
) -> None:
    text = tracebacks[f"{_module(KINDS.index(kind))} {mode}"]
    found = _explain(text, folder, lambda _: ())
    general = {"bool of a tracer, by its message": "bool of a tracer"}
    assert found.kind is not None
    assert found.kind.name == general.get(kind.name, kind.name), text
    assert {rule.code for rule in found.rules} <= set(kind.rules)
    assert bool(found.rules) == bool(kind.rules)
    place = found.place
    assert place is not None and place.on_disk
    wanted = "kept.append" if kind.leak else "return"
    assert wanted in place.line


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("code", [rule.code for rule in RAISING] + sorted(USES))
def test_the_examples_of_the_rules_lead_back_to_them(
    tracebacks: Mapping[str, str],
    reports: Mapping[Path, list[Diagnostic]],
    folder: Path,
    code: str,
    mode: str,
) -> None:
    text = tracebacks[f"bad_{code.lower()} {mode}"]
    found = _explain(text, folder, lambda path: reports.get(path, ()))
    assert [rule.code for rule in found.rules] == [code], text
    assert found.report is not None
    assert found.report.code == code


@pytest.mark.parametrize("rule", RAISING, ids=lambda rule: rule.code)
def test_the_line_alone_tells_the_rule(tracebacks: Mapping[str, str], rule: RuleMeta) -> None:
    code = rule.code
    text = tracebacks[f"bad_{code.lower()} auto"]
    (found,) = Explainer(Path("/nowhere"), lambda _: None, lambda _: ()).explain(parse(text))
    assert found.rules[0].code == code
    assert found.place is not None and not found.place.on_disk


def test_the_rows_name_rules_that_exist() -> None:
    for kind in KINDS:
        assert all(find(code) is not None for code in kind.rules), kind.name
        assert bool(kind.rules) != bool(kind.cure), kind.name
    named = {code for kind in KINDS for code in kind.rules}
    silent = {"JIT113"}
    raising = {r.code for r in all_rules() if r.hazard and r.hazard.kind in ("raises", "leaks")}
    assert raising <= named | silent
