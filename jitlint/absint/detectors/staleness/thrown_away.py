"""Whether what a call gives is thrown away by the functions around it.

``_, value = policy(observation, key)``: what was drawn for the first of the two serves nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, Final, NamedTuple

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import children, walk
from jitlint.absint.detectors.surroundings.paths import parts_of, targets_of
from jitlint.absint.detectors.surroundings.written import OF_SHAPES
from jitlint.jaxmodel.wording import is_trace_note

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter

#: transforms that give of each part what the function returns as that part, or many of it
_ALIKE: Final = ("wrap", "scan")
#: the parts that are meant of a tuple that a call gives; None for the whole of what it gives
_Parts = frozenset[int] | None


class _Fate(NamedTuple):
    """What a function does with something.

    Args:
      used: whether it makes anything of it that is not thrown away, or returned.
      returned: whether it returns it, or what it has made of it.
      parts: as which parts of what it returns.
    """

    used: bool
    returned: bool = False
    parts: _Parts = None


def is_thrown_away(it: Interpreter, frame: Frame, node: cst.CSTNode) -> bool:
    """Whether all that is ever made of what a call gives is thrown away.

    Args:
      it: the interpreter.
      frame: the function that runs, or one that has led there.
      node: a call in its code.
    """
    parts: _Parts = None
    while True:
        fate = _fate(frame, node, parts)
        if fate.used or not fate.returned:
            return not fate.used
        call = _call_of(it, frame)
        if frame.parent is None or call is None:
            return False
        frame, node, parts = frame.parent, call, fate.parts


def is_bound_for_nothing(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether something is only read for names that the running function never reads."""
    code, parsed = frame.code, frame.parsed
    if code is None or not isinstance(code.node, cst.FunctionDef):
        return False
    for outer in parsed.above(node):
        if isinstance(outer, cst.Assign):
            names = [_name(part) for part in targets_of(outer)]
            return parsed.answer((_unread, code), lambda: _unread(code)).issuperset(names)
        if isinstance(outer, (cst.BaseStatement, cst.Lambda)):
            return False
    return False


def _unread(code: Code) -> frozenset[str | None]:
    """The names that assignments in a function give something that nothing in it reads."""
    assert code.node is not None
    bound = [
        part
        for inner in code.own_nodes
        if isinstance(inner, cst.Assign)
        for part in targets_of(inner)
        if isinstance(part, cst.Name)
    ]
    targets = {id(name) for name in bound}
    read = {
        inner.value
        for inner in walk(code.node.body)
        if isinstance(inner, cst.Name) and id(inner) not in targets
    }
    return frozenset(name.value for name in bound) - read


def _call_of(it: Interpreter, frame: Frame) -> cst.Call | None:
    """The call that began a function and is given what it returns, in the code of its caller."""
    caller, chain = frame.parent, frame.chain
    if caller is None:
        return None
    begun = [trace for trace in it.traces() if trace.env == caller.env]
    if begun:
        rows = [it.row(trace.transform) for trace in begun]
        same = all(row and row.kind in _ALIKE and row.gives == "same" for row in rows)
        # What is differentiated returns something else.
        node = begun[0].node if same else None
        return node if isinstance(node, cst.Call) else None
    while chain is not None and is_trace_note(chain.step.note):
        # A trace that it has begun itself.
        chain = chain.previous
    place = None if chain is None else chain.step.place
    if place is None or place.parsed is not caller.parsed:
        return None
    return place.node if isinstance(place.node, cst.Call) else None


def _fate(frame: Frame, node: cst.CSTNode, parts: _Parts) -> _Fate:
    code = frame.code
    if code is None:
        return _Fate(used=not _goes_nowhere(frame, node))
    if not isinstance(code.node, cst.FunctionDef):
        return _Fate(used=True)
    return frame.parsed.answer((_fate, code, node, parts), lambda: _followed(code, node, parts))


def _goes_nowhere(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether the code of a module gives a call to ``_`` alone."""
    around = next(frame.parsed.above(node), None)
    if not isinstance(around, cst.Assign):
        return False
    return all(_name(part) == "_" for part in targets_of(around))


def _followed(code: Code, node: cst.CSTNode, parts: _Parts) -> _Fate:
    """What the code of a function does with what a call in it gives."""
    assert code.node is not None
    tainted: set[str] = set()
    settled: set[int] = set()
    returned: list[_Parts] = []
    size = -1
    while size != len(tainted):
        size = len(tainted)
        returned.clear()
        for inner in code.own_nodes:
            if isinstance(inner, cst.Assign) and _carries(inner.value, node, tainted):
                if not all(map(_name, targets_of(inner))):
                    return _Fate(used=True)
                for each in inner.targets:
                    tainted.update(_reached(each.target, inner.value, node, parts, tainted))
            elif isinstance(inner, cst.Return) and inner.value is not None:
                if not _carries(inner.value, node, tainted):
                    continue
                returned.append(_returned_parts(inner.value, node, parts, tainted))
            elif not (isinstance(inner, cst.Expr) and inner.value is node):
                continue
            settled.update(id(read) for read in _reads(inner, node))
    for read in _reads(code.node.body, node):
        if (read is node or _name(read) in tainted) and id(read) not in settled:
            return _Fate(used=True)
    known = [found for found in returned if found is not None]
    # What is returned as a whole anywhere may be in any part.
    some = frozenset[int]().union(*known) if len(known) == len(returned) else None
    return _Fate(False, bool(returned), some)


def _reached(
    target: cst.CSTNode, value: cst.BaseExpression, node: cst.CSTNode, parts: _Parts,
    tainted: Set[str],
) -> Iterator[str]:  # fmt: skip
    """The names that an assignment gives something of what is followed."""
    if isinstance(target, (cst.Tuple, cst.List)) and not any(
        isinstance(element, cst.StarredElement) for element in target.elements
    ):
        if value is node and parts is not None:
            for index, element in enumerate(target.elements):
                if index in parts:
                    yield from target_names(element.value)
            return
        if isinstance(value, cst.Tuple) and len(value.elements) == len(target.elements):
            for left, right in zip(target.elements, value.elements, strict=True):
                if _carries(right.value, node, tainted):
                    yield from target_names(left.value)
            return
    yield from target_names(target)


def _returned_parts(
    value: cst.BaseExpression, node: cst.CSTNode, parts: _Parts, tainted: Set[str]
) -> _Parts:
    """As which parts of what a function returns what is followed comes out of it."""
    if value is node:
        return parts
    if not isinstance(value, cst.Tuple):
        return None
    if any(isinstance(element, cst.StarredElement) for element in value.elements):
        return None
    return frozenset(
        index
        for index, element in enumerate(value.elements)
        if _carries(element.value, node, tainted)
    )


def _carries(expression: cst.CSTNode, node: cst.CSTNode, tainted: Set[str]) -> bool:
    """Whether an expression holds a call, or reads a name of what comes of it."""
    return any(read is node or _name(read) in tainted for read in _reads(expression, node))


def _reads(around: cst.CSTNode, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The names whose values a piece of code reads, and a call where that stands in it.

    An ``init`` makes parameters, a state or a buffer for what is like a sample of it: those of
    Flax, Haiku, Optax and Flashbax ask for structure, shapes and dtypes alone.
    """
    stack = [around]
    while stack:
        inner = stack.pop()
        if inner is node or isinstance(inner, cst.Name):
            yield inner
        elif isinstance(inner, cst.Attribute) and inner.attr.value in OF_SHAPES:
            continue
        elif isinstance(inner, cst.Param):
            stack += [] if inner.default is None else [inner.default]
        elif isinstance(inner, cst.Call) and _is_init(inner.func):
            stack.append(inner.func)
        elif isinstance(inner, (cst.Attribute, cst.Arg)):
            stack.append(inner.value)
        elif isinstance(inner, cst.AssignTarget):
            stack += [] if all(map(_name, parts_of(inner.target))) else [inner.target]
        else:
            stack += children(inner)


def _is_init(function: cst.BaseExpression) -> bool:
    return isinstance(function, cst.Attribute) and function.attr.value == "init"


def _name(node: cst.CSTNode) -> str | None:
    return node.value if isinstance(node, cst.Name) else None
