"""Entry points whose own source is part of the project: of a framework that is developed, say.

What they trace and give is what the tables say; what goes wrong in their own code, with what the
calls in the project hand them, its source tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import libcst as cst
from msgspec.structs import replace

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import OutOfBudget, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import verb
from jitlint.absint.modules.names import binding_value
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    ExternalInstance,
    Partial,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.traversal import rebuilt

#: gives what it is first given: what stands for a function of which the result is known
_KEEP: Final = External("jitlint.keep")
#: kinds of values that are handed on; functions are not: the tables say how they are run
_DATA = (Array, Const, ExternalInstance, Ref, Static, Tree)


@verb("run source")
def run_source(
    it: Interpreter, name: str, calls: Sequence[tuple[str, Arguments]], node: cst.CSTNode
) -> None:
    """Run the project's own source of an entry point, and forget all but what goes wrong in it.

    Args:
      it: the interpreter.
      name: the entry point's.
      calls: the methods that are called one after the other, each of what the one before gave, with
        their arguments; the empty name for that itself.
      node: the call in the program.
    """
    # None is entered from within another.
    if not it.frame.context.staging or it.is_speculating or it.finishing:
        return
    root, dot, last = name.rpartition(".")
    if not dot or root.startswith("jax") or it.in_source:
        return
    times = it.contexts.get(("source", name), 0)
    if times == it.limits.source_runs:
        return
    value = _definition(it, root, last)
    if value == UNKNOWN:
        return
    it.contexts["source", name] = times + 1
    it.in_source = True
    try:
        with suppress(Terminated, OutOfBudget), it.beside(()):
            for attribute, args in calls:
                called = it.attribute(value, attribute, node) if attribute else value
                made = it.call(called, _data_of(args), node)
                # A method that gives nothing changes what it belongs to.
                value = value if attribute and made == NONE else made
    finally:
        it.in_source = False


def _definition(it: Interpreter, root: str, name: str) -> Value:
    """What the source of the project binds a name to, whatever the tables know under it."""
    module = it.project.find_module(root, it.frame.module)
    visited = set()
    while module is not None and (module, name) not in visited:
        visited.add((module, name))
        bindings = it.project.bindings(module, name)
        if not bindings:
            break
        # What stands last is in force: overloads come first.
        target = bindings[-1].target
        if target is None:
            return binding_value(it, bindings[-1], name)
        if target.name is None:
            break
        module, name = it.project.find_module(target.module, module), target.name
    return UNKNOWN


def _data_of(args: Arguments) -> Arguments:
    """Arguments without the functions among them."""
    return replace(
        args,
        positional=[_data(value) for value in args.positional],
        keywords={name: _data(value) for name, value in args.keywords.items()},
    )


def _data(value: Value) -> Value:
    if isinstance(value, Partial) and value.function == _KEEP:
        return value
    if isinstance(value, Tuple):
        return rebuilt(value, _data)
    return value if isinstance(value, _DATA) else UNKNOWN
