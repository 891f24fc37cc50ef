"""What a function asks besides a test: whether other code can depend on how that came out."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import children, dotted, walk
from jitlint.foundation.records import Record

_Asked = tuple[cst.CSTNode, frozenset[str]]


class Questions(Record):
    """What all code of a function asks, with that of functions nested in it.

    Args:
      tests: the conditions, each with the names and attributes in it.
      calls: the calls, each with the objects that it hands on as they are.
      bound: the assignments: names, and the names and attributes that they are made of.
    """

    tests: tuple[_Asked, ...]
    calls: tuple[_Asked, ...]
    bound: tuple[tuple[cst.CSTNode, frozenset[str], frozenset[str]], ...]


def stands_alone(choice: tuple[Code, cst.If | cst.IfExp, str | None]) -> bool:
    """Whether nothing else in a function depends on how a static test comes out.

    Args:
      choice: the function, the statement or expression that tests, and the name that it chooses a
        value for; None for the value of the expression.
    """
    code, node, name = choice
    asked = code.parsed.fact(_questions, code) if code.parsed is not None else None
    if asked is None:
        return False
    inside = {id(inner) for inner in walk(node)}
    watched: set[str] = set()
    for test, paths in asked.tests:
        if id(test) in inside:
            watched |= paths
    for statement, names, _ in asked.bound:
        if id(statement) in inside:
            watched |= names
    for statement, names, paths in asked.bound:
        if id(statement) not in inside and not watched.isdisjoint(paths):
            watched |= names
    watched.discard(name or "")
    if any(id(test) not in inside and not watched.isdisjoint(paths) for test, paths in asked.tests):
        return False
    roots = {path.partition(".")[0] for path in watched}
    return not any(
        id(call) not in inside and (name is None or name in handed) and not roots.isdisjoint(handed)
        for call, handed in asked.calls
    )


def _questions(code: Code) -> Questions:
    assert code.node is not None
    tests: list[_Asked] = []
    calls: list[_Asked] = []
    bound: list[tuple[cst.CSTNode, frozenset[str], frozenset[str]]] = []
    for node in walk(code.node.body):
        if isinstance(node, (cst.If, cst.IfExp, cst.While, cst.Assert, cst.CompIf)):
            tests.append((node.test, _paths(code, node.test)))
        elif type(node) is cst.BooleanOperation:
            tests.append((node, _paths(code, node)))
        elif type(node) is cst.Match:
            tests.append((node, _paths(code, node.subject)))
        elif type(node) is cst.Call:
            calls.append((node, _handed(code, node)))
        elif type(node) is cst.Assign:
            names = {name for target in node.targets for name in target_names(target.target)}
            bound.append((node, frozenset(names), _paths(code, node.value)))
    return Questions(tuple(tests), tuple(calls), tuple(bound))


def _paths(code: Code, node: cst.CSTNode) -> frozenset[str]:
    """The names and dotted attributes in an expression, but for functions from outside."""
    found: set[str] = set()
    stack = [node]
    while stack:
        current = stack.pop()
        path = dotted(current)
        if path is not None:
            found.add(path)
            continue
        for child in children(current):
            called = type(current) is cst.Call and child is current.func
            outer = dotted(child) if called else None
            if outer is None or outer.partition(".")[0] in code.bound_names:
                stack.append(child)
    return frozenset(found)


def _handed(code: Code, node: cst.Call) -> frozenset[str]:
    """The objects that a call hands on: its arguments, and the object whose method it is."""
    paths = (dotted(arg.value) for arg in node.args)
    found = {path for path in paths if path is not None and "." not in path}
    function = dotted(node.func)
    if function is not None and function.partition(".")[0] in code.bound_names:
        found.add(function.partition(".")[0])
    return frozenset(found)
