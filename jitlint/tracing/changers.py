"""Functions that change what others may have compiled, and call them: ``cfg.rate *= 0.5``.

What is compiled keeps what it has read, so that it matters who changes that between calls.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from jitlint.imports.graph import ImportGraph
from jitlint.imports.test_files import is_test_file
from jitlint.project.index import ModuleIndex
from jitlint.project.stores import rebound_names, stored_attributes, stored_items
from jitlint.project.units import Unit
from jitlint.tracing.units import last_word


def changers(
    graph: ImportGraph,
    modules: Sequence[ModuleIndex],
    selected: Iterable[Unit],
    classes: Collection[int],
) -> Iterator[Unit]:
    """Yield the functions besides those selected that change what these may read.

    A method that changes its object step by step need not call what is compiled.

    Args:
      graph: who can lead to whom: what a function changes and calls is what its file leads to.
      modules: where they may be.
      selected: the units that are selected otherwise.
      classes: the identities of the classes of which something is selected.
    """
    units = {id(unit): unit for unit in selected}
    functions = [unit for unit in units.values() if unit.is_function]
    #: by word, the files with selected functions of that name, and with such as hold it
    named: dict[str, int] = {}
    holding: dict[str, int] = {}
    for unit in functions:
        bit = graph.bit(unit.module.path)
        if not unit.name.startswith("__"):
            named[unit.name] = named.get(unit.name, 0) | bit
        for word in unit.words:
            holding[word] = holding.get(word, 0) | bit
    if not named:
        return
    for module in modules:
        if is_test_file(module.path):
            # What tests change they mean to.
            continue
        called = _Within(named, graph.below(module.path))
        read = _Within(holding, graph.below(module.path))
        changed = {*module.attribute_stores, *module.rebound}
        changed |= {last_word(owner) for owner, _ in module.key_stores}
        if not read.any_of(changed) and not any(
            id(cls) in classes for cls in module.classes.values()
        ):
            continue
        stored = module.fact(_stored)
        for unit in module.units:
            if not unit.is_function or id(unit) in units or unit.name.startswith("__"):
                continue
            stepped = id(unit.cls) in classes and unit.stepped
            if (stepped and read.any_of(stepped)) or (
                read.any_of(changed & stored.get((unit.title, unit.number), frozenset()))
                and _leads_to(unit, called)
            ):
                yield unit


class _Within:
    """The words that some files have to do with.

    Args:
      files: by word, all files that have to do with it.
      some: the files.
    """

    def __init__(self, files: Mapping[str, int], some: int) -> None:
        self._files = files
        self._some = some

    def any_of(self, words: Iterable[str]) -> bool:
        """Whether one of some words is among them."""
        return any(self._files.get(word, 0) & self._some for word in words)


def _leads_to(unit: Unit, called: _Within) -> bool:
    """Whether a function calls one of these names, or by way of others of its module or class."""
    seen, left = {id(unit)}, [unit]
    while left:
        words = left.pop().words_called
        if called.any_of(words):
            return True
        for callee in _named(unit, words):
            if callee.is_function and id(callee) not in seen:
                seen.add(id(callee))
                left.append(callee)
    return False


def _named(unit: Unit, names: Iterable[str]) -> Iterator[Unit]:
    """The functions of a unit's module and the methods of its class that have these names."""
    methods = {} if unit.cls is None else unit.cls.methods
    for name in names:
        yield from (binding.unit for binding in unit.module.bound(name))
        yield from methods.get(name, ())


def _stored(module: ModuleIndex) -> dict[tuple[str, int], frozenset[str]]:
    """What the functions of a module change of what is not their own, each by its name and number.

    Globals, attributes and items.
    """
    found = {}
    for unit in module.units:
        if unit.is_function:
            names = {*stored_attributes(unit.code), *rebound_names(unit.code)}
            for owner, _ in stored_items(unit.code):
                if module.binds(owner.partition(".")[0]):
                    names.add(last_word(owner))
            if names:
                found[unit.title, unit.number] = frozenset(names)
    return found
