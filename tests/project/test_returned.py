"""Which containers functions make and return, as their trees tell."""

from __future__ import annotations

import ast
import textwrap

import pytest

from jitlint.project.returned import returned_by


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return {}", "dict"),
        ("return [x for x in range(3)]", "list"),
        ("made = {}\nmade['a'] = 1\nreturn made", "dict"),
        ("made: dict = dict(a=1)\nreturn made, 2, []", ("dict", None, "list")),
        ("if flag:\n    return {}, 1\nreturn {}, []", ("dict", None)),
        ("if flag:\n    return {}\nreturn []", None),
        ("if flag:\n    return {}, 1\nreturn {}", None),
        ("made = {}\nif flag:\n    made = load()\nreturn made", None),
        ("made = {}\nfor made in flag:\n    pass\nreturn made", None),
        ("made = {}\nwith flag as made:\n    return made", None),
        # The context may swallow an exception, and the function then gives None.
        ("with flag:\n    return {}", None),
        ("made = {}\ndef inner():\n    nonlocal made\n    made = None\nreturn made", None),
        ("made = {}\ntry:\n    pass\nexcept KeyError as made:\n    pass\nreturn made", None),
        ("made = {}\nmatch flag:\n    case [made]:\n        pass\nreturn made", None),
        ("made = {}\nimport made\nreturn made", None),
        ("made = {}\ndef made():\n    pass\nreturn made", None),
        ("if flag:\n    return {}", None),
        ("return flag", None),
        ("flag = {}\nreturn flag", None),
        ("def inner():\n    return {}\nreturn inner", None),
        ("global made\nmade = {}\nreturn made", None),
        ("made = {}\nyield made\nreturn made", None),
        ("return (*flag, {})", None),
    ],
)
def test_what_is_returned(body: str, expected: object) -> None:
    source = "def make(flag):\n" + textwrap.indent(body, "    ")
    assert returned_by(ast.parse(source).body[0]) == expected
