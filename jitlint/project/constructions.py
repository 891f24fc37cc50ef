"""Calls of a class by its name, and what they pass for a parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from jitlint.project.index import ModuleIndex
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


class Construction(NamedTuple):
    """A call that may make an object of a class: its dotted name there says which one."""

    module: ModuleIndex
    called: str
    node: ast.Call

    def passed(self, name: str, index: int | None) -> Passed:
        """What it passes for a parameter.

        Args:
          name: of the parameter.
          index: its position among the arguments, None if it is passed by name alone.
        """
        args, keywords = self.node.args, self.node.keywords
        if any(isinstance(arg, ast.Starred) for arg in args):
            return Passed(False)
        given = {keyword.arg: keyword.value for keyword in keywords}
        if None in given:
            return Passed(False)
        value = given.get(name)
        if value is None and index is not None and index < len(args):
            value = args[index]
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
        args, keywords = self.node.args, self.node.keywords
        if any(isinstance(arg, ast.Starred) for arg in args):
            return True
        if any(keyword.arg in (None, name) for keyword in keywords):
            return True
        return index is not None and index < len(args)


def constructions(module: ModuleIndex, name: str) -> Iterator[Construction]:
    """The calls in a module of something whose last name is that of a class."""
    for unit in module.units_with(name):
        for node in walk(unit.node):
            called = dotted(node.func) if isinstance(node, ast.Call) else None
            if called is not None and called.rpartition(".")[2] == name:
                assert isinstance(node, ast.Call)
                yield Construction(module, called, node)
