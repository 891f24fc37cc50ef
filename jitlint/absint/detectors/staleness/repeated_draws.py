"""Random numbers that are drawn again with the same key: they come out the same.

A sampler of ``jax.random`` is a function of its arguments.  What is looked for is the same call,
word by word, of which nothing changes in between: the second of two, one in each turn of a loop,
one in the body of a loop that JAX runs, with a key from outside.
"""

from __future__ import annotations

from itertools import pairwise, takewhile
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import called_name, children, dotted, walk, walk_own
from jitlint.absint.detectors.staleness.draws_of_scripts import drawn_above
from jitlint.absint.detectors.surroundings.clocks import measures
from jitlint.absint.detectors.surroundings.paths import in_order, lasting_loops, parts_of
from jitlint.absint.detectors.surroundings.traces import gives_shapes
from jitlint.absint.detectors.surroundings.written import OF_SHAPES, asked_once, root_name
from jitlint.absint.detectors.variants.configurations import goes_through_cases
from jitlint.absint.events import RepeatedDraw
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import NumbersDrawn, observes
from jitlint.absint.values.domain import Array, Origin
from jitlint.project.index import ModuleIndex

#: said of the draw before
SAME: Final = "the same numbers are drawn here"


class Draws:
    """What is noted of draws.

    Attributes:
      known: the calls that have been seen to draw numbers, by their nodes.
      told: by the function and the text of the key, the call that is reported: what it draws with
        that key besides has the same cause.
    """

    def __init__(self) -> None:
        self.known: set[int] = set()
        self.told: dict[tuple[Code | ModuleIndex, str], int] = {}

    def fork(self) -> Draws:
        """What an analysis knows that goes on from here."""
        made = Draws()
        made.known, made.told = set(self.known), dict(self.told)
        return made


@observes(NumbersDrawn)
def _drawn(it: Interpreter, drawn: NumbersDrawn) -> None:
    call, frame = drawn.node, it.frame
    if not isinstance(call, cst.Call) or frame.in_test:
        return
    if any(gives_shapes(it, trace) for trace in it.traces()) or _is_only_shown(frame, call):
        return
    known = it.observations(Draws).known
    known.add(id(call))
    it.keep(call)
    names = _names(frame, call)
    written = isinstance(_key_of(call), cst.Call)
    if names is None or (written and it.trace is not None):
        # A key that a trace makes of a constant is another rule's.
        return
    if frame.code is None:
        above = None if it.trace is not None else drawn_above(it, call, names)
        if above is not None:
            _note(it, drawn, "call", Origin(above, SAME))
        return
    earlier = _earlier(frame, call)
    if earlier is not None and id(earlier) in known:
        _note(it, drawn, "call", Origin(it.place(earlier), SAME))
    elif written:
        # A seed that is written down in a loop is meant: each turn begins with the same.
        return
    elif _is_of_every_turn(it, call, names):
        _note(it, drawn, "turn")
    elif _is_of_every_iteration(it, drawn, names):
        _note(it, drawn, "iteration")


def _note(it: Interpreter, drawn: NumbersDrawn, again: str, origin: Origin | None = None) -> None:
    call = drawn.node
    assert isinstance(call, cst.Call)
    key, code = _key_of(call), it.frame.code
    assert key is not None
    if code is not None and code.node is not None and measures(it, code.node):
        # What a measurement works with may be anything.
        return
    told = it.observations(Draws).told
    if told.setdefault((code or it.frame.module, it.text(key)), id(call)) != id(call):
        return
    callee = it.text(call.func)
    it.note(RepeatedDraw, call, operand=key, origin=origin, callee=callee, again=again)


# -- the call -------------------------------------------------------------------------------------


def _key_of(call: cst.Call) -> cst.BaseExpression | None:
    """What is given for a key."""
    for index, arg in enumerate(call.args):
        if arg.star:
            return None
        if (index == 0 and arg.keyword is None) or (arg.keyword and arg.keyword.value == "key"):
            return arg.value
    return None


@asked_once
def _is_only_shown(frame: Frame, call: cst.CSTNode) -> bool:
    """Whether what is drawn is printed, or nobody uses it: a lesson does so to show the same."""
    unused = True
    for below, outer in pairwise([call, *frame.parsed.above(call)]):
        if isinstance(outer, cst.Expr):
            return unused
        if isinstance(outer, cst.BaseCompoundStatement):
            break
        handed = isinstance(outer, cst.Call) and below is not outer.func
        if handed and isinstance(outer, cst.Call) and called_name(outer) in _SHOWING:
            return True
        unused = unused and not handed
    return False


_SHOWING: Final = frozenset({"print", "display", "block_until_ready"})
#: make a key of a seed
_MAKERS: Final = frozenset({"PRNGKey", "key"})
#: functions that give the same for the same
_PLAIN: Final = frozenset({"int", "len", "max", "min", "prod", "sum", "tuple"})


@asked_once
def _names(frame: Frame, call: cst.CSTNode) -> frozenset[str] | None:
    """The names that a call of a sampler is made of; None where it gives something else each time.

    They may be dotted.  Those of arrays do not count of which only the shape is asked.
    """
    assert isinstance(call, cst.Call)
    key = _key_of(call)
    made = isinstance(key, cst.Call) and called_name(key) in _MAKERS
    root = None if key is None or made else root_name(_held_by(key))
    if root is None and not made:
        return None
    found: set[str] = set()
    waiting: list[cst.CSTNode] = [arg.value for arg in call.args]
    while waiting:
        node = waiting.pop()
        name = dotted(node)
        if isinstance(node, cst.Call):
            if called_name(node) not in (_MAKERS if node is key else _PLAIN):
                return None
            waiting += [arg.value for arg in node.args]
        elif isinstance(node, (cst.Lambda, cst.BaseComp, cst.NamedExpr, cst.Await, cst.Yield)):
            return None
        elif isinstance(node, cst.Attribute) and node.attr.value in OF_SHAPES:
            continue
        elif name is not None:
            found.add(name)
        else:
            waiting += children(node)
    return frozenset(found)


def _changes(node: cst.CSTNode, names: frozenset[str], *, held: bool) -> bool:
    """Whether a node of some code may change what has one of some names.

    Args:
      node: one node of it.
      names: the names, which may be dotted.
      held: whether the key is held by an object, which any call of a method may change.
    """
    roots = {name.partition(".")[0] for name in names}
    if isinstance(node, cst.Call):
        used = [root_name(arg.value) for arg in node.args]
        used += [root_name(node.func)] if isinstance(node.func, cst.Attribute) else []
        return held and not roots.isdisjoint(used)
    if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr, cst.For)):
        changed = (_changed(part) for part in parts_of(node.target))
        return any(
            name == part or name.startswith(f"{part}.") for part in changed for name in names
        )
    if isinstance(node, (cst.CompFor, cst.AsName)):
        target = node.target if isinstance(node, cst.CompFor) else node.name
        return not roots.isdisjoint(target_names(target))
    return isinstance(node, (cst.Del, cst.Global, cst.Nonlocal))


def _changed(target: cst.CSTNode) -> str | None:
    """The name of what an assignment changes: ``self.keys`` in ``self.keys[0] = key``."""
    while isinstance(target, (cst.Subscript, cst.StarredElement)):
        target = target.value
    return dotted(target)


def _is_held(call: cst.Call) -> bool:
    """Whether an object holds the key."""
    key = _key_of(call)
    return key is not None and isinstance(_held_by(key), cst.Attribute)


def _held_by(key: cst.BaseExpression) -> cst.BaseExpression:
    """What a key is taken from: ``keys`` of ``keys[0]``, or itself."""
    return key.value if isinstance(key, cst.Subscript) else key


# -- two calls ------------------------------------------------------------------------------------


@asked_once
def _earlier(frame: Frame, call: cst.CSTNode) -> cst.Call | None:
    """The same call further up that is made whenever this one is, with nothing changed since."""
    assert isinstance(call, cst.Call)
    code = frame.code
    names = _names(frame, call)
    if code is None or code.node is None or names is None:
        return None
    nodes = [*takewhile(lambda node: node is not call, in_order(code.node))]
    same = [
        node
        for node in nodes
        if isinstance(node, cst.Call) and call.deep_equals(node) and not _is_only_shown(frame, node)
    ]
    for earlier in reversed(same):
        if not _comes_first(frame, earlier, call):
            continue
        between = nodes[nodes.index(earlier) + 1 :]
        held = _is_held(call)
        inside = {id(node) for node in walk(earlier)}
        if not any(_changes(n, names, held=held) for n in between if id(n) not in inside):
            # What the statement of the earlier call binds is bound behind it.
            return None if _binds(frame, earlier, names) else earlier
        return None
    return None


def _binds(frame: Frame, call: cst.Call, names: frozenset[str]) -> bool:
    """Whether the statement that a call stands in binds one of some names."""
    for outer in frame.parsed.above(call):
        if isinstance(outer, cst.SimpleStatementLine):
            return any(_changes(node, names, held=False) for node in walk_own(outer))
    return False


def _comes_first(frame: Frame, earlier: cst.Call, later: cst.Call) -> bool:
    """Whether whoever comes to the later one of two calls has come by the earlier one.

    The statement of that is one of a block that the later one stands in, too; nothing that may be
    left out, or be done several times, is around it.
    """
    around = {id(outer) for outer in frame.parsed.above(later)}
    for outer in frame.parsed.above(earlier):
        if id(outer) in around:
            return not isinstance(outer, (cst.IfExp, cst.BooleanOperation, cst.If, cst.Try))
        if isinstance(outer, _OPTIONAL):
            return False
    return False


_OPTIONAL: Final = (
    cst.If, cst.Else, cst.IfExp, cst.BooleanOperation, cst.For, cst.While, cst.Try, cst.TryStar,
    cst.ExceptHandler, cst.Match, cst.MatchCase, cst.Lambda, cst.FunctionDef, cst.BaseComp,
)  # fmt: skip


# -- loops ----------------------------------------------------------------------------------------


def _is_of_every_turn(it: Interpreter, call: cst.Call, names: frozenset[str]) -> bool:
    """Whether each turn of the loop around draws the same numbers.

    Not where the loop goes through cases that are listed: these may well begin with the same.  Nor
    where it searches, ``while drop < 0.7``: what it changes is better compared with the rest left
    as it is.
    """
    loops = lasting_loops(it.frame, call)
    if not loops or loops[-1] is not it.frame.enclosing_loops[-1]:
        return False
    loop = loops[-1]
    if isinstance(loop, cst.While) or goes_through_cases(it, loop):
        return False
    around = loop
    if isinstance(loop, cst.CompFor):
        above = it.frame.parsed.above(loop)
        around = next((outer for outer in above if isinstance(outer, cst.BaseComp)), loop)
    if not _is_always_reached(it.frame, call, around):
        return False
    held = _is_held(call)
    return not any(_changes(node, names, held=held) for node in walk(around) if node is not call)


def _is_always_reached(frame: Frame, call: cst.CSTNode, around: cst.CSTNode) -> bool:
    """Whether a call is made whenever the code around it runs."""
    for outer in takewhile(lambda outer: outer is not around, frame.parsed.above(call)):
        if isinstance(outer, _OPTIONAL):
            return False
    return True


def _is_of_every_iteration(it: Interpreter, drawn: NumbersDrawn, names: frozenset[str]) -> bool:
    """Whether the body of a loop that JAX runs draws with a key from outside."""
    frame, call, trace = it.frame, drawn.node, it.trace
    code = frame.code
    if trace is None or not trace.loops or code is None or code.node is None:
        return False
    if frame.parent is None or frame.parent.env != trace.env:
        return False
    if isinstance(drawn.key, Array) and (drawn.key.seed or drawn.key.trace >= trace.number):
        return False
    if not code.bound_names.isdisjoint(name.partition(".")[0] for name in names):
        return False
    return _is_always_reached(frame, call, code.node)
