"""Reading of expectation comments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import score
from tools.labels.comments import Label, read_labels, read_program_labels


def test_several_labels_on_a_line() -> None:
    source = "x = 1\ny = f(x)  # expect: JIT101 @a, JIT107 @b-2\n"
    assert read_labels(source) == (Label(2, "JIT101", "a"), Label(2, "JIT107", "b-2"))


def test_a_string_is_no_label() -> None:
    assert read_labels('text = "# expect: JIT101 @a"\n') == ()


@pytest.mark.parametrize(
    "text", ["JIT101", "@tag", "JIT1 @tag", "JIT101 tag", "JIT101 @a JIT102 @b"]
)
def test_a_broken_label_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="row 1"):
        read_labels(f"x = 1  # expect: {text}\n")


def test_a_tag_is_used_once_in_a_program(tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("x = 1  # expect: JIT101 @same\n")
    with pytest.raises(ValueError, match="@same is already at"):
        read_program_labels(tmp_path)


def test_a_label_in_a_notebook_is_one_of_its_cell(tmp_path: Path) -> None:
    sources = ["x = 1", "y = 2\n%timeit f(x)  # expect: JIT401 @magic"]
    cells = [{"cell_type": "code", "source": source} for source in sources]
    (tmp_path / "speed.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    assert score.expected_places(tmp_path) == [score.Place("speed.ipynb[2]", 2, "JIT401")]
