"""Parameters that are declared static and hold arrays, by what their function says of them.

JAX hashes static arguments, and no array has a hash (observed under JAX 0.10.2: ValueError at every
call, also for a dict or a named tuple of arrays).  Where a call shows what is passed, that is told
at the call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import libcst as cst
from msgspec import Struct

from jitlint.absint.code.functions import Code, Parameter, Place, target_names
from jitlint.absint.code.signatures import annotation_of
from jitlint.absint.code.syntax import dotted, is_none, walk
from jitlint.absint.detectors.compilation.jit_sites import JitSite, JitUses, Kind
from jitlint.absint.detectors.statics.static_arguments import unhashable
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name
from jitlint.absint.detectors.surroundings.written import asked_once
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.signals import ArgumentPassed, TransformApplied, observes
from jitlint.absint.program.hashing import class_unhashable, declared_unhashable
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    BoundMethod,
    Class,
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
#: make arrays of which hardly anybody passes a number
_MAKERS: Final = frozenset(
    "empty empty_like eye full full_like identity ones ones_like zeros zeros_like".split()
)
#: what asks for a type, and what makes an array of a number or a tuple
_TESTS: Final = frozenset(
    """isinstance hasattr type array asarray atleast_1d atleast_2d atleast_3d broadcast_to float int
    isscalar len list ndim shape tuple""".split()
)


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
        if parameter.name not in applied.static or not _may_be_array(code, parameter):
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
            depends=frozenset(),
            in_test=it.frame.in_test,
            optional=parameter.default is not None,
        )


def _may_be_array(code: Code, parameter: Parameter) -> bool:
    """Whether a parameter is passed at all: what is left at its default is not hashed.

    None stands for an argument that a caller may pass.
    """
    default = parameter.default
    return parameter.name != "cls" and (default is None or is_none(default))


def _is_receiver(code: Code, parameter: Parameter) -> bool:
    return code.cls is not None and parameter.name == "self" and parameter is code.parameters[0]


def _is_unclear(option: Value) -> bool:
    given = constant(option)
    return given is ... or (isinstance(given, tuple) and ... in given)


@observes(ArgumentPassed)
def _passed(it: Interpreter, passed: ArgumentPassed) -> None:
    """What a static parameter is given here is known: it needs no guess."""
    base = base_function(passed.function.function)
    if not passed.static or isinstance(passed.value, Default) or base is None:
        return
    if base.code.node is None or base.code.parsed is None:
        return
    node = _parameter_node(base.code, passed.parameter)
    if node is None:
        return
    shown = _is_shown(it, passed.value, optional=node.default is not None)
    if shown or any(_is_made_tuple(*given) for given in _given(it.frame, base.code, passed)):
        uses = it.observations(JitUses)
        uses.places[id(node)] = Place(base.code.parsed, node)
        uses.passed.add(id(node))


def _is_shown(it: Interpreter, value: Value, *, optional: bool) -> bool:
    """Whether a call shows what a parameter is given: something, and no array on any path.

    None, where that is the default, is nothing that is given.  What is certainly an array is told
    at the call.
    """
    members = value.members if isinstance(value, Union) else (value,)
    given = [member for member in members if not (optional and member == NONE)]
    several = len(members) > 1
    return bool(given) and not any(
        member == UNKNOWN
        or isinstance(member, Tree)
        or (isinstance(member, Static) and member.type is None)
        or (several and unhashable(it, member) is not None)
        for member in given
    )


def _given(frame: Frame, code: Code, passed: ArgumentPassed) -> Iterator[tuple[Frame, cst.CSTNode]]:
    """Where an argument is written: also before a wrapper that only hands on what it is given."""
    node = passed.node
    yield frame, node
    around = frame.parent
    if frame.code is None or around is None or around.code is None:
        return
    if isinstance(node, cst.Name) and any(
        p.kind in ("*", "**") and p.name == node.value for p in frame.code.parameters
    ):
        for call in around.code.own_nodes:
            if isinstance(call, cst.Call) and dotted(call.func) == code.name:
                yield from (
                    (around, argument)
                    for name, argument in given_by_name(code, call)
                    if name == passed.parameter
                )


@asked_once
def _is_made_tuple(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a function makes a tuple of what it passes, or asks whether it is one.

    ``times = tuple(times.tolist())``
    """
    if frame.code is None or not isinstance(node, cst.Name):
        return _makes_tuple(node)
    return any(
        (isinstance(inner, cst.Assign) and _makes_tuple(inner.value) and _binds(inner, node.value))
        or (isinstance(inner, cst.Call) and _asks_for_tuple(inner, node.value))
        for inner in frame.code.own_nodes
    )


def _makes_tuple(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and dotted(node.func) == "tuple"


def _binds(node: cst.Assign, name: str) -> bool:
    return any(name == dotted(target.target) for target in node.targets)


def _asks_for_tuple(node: cst.Call, name: str) -> bool:
    return dotted(node.func) == "isinstance" and [dotted(arg.value) for arg in node.args] == [
        name,
        "tuple",
    ]


def _parameter_node(code: Code, name: str) -> cst.Param | None:
    assert code.node is not None
    params = code.node.params
    every = (*params.posonly_params, *params.params, *params.kwonly_params)
    return next((node for node in every if node.name.value == name), None)


def _shown(it: Interpreter, code: Code, name: str) -> str | None:
    """What a parameter holds and which code shows it, None where it need hold no arrays."""
    assert code.node is not None and code.parsed is not None
    parameter = next(p for p in code.parameters if p.name == name)
    it.reads.read(code.module)
    if _is_receiver(code, parameter):
        cls = code.cls
        kind = None if cls is None else class_unhashable(it, Class(cls, code.module))
        return None if kind is None else f"{kind}: fields"
    annotation = annotation_of(code, parameter)
    kind = declared_unhashable(it, code.module, annotation)
    if kind is not None:
        return f"{kind}: annotation"
    if annotation is not None or isinstance(code.node, cst.Lambda):
        return None
    uses = it.written(_Uses, code)
    made = uses.stand_ins.get(name)
    if made is not None and _makes_array(it, code, made):
        return f"array: {code.parsed.source(made)}"
    for use in uses.found.get(name, ()):
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


def _makes_array(it: Interpreter, code: Code, made: cst.Call) -> bool:
    """Whether an expression makes an array that no number stands for."""
    function = made.func
    if not isinstance(function, cst.Attribute) or not isinstance(function.value, cst.Name):
        return False
    root = function.value.value
    if function.attr.value not in _MAKERS or root in code.bound_names:
        return False
    module = it.look_up(root) if it.frame.module is code.module else UNKNOWN
    if not isinstance(module, External) or module.name not in ("jax.numpy", "numpy"):
        return False
    shape = made.args[0].value if made.args else None
    return shape is not None and not (isinstance(shape, cst.Tuple) and not shape.elements)


class _Uses:
    """Uses of parameters as only arrays are used, in functions that never bind or test them.

    Args:
      code: the function, loaded.
    """

    def __init__(self, code: Code) -> None:
        self.found: dict[str, list[cst.BaseExpression]] = {}
        #: what takes the place of a parameter where it is None
        self.stand_ins: dict[str, cst.Call] = {}
        assert code.node is not None
        hidden: set[str] = set()
        replacing: set[cst.CSTNode] = set()
        for node in walk(code.node.body):
            if isinstance(node, (cst.If, cst.Assign)):
                stand_in = _stand_in(node)
                if stand_in is not None:
                    replacing.add(stand_in.target)
                    self.stand_ins[stand_in.name] = stand_in.made
            elif node in replacing:
                continue
            elif isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For)):
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
            self.stand_ins.pop(name, None)

    def _call(self, node: cst.Call, hidden: set[str]) -> None:
        names = [arg.value for arg in node.args if isinstance(arg.value, cst.Name)]
        function = node.func.attr if isinstance(node.func, cst.Attribute) else node.func
        if isinstance(function, cst.Name) and function.value in _TESTS:
            hidden.update(name.value for name in names)
        else:
            for name in names:
                self._note(name, node)

    def _note(self, subject: cst.BaseExpression, use: cst.BaseExpression) -> None:
        if isinstance(subject, cst.Name):
            self.found.setdefault(subject.value, []).append(use)


class _StandIn(Struct, frozen=True):
    """``x = f() if x is None else x``, or ``if x is None: x = f()``."""

    target: cst.AssignTarget
    name: str
    made: cst.Call


def _stand_in(node: cst.If | cst.Assign) -> _StandIn | None:
    """What a statement puts in the place of None."""
    if isinstance(node, cst.If):
        name = _asked_for_none(node.test, cst.Is)
        lines = node.body.body
        line = lines[0] if len(lines) == 1 and node.orelse is None else None
        inner = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
        if not isinstance(inner, cst.Assign):
            return None
        made, node = inner.value, inner
    elif isinstance(node.value, cst.IfExp):
        value = node.value
        name, made, kept = _asked_for_none(value.test, cst.Is), value.body, value.orelse
        if name is None:
            name, made, kept = _asked_for_none(value.test, cst.IsNot), kept, made
        if not isinstance(kept, cst.Name) or kept.value != name:
            return None
    else:
        return None
    target = node.targets[0]
    if len(node.targets) != 1 or not isinstance(target.target, cst.Name):
        return None
    if name is None or target.target.value != name or not isinstance(made, cst.Call):
        return None
    return _StandIn(target, name, made)


def _asked_for_none(test: cst.BaseExpression, operator: type[cst.BaseCompOp]) -> str | None:
    """The name of which a test asks whether it is, or is not, None."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    target = test.comparisons[0]
    other = target.comparator
    if not isinstance(test.left, cst.Name) or not isinstance(target.operator, operator):
        return None
    return test.left.value if is_none(other) else None


def _cuts_dimensions(node: cst.Subscript) -> bool:
    """``x[:, None]``, which neither tuples nor dicts understand."""
    cut = any(isinstance(part.slice, cst.Slice) for part in node.slice)
    return cut and len(node.slice) > 1
