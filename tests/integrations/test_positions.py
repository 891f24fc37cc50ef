"""Columns in the units of editors, and back."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, strategies as st

types = pytest.importorskip("lsprotocol.types")

from jitlint.integrations.server.positions import (  # noqa: E402
    Encoding,
    place,
    position,
    replaced,
)
from jitlint.source.document import split_lines  # noqa: E402

_CHARACTERS = st.sampled_from("aé漢😀\t\f\u2028")
_LINES = st.text(_CHARACTERS, max_size=8)
_TEXTS = st.lists(st.tuples(_LINES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=5).map(
    lambda rows: "".join(line + end for line, end in rows)
)
_ENCODINGS = st.sampled_from(list(Encoding))


@pytest.mark.parametrize(
    ("encoding", "length"), [(Encoding.UTF8, 10), (Encoding.UTF16, 5), (Encoding.UTF32, 4)]
)
def test_lengths(encoding: Encoding, length: int) -> None:
    assert encoding.count("aé漢😀") == length
    assert encoding.count("\ud83d") in (1, 3)


def test_the_middle_of_a_character_is_its_beginning() -> None:
    assert Encoding.UTF16.points("😀b", 1) == 0
    assert Encoding.UTF16.points("😀b", 2) == 1
    assert Encoding.UTF8.points("é", 1) == 0
    assert Encoding.UTF8.points("é", 99) == 1


@given(_TEXTS, _ENCODINGS, st.data())
def test_there_and_back(text: str, encoding: Encoding, data: st.DataObject) -> None:
    lines = split_lines(text)
    row = data.draw(st.integers(1, len(lines)))
    column = data.draw(st.integers(1, len(lines[row - 1]) + 1))
    there = position(lines, row, column, encoding)
    assert place(lines, there, encoding) == (row, column)


@given(_TEXTS, _ENCODINGS, st.integers(0, 9), st.integers(0, 40))
def test_any_position_has_a_place(text: str, encoding: Encoding, line: int, units: int) -> None:
    lines = split_lines(text)
    row, column = place(lines, types.Position(line, units), encoding)
    assert 1 <= row <= len(lines)
    assert 1 <= column <= len(lines[row - 1]) + 1


@given(_TEXTS, _ENCODINGS, _LINES, st.data())
def test_replacing(text: str, encoding: Encoding, new: str, data: st.DataObject) -> None:
    lines = split_lines(text)

    def somewhere() -> tuple[int, int]:
        row = data.draw(st.integers(1, len(lines)))
        return row, data.draw(st.integers(1, len(lines[row - 1]) + 1))

    first, last = sorted([somewhere(), somewhere()])
    span = types.Range(position(lines, *first, encoding), position(lines, *last, encoding))
    whole = replaced(text, span, new, encoding)
    changed = split_lines(whole)
    joined = lines[first[0] - 1][: first[1] - 1] + new + lines[last[0] - 1][last[1] - 1 :]
    # With nothing between them, a carriage return and a line feed are one line end.
    assume(joined or "\r" not in text)
    assert changed == (*lines[: first[0] - 1], joined, *lines[last[0] :])
