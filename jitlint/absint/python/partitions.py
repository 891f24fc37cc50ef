"""Which static tests of a function decide twice, so that their outcomes are kept apart.

``kernel = plain if blocks is None else fast`` and ``kernel(x, blocks)``: the fast one never gets
None.  Joining the two ways where they meet would lose that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import walk_own
from jitlint.absint.machine.events import Branch
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced, level_of
from jitlint.absint.python import assignment, narrowing, operations
from jitlint.absint.values.domain import External, Partial, Transformed, members_of
from jitlint.jaxmodel.transforms import transform_words


def is_choice(node: cst.CSTNode) -> bool:
    """Whether a statement is ``name = one if test else another``."""
    if type(node) is not cst.SimpleStatementLine or type(node.body[0]) is not cst.Assign:
        return False
    return type(node.body[0].value) is cst.IfExp


def split_on(it: Interpreter, node: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    """A static condition of this statement that decides again later in the function.

    It is tested there once more, or the function that it chooses here is called with what was
    tested or chosen with it.  The two ways are then kept apart to the end of the block, because a
    value that only one of them makes traced is never seen by the other.
    """
    frame = it.frame
    if frame.code is None or frame.partitions >= it.limits.partitions or frame.loops:
        return None
    repeated, choosing = _deciding_tests(it, frame.code)
    if type(node) is not cst.If:
        repeated = frozenset()
    if not (repeated or choosing):
        return None
    for key, atom in _tests_within(it, node):
        if key in it.state.assumed or not (key in repeated or key in choosing):
            continue
        if (key in repeated or _may_trace(it, choosing[key])) and _is_open(it, atom):
            return key, atom
    return None


def _may_trace(it: Interpreter, chosen: Sequence[cst.BaseExpression]) -> bool:
    """Whether one of the functions that a test chooses from traces, or makes what does."""
    return any(_is_transform(it, node) for node in chosen)


def _is_transform(it: Interpreter, node: cst.BaseExpression) -> bool:
    if not isinstance(node, (cst.Name, cst.Attribute)):
        return _TRANSFORMS.search(it.frame.parsed.source(node)) is not None
    with it.doubting():
        value = it.ev(node)
    while isinstance(value, Partial):
        value = value.function
    if isinstance(value, External):
        return it.row(value.name) is not None
    return any(isinstance(member, Transformed) for member in members_of(value))


#: a word that applies a transform
_TRANSFORMS = re.compile(r"\b(?:" + "|".join(sorted(transform_words())) + r")\b")


def _is_open(it: Interpreter, atom: cst.BaseExpression) -> bool:
    """Whether a condition is static and its outcome not known."""
    with it.doubting():
        asked = it.asked
        value = it.ev(atom)
        it.asked = asked
    if find_traced(it, value) is not None or level_of(it, value) is not None:
        return False
    return operations.truth(it, value, atom, Branch, construct="if") is None


def _tests_within(it: Interpreter, node: cst.CSTNode) -> list[tuple[str, cst.BaseExpression]]:
    cached: list[tuple[str, cst.BaseExpression]] | None = it.syntax.get(("atoms", id(node)))
    if cached is None:
        cached = []
        for inner in walk_own(node):
            if type(inner) is cst.If or type(inner) is cst.IfExp:
                cached.extend(narrowing.atoms(inner.test))
        cached = it.syntax[("atoms", id(node))] = cached[::-1]
    return cached


#: tests, with what the function that is called is chosen from
_Choices = dict[str, list[cst.BaseExpression]]


def _deciding_tests(it: Interpreter, code: Code) -> tuple[frozenset[str], _Choices]:
    """The tests that a function repeats, and those that choose which function is called."""
    key = ("tests", id(code))
    cached: tuple[frozenset[str], _Choices] | None = it.syntax.get(key)
    if cached is None:
        tests = [
            node
            for node in (code.own_nodes if "if " in code.unit.text else ())
            if type(node) is cst.If
            or type(node) is cst.IfExp
            or (type(node) is cst.Assign and type(node.value) is cst.IfExp)
        ]
        seen: set[str] = set()
        repeated: set[str] = set()
        for node in tests:
            if isinstance(node, (cst.If, cst.IfExp)):
                for atom in {atom for atom, _ in narrowing.atoms(node.test)}:
                    (repeated if atom in seen else seen).add(atom)
        cached = it.syntax[key] = (frozenset(repeated), _choosing(code, tests))
    return cached


def _choosing(code: Code, nodes: Sequence[cst.If | cst.IfExp | cst.Assign]) -> _Choices:
    """The tests under which a name gets a function that is called with what was tested too.

    Or with what was chosen with it: a name that another way of the same test binds as well.
    """
    choices: list[tuple[dict[str, list[cst.BaseExpression]], list[cst.BaseExpression]]] = []
    for node in nodes:
        if type(node) is cst.If:
            tests, bound = _arms(node)
            choices.append(({n: values for n, values in bound.items() if len(values) > 1}, tests))
        elif type(node) is cst.Assign:
            assert isinstance(node.value, cst.IfExp)
            names = (name for target in node.targets for name in target_names(target.target))
            ways = [node.value.body, node.value.orelse]
            choices.append((dict.fromkeys(names, ways), [node.value.test]))
    chosen = set().union(*(shared for shared, _ in choices))
    found: _Choices = {}
    called = _calls(code, chosen) if chosen else {}
    for shared, tests in choices:
        functions = [name for name in shared if name in called]
        given = set().union(*(called[name] for name in functions))
        for key in {key for test in tests for key, _ in narrowing.atoms(test)} if functions else ():
            if len(shared) > 1 or given & assignment.words(key):
                for name in functions:
                    found.setdefault(key, []).extend(shared[name])
    return found


def _calls(code: Code, names: set[str]) -> dict[str, set[str]]:
    """Which of some names are called, and the names in what they are given."""
    called: dict[str, set[str]] = {}
    for node in code.own_nodes:
        if type(node) is cst.Call and type(node.func) is cst.Name and node.func.value in names:
            given = called.setdefault(node.func.value, set())
            for arg in node.args:
                inside = walk_own(arg.value)
                given.update(inner.value for inner in inside if type(inner) is cst.Name)
    return called


def _arms(
    node: cst.If,
) -> tuple[list[cst.BaseExpression], dict[str, list[cst.BaseExpression]]]:
    """The tests of an ``if``, and what its ways bind names to."""
    tests: list[cst.BaseExpression] = []
    bound: dict[str, list[cst.BaseExpression]] = {}
    way: cst.If | cst.Else | None = node
    while way is not None:
        mine: dict[str, cst.BaseExpression] = {}
        for line in way.body.body:
            for small in line.body if type(line) is cst.SimpleStatementLine else ():
                if type(small) is cst.Assign:
                    for target in small.targets:
                        mine.update(dict.fromkeys(target_names(target.target), small.value))
        for name, value in mine.items():
            bound.setdefault(name, []).append(value)
        if type(way) is cst.If:
            tests.append(way.test)
        way = way.orelse if type(way) is cst.If else None
    return tests, bound
