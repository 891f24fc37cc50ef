"""Suppression comments: grammar, and which rows they concern."""

import textwrap

import pytest

from jitlint.source.suppression import Kind, logical_end, may_name_rules, read


@pytest.mark.parametrize(
    ("comment", "silenced", "kept"),
    [
        ("# noqa", {"JIT101", "JIT205"}, set()),
        ("#noqa", {"JIT101"}, set()),
        ("# NOQA: jit101", {"JIT101"}, {"JIT102"}),
        ("# noqa: JIT101, JIT2", {"JIT101", "JIT205"}, {"JIT102"}),
        ("# noqa:JIT101 JIT2 because of this", {"JIT101", "JIT205"}, {"JIT102"}),
        ("# noqa: E501", set(), {"JIT101"}),
        ("# noqa: E501,JIT1", {"JIT101"}, {"JIT205"}),
        ("# noqa because it is wanted", {"JIT101"}, set()),
        ("# noqab", set(), {"JIT101"}),
        ("# type: ignore  # noqa: JIT1", {"JIT101"}, {"JIT205"}),
        ("# jitlint: ignore[JIT101] the bound is static here", {"JIT101"}, {"JIT102"}),
        ("# jitlint: ignore[JIT2, JIT101]", {"JIT101", "JIT205"}, {"JIT102"}),
        ("# jitlint: ignore[]", set(), {"JIT101"}),
        ("# jitlint: ignore", set(), {"JIT101"}),
        ("# jitlint: ignore-file", {"JIT101", "JIT205"}, set()),
    ],
)
def test_grammar(comment, silenced, kept):
    suppressions = read(f"if x:  {comment}\n    pass\n")
    assert {code for code in silenced | kept if suppressions.silences(code, [1])} == silenced


@pytest.mark.parametrize(
    ("row", "silenced"),
    [
        ("# flake8: noqa", {"JIT101", "JIT205"}),
        ("    # FLAKE8=NOQA  ", {"JIT101", "JIT205"}),
        ("# flake8: noqa: JIT101, E501", {"JIT101"}),
        ("# flake8: noqa:JIT2", {"JIT205"}),
        # As flake8 has it, neither of these is about the file.
        ("x = 1  # flake8: noqa", set()),
        ("# flake8: noqa because", set()),
        ("# see # flake8: noqa", set()),
    ],
)
def test_a_whole_file_for_flake8(row, silenced):
    suppressions = read(f"def f(x):\n    return x\n{row}\n")
    found = {code for code in ("JIT101", "JIT205") if suppressions.silences(code, [1])}
    assert found == silenced


def test_any_line_of_a_header_counts_and_the_body_does_not():
    text = textwrap.dedent(
        """\
        if (
            x > 0
            and y  # noqa: JIT101
        ):
            z = 1
        """
    )
    suppressions = read(text)
    assert [row for row in range(1, 6) if suppressions.silences("JIT101", [row])] == [1, 2, 3, 4]


def test_decorators_and_strings():
    text = '@jit  # noqa\ndef f(x):\n    """# noqa"""\n    return int(x)\n'
    suppressions = read(text)
    assert [row for row in range(1, 5) if suppressions.silences("JIT105", [row])] == [1]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end):
    suppressions = read(end.join(["a = 1", "if x:  # noqa", "    pass", ""]))
    assert suppressions.silences("JIT101", [2])
    assert not suppressions.silences("JIT101", [1, 3])


def test_code_that_does_not_tokenize_is_searched_line_by_line():
    suppressions = read("x = (  # noqa: JIT901\ny = '''\n")
    assert suppressions.silences("JIT901", [1])
    assert not suppressions.silences("JIT901", [2])


def test_where_comments_stand():
    text = "x = 1  # why # noqa: E501, JIT1 so\ny = 'é'; z = 1  # jitlint: ignore[JIT2] as\n"
    noqa, ignore = read(text).comments
    assert (noqa.kind, noqa.row, noqa.text) == (Kind.NOQA, 1, "# noqa: E501, JIT1")
    assert text.split("\n")[0][noqa.column - 1 : noqa.codes_end - 1] == "# noqa: E501, JIT1"
    assert (ignore.kind, ignore.row, ignore.column) == (Kind.IGNORE, 2, 17)
    assert ignore.text == "# jitlint: ignore[JIT2]"


def test_words_that_jitlint_does_not_know():
    (comment,) = read("x = 1  # jitlint: disable=JIT101\n").comments
    assert (comment.kind, comment.text) == (Kind.UNKNOWN, "# jitlint: disable=JIT101")
    assert not comment.covers("JIT101")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# noqa: JIT101", True),
        ("# NoQA : E501, jit2", True),
        ("# jitlint: anything", True),
        ("# noqa", False),
        ("# noqa: E501", False),
        ("# noqa: E501\n# JIT101", False),
    ],
)
def test_which_texts_may_name_rules(text, expected):
    assert may_name_rules(text) is expected


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("x = 1\ny = 2\n", 1, 1),
        ("if (\n    x\n):  # why\n    # a comment\n    y\n", 1, 3),
        ("a\nif x:\n    y = f(\n        1)\nz\n", 3, 4),
        ('x = """\n\n"""\n', 1, 3),
        ("x = 1 + \\\n  2", 1, 2),
        ("x = (\n", 1, 1),
    ],
)
def test_where_a_logical_line_ends(text, start, end):
    assert logical_end(text.splitlines(keepends=True), start) == end
