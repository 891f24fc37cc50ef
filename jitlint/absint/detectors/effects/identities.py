"""Numbers that are counted up only to tell objects apart."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk_own

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.machine.frames import Frame

#: what a number is called that only tells objects apart
_IDENTITY: Final = re.compile(r"(^|[._])(u?u?id|ident|identifier|serial)$")
#: methods that run once for each object
_MAKES: Final = frozenset({"__init__", "__new__", "__post_init__"})


def is_identity(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a counter only says which object is which: ``_last += 1; return Key(_last)``.

    Nobody computes with what a class that says how it is hashed is made of, and one number for
    each trace tells its objects apart as well as one for each call.
    """
    code = frame.code
    if code is None or code.node is None or not isinstance(node, (cst.Name, cst.Attribute)):
        return False
    source = frame.parsed.source
    target = source(node)
    counted = names = False
    #: where it stands as it should
    known: set[int] = set()
    asked: list[cst.CSTNode] = []
    for inner in walk_own(code.node):
        if isinstance(inner, cst.AugAssign) and source(inner.target) == target:
            counted = isinstance(inner.operator, cst.AddAssign)
            known.add(id(inner.target))
        elif isinstance(inner, (cst.Global, cst.Nonlocal)):
            known.update(id(item.name) for item in inner.names)
        elif isinstance(inner, cst.Call) and _is_hashed(frame, inner.func):
            given = [each.value for each in inner.args if source(each.value) == target]
            names = names or bool(given)
            known.update(map(id, given))
        elif isinstance(inner, type(node)) and source(inner) == target:
            asked.append(inner)
    return (
        counted
        and names
        and known.issuperset(map(id, asked))
        and not _is_asked_elsewhere(code, node)
    )


def is_numbered(frame: Frame, node: cst.CSTNode, counter: cst.CSTNode) -> bool:
    """Whether ``next(ids)`` of a module's ``ids = itertools.count()`` only names an object.

    ``Frame(frame_id=next(ids))``, ``self._uid = next(ids)``: one number for each trace tells what
    is made in it from all the rest.  What makes an object numbers objects.

    Args:
      frame: the function that runs.
      node: what takes the number.
      counter: the iterator, as written.
    """
    code = frame.code
    if code is None or code.node is None or not isinstance(counter, cst.Name):
        return False
    made = re.compile(rf"^{re.escape(counter.value)}\b[^=\n]*=\s*(\w+\.)?count\(", re.MULTILINE)
    if not any(each.unit.finds(made) for each in frame.module.bound(counter.value)):
        return False
    if code.cls is not None and code.name in _MAKES:
        return True
    for inner in walk_own(code.node):
        if isinstance(inner, cst.Arg) and inner.value is node:
            return inner.keyword is not None and bool(_IDENTITY.search(inner.keyword.value))
        if isinstance(inner, cst.Assign) and inner.value is node:
            names = [dotted(target.target) for target in inner.targets]
            return all(name is not None and _IDENTITY.search(name) for name in names)
    return False


def _is_hashed(frame: Frame, function: cst.CSTNode) -> bool:
    """Whether a name is that of a class of the module that says how its objects are hashed."""
    found = frame.module.classes.get(function.value) if isinstance(function, cst.Name) else None
    return found is not None and "__hash__" in found.methods


def _is_asked_elsewhere(code: Code, node: cst.Name | cst.Attribute) -> bool:
    """Whether anything but the function and what makes its object mentions the counter."""
    name = node.attr.value if isinstance(node, cst.Attribute) else node.value
    if isinstance(node, cst.Name) or code.cls is None:
        units = [unit for unit in code.module.units if unit.is_function]
    else:
        methods = code.cls.methods.items()
        listed = (some for method, some in methods if method != "__init__")
        units = [*chain.from_iterable(listed)]
    word = re.compile(rf"\b{re.escape(name)}\b")
    return any(unit is not code.unit and unit.finds(word) for unit in units)
