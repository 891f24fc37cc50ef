"""Filling what is missing: it happens once on purpose. Asked where something would be recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import takewhile
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.conditions import conjuncts, disjuncts
from jitlint.absint.code.syntax import is_none, walk_own
from jitlint.absint.detectors.surroundings.written import (
    asked_once,
    bindings,
    bound_values,
    method_calls,
    nodes_around,
    own_above,
    root_name,
    values_in,
)
from jitlint.foundation.records import Record

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter

_ASKS = re.compile(r"\bis None\b|\bnot in\b|\bhasattr\b|\bgetattr\b|== 0$")
_CHOOSES = re.compile(r"\bis (?:not )?None\b|\b(?:not )?in\b|\bhasattr\b")
_NEGATED = re.compile(r"^not\s+([A-Za-z_][\w.]*)$")
#: with a marker, or with a number that stands for none
_COMPARED = re.compile(
    r"^([A-Za-z_][\w.]*) (?:is [A-Za-z_][\w.]*|== (?:-1|-?float\([\"']-?inf[\"']\)|-?[\w.]*\binf))$"
)
_PRESENT = re.compile(
    r"^(?:([A-Za-z_][\w.]*) is not None|(?!.*\bnot in\b).+ in [A-Za-z_][\w.]*|hasattr\(.*)$"
)
_FILLS = frozenset({"add", "append", "extend", "insert", "setdefault", "update"})
_TAKES_OUT = frozenset({"clear", "pop", "popitem", "popleft"})
_FLAG = re.compile(r"[A-Za-z_][\w.]*")
_LOOKED_UP = re.compile(r"\.get\(|^getattr\(")
_MISSING = re.compile(r"\b(?:KeyError|AttributeError|LookupError|NameError)\b")


def _asks(frame: Frame, inner: cst.If, *, above: bool) -> bool:
    """Whether a test asks if something is there yet.

    ``not name`` does where the name is set under it, so that the next time it is; where only a call
    stands under it (``above``), an attribute says as much.
    """
    test = frame.parsed.source(inner.test)
    if _ASKS.search(test):
        return True
    parts = map(frame.parsed.source, conjuncts(inner.test))
    names = [negated[1] for negated in map(_NEGATED.match, parts) if negated is not None]
    if above:
        return any("." in name for name in names)
    return bool(names) and (
        any(target in names for target, _ in bound_values(frame, inner.body))
        or any(_is_filled(frame, inner.body, name) for name in names)
    )


def _is_filled(frame: Frame, body: cst.CSTNode, name: str) -> bool:
    """``if not made: made.append(make())``."""
    return any(method in _FILLS for _, method, _ in method_calls(frame, body, name))


def _tells_the_first(frame: Frame, inner: cst.If) -> bool:
    """Whether a test asks for the first time: ``if found is missing: found = x``.

    So does ``if stale: ...; stale = False``, where something else says when that is to be done.
    """
    asked = {*map(frame.parsed.source, conjuncts(inner.test))}
    bound = list(bound_values(frame, inner.body))
    if any(target in asked and value == "False" for target, value in bound):
        return True
    compared = _COMPARED.match(frame.parsed.source(inner.test))
    return compared is not None and any(target == compared[1] for target, _ in bound)


@asked_once
def is_guarded(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a place is reached only if something is missing, or for the first time.

    ``if x is None``, ``if key not in table``, ``except KeyError``, ``x = x or make()``,
    ``make() if x is None else x``.
    """
    return _is_guarded(frame, node, above=False)


@asked_once
def is_kept_by_what_lasts(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a place is reached once, as what it makes is kept beyond the function.

    ``if not outcome: outcome.append(make())`` of a function around, ``if key not in _CACHE``,
    ``if self.model is None``.
    """
    code = frame.code
    if code is None or code.node is None:
        return False
    return any(
        type(inner) is cst.If
        and below is inner.body
        and _asks(frame, inner, above=False)
        and any(
            isinstance(asked, cst.Attribute) or root_name(asked) not in code.bound_names
            for test in conjuncts(inner.test)
            for asked in _asked_for(test)
        )
        for inner, below in own_above(frame, node)
    )


@asked_once
def is_collected(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether what a call makes is put into something: ``made.append(make())``, ``d[k] = make()``.

    So it is under a name that the same code puts there.
    """
    above = list(own_above(frame, node))
    value = node
    for outer, _ in above:
        if isinstance(outer, (cst.Arg, cst.Element, cst.List, cst.Tuple)):
            continue
        if isinstance(outer, cst.Call):
            return outer.func is not value and _fills(outer)
        if isinstance(outer, cst.Assign):
            targets = [assigned.target for assigned in outer.targets]
            if any(isinstance(target, (cst.Attribute, cst.Subscript)) for target in targets):
                return True
            names = {target.value for target in targets if isinstance(target, cst.Name)}
            return any(
                names.intersection(values_in(arg.value))
                for around, _ in above
                if isinstance(around, cst.IndentedBlock)
                for call in walk_own(around)
                if isinstance(call, cst.Call) and _fills(call)
                for arg in call.args
            )
        return isinstance(outer, cst.BaseComp)
    return False


@asked_once
def is_used_up(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether an object that a call in a loop makes is asked for its members there, and left alone.

    ``Solver(loss).run(x)``; ``solver = Solver(loss)``, ``results.append(solver.run(x))``.
    """
    outer, _ = next(iter(own_above(frame, node)), (None, None))
    if isinstance(outer, cst.Attribute):
        return True
    if not isinstance(outer, cst.Assign) or len(outer.targets) != 1:
        return False
    target = outer.targets[0].target
    if not isinstance(target, cst.Name) or not frame.enclosing_loops:
        return False
    asked = {id(inner.value) for inner in nodes_around(frame) if isinstance(inner, cst.Attribute)}
    named = [
        inner
        for inner in nodes_around(frame)
        if isinstance(inner, cst.Name) and inner.value == target.value and inner is not target
    ]
    return bool(named) and all(id(inner) in asked for inner in named)


def _fills(call: cst.Call) -> bool:
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in _FILLS


def _asked_for(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Of what a test asks whether it is there."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        yield test.expression
    elif isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        compared = test.comparisons[0]
        if isinstance(compared.operator, cst.NotIn):
            yield compared.comparator
        elif isinstance(compared.operator, cst.Is):
            yield test.left


@asked_once
def _is_call_guarded(frame: Frame, node: cst.CSTNode) -> bool:
    return _is_guarded(frame, node, above=True)


def _is_guarded(frame: Frame, node: cst.CSTNode, *, above: bool) -> bool:
    return any(
        (
            type(inner) is cst.If
            and (_asks(frame, inner, above=above) or _tells_the_first(frame, inner))
        )
        or (type(inner) is cst.ExceptHandler and below is inner.body and _catches(frame, inner))
        or (type(inner) is cst.Try and _stands_in(frame, inner, below))
        or (
            type(inner) is cst.BooleanOperation
            and type(inner.operator) is cst.Or
            and below is inner.right
        )
        or (
            type(inner) is cst.IfExp
            and _CHOOSES.search(frame.parsed.source(inner.test)) is not None
        )
        or (type(inner) is cst.IndentedBlock and _is_left_before(frame, inner, below))
        for inner, below in own_above(frame, node)
    )


def _is_left_before(frame: Frame, block: cst.IndentedBlock, place: cst.CSTNode) -> bool:
    """Whether a function is left before a statement of a block if something is there already.

    ``if done: return`` before ``done = True``; ``if found is not None: return found`` where that
    was looked up.
    """
    for statement in block.body:
        if statement is place:
            return False
        if type(statement) is cst.If and statement.orelse is None and _leaves(statement.body):
            # Behind `if done or count <= few: return` all of that is false.
            tests = [test for test in disjuncts(statement.test) if len([*conjuncts(test)]) == 1]
            parts = [*map(frame.parsed.source, tests)]
            asked = parts if tests == [statement.test] else filter(_FLAG.fullmatch, parts)
            if any(_tells_presence(frame, part) for part in asked):
                return True
    return False


def _leaves(body: cst.BaseSuite) -> bool:
    last: cst.CSTNode = body.body[-1]
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    return isinstance(last, (cst.Return, cst.Raise))


def _tells_presence(frame: Frame, test: str) -> bool:
    """Whether a test asks if what the function stores outside is there, or was looked up."""
    code = frame.code
    if code is None or code.node is None:
        return False
    bound = list(bound_values(frame, code.node))
    present = _PRESENT.match(test)
    name = test.removeprefix("not ") if present is None else present[1]
    if name is None:
        # A container or an object is asked.
        return True
    if not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        return False
    if name not in code.bound_names and any(target == name for target, _ in bound):
        return True
    return present is not None and any(
        target == name and _LOOKED_UP.search(value) is not None for target, value in bound
    )


def _catches(frame: Frame, handler: cst.ExceptHandler) -> bool:
    """Whether a handler is reached only where something was looked for and not found."""
    caught = "" if handler.type is None else frame.parsed.source(handler.type)
    return _MISSING.search(caught) is not None


def _stands_in(frame: Frame, attempt: cst.Try, handler: cst.CSTNode) -> bool:
    """Whether a handler makes what could not be had: ``try: a = get()``, ``except: a = make()``."""
    had = {target for target, _ in bound_values(frame, attempt.body)}
    return isinstance(handler, cst.ExceptHandler) and any(
        target in had for target, _ in bound_values(frame, handler.body)
    )


def is_guarded_above(it: Interpreter) -> bool:
    """Whether a call that led here, within the trace, stands under such a test."""
    frame = it.frame
    while frame.parent is not None and frame.parent.context.cached:
        place = None if frame.chain is None else frame.chain.step.place
        caller = frame.parent
        here = place is not None and place.parsed is caller.parsed
        if here and place is not None and _is_call_guarded(caller, place.node):
            return True
        frame = caller
    return False


def is_first_time(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a place, or a call that led here within the trace, is reached once in a process.

    A flag that lasts says whether it was, and is set for the next time: ``if _registered: return``,
    ``build()``, ``_registered = True``.
    """
    frame = it.frame
    while not _is_flagged(frame, node):
        place = None if frame.chain is None else frame.chain.step.place
        caller = frame.parent
        if caller is None or not caller.context.cached or place is None:
            return False
        if place.parsed is not caller.parsed:
            return False
        frame, node = caller, place.node
    return True


@asked_once
def _is_flagged(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a place is reached only while what its function sets for good is not set.

    A table is asked for its key: ``if key in _made: return _made[key]``, ``_made[key] = build()``.
    """
    code = frame.code
    if code is None or code.node is None:
        return False
    own = code.bound_names.difference(code.parameter_names)
    source = frame.parsed.source
    flags: set[str] = set()
    tables: set[str] = set()
    for target, _ in bindings(code.node):
        whole = target.value if isinstance(target, cst.Subscript) else target
        root = root_name(whole)
        if root not in own and (whole is not target or root != source(target)):
            (flags if whole is target else tables).add(source(whole))
        elif root not in code.bound_names:
            flags.add(source(target))
    if not flags and not tables:
        return False
    found = {
        target
        for target, value in bound_values(frame, code.node)
        if any(value.startswith(f"{table}.get(") for table in tables)
    }
    lasting = _Lasting(flags | found, tables)
    return any(
        any(lasting.lacks(frame, test) for test in conjuncts(inner.test))
        if type(inner) is cst.If and below is inner.body
        else type(inner) is cst.IndentedBlock and _is_left_by_flag(frame, inner, below, lasting)
        for inner, below in own_above(frame, node)
    )


class _Lasting(Record):
    """What a function sets that outlives it.

    Args:
      flags: names and attributes, as written, and what was looked up in the tables.
      tables: what it puts entries in, as written.
    """

    flags: Set[str]
    tables: Set[str]

    def lacks(self, frame: Frame, test: cst.BaseExpression) -> bool:
        """Whether a test asks if something is not there: ``not done``, ``key not in made``."""
        if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
            return frame.parsed.source(test.expression) in self.flags
        return self._compares(frame, test, cst.Is, cst.NotIn)

    def has(self, frame: Frame, test: cst.BaseExpression) -> bool:
        """Whether a test asks if something is there: ``done``, ``key in made``."""
        return frame.parsed.source(test) in self.flags or self._compares(
            frame, test, cst.IsNot, cst.In
        )

    def _compares(
        self,
        frame: Frame,
        test: cst.BaseExpression,
        with_none: type[cst.BaseCompOp],
        with_table: type[cst.BaseCompOp],
    ) -> bool:
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return False
        compared = test.comparisons[0]
        if isinstance(compared.operator, with_none) and is_none(compared.comparator):
            return frame.parsed.source(test.left) in self.flags
        return (
            isinstance(compared.operator, with_table)
            and frame.parsed.source(compared.comparator) in self.tables
        )


def _is_left_by_flag(
    frame: Frame, block: cst.IndentedBlock, place: cst.CSTNode, lasting: _Lasting
) -> bool:
    """Whether the function is left before a statement of a block where something was set."""
    return any(
        lasting.has(frame, test)
        for statement in takewhile(lambda each: each is not place, block.body)
        if type(statement) is cst.If and statement.orelse is None and _leaves(statement.body)
        for test in disjuncts(statement.test)
    )


def is_set_up_late(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a place, or a call that led here, is reached only while an object lacks something.

    ``if not hasattr(self, "weights"): self.setup()`` happens once, before all that needs it.
    """
    frame: Frame | None = it.frame
    while frame is not None:
        if _is_lacking(frame, node):
            return True
        step = None if frame.chain is None else frame.chain.step
        frame = frame.parent
        if frame is None or step is None or step.place.parsed is not frame.parsed:
            return False
        node = step.place.node
    return False


@asked_once
def _is_lacking(frame: Frame, node: cst.CSTNode) -> bool:
    return any(
        type(inner) is cst.If
        and below is inner.body
        and any(map(_asks_for_lack, conjuncts(inner.test)))
        for inner, below in own_above(frame, node)
    )


def _asks_for_lack(test: cst.BaseExpression) -> bool:
    """``not hasattr(self, "weights")``, ``getattr(self, "weights", None) is None``."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _asks_whether_there(test.expression)
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    compared = test.comparisons[0]
    is_lack = is_none(compared.comparator) and isinstance(compared.operator, cst.Is)
    return is_lack and _asks_whether_there(test.left)


def _asks_whether_there(call: cst.BaseExpression) -> bool:
    called = call.func if isinstance(call, cst.Call) else None
    return isinstance(called, cst.Name) and called.value in ("getattr", "hasattr")


def is_leaving(it: Interpreter) -> bool:
    """Whether a context manager is being left: what it does takes back what entering it did.

    Where entering it calls what leaving it calls again, that does not last either.
    """
    frame: Frame | None = it.frame
    called = ""
    while frame is not None and frame.context.cached:
        code = frame.code
        if code is not None and code.name == "__exit__":
            return True
        if code is not None and code.name == "__enter__" and code.unit.cls is not None:
            exits = code.unit.cls.methods.get("__exit__", ())
            return any(called in unit.words_called for unit in exits)
        called = "" if code is None else code.name
        frame = frame.parent
    return False


def is_eviction(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a function makes room in what it fills: ``if len(cache) > most: cache.popitem()``."""
    code = frame.code
    call = node.func if isinstance(node, cst.Call) else None
    if code is None or code.node is None or not isinstance(call, cst.Attribute):
        return False
    filled = frame.parsed.source(call.value)
    asked = f"len({filled})"
    return (
        call.attr.value in _TAKES_OUT
        and any(
            isinstance(target, cst.Subscript) and frame.parsed.source(target.value) == filled
            for target, _ in bindings(code.node)
        )
        and any(
            isinstance(outer, (cst.If, cst.While)) and asked in frame.parsed.source(outer.test)
            for outer, _ in own_above(frame, node)
        )
    )


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
