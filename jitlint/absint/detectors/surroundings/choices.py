"""Which way a function goes for a setting: a flag, or one of several texts, that a caller chooses.

A loop that goes through settings (``for parallel in (False, True)``) does what stands under one of
them once, however often the function is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.conditions import conjuncts, disjuncts
from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import SCOPES, children, dotted, is_none
from jitlint.absint.detectors.surroundings.loop_counters import counters
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name, loop_targets
from jitlint.absint.detectors.surroundings.paths import leaves, names_in, repeating_loops
from jitlint.absint.detectors.surroundings.written import bindings

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter


#: tests, by the names that stand for what they say
_Meant = Mapping[str, cst.BaseExpression]
_TESTS: Final = (cst.Comparison, cst.BooleanOperation, cst.UnaryOperation)


def settings_for(frame: Frame, node: cst.CSTNode) -> frozenset[str]:
    """What callers must choose so that a place is reached, as far as an ``if`` tells.

    One around it does, and one before it that leaves the function: ``if only_model: return model``.

    That is ``parallel True`` or ``parallel False`` of what is asked for its truth, else the text of
    what it must be equal to: ``kind 'plain'``.
    """
    code = frame.code
    if code is None or code.node is None or "if " not in code.unit.text:
        return frozenset()
    return frame.parsed.fact(_settings_within, code).get(id(node), frozenset())


def _settings_within(code: Code) -> dict[int, frozenset[str]]:
    """What callers must choose, by the ``id`` of each node of a function where they must."""
    assert code.node is not None
    bound = [*bindings(code.node)]
    times = Counter(name for target, _ in bound for name in names_in(target))
    names = set(code.parameter_names) - times.keys()
    #: what names stand for that are bound once: ``plain = kind == "plain"``
    meant = {
        target.value: value
        for target, value in bound
        if isinstance(target, cst.Name) and times[target.value] == 1 and isinstance(value, _TESTS)
    }
    found: dict[int, frozenset[str]] = {}
    stack: list[tuple[cst.CSTNode, frozenset[str]]] = [(code.node, frozenset())]
    while stack:
        node, wanted = stack.pop()
        if wanted:
            found[id(node)] = wanted
        if isinstance(node, SCOPES) and node is not code.node:
            continue
        if isinstance(node, cst.IndentedBlock):
            for part in node.body:
                stack.append((part, wanted))
                wanted |= _of_parameters(names, _passed(part, meant))
        elif isinstance(node, (cst.If, cst.IfExp)):
            stack.append((node.test, wanted))
            chosen = _of_condition(node.test, True, meant)
            stack.append((node.body, wanted | _of_parameters(names, chosen)))
            if node.orelse is not None:
                others = _of_condition(node.test, False, meant)
                stack.append((node.orelse, wanted | _of_parameters(names, others)))
        else:
            stack.extend((child, wanted) for child in children(node))
    return found


def _of_parameters(names: Set[str], wanted: Iterable[tuple[str, str]]) -> frozenset[str]:
    return frozenset(f"{name} {value}" for name, value in wanted if name in names)


def _passed(before: cst.CSTNode | None, meant: _Meant) -> Iterator[tuple[str, str]]:
    """What must hold so that a run goes on behind a statement, if it is an ``if`` that may not."""
    while isinstance(before, cst.If):
        if not leaves(before.body):
            if before.orelse is not None and leaves(before.orelse):
                yield from _of_condition(before.test, True, meant)
            return
        yield from _of_condition(before.test, False, meant)
        before = before.orelse


def _of_condition(
    test: cst.BaseExpression, outcome: bool, meant: _Meant
) -> Iterator[tuple[str, str]]:
    """What must hold so that a condition has an outcome, of names and what they stand for."""
    for part in conjuncts(test) if outcome else disjuncts(test):
        wanted = outcome
        while isinstance(part, cst.UnaryOperation) and isinstance(part.operator, cst.Not):
            part, wanted = part.expression, not wanted
        if isinstance(part, cst.Name) and part.value in meant:
            others = {name: value for name, value in meant.items() if name != part.value}
            yield from _of_condition(meant[part.value], wanted, others)
        else:
            yield from _of_test(part, wanted)


def _of_test(test: cst.BaseExpression, outcome: bool) -> Iterator[tuple[str, str]]:
    """``parallel``, ``kind == "a"``, ``kind != "a"``.

    What must not be None has to be given.
    """
    if isinstance(test, cst.Name):
        yield test.value, str(outcome)
    elif isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        equal = isinstance(target.operator, _ALIKE if outcome else _UNLIKE)
        unequal = isinstance(target.operator, _UNLIKE if outcome else _ALIKE)
        setting = _text(target.comparator)
        if not isinstance(test.left, cst.Name):
            return
        if equal and setting is not None:
            yield test.left.value, setting
        elif is_none(target.comparator):
            yield test.left.value, GIVEN
        elif unequal and setting is not None:
            yield test.left.value, f"{_OTHER}{setting}"


_ALIKE: Final = (cst.Equal, cst.Is)
_UNLIKE: Final = (cst.NotEqual, cst.IsNot)


def _text(node: cst.BaseExpression) -> str | None:
    """How one setting among several is told: a text by itself, others as they are written."""
    if isinstance(node, cst.SimpleString):
        return repr(node.evaluated_value)
    return dotted(node) if isinstance(node, (cst.Attribute, cst.Name)) else None


def either(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """The settings that one of two calls chooses; what the other does not tell may be any."""
    apart = _names(one) ^ _names(other)
    return one | other | {f"{name} {_ANY}" for name in apart}


def _names(settings: frozenset[str]) -> set[str]:
    return {setting.partition(" ")[0] for setting in settings}


#: what is said of a parameter that may be given anything
_ANY: Final = "..."
#: stands before a setting that is not chosen
_OTHER: Final = "!"
#: what is said of one that is given some object, which is not None
GIVEN: Final = "<given>"


def leads_to(wanted: frozenset[str], chosen: frozenset[str]) -> bool:
    """Whether a call that chooses some settings may reach a place that wants others."""
    known: dict[str, set[str]] = {}
    for setting in chosen:
        name, _, value = setting.partition(" ")
        known.setdefault(name, set()).add(value)
    for want in wanted:
        name, _, value = want.partition(" ")
        if name in known and not any(_agrees(value, each) for each in known[name]):
            return False
    return True


def _agrees(value: str, chosen: str) -> bool:
    """Whether what is wanted of a parameter may be true of what it is given."""
    if chosen == _ANY:
        return True
    if value == GIVEN:
        return chosen != "None"
    if chosen == GIVEN:
        return value != "None"
    if value.startswith(_OTHER):
        return value != f"{_OTHER}{chosen}"
    if value in ("True", "False"):
        return (chosen not in ("False", "None", "''")) is (value == "True")
    # What is written as a name may be anything.
    return value == chosen or not (value == "None" or value[0] in "'\"")


def asks_for(wanted: frozenset[str], names: frozenset[str]) -> bool:
    """Whether one of some parameters must be given a setting so that a place is reached."""
    return not names.isdisjoint(_names(wanted))


def set_in_turns(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """The parameters to which a call in a loop gives one setting after the other.

    Nothing else may repeat the call: with another loop around each setting comes again.
    """
    loops = repeating_loops(it.frame)
    if len(loops) != 1 or not isinstance(node, cst.Call):
        return frozenset()
    targets = it.written(loop_targets, loops[0]) - it.written(counters, loops[0]).counting
    return frozenset(
        name
        for name, value in given_by_name(callee, node)
        if not targets.isdisjoint(names_in(value))
    )
