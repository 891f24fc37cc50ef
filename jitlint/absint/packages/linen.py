"""Classes of Flax modules under a lifted transform: ``nn.remat(Block)(features)(x, train)``."""

from __future__ import annotations

from typing import Final

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.packages.frameworks import apply_module
from jitlint.absint.program.members import find_in_class
from jitlint.absint.values.domain import (
    UNKNOWN,
    Const,
    External,
    Function,
    Partial,
    Ref,
    Transformed,
    Value,
)
from jitlint.absint.values.heap import Instance

#: bound to a class and to what it is lifted by, stands for the class that is made of it
LIFTED_CLASS: Final = External("jitlint.lifted_class")


@model("jitlint.lifted_class")
def _made(it: Interpreter, call: Call) -> Value:
    """An object of such a class: called, it runs ``__call__`` under the transform.

    Its arguments are counted with the module as the first one.
    """
    cls, how = call.positional[:2]
    made = it.call(cls, call.args.dropped(2), call.node)
    contents = it.contents(made) if isinstance(made, Ref) else None
    found = find_in_class(it, contents.cls, "__call__") if isinstance(contents, Instance) else None
    if found is None or not isinstance(found[1], Function) or not isinstance(how, Transformed):
        return made
    lifted = Transformed(found[1], how.transform, how.options, how.place)
    return Partial(lifted, (made,), ())


@model("jitlint.lifted_apply")
def _applied(it: Interpreter, call: Call) -> Value:
    """``module.apply(variables, x)`` of such an object, or another method that runs it."""
    lifted, name = call.positional[:2]
    if not isinstance(lifted, Partial) or not isinstance(name, Const):
        return UNKNOWN
    module = lifted.args[0]
    applied = Call(str(name.value), call.args.dropped(2), call.node, module)
    if "method" in applied.keywords:
        return it.call(it.attribute(module, applied.name, call.node), applied.args, call.node)
    return apply_module(it, applied, lifted)
