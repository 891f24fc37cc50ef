"""Conditions as written: what they are made of, and which of a function decide twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import libcst as cst

from jitlint.absint.code.functions import Code, bindings_of, target_names
from jitlint.absint.code.syntax import dotted, walk_own

_LITERALS = (cst.Integer, cst.Float, cst.SimpleString, cst.ConcatenatedString)

#: methods of Python's containers after which they may hold other things
_CHANGING = frozenset(
    {
        "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove",
        "setdefault", "update",
    }
)  # fmt: skip

_CONDITIONS = (cst.BooleanOperation, cst.Comparison, cst.UnaryOperation)
#: what is asked of values that stay as they are
_QUESTIONS = frozenset({"any", "all", "isinstance", "callable", "jax.tree.leaves"})

#: tests, with what the function that is called is chosen from
Choices = dict[str, list[cst.CSTNode]]


def stable_key(node: cst.BaseExpression) -> str | None:
    """A text under which a static condition is remembered, None if testing it twice may differ."""
    if type(node) is cst.Name:
        return node.value
    if type(node) is cst.Attribute:
        base = stable_key(node.value)
        return None if base is None else f"{base}.{node.attr.value}"
    if type(node) in _LITERALS:
        literal: str = node.value  # type: ignore[attr-defined]
        return literal
    if type(node) is cst.Comparison and len(node.comparisons) == 1:
        left = stable_key(node.left)
        target = node.comparisons[0]
        right = stable_key(target.comparator)
        if left is not None and right is not None:
            return f"{left} {type(target.operator).__name__} {right}"
    return None


def outcome(test: cst.BaseExpression, assumed: Mapping[str, bool]) -> bool | None:
    """How a condition comes out under what is remembered of others, None if that does not tell."""
    key = stable_key(test)
    if key is not None and key in assumed:
        return assumed[key]
    told = [assumed.get(equal) for equal, _ in _parts(test)]
    if not told or (None in told and True not in told):
        return None
    assert isinstance(test, cst.Comparison)
    return (True in told) is (type(test.comparisons[0].operator) is cst.In)


def _parts(test: cst.BaseExpression) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The equalities with literals that ``x != "a"``, ``x in ("a", "b")`` is made of."""
    if type(test) is not cst.Comparison or len(test.comparisons) != 1:
        return
    target = test.comparisons[0]
    others: Sequence[cst.BaseExpression] = ()
    if type(target.operator) is cst.NotEqual:
        others = [target.comparator]
    elif type(target.operator) is cst.In or type(target.operator) is cst.NotIn:
        display = target.comparator
        if isinstance(display, (cst.Tuple, cst.List, cst.Set)):
            others = [element.value for element in display.elements]
    if not all(type(other) in _LITERALS for other in others):
        return
    for other in others:
        equal = cst.Comparison(test.left, [cst.ComparisonTarget(cst.Equal(), other)])
        key = stable_key(equal)
        if key is not None:
            yield key, equal


@cache
def names_in(key: str) -> frozenset[str]:
    """The names in the text of a condition."""
    return frozenset("".join(c if c.isalnum() or c == "_" else " " for c in key).split())


def atoms(test: cst.BaseExpression) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The conditions with a stable key that a test is made of."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        yield from atoms(test.expression)
    elif type(test) is cst.BooleanOperation:
        yield from atoms(test.left)
        yield from atoms(test.right)
    else:
        key = stable_key(test)
        parts = list(_parts(test))
        if parts:
            yield from parts
        elif key is not None:
            yield key, test


def atoms_within(node: cst.CSTNode) -> list[tuple[str, cst.BaseExpression]]:
    """The conditions with a stable key in all tests of a statement, the last one first."""
    found: list[tuple[str, cst.BaseExpression]] = []
    for inner in walk_own(node):
        if type(inner) is cst.If or type(inner) is cst.IfExp:
            found.extend(atoms(inner.test))
    return found[::-1]


def conjuncts(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The conditions of which a test needs all."""
    if type(test) is cst.BooleanOperation and type(test.operator) is cst.And:
        yield from conjuncts(test.left)
        yield from conjuncts(test.right)
    else:
        yield test


def disjuncts(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The conditions of which a test needs one."""
    if type(test) is cst.BooleanOperation and type(test.operator) is cst.Or:
        yield from disjuncts(test.left)
        yield from disjuncts(test.right)
    else:
        yield test


def named_conditions(code: Code) -> dict[str, tuple[list[cst.BaseExpression], bool]]:
    """The names that a function binds once, to conditions of what it does not bind again.

    ``use_scan = self.backend == "jax" and steps > 1`` says as much where it is asked later.

    Returns:
      By the name, the conditions that all hold if it does, and whether it says no more.
    """
    if not isinstance(code.node, cst.FunctionDef):
        return {}
    bound: dict[str, int] = {}
    stored: set[str | None] = set()
    named: dict[str, cst.BaseExpression] = {}
    for node in code.own_nodes:
        for name in bindings_of(node):
            bound[name] = bound.get(name, 0) + 1
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)):
            stored.add(dotted(node.target))
        if type(node) is cst.Assign and type(node.targets[0].target) is cst.Name:
            name = node.targets[0].target.value
            if isinstance(node.value, _CONDITIONS) or (
                isinstance(node.value, cst.Call) and dotted(node.value.func) in _QUESTIONS
            ):
                named[name] = node.value

    def is_kept(test: cst.BaseExpression) -> bool:
        if _asks_for_tracers(test):
            # What is bound once, before, is what was asked about; its values may change.
            inside = (inner for inner in walk_own(test) if isinstance(inner, cst.Name))
            return all(bound.get(name.value, 0) <= 1 for name in inside)
        for inner in walk_own(test):
            if isinstance(inner, cst.Call) and dotted(inner.func) not in _QUESTIONS:
                return False
            if isinstance(inner, cst.Name) and inner.value in bound:
                return False
            if isinstance(inner, cst.Attribute) and dotted(inner) in stored:
                return False
            if isinstance(inner, cst.Comparison) and isinstance(inner.left, cst.Attribute):
                # ``first = self.params is None``: a method that is called may fill it.
                return not isinstance(inner.comparisons[0].operator, (cst.Is, cst.IsNot))
        return True

    return {
        name: (list(filter(is_kept, conjuncts(test))), len([*conjuncts(test)]) == 1)
        for name, test in named.items()
        if bound[name] == 1
    }


def _asks_for_tracers(test: cst.BaseExpression) -> bool:
    """``any(isinstance(leaf, jax.core.Tracer) for leaf in leaves)``, and its like."""
    return type(test) is cst.Call and any(
        isinstance(inner, cst.Name) and inner.value == "Tracer" for inner in walk_own(test)
    )


def filled_key(place: tuple[Code, cst.If]) -> dict[str, bool]:
    """What holds after ``if "k" not in d: d["k"] = ...``, whichever way it went: the key is there.

    Not where the function takes keys away.
    """
    code, node = place
    test = node.test
    if type(test) is not cst.Comparison or type(test.comparisons[0].operator) is not cst.NotIn:
        return {}
    key, owner = stable_key(test.left), stable_key(test.comparisons[0].comparator)
    if key is None or owner is None or node.orelse is not None:
        return {}
    if any(word in code.unit.text for word in ("pop(", "del ", "clear(", "popitem(")):
        return {}
    last = node.body.body[-1] if node.body.body else None
    small = last.body[-1] if type(last) is cst.SimpleStatementLine else None
    target = small.targets[0].target if type(small) is cst.Assign else None
    if type(target) is not cst.Subscript or dotted(target.value) != owner:
        return {}
    index = target.slice[0].slice if len(target.slice) == 1 else None
    if type(index) is not cst.Index or stable_key(index.value) != key:
        return {}
    return {f"{key} In {owner}": True, f"{key} NotIn {owner}": False}


def asks_for_default(place: tuple[Code, cst.CSTNode]) -> bool:
    """``isinstance(n, int) and n == 0``: whether ``n`` is left at its default, which stays so."""
    code, node = place
    if type(node) is not cst.Call or not node.args or type(node.args[0].value) is not cst.Name:
        return False
    tested = node.args[0].value.value
    default = next((p.default for p in code.parameters if p.name == tested), None)
    return default is not None and any(
        isinstance(inner, cst.BooleanOperation)
        and isinstance(inner.operator, cst.And)
        and inner.left is node
        and isinstance(inner.right, cst.Comparison)
        and len(inner.right.comparisons) == 1
        and isinstance(inner.right.comparisons[0].operator, cst.Equal)
        and dotted(inner.right.left) == tested
        and inner.right.comparisons[0].comparator.deep_equals(default)
        for inner in code.own_nodes
    )


def is_choice(node: cst.CSTNode) -> bool:
    """Whether a statement is ``name = one if test else another``."""
    if type(node) is not cst.SimpleStatementLine or type(node.body[0]) is not cst.Assign:
        return False
    return type(node.body[0].value) is cst.IfExp


def deciding_tests(code: Code) -> tuple[frozenset[str], Choices, Choices]:
    """The tests that a function repeats, and those that choose which function is called.

    The last are those that choose which function is handed over together with what was tested:
    ``solve(f, backend=backend)``.
    """
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
            for atom in {atom for atom, _ in atoms(node.test)}:
                (repeated if atom in seen else seen).add(atom)
    filled = filled_in_place(code) if repeated else frozenset()
    repeated = {key for key in repeated if key.rpartition("In ")[2] not in filled}
    return frozenset(repeated), _choosing(code, tests, _calls), _choosing(code, tests, _handed)


def filled_in_place(code: Code) -> frozenset[str]:
    """The containers that a function changes: whether they hold something may differ each time.

    ``if "scale" not in options: options["scale"] = 1.0`` decides nothing for a later look.
    """
    found: set[str | None] = set()
    for node in code.own_nodes:
        if type(node) is cst.Assign:
            found.update(_item_owner(target.target) for target in node.targets)
        elif isinstance(node, (cst.AugAssign, cst.Del)):
            found.add(_item_owner(node.target))
        elif (
            type(node) is cst.Call
            and type(node.func) is cst.Attribute
            and node.func.attr.value in _CHANGING
        ):
            found.add(dotted(node.func.value))
    return frozenset(path for path in found if path is not None)


def _item_owner(target: cst.CSTNode) -> str | None:
    return dotted(target.value) if type(target) is cst.Subscript else None


def _choosing(
    code: Code,
    nodes: Sequence[cst.If | cst.IfExp | cst.Assign],
    used: Callable[[Code, set[str]], dict[str, set[str]]],
) -> Choices:
    """The tests under which a name gets a function that is called with what was tested too.

    Or with what was chosen with it: a name that another way of the same test binds as well.
    """
    choices: list[tuple[dict[str, list[cst.CSTNode]], list[cst.BaseExpression]]] = []
    for node in nodes:
        if type(node) is cst.If:
            tests, bound = _branches(node)
            choices.append(({n: values for n, values in bound.items() if len(values) > 1}, tests))
        elif type(node) is cst.Assign:
            assert isinstance(node.value, cst.IfExp)
            names = (name for target in node.targets for name in target_names(target.target))
            ways: list[cst.CSTNode] = [node.value.body, node.value.orelse]
            choices.append((dict.fromkeys(names, ways), [node.value.test]))
    chosen = set().union(*(shared for shared, _ in choices))
    found: Choices = {}
    called = used(code, chosen) if chosen else {}
    for shared, tests in choices:
        functions = [name for name in shared if name in called]
        given = set().union(*(called[name] for name in functions))
        for key in {key for test in tests for key, _ in atoms(test)} if functions else ():
            if (len(shared) > 1 and used is _calls) or given & names_in(key):
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


def _handed(code: Code, names: set[str]) -> dict[str, set[str]]:
    """Which of some names are passed to a call, and the names of what is passed beside them."""
    handed: dict[str, set[str]] = {}
    for node in code.own_nodes:
        if type(node) is cst.Call and len(node.args) > 1:
            given = {arg.value.value for arg in node.args if type(arg.value) is cst.Name}
            for name in given & names:
                handed.setdefault(name, set()).update(given)
    return handed


def _branches(
    node: cst.If,
) -> tuple[list[cst.BaseExpression], dict[str, list[cst.CSTNode]]]:
    """The tests of an ``if``, and what its branches bind names to."""
    tests: list[cst.BaseExpression] = []
    bound: dict[str, list[cst.CSTNode]] = {}
    branch: cst.If | cst.Else | None = node
    while branch is not None:
        mine: dict[str, cst.CSTNode] = {}
        for line in branch.body.body:
            if type(line) is cst.FunctionDef:
                mine[line.name.value] = line
            for small in line.body if type(line) is cst.SimpleStatementLine else ():
                if type(small) is cst.Assign:
                    for target in small.targets:
                        mine.update(dict.fromkeys(target_names(target.target), small.value))
        for name, value in mine.items():
            bound.setdefault(name, []).append(value)
        if type(branch) is cst.If:
            tests.append(branch.test)
        branch = branch.orelse if type(branch) is cst.If else None
    return tests, bound
