"""``verify --fixes``: what running says of fixes, and of fixes that are wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from jitlint.diagnostics import Applicability, Diagnostic, Edit, Fix
from jitlint.fixes.application import Fixed
from jitlint.fixes.rounds import Outcome
from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.verify.plan import Plan
from jitlint.verify.proofs import Fixes, prove_fixes
from jitlint.verify.session import verify

pytestmark = [pytest.mark.jax, pytest.mark.slow]

PROGRAM = """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def relu(x, scale):
    if x.sum() > 0:
        y = x * scale
    else:
        y = -x
    print(f"sum {y.sum()}")
    return np.sin(y)


def store(v):
    v[0] = 3.0
    return v.sum()


store_fast = jax.jit(store)


def aliased(v):
    w = v
    v[0] = 3.0
    return w.sum()


aliased_fast = jax.jit(aliased)


@jax.jit
def clear(x):
    x.at[0].set(0.0)
    return x * 2


@jax.jit
def stuck(x):
    y = np.cos(x)
    if x.sum() > 100:
        raise ValueError
    return y


@jax.jit
def kept(state, x):
    state.update_from(x)
    return np.tanh(state.value)
"""


def test_every_fix_gets_a_verdict(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    page = tmp_path / "page.html"
    command = [sys.executable, "-m", "jitlint", "verify", "--fixes", "--output-format", "json"]
    done = subprocess.run(
        [*command, "--platform", "cpu", "--report", str(page), str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert path.read_text() == PROGRAM
    reports = json.loads(done.stdout)["reports"]
    found = {
        (report["function"], report["code"]): verdict
        for report in reports
        for verdict in report.get("fix_verdicts", ())
    }
    words = {key: verdict["verdict"] for key, verdict in found.items()}
    assert words["relu", "JIT101"] == words["relu", "JIT201"] == words["relu", "JIT106"] == "proven"
    assert words["store", "JIT205"] == "proven"
    assert words["clear", "JIT212"] == "changes-result"
    # Both signs of the condition were seen.
    assert found["relu", "JIT101"]["evidence"]["runs"] == 4
    assert "the original without jit" in found["relu", "JIT101"]["evidence"]["summary"]
    # What is left raises before anything could be compared.
    assert words["stuck", "JIT106"] == "not-run"
    assert "row 39" in found["stuck", "JIT106"]["evidence"]["summary"], found["stuck", "JIT106"]
    # An alias sees the store; either there is no fix, or it is seen to change the result.
    assert words.get(("aliased", "JIT205")) in (None, "changes-result")
    assert 'class="badge fix-proven"' in page.read_text()


HOSTILE = """\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def other_function(x):
    return np.sin(x)


@jax.jit
def other_dtype(x):
    return np.cos(x)


@jax.jit
def other_text(x):
    print(x)
    return x


@jax.jit
def fails(x):
    return np.tanh(x)


@jax.jit
def wrong_for_some(x):
    y = np.abs(x)
    return y + np.exp(x)


if __name__ == "__main__":
    other_text(jnp.ones(3))
"""

#: for each place an edit, and the verdict that it deserves
EDITS = {
    "np.sin(x)": ("jnp.cos(x)", "changes-result"),
    "np.cos(x)": ("jnp.cos(x).astype(jnp.int32)", "changes-result"),
    "print(x)": ('jax.debug.print("x = {}", x)', "changes-result"),
    "np.tanh(x)": ("jnp.tanh(x, x)", "changes-result"),
    # Right for the values that are made up, and for no others.
    "np.abs(x)": ("jnp.sqrt(x * x) * jnp.sign(x)", "changes-result"),
    "np.exp(x)": ("jnp.exp(x)", "proven"),
}


def test_wrong_fixes_are_seen(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    path = tmp_path / "program.py"
    path.write_text(HOSTILE)
    request = Request(paths=(path,), isolated=True)
    first = run(request)
    reports = [_with_edit(item) for item in first.diagnostics]
    assert len(reports) == len(EDITS)
    fixed = Fixed(HOSTILE, reports)
    path.write_text(fixed.text)
    texts = {path: (HOSTILE, fixed.text)}
    outcome = Outcome(run(request), (), texts, {}, reports, (), [{path: fixed}])
    path.write_text(HOSTILE)
    plan = Plan(root=tmp_path, files=[path], reports=reports, everything=reports, platforms=["cpu"])
    verified = verify(plan)
    prove_fixes(plan, Fixes([*enumerate(reports)], {str(path): HOSTILE}, outcome), verified)
    found = {
        _place(report): (verdict["verdict"], verdict["evidence"]["summary"])
        for report, shown in zip(reports, verified.reports, strict=True)
        for verdict in shown["fix_verdicts"]
    }
    assert {place: word for place, (word, _) in found.items()} == {
        place: word for place, (_, word) in EDITS.items()
    }, found


def _place(report: Diagnostic) -> str:
    """The place that a report is about, among those of ``EDITS``."""
    row = HOSTILE.splitlines()[report.location.row - 1]
    return next(place for place in EDITS if place in row)


def _with_edit(report: Diagnostic) -> Diagnostic:
    """A report with the edit of ``EDITS`` for a fix."""
    place = _place(report)
    row = HOSTILE.splitlines()[report.location.row - 1]
    start = replace(report.location, column=row.index(place) + 1)
    end = replace(start, column=start.column + len(place))
    fix = Fix("Do something else", Applicability.SAFE, (Edit(start, end, EDITS[place][0]),))
    return replace(report, fix=fix)
