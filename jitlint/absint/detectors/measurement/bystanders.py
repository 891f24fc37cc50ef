"""Calls of methods that are not known, but certainly call no jitted function of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.bound_by_calls import makers_of
from jitlint.absint.detectors.surroundings.written import root_name
from jitlint.absint.machine.signals import UnknownCalled
from jitlint.absint.values.domain import BoundMethod, External, Function, Partial, Transformed
from jitlint.jaxmodel import asynchrony
from jitlint.jaxmodel.memory import is_array_method

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def is_passive(node: cst.CSTNode) -> bool:
    """Whether a method is called that only waits, keeps or says something."""
    function = node.func if isinstance(node, cst.Call) else node
    return isinstance(function, cst.Attribute) and function.attr.value in asynchrony.PASSIVE_METHODS


def is_bystander(it: Interpreter, called: UnknownCalled) -> bool:
    """Whether nothing that is called here can lead back to a function of the project.

    That is so for the methods of arrays and containers, and for those of an object that a library
    has made: of a plot, a parser, a logger.
    """
    node = called.node
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    given = called.args.values()
    if any(isinstance(v, (Transformed, Function, BoundMethod, Partial)) for v in given):
        return False
    if is_passive(node) or is_array_method(node.func.attr.value):
        return True
    name = root_name(node.func)
    return name is not None and _is_made_by_library(it, name)


def _is_made_by_library(it: Interpreter, name: str) -> bool:
    """Whether a name is bound in its module by calls of libraries alone."""
    makers = it.frame.module.fact(makers_of, name)
    if not makers:
        return False
    return all(isinstance(it.look_up(maker), External) for maker in makers)
