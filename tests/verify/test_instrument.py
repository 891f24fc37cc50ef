"""Markers leave a module's meaning and its positions alone."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from jitlint.verify.recording.branches import Branches
from jitlint.verify.recording.instrument import NAME, _looks, instrument
from jitlint.verify.recording.places import Places
from jitlint.verify.recording.probe import Probe
from jitlint.verify.recording.recorder import Recorder
from jitlint.verify.recording.records import Report
from jitlint.verify.recording.sites import Site

CODE = '''\
"""A docstring."""
from __future__ import annotations

total = 0


def outer(n):
    """Another."""
    count = 0

    def inner(k):
        nonlocal count
        global total
        count += k
        total += k
        return [item for item in range(k) if item % 2]

    try:
        if n > 3: return inner(n), count
        elif n > 1:
            return inner(2), count
        else: pass
    finally:
        count = -1
    match n:
        case 0 | 1:
            return "few"
    class Local:
        """Doc."""
        value: int = 3
    return Local.value


answers = [outer(k) for k in (0, 2, 4)]
names = (outer.__doc__, __doc__)
'''


def _run(code: str, sites: list[Site], reports: list[Report] | None = None) -> dict[str, Any]:
    made = instrument(code, "m.py", sites)
    recorder = Recorder(Places(reports or []))
    recorder.places.add("m.py", code, made)
    namespace: dict[str, Any] = {"__name__": "m", NAME: Probe(recorder, "m.py")}
    exec(compile(made.tree, "m.py", "exec"), namespace)
    namespace["recorder"] = recorder
    namespace["made"] = made
    return namespace


@pytest.mark.jax
def test_meaning_is_kept() -> None:
    plain: dict[str, Any] = {"__name__": "m"}
    exec(compile(CODE, "m.py", "exec"), plain)
    marked = _run(CODE, [])
    for name in ("answers", "names", "total"):
        assert marked[name] == plain[name]


@pytest.mark.jax
def test_rows_are_counted() -> None:
    marked = _run(CODE, [])
    rows = marked["recorder"].run.rows
    assert rows["m.py", 9] == 3
    assert rows["m.py", 14] == 2
    assert rows["m.py", 27] == 1


def test_positions_are_kept() -> None:
    code = "def f(a, i):\n    return a[i] + len(a)\n"
    site = Site(0, "JIT107", (2, 12, 2, 16))
    made = instrument(code, "m.py", [site])
    assert made.located == {0: "item"}
    call = next(
        node
        for node in ast.walk(made.tree)
        if isinstance(node, ast.Call) and "item" in ast.unparse(node.func)
    )
    assert (call.lineno, call.col_offset, call.end_col_offset) == (2, 11, 15)


@pytest.mark.parametrize(
    ("code", "rule", "text", "kind"),
    [
        ("x = f(a > b)", "JIT101", "a > b", "value"),
        ("x = f(a > b)", "JIT106", "f(a > b)", "call"),
        ("x = f([1, 2])", "JIT304", "[1, 2]", "call"),
        ("x[i, 2:3] = 4", "JIT205", "x[i, 2:3]", "store"),
        ("x = y[1:n, ...]", "JIT107", "y[1:n, ...]", "item"),
        ("é = f(ü, (a > b))", "JIT101", "(a > b)", "value"),
        ("@jit\ndef f(): pass", "JIT309", "jit", "decorator"),
    ],
)
def test_what_is_made_of_a_place(code: str, rule: str, text: str, kind: str) -> None:
    column = code.index(text) + 1 if not code.startswith("@") else 2
    row = 1
    site = Site(0, rule, (row, column, row, column + len(text)))
    assert instrument(code, "m.py", [site]).located == {0: kind}


def test_guards() -> None:
    code = (
        "try:\n    a\nexcept Exception:\n    b\n"
        "try:\n    a\nexcept TypeError:\n    raise\n"
        "try:\n    a\nexcept KeyError:\n    b\n"
    )
    (guard,) = instrument(code, "m.py", []).guards
    assert (guard.first, guard.last, guard.row) == (2, 2, 1)


def test_every_branch_is_taken() -> None:
    branches = Branches()
    leaves = set()
    for _ in range(20):
        branches.start()
        if branches.choose("a"):
            leaves.add("a")
        elif branches.choose("b"):
            leaves.add("b" if branches.choose("c") else "not c")
        else:
            leaves.add("else")
        if not branches.advance():
            break
    assert leaves == {"a", "b", "not c", "else"}


def test_substituted_conditions_end_loops() -> None:
    branches = Branches()
    branches.start()
    turns = 0
    while branches.choose("loop"):
        turns += 1
    assert turns == 1


@pytest.mark.parametrize(
    ("statement", "held"),
    [("self.best = x", "self"), ("table['last'] += x", "table"), ("a.log[0] = x", "a.log")],
)
def test_a_store_is_followed_by_a_look_at_the_object(statement: str, held: str) -> None:
    # What is found in it is named from there: `self` and then `.best`.
    (look,) = _looks(ast.parse(statement).body[0], Site(3, "JIT204", (1, 1, 1, 2)))
    assert ast.unparse(look).endswith(f".stored(3, {held}, {held!r})")
