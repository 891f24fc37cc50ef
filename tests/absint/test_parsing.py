"""The parser that leaves out what nodes check of themselves, and leaves it to everybody else."""

from __future__ import annotations

import contextlib

import libcst as cst
import pytest

from jitlint.absint.code import parsing

SOURCE = """
@decorated(a, *b, c=1)
async def f(x: int, /, *, y=(yield), **z) -> "str":
    with (open(x) as g, h):
        return [f"{x!r:>{y}}" for _ in z if not x] or (lambda: 1 if x else -2)
"""


def test_gives_the_trees_that_libcst_gives() -> None:
    assert parsing.parse_module(SOURCE).deep_equals(cst.parse_module(SOURCE))
    assert parsing.parse_module(SOURCE).code == SOURCE


def test_its_nodes_are_not_asked_and_those_of_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[cst.CSTNode] = []
    monkeypatch.setattr(parsing, "_check", asked.append)
    parsing.parse_module(SOURCE)
    assert not asked
    cst.parse_module(SOURCE)
    assert asked


@pytest.mark.parametrize("source", ["x = 1\n", "x = = 1\n"])
def test_nodes_made_by_hand_are_checked_afterwards(source: str) -> None:
    with contextlib.suppress(cst.ParserSyntaxError):
        parsing.parse_module(source)
    with pytest.raises(cst.CSTValidationError):
        cst.Name("")
