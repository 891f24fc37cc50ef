"""Which tests of a function decide twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.absint.code.conditions import deciding_tests
from jitlint.absint.code.functions import CodeStore
from jitlint.project.project import Project

LATER = """
def f(x, options, mode):
    if {test}:
        {first}
    {between}
    return x if {test} else -x
"""


def repeated(text: str) -> frozenset[str]:
    """The tests that the one function of a module repeats."""
    path = Path("module.py")
    module = Project(Path(), [path], lambda _: text).module_at(path)
    assert module is not None
    store = CodeStore()
    (unit,) = [unit for unit in module.units if unit.is_function]
    code = store.load(store.of_unit(unit))
    assert code is not None
    return deciding_tests(code)[0]


@pytest.mark.parametrize("test", ["mode", "mode is None", "'a' in options", "mode == 'train'"])
def test_what_is_asked_twice_is_kept_apart(test: str) -> None:
    assert len(repeated(LATER.format(test=test, first="x = 2 * x", between="pass"))) == 1


@pytest.mark.parametrize(
    "change",
    [
        "options['a'] = 1",
        "options['a'] += 1",
        "del options['b']",
        "options.setdefault('a', 1)",
        "options.update(a=1)",
        "options.pop('a')",
    ],
)
@pytest.mark.parametrize("test", ["'a' in options", "'a' not in options", "options"])
@pytest.mark.parametrize("place", ["first", "between"])
def test_what_a_container_holds_is_not_once_the_function_changes_it(
    test: str, change: str, place: str
) -> None:
    text = LATER.format(**{"test": test, "first": "pass", "between": "pass", place: change})
    assert not repeated(text)
    # Of another container that says nothing; nor does it of what is no matter of contents.
    assert repeated(text.replace("options[", "others[").replace("options.", "others."))
    asked = LATER.format(
        **{"test": "options is None", "first": "pass", "between": "pass", place: change}
    )
    assert repeated(asked)
