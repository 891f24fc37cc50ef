"""What a parameter of a traced function holds: call sites, annotation, default, use in the body.

A parameter that is not static is a pytree, not always an array, so a report about it needs
evidence; the table in the design document says how much for which use.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

import libcst as cst

from jitlint.absint.code.functions import Code, Parameter, target_names
from jitlint.absint.code.syntax import children
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.annotations import Annotation, of_parameter as annotation_of
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Certainty,
    Class,
    Const,
    External,
    ExternalInstance,
    Level,
    Origin,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join_all, type_name
from jitlint.absint.values.traversal import rebuilt, rebuilt_object
from jitlint.jaxmodel import functions
from jitlint.jaxmodel.functions import array_attribute, array_method

#: functions that take containers of arrays where others take an array
_TAKES_SEQUENCES: Final = frozenset(
    f"jax.numpy.{name}"
    for name in (
        "stack concatenate concat hstack vstack dstack column_stack row_stack block array asarray "
        "broadcast_arrays shape ndim size result_type isscalar iterable meshgrid ix_ einsum append "
        "savez atleast_1d atleast_2d atleast_3d linspace zeros ones full empty select"
    ).split()
)
_ARRAY_OPERATORS: Final = (
    cst.Subtract, cst.Multiply, cst.Divide, cst.Power, cst.MatrixMultiply, cst.FloorDivide,
    cst.Add,
)  # fmt: skip
_COLLECTION_ATTRIBUTES: Final = frozenset("items keys values get copy index count".split())


class ParameterEvidence:
    """What is known of one parameter before any argument is seen."""

    __slots__ = (
        "annotation",
        "code",
        "parameter",
        "used_as_array",
        "used_as_container",
        "used_as_reference",
    )

    def __init__(
        self, code: Code, parameter: Parameter, annotation: Annotation, uses: frozenset[str]
    ) -> None:
        self.code = code
        self.parameter = parameter
        self.annotation = annotation
        self.used_as_reference = "reference" in uses
        self.used_as_array = "array" in uses and not self.used_as_reference
        self.used_as_container = "container" in uses and "array" not in uses


def of_parameter(it: Interpreter, code: Code, parameter: Parameter) -> ParameterEvidence:
    """The evidence for a parameter of a loaded function."""
    key = ("evidence", id(parameter))
    it.reads.touch(code.module)
    known: ParameterEvidence | None = it.facts.get(key)
    if known is None:
        with it.reads.of(it, code.module, key[0]):
            uses = _uses(it, code).get(parameter.name, frozenset())
            known = ParameterEvidence(code, parameter, annotation_of(it, code, parameter), uses)
        it.facts[key] = known
    return known


def _uses(it: Interpreter, code: Code) -> dict[str, frozenset[str]]:
    key = ("uses", id(code))
    known: dict[str, frozenset[str]] | None = it.facts.get(key)
    if known is None:
        found: dict[str, set[str]] = {p.name: set() for p in code.parameters}
        assert code.node is not None
        _Uses(it, code, found).visit(code.node.body)
        known = it.facts[key] = {name: frozenset(uses) for name, uses in found.items()}
    return known


class _Uses:
    """Collects how parameters are used, in source order, up to where each is bound again."""

    def __init__(self, it: Interpreter, code: Code, found: dict[str, set[str]]) -> None:
        self.it = it
        self.code = code
        self.found = found
        self.rebound: set[str] = set()

    def note(self, node: cst.CSTNode, use: str) -> None:
        if type(node) is cst.Name and node.value not in self.rebound:
            uses = self.found.get(node.value)
            if uses is not None:
                uses.add(use)

    def visit(self, node: Any) -> None:
        kind = type(node)
        if kind is cst.BinaryOperation:
            self._arithmetic(node)
        elif kind is cst.UnaryOperation:
            if type(node.operator) is cst.Minus:
                self.note(node.expression, "array")
        elif kind is cst.Comparison:
            self._comparison(node)
        elif kind is cst.Attribute:
            name = node.attr.value
            if name not in _COLLECTION_ATTRIBUTES and (
                array_attribute(name) is not None or array_method(name) is not None
            ):
                self.note(node.value, "array")
            elif not name.startswith("__"):
                self.note(node.value, "container")
        elif kind is cst.Subscript:
            self._subscript(node)
        elif kind is cst.Call:
            self._call(node)
        elif kind is cst.AugAssign and type(node.operator) not in (
            cst.AddAssign,
            cst.BitOrAssign,
        ):
            self.note(node.value, "array")
        if kind in (cst.FunctionDef, cst.Lambda):
            inner = {p.name.value for p in _all_params(node.params)}
            hidden = inner - self.rebound
            self.rebound |= hidden
            for child in children(node):
                self.visit(child)
            self.rebound -= hidden
            return
        if kind is cst.Assign:
            self.visit(node.value)
            for target in node.targets:
                self._rebind(target.target)
            return
        for child in children(node):
            self.visit(child)

    def _rebind(self, target: cst.CSTNode) -> None:
        self.visit(target)
        self.rebound.update(target_names(target))

    def _arithmetic(self, node: cst.BinaryOperation) -> None:
        if not isinstance(node.operator, _ARRAY_OPERATORS):
            return
        for mine, other in ((node.left, node.right), (node.right, node.left)):
            if not isinstance(other, (cst.Tuple, cst.List, cst.BaseString)):
                self.note(mine, "array")

    def _comparison(self, node: cst.Comparison) -> None:
        operands = [node.left, *(target.comparator for target in node.comparisons)]
        no_order = (cst.In, cst.NotIn, cst.Is, cst.IsNot)
        if any(isinstance(target.operator, no_order) for target in node.comparisons):
            return
        for mine, other in pairwise(operands):
            for a, b in ((mine, other), (other, mine)):
                number = isinstance(b, (cst.Integer, cst.Float)) or (
                    type(b) is cst.UnaryOperation
                    and isinstance(b.expression, (cst.Integer, cst.Float))
                )
                if number:
                    self.note(a, "array")

    def _subscript(self, node: cst.Subscript) -> None:
        part = node.slice[0].slice
        if len(node.slice) > 1:
            self.note(node.value, "array")
        elif type(part) is cst.Index:
            if isinstance(part.value, cst.BaseString):
                self.note(node.value, "container")
            elif type(part.value) is cst.Ellipsis:
                # `x[...]` of an array is the array: only a mutable reference is read so.
                self.note(node.value, "reference")

    def _call(self, node: cst.Call) -> None:
        name = self._callee(node.func)
        if name is None or not node.args:
            return
        if name.startswith("jax.numpy.") and name not in _TAKES_SEQUENCES:
            fact = functions.lookup(name)
            if fact is not None and fact.returns in ("array", "arrays:2", "array_list"):
                for arg in node.args[:2]:
                    if not arg.star and arg.keyword is None:
                        self.note(arg.value, "array")
                        if name not in _TWO_ARRAYS:
                            break
        elif name.startswith(("jax.nn.", "jax.random.")) and not node.args[0].star:
            fact = functions.lookup(name)
            if fact is not None and fact.returns.startswith("array"):
                self.note(node.args[0].value, "array")

    def _callee(self, node: cst.BaseExpression) -> str | None:
        if type(node) is cst.Name:
            if node.value in self.code.bound_names:
                return None
            here = self.it.frame.module is self.code.module
            value = self.it.look_up(node.value) if here else UNKNOWN
            return value.name if isinstance(value, External) else None
        if type(node) is cst.Attribute:
            base = self._callee(node.value)
            return None if base is None else f"{base}.{node.attr.value}"
        return None


#: functions whose first two operands are arrays
_TWO_ARRAYS: Final = frozenset(
    f"jax.numpy.{name}"
    for name in (
        "dot matmul add subtract multiply divide true_divide power maximum minimum outer inner "
        "tensordot vdot cross kron arctan2 hypot logaddexp greater less greater_equal less_equal "
        "mod remainder logical_and logical_or"
    ).split()
)


def _all_params(params: cst.Parameters) -> list[cst.Param]:
    found = [*params.posonly_params, *params.params, *params.kwonly_params]
    found.extend(
        extra for extra in (params.star_arg, params.star_kwarg) if type(extra) is cst.Param
    )
    return found


# -- the value that a parameter gets ---------------------------------------------------------------


def traced_argument(
    it: Interpreter,
    value: Value,
    level: Level,
    *,
    leaves: str = "leaves",
    evidence: ParameterEvidence | None = None,
    origin: Origin | None = None,
    certainty: Certainty = Certainty.SURE,
    depth: int = 6,
) -> Value:
    """What an argument becomes inside a transform that traces it.

    Args:
      it: the interpreter.
      value: what the caller passes; Unknown where no call is visible.
      level: of the tracers.
      leaves: ``leaves`` if Python numbers become tracers too, ``arrays`` if they stay static.
      evidence: what is known of the parameter otherwise.
      origin: where it becomes traced, for explanations.
      certainty: how sure it is that the argument is passed at all.
      depth: levels of nested containers that are still looked into.
    """
    if value == UNKNOWN or (isinstance(value, Static) and value.type is None):
        return _by_evidence(it, level, leaves, evidence, origin, certainty)
    if isinstance(value, Array):
        return value.replace(
            level=max(level, value.level), origin=origin or value.origin, trace=it.trace_number
        )
    if isinstance(value, Tree):
        if not value.container and evidence is not None and evidence.used_as_array:
            return Array(
                max(level, value.level),
                certainty=value.certainty,
                origin=origin,
                trace=it.trace_number,
            )
        reference = evidence is not None and evidence.used_as_reference
        return value.replace(
            level=max(level, value.level),
            container=value.container or reference,
            origin=origin or value.origin,
        )
    if isinstance(value, (Const, Static)):
        return _scalar(value, level, leaves, origin, certainty, it.trace_number)
    if depth == 0:
        return UNKNOWN

    def inner(part: Value) -> Value:
        if part == UNKNOWN:
            # An element of a container that nothing is known of: a leaf or a subtree.
            if leaves != "leaves":
                return UNKNOWN
            return Tree(level, origin=origin, certainty=certainty)
        return traced_argument(
            it, part, level, leaves=leaves, origin=origin, certainty=certainty, depth=depth - 1
        )

    if isinstance(value, Tuple):
        return rebuilt(value, inner)
    if isinstance(value, Union):
        return join_all(
            traced_argument(
                it, member, level, leaves=leaves, evidence=evidence, origin=origin,
                certainty=certainty, depth=depth,
            )
            for member in value.members
        )  # fmt: skip
    if isinstance(value, Ref):
        return _traced_object(it, value, level, leaves, origin, inner)
    if isinstance(value, ExternalInstance):
        return external_instance(it, value, level, origin)
    # Else a function or class where an array is expected: another rule's business.
    return value if leaves == "arrays" else UNKNOWN


def _scalar(
    value: Const | Static,
    level: Level,
    leaves: str,
    origin: Origin | None,
    certainty: Certainty,
    trace: int,
) -> Value:
    kind = type_name(value)
    if kind in ("int", "float", "bool", "complex"):
        if leaves == "arrays":
            return value
        return Array(
            level,
            certainty=certainty,
            dtype=kind if kind in ("int", "float", "bool") else None,
            rank=0,
            python_type=kind,
            origin=origin,
            trace=trace,
        )
    if kind in ("ndarray", "ShapeDtypeStruct"):
        return Array(level, certainty=certainty, origin=origin, trace=trace)
    if kind == "shape":
        if leaves == "arrays":
            return value
        return Tree(level, certainty=certainty, container=True, origin=origin)
    if isinstance(value, Const) and value.value is None:
        return NONE
    return value if leaves == "arrays" else UNKNOWN


def _traced_object(
    it: Interpreter,
    value: Ref,
    level: Level,
    leaves: str,
    origin: Origin | None,
    inner: Callable[[Value], Value],
) -> Value:
    contents = it.contents(value)
    name = it.new_id("traced", value.id, int(level), leaves, it.frame.env)
    if isinstance(contents, Instance):
        from jitlint.absint.program.classes import traced_instance

        return traced_instance(it, contents, level, leaves, origin, name)
    if isinstance(contents, (ListObject, DictObject)):
        it.state.put(name, rebuilt_object(contents, inner))
        return Ref(name)
    return value if isinstance(contents, SetObject) else UNKNOWN


def _traced_fields(
    it: Interpreter, value: ExternalInstance, level: Level, origin: Origin | None
) -> dict[str, Value]:
    from jitlint.jaxmodel.frameworks import base_class

    fact = base_class(value.cls)
    static = fact.static_fields if fact is not None else ()
    return {
        name: field
        if name in static or fact is None or not fact.pytree
        else traced_argument(it, field, level, origin=origin)
        for name, field in value.attributes
    }


def external_instance(
    it: Interpreter, value: ExternalInstance, level: Level, origin: Origin | None
) -> ExternalInstance:
    """An object of a library class inside a trace: its attributes are looked up in the tables."""
    attributes = _traced_fields(it, value, level, origin)
    attributes["<level>"] = Array(level, origin=origin)
    return ExternalInstance(value.cls, tuple(sorted(attributes.items())))


def _by_evidence(
    it: Interpreter,
    level: Level,
    leaves: str,
    evidence: ParameterEvidence | None,
    origin: Origin | None,
    certainty: Certainty,
) -> Value:
    if evidence is None:
        if leaves == "arrays":
            return UNKNOWN
        return Tree(level, certainty=certainty, origin=origin)
    annotated = annotated_argument(it, evidence.annotation, level, leaves, origin, certainty)
    if annotated is not None:
        return annotated
    if leaves == "arrays":
        return UNKNOWN
    if evidence.used_as_array:
        return Array(level, certainty=certainty, origin=origin, trace=it.trace_number)
    keyed = evidence.used_as_container
    container = keyed or evidence.used_as_reference
    return Tree(level, certainty=certainty, container=container, keyed=keyed, origin=origin)


def annotated_argument(
    it: Interpreter,
    annotation: Annotation,
    level: Level,
    leaves: str,
    origin: Origin | None,
    certainty: Certainty,
) -> Value | None:
    """The traced value of an annotated parameter, None where the annotation says nothing."""
    kind = annotation.kind
    if kind == "array":
        return Array(level, certainty=certainty, origin=origin, trace=it.trace_number)
    if kind == "scalar":
        assert isinstance(annotation.value, Static)
        return _scalar(annotation.value, level, leaves, origin, certainty, it.trace_number)
    if kind == "none":
        return NONE
    if kind == "container":
        if leaves == "arrays":
            return UNKNOWN
        return Tree(level, certainty=certainty, container=True, origin=origin)
    if kind == "callable":
        return UNKNOWN
    if kind in ("tuple", "union"):
        parts = [
            annotated_argument(it, part, level, leaves, origin, certainty)
            for part in annotation.parts
        ]
        if kind == "tuple":
            other = Tree(level, certainty=certainty, origin=origin)
            return Tuple(tuple(other if part is None else part for part in parts))
        if any(part is None or part == UNKNOWN for part in parts):
            return None
        return join_all(part for part in parts if part is not None)
    if kind == "class":
        from jitlint.absint.program.classes import annotated_instance

        assert isinstance(annotation.value, Class)
        instance = annotated_instance(it, annotation.value)
        return traced_argument(
            it, instance, level, leaves=leaves, origin=origin, certainty=certainty
        )
    if kind == "external":
        from jitlint.jaxmodel.frameworks import base_class

        fact = base_class(annotation.name)
        if fact is not None:
            return external_instance(it, ExternalInstance(annotation.name), level, origin)
        return UNKNOWN
    return None
