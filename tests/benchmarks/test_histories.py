"""``benchmarks/histories.py``: the table of mended faults, and whether they are found."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import histories
from jitlint.rules.registry import all_rules

# Rules whose faults were collected before they were written.
_TO_COME = {"JIT208", "JIT209", "JIT214", "JIT306", "JIT307", "JIT311", "JIT313", "JIT314"}
_TO_COME |= {"JIT401", "JIT402"}
_BROKEN = """\
import jax


@jax.jit
def clip(x):
    if x > 1:
        return 1.0
    return x


def scale(x, kind):
    if kind == "double" and x.sum() > 0:
        return 2 * x
    return x


def host(x):
    return float(x)
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of three faults, and the clone they are in."""
    work = tmp_path / "work"
    work.mkdir()

    def git(*arguments: str) -> str:
        identity = ("-c", "user.name=t", "-c", "user.email=t@t")
        command = ["git", "-C", str(work), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    (work / "data.bin").write_bytes(b"\0")
    for text in (_BROKEN, "\n"):
        (work / "ops.py").write_text(text)
        git("add", ".")
        git("commit", "-q", "-m", "change")
    mirror = tmp_path / "owner" / "name.git"
    git("clone", "-q", "--bare", str(work), str(mirror))
    common = {
        "repository": "owner/name",
        "fix": git("rev-parse", "HEAD"),
        "parent": git("rev-parse", "HEAD~1"),
        "path": "ops.py",
        "note": "became jnp.where",
    }
    assumed = {"ops.scale": ["kind"]}
    own = [
        {"rows": [6], "codes": ["JIT101"], "rooted": True, "assume": {}, "half": "seen"},
        {
            "rows": [12],
            "codes": ["JIT101"],
            "rooted": False,
            "assume": assumed,
            "half": "third-held-out",
        },
        {"rows": [18], "codes": ["JIT105"], "rooted": True, "assume": {}, "half": "seen"},
    ]
    path = tmp_path / "table.json"
    path.write_text(json.dumps([{**common, **record} for record in own]))
    return path


def test_faults_are_looked_for_in_the_parent(table, tmp_path, capsys):
    assert histories.main([str(tmp_path), "--table", str(table)]) == 1
    out = capsys.readouterr().out
    assert "found  owner/name@" in out
    assert "MISSED owner/name@" in out
    assert "`host` is not among the traced functions" in out
    assert "in the repository: 1 of 2 (50%)" in out
    assert out.count("ops.py:") == 2  # Of those held out nothing but the number is told.
    assert "third-held-out:\n  what makes them faults is in the repository: 0 of 0\n" in out
    assert out.endswith("it is elsewhere: 1 of 1 (100%)\n")


def test_only_what_concerns_the_analysis_is_taken_out(table, tmp_path):
    fault = histories.read_table(table)[0]
    tree = tmp_path / "tree"
    tree.mkdir()
    histories.take_out(histories.mirror(tmp_path, fault.repository), fault.parent, tree)
    assert sorted(path.name for path in tree.iterdir()) == [".git", "ops.py"]
    assert (tree / "ops.py").read_text() == _BROKEN


def test_only_what_is_asked_for_is_judged(table, tmp_path, capsys):
    assert histories.main([str(tmp_path), "--table", str(table), "--half", "third-held-out"]) == 0
    assert "seen" not in capsys.readouterr().out


def test_faults_of_some_rules_are_judged_alone(table, tmp_path, capsys):
    arguments = [str(tmp_path), "--table", str(table), "--half", "seen"]
    assert histories.main([*arguments, "--codes", "JIT4,JIT101"]) == 0
    assert "in the repository: 1 of 1 (100%)" in capsys.readouterr().out
    assert histories.main([*arguments, "--codes", "JIT4"]) == 0
    assert not capsys.readouterr().out


def test_disputed_faults_are_told_apart(table, tmp_path, capsys):
    faults = json.loads(table.read_text())
    faults[2]["disputed"] = "only the host calls it"
    table.write_text(json.dumps(faults))
    # Nothing is disputed away: less than the bar was found.
    assert histories.main([str(tmp_path), "--table", str(table), "--half", "seen"]) == 1
    out = capsys.readouterr().out
    assert "disputed: only the host calls it\n" in out
    assert "repository: 1 of 2 (50%); without 1 disputed: 1 of 1 (100%)\n" in out


def test_rows_of_a_notebook_count_in_their_cell(tmp_path):
    cells = [
        _BROKEN.partition("def scale")[0],
        "clip(1.0)\n",
        "y = 1\n@jax.jit\ndef f(x):\n    return float(x)\n\n\nf(1.0)\n",
    ]
    notebook = {
        "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": c} for c in cells],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "ops.ipynb").write_text(json.dumps(notebook))
    fault = histories.Fault(
        repository="owner/name",
        fix="",
        parent="",
        path="ops.ipynb",
        rows=(4,),
        codes=("JIT105",),
        rooted=True,
        assume={},
        half=histories.SEEN,
        note="",
        cell=3,
    )
    elsewhere = dataclasses.replace(fault, cell=1)
    shown = dataclasses.replace(elsewhere, also=(histories.Place("ops.ipynb", (4,), 3),))
    found, missed, found_elsewhere = histories.judge(tmp_path, [fault, elsewhere, shown])
    assert found.found
    assert not missed.found
    assert found_elsewhere.found


def test_a_tree_that_takes_too_long_is_given_up(table, tmp_path):
    fault = histories.read_table(table)[0]
    (tmp_path / "ops.py").write_text(_BROKEN)
    (verdict,) = histories.judge_within(tmp_path, [fault], 0.0)
    assert verdict == histories.Verdict(False, "not done within 0 s", decided=False)


def test_the_table_is_sound():
    faults = histories.read_table()
    assert len(faults) >= 40
    assert len({fault.repository for fault in faults}) >= 20
    known = {rule.code for rule in all_rules()} | _TO_COME
    places = Counter(
        (fault.repository, fault.parent, fault.path, fault.cell, fault.rows) for fault in faults
    )
    assert set(places.values()) == {1}
    halves: dict[str, set[str]] = {}
    for fault in faults:
        halves.setdefault(fault.repository, set()).add(fault.half)
        assert known.issuperset(fault.codes)
        assert (fault.cell is not None) == fault.path.endswith(".ipynb")
        assert not (fault.rooted and fault.assume)
        assert fault.disputed == fault.disputed.strip()
        assert fault.rows == tuple(sorted(fault.rows))
        assert fault.note
    # What is held out must not be known from its neighbours.
    assert all(half <= histories.OPEN or len(half) == 1 for half in halves.values())
    sizes = Counter(fault.half for fault in faults)
    assert sizes[histories.SEEN] == sizes[histories.OPENED]
