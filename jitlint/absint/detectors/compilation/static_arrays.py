"""Parameters that are declared static and hold arrays, by what their function says of them.

JAX hashes static arguments, and no array has a hash (observed under JAX 0.10.2: ValueError at every
call, also for a dict or a named tuple of arrays).  Where a call shows what is passed, that is told
at the call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.declarations import annotation_of
from jitlint.absint.code.functions import Code, Place, target_names
from jitlint.absint.code.syntax import children
from jitlint.absint.detectors.compilation.jit_sites import JitSite, JitUses, Kind
from jitlint.absint.machine.signals import ArgumentPassed, TransformApplied, observes
from jitlint.absint.program.annotations import unhashable
from jitlint.absint.values.domain import (
    UNKNOWN,
    BoundMethod,
    Default,
    External,
    Function,
    Static,
    Tree,
    Union,
    Value,
    base_function,
)
from jitlint.absint.values.statics import constant
from jitlint.jaxmodel.transforms import CHECKS_HASHES

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

#: attributes that arrays have, and hardly anything that can be hashed
_OF_ARRAYS: Final = frozenset(
    """argmax argmin argsort astype at block_until_ready clip cumprod cumsum ravel reshape squeeze
    swapaxes transpose""".split()
)
#: functions that take the state of an optimizer, with its position
_TAKE_STATES: Final = {
    "jax.example_libraries.optimizers.Optimizer.update_fn": 2,
    "jax.example_libraries.optimizers.Optimizer.params_fn": 0,
}
_TESTS: Final = frozenset({"isinstance", "hasattr", "type"})


@observes(TransformApplied)
def _applied(it: Interpreter, applied: TransformApplied) -> None:
    made = applied.made
    function = made.function
    if isinstance(function, BoundMethod):
        function = function.function
    if made.transform not in CHECKS_HASHES or not isinstance(function, Function):
        return
    options = [value for name, value in made.options if name.startswith("static")]
    if not options or any(_is_unclear(value) for value in options):
        return
    code = function.code
    if code.node is None or code.parsed is None:
        return
    uses = it.observations(JitUses)
    for parameter in code.parameters:
        if parameter.name not in applied.static or parameter.name in ("self", "cls"):
            continue
        if parameter.default is not None:
            # What is left at its default is not hashed.
            continue
        node = _parameter_node(code, parameter.name)
        if node is None or id(node) in uses.sites:
            continue
        shown = _shown(it, code, parameter.name)
        if shown is None:
            continue
        place = Place(code.parsed, node)
        uses.places[id(node)] = place
        uses.called_by[id(node)] = set()
        uses.sites[id(node)] = JitSite(
            kind=Kind.STATIC_ARRAY,
            place=place,
            owner=None,
            qualname=code.qualname,
            chain=None,
            operand=parameter.name,
            callee=made.transform,
            fresh=shown,
            loop=None,
            repeated=False,
            guarded=False,
            depends=frozenset(),
            in_test=it.frame.in_test,
        )


def _is_unclear(option: Value) -> bool:
    given = constant(option)
    return given is ... or (isinstance(given, tuple) and ... in given)


@observes(ArgumentPassed)
def _passed(it: Interpreter, passed: ArgumentPassed) -> None:
    """What a static parameter is given here is known: it needs no guess."""
    value = passed.value.value if isinstance(passed.value, Default) else passed.value
    members = value.members if isinstance(value, Union) else (value,)
    known = not any(
        member == UNKNOWN
        or isinstance(member, Tree)
        or (isinstance(member, Static) and member.type is None)
        for member in members
    )
    base = base_function(passed.function.function)
    if not passed.static or not known or isinstance(passed.value, Default) or base is None:
        return
    if base.code.node is None or base.code.parsed is None:
        return
    node = _parameter_node(base.code, passed.parameter)
    if node is not None:
        uses = it.observations(JitUses)
        uses.places[id(node)] = Place(base.code.parsed, node)
        uses.passed.add(id(node))


def _parameter_node(code: Code, name: str) -> cst.Param | None:
    assert code.node is not None
    params = code.node.params
    every = (*params.posonly_params, *params.params, *params.kwonly_params)
    return next((node for node in every if node.name.value == name), None)


def _shown(it: Interpreter, code: Code, name: str) -> str | None:
    """What a parameter holds and which code shows it, None where it need hold no arrays."""
    assert code.node is not None and code.parsed is not None
    parameter = next(p for p in code.parameters if p.name == name)
    annotation = annotation_of(code, parameter)
    it.reads.read(code.module)
    kind = unhashable(it, code.module, annotation)
    if kind is not None:
        return f"{kind}: annotation"
    if annotation is not None or isinstance(code.node, cst.Lambda):
        return None
    for use in it.written(_Uses, code).found.get(name, ()):
        if isinstance(use, cst.Call):
            if _is_state(it, code, use, name):
                return f"pytree of arrays: {code.parsed.source(use)}"
        else:
            return f"array: {code.parsed.source(use)}"
    return None


def _is_state(it: Interpreter, code: Code, call: cst.Call, name: str) -> bool:
    """Whether a call hands a parameter over as the state of an optimizer."""
    if not isinstance(call.func, cst.Name) or call.func.value in code.bound_names:
        return False
    called = it.look_up(call.func.value) if it.frame.module is code.module else UNKNOWN
    position = _TAKE_STATES.get(called.name) if isinstance(called, External) else None
    if position is None or position >= len(call.args):
        return False
    given = call.args[position].value
    return isinstance(given, cst.Name) and given.value == name


class _Uses:
    """Uses of parameters as only arrays are used, in functions that never bind or test them.

    Args:
      code: the function, loaded.
    """

    def __init__(self, code: Code) -> None:
        self.found: dict[str, list[cst.BaseExpression]] = {}
        assert code.node is not None
        hidden: set[str] = set()
        for node in _inside(code.node.body):
            if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For)):
                hidden.update(target_names(node.target))
            elif isinstance(node, cst.Param):
                hidden.add(node.name.value)
            elif isinstance(node, cst.Call):
                self._call(node, hidden)
            elif (isinstance(node, cst.Attribute) and node.attr.value in _OF_ARRAYS) or (
                isinstance(node, cst.Subscript) and _cuts_dimensions(node)
            ):
                self._note(node.value, node)
        for name in hidden:
            self.found.pop(name, None)

    def _call(self, node: cst.Call, hidden: set[str]) -> None:
        names = [arg.value for arg in node.args if isinstance(arg.value, cst.Name)]
        if isinstance(node.func, cst.Name) and node.func.value in _TESTS:
            hidden.update(name.value for name in names)
        else:
            for name in names:
                self._note(name, node)

    def _note(self, subject: cst.BaseExpression, use: cst.BaseExpression) -> None:
        if isinstance(subject, cst.Name):
            self.found.setdefault(subject.value, []).append(use)


def _cuts_dimensions(node: cst.Subscript) -> bool:
    """``x[:, None]``, which neither tuples nor dicts understand."""
    cut = any(isinstance(part.slice, cst.Slice) for part in node.slice)
    return cut and len(node.slice) > 1


def _inside(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(children(current))
