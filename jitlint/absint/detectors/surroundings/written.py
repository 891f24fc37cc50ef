"""What the code of a function says: bindings and calls of methods, by the text of their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final, TypeVar

import libcst as cst

from jitlint.absint.code.functions import bindings_of
from jitlint.absint.code.syntax import SCOPES, children, walk_own
from jitlint.absint.limits import MEANING_LEVELS
from jitlint.absint.machine.frames import Frame

_Answer = TypeVar("_Answer")
#: a question about a place in the code that runs
_Question = Callable[[Frame, cst.CSTNode], _Answer]
#: attributes that say nothing of what an array holds
OF_SHAPES: Final = frozenset({"dtype", "ndim", "shape", "size"})


def asked_once(question: _Question[_Answer]) -> _Question[_Answer]:
    """Let a question be answered once that asks nothing of a frame but which function it runs."""

    def ask(frame: Frame, node: cst.CSTNode) -> _Answer:
        code = frame.code
        if code is None:
            return question(frame, node)
        return frame.parsed.answer((question, code, node), lambda: question(frame, node))

    return ask


def nodes_around(frame: Frame) -> Iterable[cst.CSTNode]:
    """The nodes of the function that is running; at module level, of the outermost loop."""
    if frame.code is not None:
        return frame.code.own_nodes
    return walk_own(frame.enclosing_loops[0]) if frame.enclosing_loops else ()


def own_above(frame: Frame, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """Those of :func:`nodes_around` that a place stands in, each with what of it holds the place.

    The innermost are first.  Where the place is in a function nested in the one that runs, they
    begin with what is around that.
    """
    code = frame.code
    loops = frame.enclosing_loops
    if code is not None:
        assert code.node is not None
        end: cst.CSTNode = code.node
    elif loops:
        end = loops[0]
    else:
        return
    found: list[tuple[cst.CSTNode, cst.CSTNode]] = []
    below = node
    for outer in frame.parsed.above(node):
        if outer is end:
            if code is None:
                found.append((outer, below))
            yield from found
            return
        if type(outer) in SCOPES:
            found.clear()
        found.append((outer, below))
        below = outer


def bindings(node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode | None]]:
    """Targets and values of the assignments in a piece of code.

    There is no value for ``+=`` and its kin, nor for the parts of what is unpacked.
    """
    for inner in walk_own(node):
        if type(inner) is cst.AugAssign:
            yield inner.target, None
        elif type(inner) is cst.Assign:
            for assigned in inner.targets:
                target, value = assigned.target, inner.value
                if not isinstance(target, (cst.Tuple, cst.List)):
                    yield target, value
                elif isinstance(value, cst.Tuple):
                    for left, right in zip(target.elements, value.elements, strict=False):
                        yield left.value, right.value
                else:
                    # `key, sub = split(key)` binds both to something new.
                    for part in target.elements:
                        yield part.value, None


def bound_to(frame: Frame, name: str) -> Iterator[cst.CSTNode]:
    """What assignments in the running code bind a name to, where they tell."""
    for inner in nodes_around(frame):
        if isinstance(inner, cst.Assign):
            for target, value in bindings(inner):
                if value is not None and isinstance(target, cst.Name) and target.value == name:
                    yield value


def meanings(frame: Frame, node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """An expression, then what it stands for, while that is a name that is bound once."""
    for _ in range(MEANING_LEVELS):
        yield node
        if not isinstance(node, cst.Name) or _is_parameter(frame, node.value):
            return
        name, loops = node.value, frame.enclosing_loops
        around = frame.code or (loops[0] if loops else None)
        find = partial(_only_value, frame, name)
        made = frame.parsed.answer((meanings, around, name), find)
        if made is None:
            return
        node = made


def _only_value(frame: Frame, name: str) -> cst.BaseExpression | None:
    """What the running code binds a name to, if it binds it once, and to one expression."""
    found: list[cst.BaseExpression] = []
    times = 0
    for each in nodes_around(frame):
        times += name in bindings_of(each)
        if isinstance(each, cst.Assign) and len(each.targets) == 1:
            target = each.targets[0].target
            if isinstance(target, cst.Name) and target.value == name:
                found.append(each.value)
    return found[0] if times == len(found) == 1 else None


def _is_parameter(frame: Frame, name: str) -> bool:
    return frame.code is not None and any(each.name == name for each in frame.code.parameters)


def bound_values(frame: Frame, node: cst.CSTNode) -> Iterator[tuple[str, str]]:
    """Targets and values of the assignments in a piece of code, as written."""
    source = frame.parsed.source
    for target, value in bindings(node):
        yield source(target), "" if value is None else source(value)


def method_calls(
    frame: Frame, node: cst.CSTNode, receiver: str
) -> Iterator[tuple[cst.Call, str, list[str]]]:
    """Calls of methods of something: (call, name of the method, its arguments as written)."""
    source = frame.parsed.source
    for inner in walk_own(node):
        if not isinstance(inner, cst.Call) or not isinstance(inner.func, cst.Attribute):
            continue
        if source(inner.func.value) == receiver:
            yield inner, inner.func.attr.value, [source(arg.value) for arg in inner.args]


def key_of(node: cst.Subscript) -> str | None:
    """The constant text between the brackets of a subscript, None for anything else."""
    index = node.slice[0].slice if len(node.slice) == 1 else None
    key = index.value if isinstance(index, cst.Index) else None
    text = key.evaluated_value if isinstance(key, cst.SimpleString) else None
    return text if isinstance(text, str) else None


def root_name(node: cst.CSTNode | None) -> str | None:
    """The name that a chain of attributes starts from."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return node.value if isinstance(node, cst.Name) else None


def values_in(node: cst.CSTNode) -> Iterator[str]:
    """The names in an expression whose values count: not that of ``x`` in ``x.shape[0]``."""
    stack = [node]
    while stack:
        inner = stack.pop()
        if isinstance(inner, cst.Name):
            yield inner.value
        elif isinstance(inner, cst.Attribute):
            if inner.attr.value not in OF_SHAPES:
                stack.append(inner.value)
        elif isinstance(inner, cst.Call):
            is_name = isinstance(inner.func, cst.Name)
            if not (is_name and inner.func.value in ABOUT):  # type: ignore[attr-defined]
                stack += [arg.value for arg in inner.args]
                # Another function makes another thing: `tx = kind(rate)`.
                stack.append(inner.func)
        elif isinstance(inner, cst.Comparison) and _is_identity(inner):
            continue
        elif not isinstance(inner, cst.Lambda):
            stack += children(inner)


#: what asks of what kind or how long something is
ABOUT: Final = frozenset({"hasattr", "isinstance", "len", "type"})


def _is_identity(node: cst.Comparison) -> bool:
    """``x is None``."""
    return all(isinstance(each.operator, (cst.Is, cst.IsNot)) for each in node.comparisons)
