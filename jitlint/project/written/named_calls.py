"""Calls of something by its last name, a class or a function, and what they pass to it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit
from jitlint.project.walks import dotted, walk

#: what is written so is no array, whatever is in it
_PLAIN: Final = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.JoinedStr)


class Passed(NamedTuple):
    """What a call passes for a parameter.

    Args:
      plain: whether it passes nothing for it, a number, a text or a display.
      called: the function that it calls for that, by its dotted name in the module.
    """

    plain: bool
    called: str | None = None


class NamedCall(NamedTuple):
    """A call by a name: its dotted name there says of what."""

    module: ModuleIndex
    called: str
    node: ast.Call

    def passed(self, name: str, index: int | None) -> Passed:
        """What it passes for a parameter.

        Args:
          name: of the parameter.
          index: its position among the arguments, None if it is passed by name alone.
        """
        if self._is_open:
            return Passed(False)
        value = self._value(name, index)
        while isinstance(value, ast.UnaryOp):
            value = value.operand
        if isinstance(value, ast.Call):
            return Passed(False, dotted(value.func))
        return Passed(value is None or isinstance(value, _PLAIN))

    def passes(self, name: str, index: int | None) -> bool:
        """Whether it passes anything for a parameter, as far as is written.

        Args:
          name: of the parameter.
          index: its position among the arguments, None if it is passed by name alone.
        """
        return self._is_open or self._value(name, index) is not None

    @property
    def _is_open(self) -> bool:
        """Whether it passes more than is written: ``f(*args, **options)``."""
        starred = any(isinstance(arg, ast.Starred) for arg in self.node.args)
        return starred or any(keyword.arg is None for keyword in self.node.keywords)

    def _value(self, name: str, index: int | None) -> ast.expr | None:
        """What is written for a parameter, None if nothing is."""
        for keyword in self.node.keywords:
            if keyword.arg == name:
                return keyword.value
        args = self.node.args
        return args[index] if index is not None and index < len(args) else None


def calls_by_name(module: ModuleIndex, name: str) -> Iterator[NamedCall]:
    """The calls in a module of something that has a last name."""
    for unit in module.units_with(name):
        yield from calls_in(unit, name)


def calls_in(unit: Unit, name: str) -> Iterator[NamedCall]:
    """The calls in a unit of something that has a last name."""
    for node in walk(unit.node):
        called = dotted(node.func) if isinstance(node, ast.Call) else None
        if called is not None and called.rpartition(".")[2] == name:
            assert isinstance(node, ast.Call)
            yield NamedCall(unit.module, called, node)
