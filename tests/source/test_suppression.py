"""Suppression comments: grammar, and which rows they concern."""

import textwrap

import pytest

from jitlint.source.suppression import read


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


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends(end):
    suppressions = read(end.join(["a = 1", "if x:  # noqa", "    pass", ""]))
    assert suppressions.silences("JIT101", [2])
    assert not suppressions.silences("JIT101", [1, 3])


def test_code_that_does_not_tokenize_is_searched_line_by_line():
    suppressions = read("x = (  # noqa: JIT901\ny = '''\n")
    assert suppressions.silences("JIT901", [1])
    assert not suppressions.silences("JIT901", [2])
