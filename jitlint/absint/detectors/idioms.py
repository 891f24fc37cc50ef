"""Idioms that make an effect or a repeated jit harmless, told by the code around a place.

Filling what is missing happens once on purpose; what is set and set back does not last; a loop that
is left with the place repeats nothing.  These are questions about the text around a place, asked
only where something would be recorded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.syntax import children, walk_own

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Frame, Interpreter

_ASKS = re.compile(r"\bis None\b|\bnot in\b|\bhasattr\b|\bgetattr\b|== 0$")
_NEGATED = re.compile(r"^not\s+([A-Za-z_][\w.]*)$")
_COMPARED = re.compile(r"^([A-Za-z_][\w.]*) is [A-Za-z_][\w.]*$")
_MISSING = re.compile(r"\b(?:KeyError|AttributeError|LookupError|NameError)\b")


def _holds(around: cst.CSTNode, node: cst.CSTNode) -> bool:
    stack = [around]
    while stack:
        current = stack.pop()
        if current is node:
            return True
        stack.extend(children(current))
    return False


def _around(frame: Frame) -> Iterable[cst.CSTNode]:
    """The nodes of the function that is running; at module level, of the outermost loop."""
    if frame.code is not None:
        return frame.code.own_nodes
    return walk_own(frame.turns[0]) if frame.turns else ()


# -- filling what is missing ----------------------------------------------------------------------


def _asks(frame: Frame, inner: cst.If, *, above: bool) -> bool:
    """Whether a test asks if something is there yet.

    ``not name`` does where the name is set under it, so that the next time it is; where only a call
    stands under it (``above``), an attribute says as much.
    """
    test = frame.parsed.source(inner.test)
    if _ASKS.search(test):
        return True
    negated = _NEGATED.match(test)
    if negated is None:
        return False
    name = negated[1]
    if above:
        return "." in name
    return any(target == name for target, _ in _bound_values(frame, inner.body))


def _tells_the_first(frame: Frame, inner: cst.If) -> bool:
    """Whether a test asks for the first time: ``if found is missing: found = x``."""
    compared = _COMPARED.match(frame.parsed.source(inner.test))
    if compared is None:
        return False
    return any(target == compared[1] for target, _ in _bound_values(frame, inner.body))


def is_guarded(frame: Frame, node: cst.CSTNode, *, above: bool = False) -> bool:
    """Whether a place is reached only if something is missing, or for the first time.

    ``if x is None``, ``if key not in table``, ``except KeyError``, ``x = x or make()``.
    """
    return any(
        (
            type(inner) is cst.If
            and (_asks(frame, inner, above=above) or _tells_the_first(frame, inner))
            and _holds(inner, node)
        )
        or (type(inner) is cst.ExceptHandler and _catches(frame, inner, node))
        or (
            type(inner) is cst.BooleanOperation
            and type(inner.operator) is cst.Or
            and _holds(inner.right, node)
        )
        for inner in _around(frame)
    )


def _catches(frame: Frame, handler: cst.ExceptHandler, node: cst.CSTNode) -> bool:
    """Whether a place is reached only where something was looked for and not found."""
    caught = "" if handler.type is None else frame.parsed.source(handler.type)
    return _MISSING.search(caught) is not None and _holds(handler.body, node)


def is_guarded_above(it: Interpreter) -> bool:
    """Whether a call that led here, within the trace, stands under such a test."""
    frame = it.frame
    while frame.parent is not None and frame.parent.context.cached:
        place = None if frame.chain is None else frame.chain.step.place
        caller = frame.parent
        here = place is not None and place.parsed is caller.parsed
        if here and place is not None and is_guarded(caller, place.node, above=True):
            return True
        frame = caller
    return False


def is_leaving(it: Interpreter) -> bool:
    """Whether a context manager is being left: what it does takes back what entering it did."""
    frame: Frame | None = it.frame
    while frame is not None and frame.context.cached:
        if frame.code is not None and frame.code.name == "__exit__":
            return True
        frame = frame.parent
    return False


def is_memo(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a function looks into a container, or for an attribute, before it fills it."""
    code = frame.code
    if code is None or code.node is None:
        return False
    if isinstance(node, cst.Subscript):
        name = re.escape(frame.parsed.source(node.value))
        asked = rf"\bin {name}\b|{name}\.get\("
    elif isinstance(node, cst.Attribute):
        asked = rf"(?:get|has)attr\([^()]*[\"']{re.escape(node.attr.value)}[\"']"
    elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if node.func.attr.value == "setdefault":
            return True
        asked = rf"\bin {re.escape(frame.parsed.source(node.func.value))}\b"
    else:
        return False
    return re.search(asked, frame.parsed.source(code.node)) is not None


# -- set and set back -----------------------------------------------------------------------------


def is_restored(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a function, or ``__exit__`` after ``__enter__``, sets a target back."""
    code = frame.code
    if code is None or code.node is None:
        return False
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return _is_refilled(frame, code.node, node.func.value)
    if not isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
        return False
    if isinstance(node, cst.Subscript) and _is_refilled(frame, code.node, node.value):
        return True
    target = frame.parsed.source(node)
    if code.name in ("__enter__", "__exit__") and code.cls is not None:
        pattern = re.compile(rf"{re.escape(target)}\s*=(?!=)")
        return all(
            any(pattern.search(unit.text) for unit in code.cls.methods.get(name, ()))
            for name in ("__enter__", "__exit__")
        )
    source = frame.parsed.source
    bound = [
        (place, source(place), "" if value is None else source(value))
        for place, value in _bindings(code.node)
    ]
    saved = {name for _, name, value in bound if value == target}
    copies: set[str] = set()
    if isinstance(node, cst.Subscript):
        # An element of a copy of the whole container.
        key = target.removeprefix(source(node.value))
        pairs = [(name, value) for _, name, value in bound]
        copies = {f"{name}{key}" for name in _copies(pairs, source(node.value))}
    restoring = [
        place
        for place, name, value in bound
        if name == target
        and (value in copies or (value in saved and _still_holds(code.node, node, place, bound)))
    ]
    if any(place is node for place in restoring):
        return True
    if restoring and not _is_skipped(code.node, node, restoring):
        return True
    return isinstance(node, cst.Attribute) and _is_emptied(frame, code.node, node, target)


def _still_holds(
    function: cst.CSTNode,
    node: cst.CSTNode,
    restoring: cst.CSTNode,
    bound: list[tuple[cst.CSTNode, str, str]],
) -> bool:
    """Whether a name has what was saved under it where that is put back.

    It is not bound to something else in between, nor saved anew in every turn of a loop in which
    the target is changed and not put back.
    """
    target, kept = next((name, value) for place, name, value in bound if place is restoring)
    order = {id(inner): index for index, inner in enumerate(_in_order(function))}
    end = order.get(id(restoring), 0)
    before = [
        (order.get(id(place), 0), place, value)
        for place, name, value in bound
        if name == kept and order.get(id(place), 0) < end
    ]
    if not before:
        # Put back by a nested function, or further up in the next turn of a loop.
        return True
    _, save, value = max(before, key=lambda found: found[0])
    if value != target:
        return False
    return not any(
        isinstance(loop, (cst.For, cst.While))
        and _holds(loop, save)
        and _holds(loop, node)
        and not _holds(loop, restoring)
        for loop in walk_own(function)
    )


def _copies(bound: list[tuple[str, str]], container: str) -> set[str]:
    """The names that a copy of a container is bound to."""
    written = re.escape(container)
    copying = re.compile(
        rf"(?:(?:dict|list|set|[\w.]*copy)\({written}\)|{written}\.copy\(\)|{written}\[:\]"
        rf"|\{{\*\*{written}\}}|[\[{{]\*{written}[\]}}])"
    )
    return {name for name, value in bound if copying.fullmatch(value)}


def _method_calls(
    frame: Frame, node: cst.CSTNode, receiver: str
) -> Iterator[tuple[cst.Call, str, list[str]]]:
    """Calls of methods of something: (call, name of the method, its arguments as written)."""
    source = frame.parsed.source
    for inner in walk_own(node):
        if not isinstance(inner, cst.Call) or not isinstance(inner.func, cst.Attribute):
            continue
        if source(inner.func.value) == receiver:
            yield inner, inner.func.attr.value, [source(arg.value) for arg in inner.args]


def _is_refilled(frame: Frame, node: cst.CSTNode, container: cst.CSTNode) -> bool:
    """Whether a container is emptied and filled with a copy of what it held before."""
    target = frame.parsed.source(container)
    bound = list(_bound_values(frame, node))
    saved = _copies(bound, target)
    if not saved:
        return False
    calls = list(_method_calls(frame, node, target))
    filled = any(
        name in ("update", "extend") and len(given) == 1 and given[0] in saved
        for _, name, given in calls
    )
    if filled and any(name == "clear" for _, name, _ in calls):
        return True
    return any(name == f"{target}[:]" and value in saved for name, value in bound)


def _is_emptied(frame: Frame, node: cst.CSTNode, place: cst.CSTNode, target: str) -> bool:
    """Whether what an attribute is set to is emptied by its name further down."""
    order = {id(inner): index for index, inner in enumerate(_in_order(node))}
    start = order.get(id(place), 0)
    return any(
        name == "clear" and order.get(id(call), -1) > start
        for call, name, _ in _method_calls(frame, node, target)
    )


def is_counted_back(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a function takes away from a counter what it adds to it."""
    code = frame.code
    if code is None or code.node is None:
        return False
    source = frame.parsed.source
    target = source(node)
    added: list[str] = []
    taken: list[str] = []
    for inner in walk_own(code.node):
        if isinstance(inner, cst.AugAssign) and source(inner.target) == target:
            if isinstance(inner.operator, cst.AddAssign):
                added.append(source(inner.value))
            elif isinstance(inner.operator, cst.SubtractAssign):
                taken.append(source(inner.value))
            else:
                return False
        elif isinstance(inner, cst.Assign) and any(
            source(each.target) == target for each in inner.targets
        ):
            return False
    return bool(added) and sorted(added) == sorted(taken)


def may_be_skipped(frame: Frame, push: cst.CSTNode, pop: cst.CSTNode) -> bool:
    """Whether the running function may return after it pushed and before it pops."""
    function = None if frame.code is None else frame.code.node
    if function is None or not (_holds(function, push) and _holds(function, pop)):
        return False
    text = frame.parsed.source(pop)
    pops = [
        inner
        for inner in walk_own(function)
        if isinstance(inner, cst.Call) and frame.parsed.source(inner) == text
    ]
    return _is_skipped(function, push, pops)


def _is_skipped(function: cst.CSTNode, first: cst.CSTNode, undoing: Sequence[cst.CSTNode]) -> bool:
    """Whether a function can be left, without an error, between a place and what undoes it.

    There is a ``return`` before the first place that undoes it, or all of these stand under an
    ``if`` of their own that has no ``else``; a ``finally`` is always reached.
    """
    paths = {id(place): _path(function, place) or [] for place in undoing}
    if any(isinstance(part, cst.Finally) for path in paths.values() for part in path):
        return False
    between = False
    for inner in _in_order(function):
        if inner is first:
            between = True
        elif between and id(inner) in paths:
            break
        elif between and isinstance(inner, cst.Return):
            return True
    else:
        return False
    return all(
        any(
            isinstance(part, cst.If) and part.orelse is None and not _holds(part, first)
            for part in path
        )
        for path in paths.values()
    )


def _path(around: cst.CSTNode, node: cst.CSTNode) -> list[cst.CSTNode] | None:
    """The nodes from one down to another within it, None if it is not there."""
    if around is node:
        return []
    for child in children(around):
        below = _path(child, node)
        if below is not None:
            return [child, *below]
    return None


def _in_order(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A tree from top to bottom, without the functions and classes nested in it."""
    yield node
    for child in children(node):
        if not isinstance(child, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            yield from _in_order(child)


def is_undone(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a function sets a target to something else when it is left: no value is kept."""
    code = frame.code
    if code is None or code.node is None:
        return False
    if code.name in ("__enter__", "__exit__"):
        return _taken_back(frame, node)
    if not isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
        return False
    target = frame.parsed.source(node)
    for inner in walk_own(code.node):
        if isinstance(inner, (cst.Try, cst.TryStar)) and inner.finalbody is not None:
            final = inner.finalbody.body
            if any(name == target for name, _ in _bound_values(frame, final)):
                return True
    times = sum(name == target for name, _ in _bound_values(frame, code.node))
    return code.is_generator and times > 1


def _taken_back(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether the other half of a context manager may take back what one half does.

    It does not where it calls nothing and never mentions what was changed.
    """
    code = frame.code
    other = "__exit__" if code is not None and code.name == "__enter__" else "__enter__"
    units = [] if code is None or code.cls is None else code.cls.methods.get(other, [])
    place: cst.CSTNode = node
    if isinstance(place, cst.Call) and isinstance(place.func, cst.Attribute):
        place = place.func.value
    while isinstance(place, cst.Subscript):
        place = place.value
    name = frame.parsed.source(place).rpartition(".")[2]
    if not units or not name.isidentifier():
        return True
    return any(
        re.search(rf"\b{name}\b", unit.text) or re.search(r"\b(?!__\w+__)\w+\(", unit.text)
        for unit in units
    )


def _bound_values(frame: Frame, node: cst.CSTNode) -> Iterator[tuple[str, str]]:
    """Targets and values of the assignments in a piece of code, as written."""
    source = frame.parsed.source
    for target, value in _bindings(node):
        yield source(target), "" if value is None else source(value)


def _bindings(node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode | None]]:
    """Targets and values of the assignments in a piece of code; no value for ``+=`` and its kin."""
    for inner in walk_own(node):
        if type(inner) is cst.AugAssign:
            yield inner.target, None
        elif type(inner) is cst.Assign:
            for assigned in inner.targets:
                target, value = assigned.target, inner.value
                if isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
                    for left, right in zip(target.elements, value.elements, strict=False):
                        yield left.value, right.value
                else:
                    yield target, value


# -- paths ----------------------------------------------------------------------------------------


#: what statements are made of; anything else is an expression, and nobody leaves from there
_STEPS = frozenset(
    {cst.FunctionDef, cst.IndentedBlock, cst.SimpleStatementSuite, cst.SimpleStatementLine,
     cst.If, cst.Else, cst.For, cst.While, cst.With, cst.Match, cst.MatchCase, cst.Return,
     cst.Raise, cst.Try, cst.TryStar, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally}
)  # fmt: skip
_NESTED = frozenset({cst.FunctionDef, cst.Lambda, cst.ClassDef})
_REPEATED_OR_LEFT = frozenset({cst.For, cst.While, cst.Try, cst.TryStar})


def most_on_one_path(node: cst.CSTNode, wanted: set[int]) -> int:
    """How many of some nodes one run of a piece of code can reach, loops counted once."""
    return _reached(node, wanted, _above(node, wanted), top=True)[0] if wanted else 0


def _above(node: cst.CSTNode, wanted: set[int]) -> set[int]:
    """The nodes that hold one of some nodes, and these themselves."""
    parents: dict[int, int] = {}
    stack = [node]
    while stack:
        current = stack.pop()
        inner = children(current)
        stack.extend(inner)
        number = id(current)
        for child in inner:
            parents[id(child)] = number
    found = set()
    for start in wanted:
        at: int | None = start
        while at is not None and at not in found:
            found.add(at)
            at = parents.get(at)
    return found


def _reached(
    node: cst.CSTNode, wanted: set[int], above: set[int], *, top: bool = False
) -> tuple[int, int | None]:
    """(the most on any path, the most on one that goes on behind the node; None: none does)."""
    kind = type(node)
    if (kind in _NESTED and not top) or (kind not in _STEPS and id(node) not in above):
        return 0, 0
    if isinstance(node, (cst.If, cst.IfExp)):
        asked, _ = _reached(node.test, wanted, above)
        ways = [_reached(node.body, wanted, above)]
        ways.append((0, 0) if node.orelse is None else _reached(node.orelse, wanted, above))
        most = asked + max(way for way, _ in ways)
        return most, max((asked + on for _, on in ways if on is not None), default=None)
    if kind is cst.Match:
        ways = [_reached(case, wanted, above) for case in children(node)]
        most = max((way for way, _ in ways), default=0)
        return most, max((on for _, on in ways if on is not None), default=0)
    most = behind = 1 if id(node) in wanted else 0
    for child in children(node):
        way, on = _reached(child, wanted, above)
        most = max(most, behind + way)
        if on is None:
            if kind not in _REPEATED_OR_LEFT:
                return most, None
            # It may run no turn, or be left in the middle.
            on = way
        behind += on
    most = max(most, behind)
    return most, None if kind is cst.Return or kind is cst.Raise else behind


def leaves_some(frame: Frame, node: cst.CSTNode, pushes: set[int]) -> bool:
    """Whether a function visibly puts more on a stack than the removals beside it take away."""
    code = frame.code
    if code is None or code.node is None or frame.turns or not isinstance(node, cst.Call):
        return False
    if not isinstance(node.func, cst.Attribute):
        return False
    stack = frame.parsed.source(node.func.value)
    removals = {
        id(call)
        for call, name, _ in _method_calls(frame, code.node, stack)
        if name in ("pop", "popleft", "remove", "discard")
    }
    put = most_on_one_path(code.node, pushes)
    return put > 1 and put > most_on_one_path(code.node, removals)


# -- loops that are left --------------------------------------------------------------------------


def leaves_loop(loop: cst.For | cst.While, node: cst.CSTNode) -> bool:
    """Whether a loop ends with the place: in a ``return``, or before a ``break`` or ``return``."""
    for inner in walk_own(loop):
        if isinstance(inner, cst.Return) and _holds(inner, node):
            return True
        if isinstance(inner, cst.IndentedBlock) and inner.body and _holds(inner, node):
            end = inner.body[-1]
            last = end.body[-1] if isinstance(end, cst.SimpleStatementLine) else end
            if isinstance(last, (cst.Return, cst.Raise)):
                return True
            if isinstance(last, cst.Break) and not _within_inner(loop, inner):
                return True
    return False


def _within_inner(loop: cst.For | cst.While, block: cst.CSTNode) -> bool:
    """Whether a block of a loop belongs to a loop inside of it."""
    return any(
        isinstance(inner, (cst.For, cst.While)) and inner is not loop and _holds(inner.body, block)
        for inner in walk_own(loop)
    )
