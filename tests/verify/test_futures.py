"""Parts of a user's modules are compiled as those modules say, not as jitlint's own are."""

from __future__ import annotations

import ast
from types import ModuleType

from jitlint.verify.driving.drivers import doctests, main_block
from jitlint.verify.driving.futures import code_in

_MODULE = """\
def documented():
    \'\'\'
    >>> def inner(x: int): ...
    >>> assert inner.__annotations__["x"] is int
    \'\'\'

if __name__ == "__main__":
    def inner(x: int): ...
    assert inner.__annotations__["x"] is int
"""


def _module(text: str) -> ModuleType:
    module = ModuleType("subject")
    exec(compile(text, "<subject>", "exec", dont_inherit=True), vars(module))
    return module


def test_annotations_are_what_the_module_makes_of_them() -> None:
    part = "def added(x: int): ..."
    for text, expected in (("", int), ("from __future__ import annotations", "int")):
        module = _module(text)
        for source in (part, ast.parse(part)):
            exec(code_in(module, source, "<part>"), vars(module))
            assert module.added.__annotations__["x"] == expected


def test_doctests_and_main_blocks_have_types() -> None:
    module = _module(_MODULE)
    drivers = [*doctests(module), *main_block(ast.parse(_MODULE), module, "<subject>")]
    assert len(drivers) == 2
    for driver in drivers:
        driver.call(0)
