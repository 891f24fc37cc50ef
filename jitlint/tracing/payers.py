"""Functions and methods that compile something in each call: whoever loops over them pays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from jitlint.imports.graph import ImportGraph
from jitlint.jaxmodel.transforms import EAGERLY_COMPILED
from jitlint.project.index import ModuleIndex
from jitlint.project.requests import answers_requests
from jitlint.project.units import LOOPS, Unit

#: what compiles by itself where it runs outside of jit
_FLOW: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(name.rpartition('.')[2] for name in EAGERLY_COMPILED))})\b"
)
_COMPILES: Final = re.compile(r"\b(?:jit|pmap|filter_jit|filter_pmap)\b")


def compiles_within(unit: Unit) -> bool:
    """Whether a function mentions what compiles in its body: not only in decorators of its own."""
    name = unit.name
    if not unit.is_function or (name.startswith("__") and name != "__call__"):
        return False
    return unit.fact(_body_compiles)


def _body_compiles(unit: Unit) -> bool:
    return _COMPILES.search(unit.code.partition("def ")[2]) is not None


def _decorators_compile(unit: Unit) -> bool:
    return _COMPILES.search(unit.code.partition("def ")[0]) is not None


def leading_to(method: Unit) -> list[Unit]:
    """The public methods that call a private one of their class: each call of theirs compiles."""
    cls, called = method.cls, f"self.{method.name}"
    if cls is None or not method.name.startswith("_"):
        return []
    methods = (unit for units in cls.methods.values() for unit in units)
    return [each for each in methods if called in each.mentions and not each.name.startswith("_")]


def loops_by_name(
    graph: ImportGraph, method: Unit, modules: Iterable[ModuleIndex]
) -> Iterator[Unit]:
    """What loops or answers requests, and asks some object for a method that may well be this one.

    Args:
      graph: who can lead to whom.
      method: the method.
      modules: the modules to look at: those that can lead to the method.  If they can to no other
        class that has such a method, all of them count, otherwise those that know the class.
    """
    assert method.cls is not None
    name, cls = method.name, method.cls
    if name.startswith("__"):
        return
    modules = [module for module in modules if module.has_word(name)]
    #: the modules of other classes with such a method
    others = 0
    for module in modules:
        if any(name in each.methods for each in module.classes.values() if each is not cls):
            others |= graph.bit(module.path)
    for module in modules:
        below = graph.below(module.path)
        if not graph.has(below, method.module.path):
            continue
        if not below & others or module.has_word(cls.name):
            for unit in module.units_with(name):
                if name in unit.words_after_dots and (unit.finds(LOOPS) or answers_requests(unit)):
                    yield unit


def loops_over_helpers(
    graph: ImportGraph, modules: Iterable[ModuleIndex], units: Iterable[Unit]
) -> list[Unit]:
    """What loops over a function that does no more than call one that compiles in each call.

    So does one that makes an object of a class with compiled methods.

    Args:
      graph: who can lead to whom.
      modules: the modules to look at.
      units: what is selected so far, such helpers included.
    """
    units = [unit for unit in units if unit.is_function]
    functions = [unit for unit in units if unit.cls is None]
    paying = {unit.name for unit in functions if compiles_within(unit) or unit.finds(_FLOW)}
    # Each object that a method is compiled for may need a program of its own.
    paying |= {unit.cls.name for unit in units if unit.cls is not None and _is_compiled(unit)}
    helpers = [
        unit
        for unit in functions
        if unit.name not in paying
        and not paying.isdisjoint(name.rpartition(".")[2] for name in unit.calls)
        and not unit.finds(LOOPS)
    ]
    found: dict[int, Unit] = {}
    for module in modules:
        below = graph.below(module.path)
        for helper in helpers:
            if not module.has_word(helper.name) or not graph.has(below, helper.module.path):
                continue
            for unit in module.units_with(helper.name):
                if unit is not helper and unit.finds(LOOPS) and _calls(unit, helper):
                    found[id(unit)] = unit
    return [*found.values()]


def _is_compiled(unit: Unit) -> bool:
    """Whether the decorators of a function mention what compiles."""
    return unit.decorated and unit.fact(_decorators_compile)


def _calls(unit: Unit, function: Unit) -> bool:
    """Whether a unit calls a function of a module by its name, or by that of what it imports."""
    name, module = function.name, unit.module
    for called in unit.calls:
        root, _, last = called.rpartition(".")
        if last != name:
            continue
        if module is function.module and not root:
            return True
        head = called.partition(".")[0]
        if any(binding.target is not None for binding in module.bound(head)):
            return True
    return False
