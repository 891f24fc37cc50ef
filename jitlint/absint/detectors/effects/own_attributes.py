"""What is set anew in every trace, so that nobody misses it in a call that runs no Python.

Attributes serve the method which sets them in every call, and nobody else.

``self.input_size = x.shape[-1]`` further up, and ``np.sqrt(self.input_size)`` below: what a cached
trace does not set again, nobody misses.
"""

from __future__ import annotations

import re
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.surroundings.following import following
from jitlint.absint.detectors.surroundings.paths import in_order
from jitlint.absint.detectors.surroundings.written import bindings
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.heap import Variables


def serves_its_method(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether what sets an attribute does so in every call, reads it behind that, and is alone.

    Args:
      it: the interpreter.
      node: the target, in the function that runs.
    """
    code = it.frame.code
    if (
        code is None
        or type(code.node) is not cst.FunctionDef
        or not isinstance(node, cst.Attribute)
    ):
        return False
    if not _is_set_always(code.node, node) or not _is_read_behind(code.node, node):
        return False
    name = node.attr.value
    read = re.compile(rf"\.{name}\b(?!\s*=(?!=))|[\"']{name}[\"']")
    return not any(
        unit is not code.unit
        for module in it.modules_with(name)
        for unit in module.units_finding(name, read)
    )


def _is_set_always(function: cst.FunctionDef, target: cst.Attribute) -> bool:
    """Whether a plain assignment among the statements of a function itself sets a target.

    It sets that to nothing that is made of what was there: ``self.calls = self.calls + 1``.
    """
    return any(
        isinstance(small, cst.Assign)
        and any(each.target is target for each in small.targets)
        and not any(
            isinstance(inner, cst.Attribute) and inner.attr.value == target.attr.value
            for inner in walk_own(small.value)
        )
        for line in function.body.body
        if isinstance(line, cst.SimpleStatementLine)
        for small in line.body
    )


def _is_read_behind(function: cst.FunctionDef, target: cst.Attribute) -> bool:
    """Whether an attribute is set in one place, and read below that alone."""
    targets = {id(place) for place, _ in bindings(function)}
    seen = behind = False
    for inner in in_order(function):
        if inner is target:
            seen = True
        elif isinstance(inner, cst.Attribute) and inner.attr.value == target.attr.value:
            if not seen or id(inner) in targets:
                return False
            behind = True
    return behind


def is_derived(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether an entry is set to what follows from other entries of its container.

    ``config["updates"] = config["steps"] // config["envs"]``: every call would set it to the same.
    So it would where a function around this one has made an object that is asked as well.

    Args:
      it: the interpreter.
      node: the target, in the function that runs.
    """
    code = it.frame.code
    if code is None or code.node is None or not isinstance(node, cst.Subscript):
        return False
    if not isinstance(node.value, cst.Name):
        return False
    root = node.value.value
    around = {
        name
        for env in it.frame.closure
        if isinstance(variables := it.contents(env), Variables)
        for name in variables
    }
    found = following(code, root, lambda name: name in _COMPUTING or name in around)
    return not _COMPUTING.issuperset(found.get(id(node), ()))


#: builtins that give the same for the same numbers
_COMPUTING: Final = frozenset({"abs", "bool", "float", "int", "max", "min", "round", "sum"})
