"""What a program does once: its code starts a trace in one place, which no loop repeats."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.detectors.surroundings.paths import repeats
from jitlint.absint.detectors.surroundings.traces import traces
from jitlint.absint.machine.frames import Frame, Trace
from jitlint.absint.values.domain import External

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex

_LOOPS: Final = re.compile(r"\b(?:for|while)\b")


def runs_once(it: Interpreter, trace: Trace) -> bool:
    """Whether the code of a script starts a trace once, so that what happens in it happens once.

    Each of the calls that lead there is the only one of its name, and the first stands in code of
    the module.  Other modules may import that, and run it once, too.

    Args:
      it: the interpreter.
      trace: one of those that run.
    """
    if any(each.loops for each in traces(it)):
        return False
    node = trace.node
    frame = next((each for each in it.active_frames() if each.env == trace.env), None)
    while frame is not None:
        if any(map(repeats, frame.enclosing_loops)) or not _is_only_call(it, frame, node):
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


def _called_from(frame: Frame) -> cst.CSTNode | None:
    """The call in other code that has led to a frame; None where that is not known."""
    caller = frame.parent
    # What starts a trace has a step more than that call.
    steps = [] if frame.chain is None else frame.chain.steps()[-2:]
    others = [step.place for step in steps if step.place.parsed is not frame.parsed]
    if caller is None or not others or others[-1].parsed is not caller.parsed:
        return None
    return others[-1].node


def _is_only_call(it: Interpreter, frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a call is the only one of what it calls in its module.

    What nobody calls was traced where it was made, by a use of a transform.
    """
    if not isinstance(node, cst.Call):
        return False
    if isinstance(node.func, cst.Call):
        # `jax.jit(train)(key)`
        return True
    if not isinstance(node.func, cst.Name) or isinstance(it.look_up(node.func.value), External):
        return False
    return _calls(frame.module, node.func.value) == 1


def _is_called_once(code: Code) -> bool:
    """Whether a statement of a module calls a function of it, once, and nothing else does."""
    unit = code.unit
    if code.qualname != code.name or unit.cls is not None or _calls(code.module, code.name) != 1:
        return False
    users = [each for each in code.module.units_with(code.name) if each is not unit]
    return len(users) == 1 and not (users[0].is_function or users[0].finds(_LOOPS))


def _calls(module: ModuleIndex, name: str) -> int:
    """How many calls of a name there are in a module."""
    return sum(
        called.partition(".")[0] == name
        for unit in module.units_with(name)
        for called in unit.calls
    )
