"""What a parameter holds, by its annotation and its use in the body, before any call is seen.

A parameter that is not static is a pytree, not always an array, so a report about it needs
evidence; the table in the design document says how much for which use.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import libcst as cst

from jitlint.absint.code.functions import Code, Parameter, parameters_of, target_names
from jitlint.absint.code.syntax import children
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.annotations import Annotation, of_parameter as annotation_of
from jitlint.absint.values.domain import UNKNOWN, External
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
#: functions whose first two operands are arrays
_TWO_ARRAYS: Final = frozenset(
    f"jax.numpy.{name}"
    for name in (
        "dot matmul add subtract multiply divide true_divide power maximum minimum outer inner "
        "tensordot vdot cross kron arctan2 hypot logaddexp greater less greater_equal less_equal "
        "mod remainder logical_and logical_or"
    ).split()
)
_COLLECTION_ATTRIBUTES: Final = frozenset("items keys values get copy index count".split())


class ParameterEvidence:
    """What is known of one parameter before any argument is seen."""

    __slots__ = (
        "annotation",
        "code",
        "names",
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
        #: the attributes that are read or set of it
        self.names = frozenset(use[1:] for use in uses if use.startswith("."))


def of_parameter(it: Interpreter, code: Code, parameter: Parameter) -> ParameterEvidence:
    """The evidence for a parameter of a loaded function."""
    key = ("evidence", id(parameter))
    it.reads.read(code.module)
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
            self.note(node.value, f".{name}")
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
            inner = {parameter.name for parameter in parameters_of(node)}
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
