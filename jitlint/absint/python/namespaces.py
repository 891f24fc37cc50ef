"""Variables reached through a namespace: ``vars(x)[name]``, ``x.__dict__``, ``globals()``."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import AttributeSet, Kept, OuterNameBound
from jitlint.absint.values.domain import Const, External, ModuleValue, Ref, Tuple, Unknown, Value
from jitlint.absint.values.heap import Instance


def owner_of(it: Interpreter, node: cst.CSTNode) -> Value | None:
    """Whose variables ``vars(x)``, ``x.__dict__`` or ``globals()`` are, None for anything else."""
    if type(node) is cst.Attribute:
        return it.ev(node.value) if node.attr.value == "__dict__" else None
    if type(node) is not cst.Call or len(node.args) > 1 or type(node.func) is not cst.Name:
        return None
    called = it.ev(node.func)
    if called == External("builtins.globals"):
        return ModuleValue(it.frame.module)
    return it.ev(node.args[0].value) if called == External("builtins.vars") and node.args else None


def set_variable(
    it: Interpreter, owner: Value, name: Value, value: Value, node: cst.CSTNode
) -> None:
    """A variable of a namespace was set: ``vars(x)[name] = value``."""
    it.signal(Kept(value))
    known = name.value if isinstance(name, Const) and isinstance(name.value, str) else None
    if isinstance(owner, ModuleValue) and owner.module is it.frame.module:
        it.signal(OuterNameBound(known or it.text(node), None, value, node))
        return
    if it.signal(AttributeSet(owner, value, node)):
        value = Unknown()
    contents = it.edit(owner) if isinstance(owner, Ref) else None
    if isinstance(contents, Instance) and known is not None:
        contents.attributes[known] = value


def update_by_method(it: Interpreter, args: Arguments, node: cst.Call) -> None:
    """``vars(x).update(best=y)``: several variables are set at once."""
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "update":
        return
    owner = owner_of(it, node.func.value)
    if owner is None:
        return
    stored: Value = Tuple((*args.positional, *args.keywords.values()))
    if isinstance(owner, ModuleValue) and owner.module is it.frame.module:
        name = next(iter(args.keywords), it.text(node))
        it.signal(OuterNameBound(name, None, stored, node))
    else:
        it.signal(AttributeSet(owner, stored, node))
