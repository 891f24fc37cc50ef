"""What calls of the user's code show stands over calls that are made up."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from jitlint.verify.driving.time_limit import TimeUp, time_limit
from jitlint.verify.driving.verdicts import (
    CONFIRMED,
    INCONCLUSIVE,
    MADE_UP_CALL,
    MADE_UP_JIT,
    NOT_REACHED,
    OWN_CALL,
    REFUTED,
    Verdict,
    stronger,
)
from jitlint.verify.plan import Plan
from jitlint.verify.session import verify
from tests.verify.made_up import made_up_report, verified

_TRACER = ("jax.errors.TracerBoolConversionError",)
_HEADER = "import jax\nimport jax.numpy as jnp\n\n"


def _judged(folder: Path, text: str) -> dict[str, Any]:
    """The verdict on a condition of a module that is said to be traced."""
    report = made_up_report(folder, "subject", "JIT101", "raises", _HEADER + text, _TRACER, calls=1)
    path = Path(report.filename)
    plan = Plan(root=folder, files=[path], reports=[report], everything=[report], platforms=["cpu"])
    (found,) = verify(plan).reports
    (verdict,) = found["verdicts"]
    return dict(verdict)


@pytest.mark.jax
def test_a_real_call_refutes_what_made_up_ones_would_confirm(tmp_path: Path) -> None:
    verdict = _judged(
        tmp_path,
        "def scaled(x, flag):\n    return x * 2 if «flag» else x\n\n"
        "def run():\n    jax.jit(lambda v: scaled(v, True))(jnp.ones(3))\n",
    )
    assert verdict["verdict"] == REFUTED, verdict
    assert verdict["inputs"] == "the main block of subject.py"


@pytest.mark.jax
def test_a_jit_of_ours_does_not_confirm_what_runs_on_the_host(tmp_path: Path) -> None:
    verdict = _judged(
        tmp_path,
        "def clipped(x):\n    return x if «x > 0» else -x\n\n"
        "def run():\n    clipped(jnp.float32(1.0))\n",
    )
    assert verdict["verdict"] == INCONCLUSIVE, verdict
    assert "the calls of your code run it without tracing" in verdict["evidence"]["summary"]


_KEEPING = """\
import os

import jax
import jax.numpy as jnp

TABLES = {}


def table_of(params, name):
    if name not in TABLES:
        TABLES[name] = params["table"] / params["table"].sum()  # JIT202
    return TABLES[name]


def softness():
    return float(os.environ.get("SOFTNESS", "1.0"))  # JIT207


@jax.jit
def score(params, codes):
    return table_of(params, "plain")[codes] / softness()
"""


@pytest.mark.jax
def test_no_call_sees_what_another_one_has_left_in_a_module(tmp_path: Path) -> None:
    path = tmp_path / "keeping.py"
    path.write_text(_KEEPING)
    reports = verified(path)
    assert {report["code"] for report in reports} == {"JIT202", "JIT207"}
    for report in reports:
        assert report["verdicts"][0]["verdict"] == CONFIRMED, report["verdicts"]


def _verdict(word: str, by: str | None = None) -> Verdict:
    return Verdict("cpu", word, {} if by is None else {"by": by})


def test_which_verdict_says_more() -> None:
    ranked = [
        _verdict(CONFIRMED, OWN_CALL),
        _verdict(REFUTED),
        _verdict(CONFIRMED, MADE_UP_CALL),
        _verdict(INCONCLUSIVE),
        _verdict(NOT_REACHED),
    ]
    for place, more in enumerate(ranked):
        for less in ranked[place + 1 :]:
            assert stronger(more, less) is more
            assert stronger(less, more) is more
    jitted = _verdict(CONFIRMED, MADE_UP_JIT)
    assert stronger(jitted, _verdict(REFUTED)).verdict == REFUTED
    assert stronger(None, jitted) is jitted


def test_a_limit_that_is_swallowed_is_set_again() -> None:
    swallowed = []
    start = time.monotonic()
    with pytest.raises(TimeUp), time_limit(0.05):
        while time.monotonic() - start < 60:
            try:
                time.sleep(0.01)
            except TimeUp:
                if swallowed:
                    raise
                swallowed.append(True)
    assert swallowed
    # It is over: nothing more is raised.
    time.sleep(1.2)


def test_a_limit_goes_on_after_one_inside_of_it() -> None:
    start = time.monotonic()
    with pytest.raises(TimeUp), time_limit(0.3):
        with pytest.raises(TimeUp), time_limit(0.05):
            while time.monotonic() - start < 60:
                time.sleep(0.01)
        with time_limit(30.0):
            pass
        while time.monotonic() - start < 60:
            time.sleep(0.01)
    assert time.monotonic() - start < 60
