"""What a program does once: its code starts a trace in one place, which no loop repeats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.syntax import walk
from jitlint.absint.detectors.surroundings.paths import repeating_loops
from jitlint.absint.detectors.surroundings.written import root_name
from jitlint.absint.machine.frames import Frame, Trace
from jitlint.absint.values.domain import External
from jitlint.jaxmodel.host_code import RUN_AGAIN
from jitlint.project.units import LOOPS

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import Unit


def runs_once(it: Interpreter, trace: Trace) -> bool:
    """Whether the code of a script starts a trace once, so that what happens in it happens once.

    Each of the calls that lead there is the only one of its name, and the first stands in code of
    the module.  Other modules may import that, and run it once, too.

    Args:
      it: the interpreter.
      trace: one of those that run.
    """
    if any(each.loops for each in it.traces()):
        return False
    node = trace.node
    frame = next((each for each in it.active_frames() if each.env == trace.env), None)
    while frame is not None:
        if repeating_loops(frame) or not _is_only_call(it, frame, node):
            return False
        if frame.code is None:
            return True
        if frame.is_root:
            return _is_called_once(frame.code)
        called = _called_from(frame)
        if called is None:
            return False
        frame, node = frame.parent, called
    return False


def runs_once_for_itself(it: Interpreter, trace: Trace, *, of_script: bool = False) -> bool:
    """Whether, besides, nobody else could call what is traced: a function keeps it to itself.

    ``train = jax.jit(make_train(config))`` and ``train(key)`` in the ``main`` of a script.

    Args:
      it: the interpreter.
      trace: one of those that run.
      of_script: whether that will do as well which a script calls by a name of its own, if no other
        module of the project says that.
    """
    frame = next((each for each in it.active_frames() if each.env == trace.env), None)
    called = trace.node.func if isinstance(trace.node, cst.Call) else None
    if frame is None or called is None:
        return False
    if isinstance(called, cst.Call):
        # `jax.jit(train)(key)`
        root = root_name(called.func)
        own = root is not None and isinstance(it.look_up(root), External)
    else:
        name = called.value if isinstance(called, cst.Name) else None
        own = frame.code is not None and (
            name in frame.code.bound_names or (of_script and _is_of_script(it, frame.code, name))
        )
    return own and runs_once(it, trace)


def _is_of_script(it: Interpreter, code: Code, name: str | None) -> bool:
    """Whether a name is that of a script, which nobody imports it from."""
    if name is None or not it.project.bindings(code.module, name) or not _is_called_once(code):
        return False
    return all(module is code.module for module in it.modules_with(name))


def _called_from(frame: Frame) -> cst.CSTNode | None:
    """The call in other code that has led to a frame; None where that is not known."""
    caller = frame.parent
    # What starts a trace has a step more than that call.
    steps = [] if frame.chain is None else frame.chain.steps()[-2:]
    if caller is None or caller.parsed is frame.parsed:
        return None
    places = (step.place for step in reversed(steps))
    return next((place.node for place in places if place.parsed is caller.parsed), None)


def _is_only_call(it: Interpreter, frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a run makes no other call of what a call in a module calls.

    What nobody calls was traced where it was made, by a use of a transform.
    """
    if not isinstance(node, cst.Call):
        return False
    if isinstance(node.func, cst.Call):
        # `jax.jit(train)(key)`
        return True
    if not isinstance(node.func, cst.Name) or isinstance(it.look_up(node.func.value), External):
        return False
    name = node.func.value
    here = [
        inner
        for inner in walk(frame.parsed.statement)
        if isinstance(inner, cst.Call)
        and isinstance(inner.func, cst.Name)
        and inner.func.value == name
    ]
    unit = frame.parsed.unit
    units = (each for each in frame.module.units_with(name) if each is not unit)
    others = (each for each in units if not each.finds(RUN_AGAIN))
    return all(other is node or _excludes(frame, node, other) for other in here) and all(
        unit.runs_without(other) for other in others if _calls_in(other, name)
    )


def _excludes(frame: Frame, one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Whether two places stand in different branches of an ``if``."""
    branches = {id(outer): below for outer, below in _branches(frame, one)}
    return any(
        id(outer) in branches and branches[id(outer)] is not below
        for outer, below in _branches(frame, other)
    )


def _branches(frame: Frame, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """The ``if``s that a place stands in, each with the branch."""
    above = [node, *frame.parsed.above(node)]
    for below, outer in pairwise(above):
        if isinstance(outer, cst.If) and below is not outer.test:
            yield outer, below


def _is_called_once(code: Code) -> bool:
    """Whether a statement of a module calls a function of it, once, and nothing else does."""
    unit = code.unit
    if code.qualname != code.name or unit.cls is not None or _calls(code.module, code.name) != 1:
        return False
    users = [each for each in code.module.units_with(code.name) if each is not unit]
    return len(users) == 1 and not (users[0].is_function or users[0].finds(LOOPS))


def _calls(module: ModuleIndex, name: str) -> int:
    """How many calls of a name there are in a module."""
    return sum(_calls_in(unit, name) for unit in module.units_with(name))


def _calls_in(unit: Unit, name: str) -> int:
    return sum(called.partition(".")[0] == name for called in unit.calls)
