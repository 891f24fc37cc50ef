"""Code that measures: it reads a clock, or a context manager of the project does."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import walk_own
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.members import MANAGED
from jitlint.absint.values.domain import Class, External, Partial, Ref, base_function
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel.host_code import CLOCK_WORDS, CLOCKS

#: methods and functions that measure, or that compile on purpose
_MEASURES: Final = frozenset(
    """time perf_counter perf_counter_ns monotonic process_time now timeit repeat lower
    clear_cache clear_caches""".split()
)

#: names that say so anywhere in a module
MEASURING: Final = _MEASURES | {"block_until_ready"}


def measures(it: Interpreter, loop: cst.CSTNode) -> bool:
    """Whether something in a loop is measured, or compiled on purpose."""
    return any(
        (isinstance(inner, cst.Call) and _is_measuring(it, inner.func))
        or (
            isinstance(inner, cst.With) and any(_reads_clock(it, item.item) for item in inner.items)
        )
        for inner in walk_own(loop)
    )


def clock_named(it: Interpreter, name: str) -> str | None:
    """The clock that a name stands for, if any: ``from timeit import default_timer as timer``."""
    value = it.look_up(name)
    return value.name if isinstance(value, External) and value.name in CLOCKS else None


def _is_measuring(it: Interpreter, function: cst.BaseExpression) -> bool:
    if isinstance(function, cst.Name):
        return function.value in _MEASURES or clock_named(it, function.value) is not None
    return isinstance(function, cst.Attribute) and function.attr.value in _MEASURES


def _reads_clock(it: Interpreter, manager: cst.BaseExpression) -> bool:
    """Whether what manages a block reads a clock: a generator or an object of the project."""
    made = it.ev(manager.func if isinstance(manager, cst.Call) else manager)
    if isinstance(made, Partial) and made.function == MANAGED:
        made = made.args[0]
    function = base_function(made)
    if function is not None:
        return not CLOCK_WORDS.isdisjoint(function.code.unit.words_called)
    contents = it.contents(made) if isinstance(made, Ref) else None
    cls = made if isinstance(made, Class) else contents.cls if type(contents) is Instance else None
    return cls is not None and any(
        not CLOCK_WORDS.isdisjoint(unit.words_called)
        for owner in class_info(it, cls).mro
        for method in ("__enter__", "__exit__")
        for unit in owner.definition.methods.get(method, ())
    )
