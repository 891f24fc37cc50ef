"""Functions that fill in what a module holds, where a guard finds it empty.

All of it is read from the text of the module, and from the frame in which a call ended.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import ModuleType

from jitlint.verify.driving.growing.trouble import Trouble
from jitlint.verify.driving.sources import Source

_FILLING = frozenset("append appendleft add insert extend update setdefault set push".split())


def setups(trouble: Trouble, source: Source) -> Iterator[str]:
    """Dotted names of what can be called so that a guard lets the next call through.

    Args:
      trouble: how a call ended.
      source: the module of its innermost frame; of another one nothing is known.
    """
    own = trouble.own
    asked = trouble.condition if trouble.condition is not None else trouble.statement
    if own is None or asked is None or own.f_code.co_filename != source.filename:
        return
    wanted = {
        node.id
        for node in ast.walk(asked)
        if isinstance(node, ast.Name)
        and node.id not in own.f_locals
        and node.id in own.f_globals
        and not isinstance(own.f_globals[node.id], ModuleType)
    }
    if not wanted:
        return
    for name, function in source.functions().items():
        if function.name != own.f_code.co_name and _filled(function, name) & wanted:
            yield name


def _filled(function: ast.FunctionDef, name: str) -> set[str]:
    """The global names that a function binds anew, or whose objects it changes."""
    bound = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and _stored(n)}
    named = {n for node in ast.walk(function) if isinstance(node, ast.Global) for n in node.names}
    # What a class method stores in its class is found under the name of that.
    owners = {"cls": name.partition(".")[0]} if "." in name else {}
    found = bound & named
    for node in ast.walk(function):
        target: ast.AST | None = None
        if isinstance(node, ast.Attribute | ast.Subscript) and _stored(node):
            target = node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            target = node.func if node.func.attr in _FILLING else None
        while isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
        if isinstance(target, ast.Name) and target.id not in bound - named:
            found.add(owners.get(target.id, target.id))
    return found


def _stored(node: ast.Name | ast.Attribute | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Store)
