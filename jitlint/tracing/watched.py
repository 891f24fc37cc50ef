"""Host code that is looked at for its own sake, next to JAX: it reads a clock, say."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator

from jitlint.jaxmodel.host_code import CLOCK_WORDS, CLOCKS, MEASURED, WATCHED, WATCHED_WORDS
from jitlint.jaxmodel.random import DRAWING, SAMPLER_WORDS
from jitlint.jaxmodel.wide_dtypes import BY_NAME, DTYPE_WORDS
from jitlint.project.index import ModuleIndex
from jitlint.project.units import LOOPS, Unit
from jitlint.tracing.units import local_imports

#: the qualified name of a dotted one, in a module where some names are imported by a function
Qualify = Callable[[ModuleIndex, str, dict[str, str]], str | None]


def watched(
    module: ModuleIndex, qualify: Qualify, known: Collection[int]
) -> Iterator[tuple[Unit, bool]]:
    """Yield what is looked at of a module besides what is selected.

    Args:
      module: the module.
      qualify: tells qualified names.
      known: the identities of what is selected, those yielded before among them.

    Yields:
      Units, and whether those that use them are looked at too.
    """
    words = module.fact(_watched_words)
    for word in sorted(words | _renamed(module, words)):
        for unit in module.units_with(word):
            if id(unit) in known or unit.is_import:
                continue
            local = local_imports(unit)
            names = (name for name in unit.mentions if name.rpartition(".")[2] == word)
            found = {qualify(module, name, local) for name in names}
            if found & WATCHED:
                yield unit, True
                if found & CLOCKS and not unit.is_function:
                    # Who waits stands somewhere behind it: all that the module itself runs.
                    for other in module.units:
                        if not other.is_function and not other.is_import:
                            yield other, False
    if module.has_word("nullcontext"):
        for unit in module.units_with("nullcontext"):
            if unit.finds(re.escape(MEASURED)) and id(unit) not in known:
                yield unit, True
    for word in sorted(module.fact(_dtype_words)):
        for unit in module.units_with(word):
            if id(unit) not in known and _names_dtype(unit, word, qualify):
                yield unit, True
    for word in sorted(module.fact(_sampler_words)):
        for unit in module.units_with(word):
            if id(unit) not in known and _draws_again(unit, word, qualify):
                yield unit, False
        for unit in _drawing_alike(module, word):
            if id(unit) not in known:
                yield unit, False


def reads_clock(unit: Unit, qualify: Qualify) -> bool:
    """Whether a unit reads a clock: it may measure what those dispatch who call it."""
    module = unit.module
    words = module.fact(clock_words)
    if not words:
        return False
    words |= _renamed(module, words)
    names = [name for name in unit.mentions if name.rpartition(".")[2] in words]
    local = local_imports(unit) if names else {}
    return any(qualify(module, name, local) in CLOCKS for name in names)


def _renamed(module: ModuleIndex, words: frozenset[str]) -> frozenset[str]:
    """What a module calls things of those names that it imports under others."""
    return frozenset(
        name
        for name, bindings in (module.bindings.items() if words else ())
        for binding in bindings
        if binding.target is not None and binding.target.name in words and name not in words
    )


def _names_dtype(unit: Unit, word: str, qualify: Qualify) -> bool:
    """Whether a unit names a dtype of 64 bits next to JAX, or keeps it under a name."""
    local = local_imports(unit)
    qualified = {name: qualify(unit.module, name, local) for name in unit.mentions}
    if not unit.finds(rf"""["'][<=]?{word}["']""") and not any(
        name in BY_NAME for name in qualified.values()
    ):
        return False
    if unit.fact(_is_assignment):
        return True
    return any(name is not None and name.startswith("jax.") for name in qualified.values())


def _draws_again(unit: Unit, word: str, qualify: Qualify) -> bool:
    """Whether a function may call a sampler of JAX twice: in two places, or in a loop."""
    if not unit.is_function:
        return False
    called = [name for name in unit.calls if name.rpartition(".")[2] == word]
    if not called or (len(called) < 2 and not unit.finds(LOOPS)):
        return False
    local = local_imports(unit)
    return any(qualify(unit.module, name, local) in DRAWING for name in {*called})


def _drawing_alike(module: ModuleIndex, word: str) -> Iterator[Unit]:
    """The statements of a script that bind what the same call of a sampler gives."""
    found: dict[str, list[Unit]] = {}
    for unit in module.units_with(word):
        if not unit.is_function and unit.cls is None and unit.fact(_is_assignment):
            found.setdefault(unit.text.partition("=")[2].strip(), []).append(unit)
    for units in found.values():
        yield from units if len(units) > 1 else ()


def _is_assignment(unit: Unit) -> bool:
    return isinstance(unit.node, (ast.Assign, ast.AnnAssign))


def clock_words(module: ModuleIndex) -> frozenset[str]:
    """The words of clocks that occur in a module."""
    return CLOCK_WORDS & module.words


def _watched_words(module: ModuleIndex) -> frozenset[str]:
    return WATCHED_WORDS & module.words


def _sampler_words(module: ModuleIndex) -> frozenset[str]:
    return SAMPLER_WORDS & module.words if "random" in module.words else frozenset()


def _dtype_words(module: ModuleIndex) -> frozenset[str]:
    return DTYPE_WORDS & module.words
