"""What an unknown callee may do: run the functions that it is given, fill what it can reach.

In traced code the functions run traced, if they run.
"""

from __future__ import annotations

import re
from typing import Final

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import UNKNOWN, Function, Partial, Ref
from jitlint.absint.values.heap import DictObject, Instance, ListObject

#: in the name of what runs a function elsewhere, later or on real arrays
_ELSEWHERE: Final = re.compile(
    r"callback|call_?later|debug|defer|eager|exit|handler|hook|host|listen|log|mock|on_|print|regist"
    r"|schedul|signal|spawn|submit|thread|timeit|timer|worker",
    re.IGNORECASE,
)


def run_handed(it: Interpreter, args: Arguments, node: cst.CSTNode) -> None:
    """Run the functions among the arguments of an unknown callee, on arguments not known either.

    What they take from around them and what JAX makes in them is traced all the same.  What they
    change is not followed: they may not run at all.

    Args:
      it: the interpreter.
      args: what the callee is given.
      node: its call.
    """
    if it.trace is None or not it.frame.context.staging or type(node) is not cst.Call:
        return
    functions = [v for v in args.values() if isinstance(v, (Function, Partial))]
    if not functions or _ELSEWHERE.search(it.frame.parsed.source(node.func)):
        return
    for function in functions:
        try:
            with it.branch(it.state.copy()):
                it.call(function, Arguments(star=UNKNOWN), node)
        except Terminated:
            continue


def fill_entered(it: Interpreter) -> None:
    """Let empty containers of contexts that are entered be filled by an unknown callee.

    Handlers of effects stand on a stack of their module while their block runs, and are told what
    happens in it: ``with Recorder() as log: model()``.
    """
    for manager in it.managers:
        entered = it.contents(manager)
        if isinstance(entered, Instance):
            for held in entered.attributes.values():
                if isinstance(held, Ref):
                    _fill(it, held)


def _fill(it: Interpreter, container: Ref) -> None:
    contents = it.contents(container)
    if isinstance(contents, DictObject) and not contents.items and contents.rest is None:
        it.edit(container).rest = UNKNOWN
    elif isinstance(contents, ListObject) and contents.items == () and contents.mutable:
        filled = it.edit(container)
        filled.items, filled.element = None, UNKNOWN
