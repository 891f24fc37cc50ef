"""What follows from an object alone, and is set on it while one of its methods is traced.

``self.optimizer = optax.adam(self.rate)``: a static object has traces of its own, and the first of
them sets what every other call would set again.
"""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.detectors.surroundings.following import CONSUMING, following
from jitlint.absint.detectors.variants.freshness import BEHAVIOUR
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.members import find_in_class
from jitlint.absint.values.domain import UNKNOWN, Ref, Value
from jitlint.absint.values.heap import Instance


def follows_from_object(it: Interpreter, owner: Ref, node: cst.CSTNode, value: Value) -> bool:
    """Whether an attribute is set to a function or object that follows from its own object alone.

    Nothing but this method and ``__init__`` sets it, and no other object has the same traces.

    Args:
      it: the interpreter.
      owner: the object.
      node: the target, in the function that runs.
      value: what it is set to.
    """
    code = it.frame.code
    if code is None or code.cls is None or not isinstance(node, cst.Attribute):
        return False
    is_object = isinstance(value, Ref) and isinstance(it.contents(value), Instance)
    if not is_object and value is not UNKNOWN and not isinstance(value, BEHAVIOUR):
        return False
    if id(node) not in it.written(_following, code) or _is_like_others(it, owner):
        return False
    return not _is_set_elsewhere(it, owner, node.attr.value)


def _is_set_elsewhere(it: Interpreter, owner: Ref, name: str) -> bool:
    """Whether other code than the method that runs sets an attribute of an object again."""
    contents = it.contents(owner)
    if not isinstance(contents, Instance) or it.frame.code is None:
        return True
    family = [each.definition for each in class_info(it, contents.cls).mro]
    written = rf"\.{name}\b\s*(:[^=\n]+)?=(?!=)|[\"']{name}[\"']"
    return any(
        # Another class sets it on objects of its own.
        unit.finds(written if unit.cls in (None, *family) else rf"(?<!\bself){written}")
        for module in it.modules_with(name)
        for unit in module.units_with(name)
        if unit is not it.frame.code.unit and unit.name != "__init__"
    )


def _is_like_others(it: Interpreter, owner: Ref) -> bool:
    """Whether the class of an object says which objects are taken for the same one."""
    contents = it.contents(owner)
    return isinstance(contents, Instance) and any(
        find_in_class(it, contents.cls, name) is not None for name in ("__eq__", "__hash__")
    )


def _following(code: Code) -> frozenset[int]:
    """Which attributes a method sets to what follows from its object."""
    if code.node is None or not code.parameters:
        return frozenset()
    return frozenset(following(code, code.parameters[0].name, lambda name: name not in CONSUMING))
