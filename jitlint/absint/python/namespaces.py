"""Variables reached through a namespace: ``vars(x)[name]``, ``x.__dict__``, ``globals()``."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.namespaces import namespaces_in
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import AttributeSet, Kept, OuterNameBound
from jitlint.absint.program import forgetting
from jitlint.absint.program.setting import set_on
from jitlint.absint.values.domain import (
    Const,
    External,
    ModuleValue,
    Ref,
    Tuple,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance


def owner_of(it: Interpreter, node: cst.CSTNode) -> Value | None:
    """Whose variables ``vars(x)``, ``x.__dict__`` or ``globals()`` are, None for anything else."""
    code = it.frame.code
    if type(node) is cst.Name and code is not None and code.parsed is not None:
        node = code.parsed.fact(namespaces_in, code).get(node.value, node)
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
    if not isinstance(owner, Ref):
        set_on(it, owner, known, value)
    elif isinstance(it.contents(owner), Instance):
        if known is None:
            forgetting.attributes(it, owner, value)
        else:
            # No descriptor and no hook is asked.
            it.edit(owner).attributes[known] = value


def update_by_method(it: Interpreter, args: Arguments, node: cst.Call) -> None:
    """``vars(x).update(best=y)``: several variables are set at once, or one is taken away."""
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value not in _CHANGING:
        return
    owner = owner_of(it, node.func.value)
    if owner is None:
        return
    method = node.func.attr.value
    if method == "update":
        _tell_update(it, owner, args, node)
    if not isinstance(owner, Ref) or not isinstance(it.contents(owner), Instance):
        return
    if method == "update":
        if not _update(it, owner, args):
            forgetting.attributes(it, owner)
    else:
        one = method in ("pop", "setdefault") and bool(args.positional)
        forgetting.taken_away(it, owner, args.positional[0] if one else None)


def _update(it: Interpreter, owner: Ref, args: Arguments) -> bool:
    """Set all variables of an object that an update names; whether these are all."""
    changed: dict[str, Value] = {}
    whole = args.star is None and args.star_keywords is None
    for value in args.positional[:1]:
        entries = it.contents(value) if isinstance(value, Ref) else None
        if not isinstance(entries, DictObject):
            return False
        changed.update({k: v for k, v in entries.items.items() if isinstance(k, str)})
        whole = whole and entries.rest is None
    if not whole:
        return False
    it.edit(owner).attributes.update({**changed, **args.keywords})
    return True


def _tell_update(it: Interpreter, owner: Value, args: Arguments, node: cst.Call) -> None:
    if it.trace is None:
        return
    stored: Value = Tuple((*args.positional, *args.keywords.values()))
    if isinstance(owner, ModuleValue) and owner.module is it.frame.module:
        name = next(iter(args.keywords), it.text(node))
        it.signal(OuterNameBound(name, None, stored, node))
    else:
        it.signal(AttributeSet(owner, stored, node))


#: methods of a dict that change what it holds
_CHANGING: Final = frozenset({"update", "pop", "popitem", "clear", "setdefault"})
