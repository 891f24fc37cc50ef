"""Names for namespaces: ``state = vars(self)``, and what is put into it is an attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import target_names

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code


def namespaces_in(code: Code) -> dict[str, cst.BaseExpression]:
    """The names that a function binds once, to the namespace of something; with that expression."""
    found: dict[str, cst.BaseExpression] = {}
    bound: list[str] = []
    for node in code.own_nodes:
        if isinstance(node, cst.Assign):
            bound += [name for each in node.targets for name in target_names(each.target)]
            target = node.targets[0].target
            if len(node.targets) == 1 and isinstance(target, cst.Name) and _is_one(node.value):
                found[target.value] = node.value
    return {name: node for name, node in found.items() if bound.count(name) == 1}


def _is_one(node: cst.BaseExpression) -> bool:
    """``vars(x)``, ``x.__dict__``."""
    if isinstance(node, cst.Attribute):
        return node.attr.value == "__dict__"
    called = node.func if isinstance(node, cst.Call) and len(node.args) == 1 else None
    return isinstance(called, cst.Name) and called.value == "vars"
