"""Timers of a project: objects that read clocks, and the modules that measure with them.

``timer.start()`` reads the clock in a module that need not mention JAX, and at the top level of a
script nothing in such a statement does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit
from jitlint.tracing.imports import leads_in_circles
from jitlint.tracing.units import hands_on
from jitlint.tracing.watched import Qualify, clock_words, reads_clock

#: a text that imports what reads a clock
KNOWS_TIME: Final = re.compile(r"^\s*(?:from|import)\b.*\b(?:time|timeit|datetime)\b", re.MULTILINE)
#: how a name of the second module is written in the first one
Aliases = Callable[[ModuleIndex, ModuleIndex, str], Iterable[str]]


def timers(modules: Iterable[ModuleIndex], qualify: Qualify) -> list[Unit]:
    """The methods of some modules that read a clock, from one call of which to another time passes.

    A function that measures what it is given is looked at where something calls it.
    """
    return [
        unit
        for module in modules
        if module.fact(clock_words)
        for unit in module.units
        if unit.cls is not None and unit.is_function and reads_clock(unit, qualify)
    ]


def measuring(
    found: Iterable[Unit],
    importers: Callable[[ModuleIndex], Iterable[ModuleIndex]],
    aliases: Aliases,
) -> Iterator[Unit]:
    """The statements of modules of which one makes, or calls, a timer.

    What is measured, and who waits, stands anywhere behind it.

    Args:
      found: what reads a clock.
      importers: the modules that import another.
      aliases: how they call what they import.
    """
    names = dict.fromkeys(
        (unit.module, unit.cls.qualname) for unit in found if unit.cls is not None
    )
    waiting = [*names]
    seen = set()
    for module, name in waiting:
        for user in (module, *importers(module)):
            if not user.has_word(name) and not hands_on(user):
                continue
            called = [name] if user is module else [*aliases(user, module, name)]
            # A package hands on what its modules define.
            further = [
                (user, each) for each in called if user is not module and not leads_in_circles(each)
            ]
            waiting += [each for each in further if each not in names]
            names |= dict.fromkeys(further)
            if user not in seen and any(_is_called(user, each) for each in called):
                seen.add(user)
                yield from (u for u in user.units if not u.is_function and not u.is_import)


def _is_called(module: ModuleIndex, name: str) -> bool:
    """Whether a statement of a module's own calls something."""
    word = name.rpartition(".")[2]
    return any(
        not unit.is_function and unit.cls is None and word in unit.words_called
        for unit in module.units_with(word)
    )
