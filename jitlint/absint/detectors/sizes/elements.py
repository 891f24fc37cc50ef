"""What a loop goes through: whether its elements are of more than one size."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import called_name, children, dotted
from jitlint.absint.detectors.sizes.lengths import length_of, number_of
from jitlint.absint.detectors.sizes.questions import (
    Change,
    How,
    Index,
    answers,
    change_of_element,
    change_of_size,
    changed,
    first_of,
)
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name
from jitlint.jaxmodel.sizes import plain_name

#: give the elements of what they are given
_HANDING_ON = frozenset("tqdm trange list tuple iter reversed track progress_bar".split())


@answers("element")
def _of_iterable(scope: Scope, node: cst.BaseExpression, index: Index) -> Change | None:
    if isinstance(node, (cst.GeneratorExp, cst.ListComp)):
        inner = scope.within(node.for_in, outermost=True)
        return None if node.for_in.ifs else change_of_size(inner, node.elt, index)
    if isinstance(node, cst.Call):
        return _of_call(scope, node, index)
    path = dotted(node)
    if path is None:
        return None
    method = scope.method(scope.value(path), "__iter__")
    if method is not None:
        body = scope.inside(method, node, ())
        return None if body is None else _yielded(body, index)
    lifted = scope.lifted(path)
    if lifted is not None and "." not in path:
        return change_of_element(lifted[0], scope.given[path][1], index)
    made = scope.definition(path)
    if made is None:
        return _of_caller(scope, path, index)
    if made.value is None or made.is_loop:
        return None
    return change_of_element(scope, made.value, (*made.index, *index))


def _of_caller(scope: Scope, path: str, index: Index) -> Change | None:
    """What the call of the running function passes for a loop to go through."""
    it, frame, code = scope.it, scope.frame, scope.code
    if frame is None or frame is not it.frame or code is None or not scope.parameter(path):
        return None
    caller, chain = frame.parent, frame.chain
    if caller is None or chain is None or chain.step.place.parsed is not caller.parsed:
        return None
    call = chain.step.place.node
    given = dict(given_by_name(code, call)) if isinstance(call, cst.Call) else {}
    if path not in given:
        return None
    around = caller.parsed.statement if caller.code is None else caller.code.node
    if around is None:
        return None
    with it.entered(caller):
        return change_of_element(Scope.of_frame(it, around), given[path], index)


def _of_call(scope: Scope, node: cst.Call, index: Index) -> Change | None:
    args = [arg.value for arg in node.args if not arg.star and arg.keyword is None]
    called = called_name(node)
    if called == "enumerate" and args:
        return change_of_element(scope, args[0], index[1:]) if index[:1] == (1,) else None
    if called == "zip":
        if not index or index[0] >= len(args):
            return None
        return change_of_element(scope, args[index[0]], index[1:])
    if called in _HANDING_ON and args:
        return change_of_element(scope, args[0], index)
    if plain_name(scope.library(node.func)) == "array_split" and len(args) > 1:
        length, parts = length_of(scope, args[0]), number_of(scope, args[1])
        if length is not None and parts and length % parts > 0:
            return changed(scope, How.LEFT_OVER, node)
        return None
    body = scope.called(node)
    if body is None or body.code is None:
        return None
    if body.code.is_generator:
        return _yielded(body, index)
    results = list(body.results())
    return change_of_element(body, results[0], index) if len(results) == 1 else None


def _yielded(body: Scope, index: Index) -> Change | None:
    """What a generator gives in the turns of the loops in it."""
    code = body.code
    if code is None or not code.is_generator:
        return None
    found = list(_yields(code))
    if len(found) != 1:
        return None
    loops, node = found[0]
    if isinstance(node.value, cst.From):
        return change_of_element(body, node.value.item, index)
    if node.value is None:
        return None
    value = node.value
    return first_of(
        change_of_size(body.within(loop, outermost=not depth), value, index)
        for depth, loop in enumerate(loops)
    )


def _yields(code: Code) -> Iterator[tuple[list[cst.CSTNode], cst.Yield]]:
    """The places where a generator gives an element, with the loops around each."""
    assert code.node is not None
    stack: list[tuple[cst.CSTNode, list[cst.CSTNode]]] = [(code.node.body, [])]
    while stack:
        node, loops = stack.pop()
        if isinstance(node, cst.Yield):
            yield loops, node
        if isinstance(node, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            continue
        inner = [*loops, node] if isinstance(node, (cst.For, cst.While)) else loops
        stack.extend((child, inner) for child in children(node))
