"""What a parameter holds, by its annotation and its use in the body, before any call is seen.

A parameter that is not static is a pytree, not always an array, so a report about it needs
evidence; the table in the design document says how much for which use.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import pairwise
from typing import Any, Final

import libcst as cst

from jitlint.absint.code.functions import Code, Parameter, parameters_of, target_names
from jitlint.absint.code.syntax import called_name, children
from jitlint.absint.limits import HANDED_ON
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.annotations import (
    NUMPY_ARRAY,
    Annotation,
    of_parameter as annotation_of,
)
from jitlint.absint.modules.names import global_value
from jitlint.absint.values.domain import UNKNOWN, External, Function
from jitlint.foundation.records import Record
from jitlint.jaxmodel import frameworks, functions
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
#: kinds of annotations that say nothing against an array
_LEFT_TO_USE: Final = frozenset({"unknown", "none", "tree"})
#: what binds parameters of a function: of functools and of jax.tree_util
_BINDING: Final = frozenset({"partial", "Partial"})
_COLLECTION_ATTRIBUTES: Final = frozenset("items keys values get copy index count".split())


class ParameterEvidence:
    """What is known of one parameter before any argument is seen."""

    __slots__ = (
        "annotation",
        "code",
        "given_to_layer",
        "names",
        "parameter",
        "used_as_array",
        "used_as_container",
        "used_as_matrix",
        "used_as_reference",
    )

    def __init__(
        self, code: Code, parameter: Parameter, annotation: Annotation, uses: Set[str]
    ) -> None:
        self.code = code
        self.parameter = parameter
        self.annotation = annotation
        self.used_as_reference = "reference" in uses
        #: the attributes that are read or set of it
        self.names = frozenset(use[1:] for use in uses if use.startswith("."))
        # What is asked for something that no array has is none, whatever else is asked of it.
        asked = "asked" in uses and all(map(_may_be_asked, self.names))
        is_array = "array" in uses or asked
        self.used_as_array = is_array and not self.used_as_reference
        self.used_as_container = "container" in uses and not is_array
        #: whether it is used in ways that no number understands
        self.used_as_matrix = "matrix" in uses
        self.given_to_layer = "layer" in uses

    @property
    def asked_as_array_only(self) -> bool:
        """Whether it is asked for what only arrays have, and for nothing that they have not."""
        methods = (name for name in self.names if array_method(name))
        known = self._has_array_names and not self.parameter.annotated
        return known and any(map(_is_of_arrays, methods))

    @property
    def given_to_module(self) -> bool:
        """Whether a module of a framework takes it for an array, and for nothing else.

        What such modules are given is data or a setting, and no setting is used like that.
        """
        asked = self.used_as_matrix or self.given_to_layer or any(map(_is_of_arrays, self.names))
        return asked and self._has_array_names and self.may_be_array

    @property
    def may_be_array(self) -> bool:
        """Whether its annotation, if there is one that is understood, leaves it to its use."""
        return self.may_be_number or all(part.kind in _LEFT_TO_USE for part in self._alternatives)

    @property
    def holds_host_arrays(self) -> bool:
        """Whether its annotation says that it is a container of arrays of NumPy, or None."""
        held = [part for part in self._alternatives if part.kind != "none"]
        return bool(held) and all(
            part.kind in ("sequence", "mapping") and _are_of_host(part) for part in held
        )

    @property
    def _alternatives(self) -> tuple[Annotation, ...]:
        annotation = self.annotation
        return annotation.parts if annotation.kind == "union" else (annotation,)

    @property
    def may_be_number(self) -> bool:
        """Whether its annotation says that it is an array, or a number as well."""
        parts = self._alternatives
        return any(part.kind == "array" and part.name == "numpy" for part in parts)

    @property
    def _has_array_names(self) -> bool:
        return all(array_attribute(name) or array_method(name) for name in self.names)


def _are_of_host(annotation: Annotation) -> bool:
    """Whether the elements of containers, at whatever depth, are arrays of NumPy."""
    while annotation.kind in ("sequence", "mapping"):
        annotation = annotation.parts[-1]
    return annotation.kind == "array" and annotation.value == External(NUMPY_ARRAY)


def _may_be_asked(name: str) -> bool:
    """Whether an array, an object or a container that stands for one may have an attribute."""
    known = array_attribute(name) is not None or array_method(name) is not None
    return known or name in _COLLECTION_ATTRIBUTES or name.startswith("_")


def _is_of_arrays(name: str) -> bool:
    """Whether no number, text or container of Python has a method of that name."""
    return not any(hasattr(kind, name) for kind in (complex, float, int, str, list, dict, set))


def of_parameter(it: Interpreter, code: Code, parameter: Parameter) -> ParameterEvidence:
    """The evidence for a parameter of a loaded function."""
    key = ("evidence", id(parameter))
    it.reads.read(code.module)
    known: ParameterEvidence | None = it.facts.get(key)
    if known is None:
        with it.reads.of(it, code.module, key[0]):
            uses = _uses(it, code).get(parameter.name, set())
            known = ParameterEvidence(code, parameter, annotation_of(it, code, parameter), uses)
        it.facts[key] = known
    return known


def written_uses(it: Interpreter, code: Code, parameter: Parameter) -> Set[str]:
    """How the text of a loaded function uses a parameter, whatever the names in it mean.

    ``.name`` is an attribute, ``[key`` a text that it is subscripted with, ``=text`` one that it is
    compared with; ``called`` if it is, ``range`` and ``next`` if it goes to these.
    """
    return it.written(_Uses, code).found.get(parameter.name, frozenset())


def _uses(it: Interpreter, code: Code) -> dict[str, set[str]]:
    """How parameters are used, as far as names tell here what is called."""
    key = ("uses", id(code))
    known: dict[str, set[str]] | None = it.facts.get(key)
    if known is None:
        written = it.written(_Uses, code)
        known = it.facts[key] = {name: set(uses) for name, uses in written.found.items()}
        for called in written.calls:
            if called.first is not None and _is_layer(it, code, called.function):
                known[called.first].update(("array", "layer"))
            for name in called.arrays(_callee(it, code, called.function)):
                known[name].add("array")
    return known


def _is_layer(it: Interpreter, code: Code, function: cst.BaseExpression) -> bool:
    """Whether an expression makes a layer of a framework: ``nn.Dense(3)``."""
    if type(function) is not cst.Call:
        return False
    name = _callee(it, code, function.func)
    fact = None if name is None else frameworks.lookup(name)
    return fact is not None and fact.kind == "module_class"


def given_to_layers(it: Interpreter, code: Code, layers: Set[str]) -> set[str]:
    """The parameters of a method that it hands to layers that its object holds.

    Args:
      it: the interpreter.
      code: the method, loaded.
      layers: the attributes of its object that are layers.
    """
    receiver = code.parameters[0].name
    return {
        called.first
        for called in it.written(_Uses, code).calls
        if called.first is not None
        and type(called.function) is cst.Attribute
        and type(called.function.value) is cst.Name
        and called.function.value.value == receiver
        and called.function.attr.value in layers
    }


def _callee(it: Interpreter, code: Code, node: cst.BaseExpression) -> str | None:
    """The qualified name of a function of a library, as the code that runs names it."""
    if type(node) is cst.Name:
        if node.value in code.bound_names:
            return None
        value = it.look_up(node.value) if it.frame.module is code.module else UNKNOWN
        return value.name if isinstance(value, External) else None
    if type(node) is cst.Attribute:
        base = _callee(it, code, node.value)
        return None if base is None else f"{base}.{node.attr.value}"
    return None


def is_called(it: Interpreter, code: Code, parameter: str, depth: int = HANDED_ON) -> bool:
    """Whether a loaded function calls what a parameter is, or binds it to one that does.

    No array can be called: it is a function, or a pytree that stands for one.
    """
    written = it.written(_Uses, code)
    if "called" in written.found.get(parameter, ()):
        return True
    if not depth:
        return False
    for function, name in written.bound.get(parameter, ()):
        value = global_value(it, code.module, function)
        bound = it.load(value.code) if isinstance(value, Function) else None
        if bound is not None and is_called(it, bound, name, depth - 1):
            return True
    return False


class _Called(Record):
    """A call that parameters are handed to as they are.

    Args:
      function: what is called.
      given: the parameters among its first two arguments, None for anything else there; what is
        starred or named is left out.
      first: the one that its first argument is, None if that is something else.
    """

    function: cst.BaseExpression
    given: tuple[str | None, ...]
    first: str | None

    def arrays(self, name: str | None) -> Iterator[str]:
        """The parameters that are arrays if this is a call of a function of that name."""
        fact = None if name is None else functions.lookup(name)
        if fact is None or name is None:
            return
        if name.startswith("jax.numpy.") and name not in _TAKES_SEQUENCES:
            if fact.returns in ("array", "arrays:2", "array_list"):
                arrays = self.given if name in _TWO_ARRAYS else self.given[:1]
                yield from filter(None, arrays)
        elif name.startswith(("jax.nn.", "jax.random.")) and fact.returns.startswith("array"):
            yield from filter(None, [self.first])


class _Uses:
    """Collects how parameters are used, in source order, up to where each is bound again.

    Args:
      code: the function, loaded.

    Attributes:
      found: for each parameter, what the code alone says of it.
      calls: the calls of functions that it is handed to.
      bound: the functions to which ``partial`` binds it, each with the name that it has there.
    """

    def __init__(self, code: Code) -> None:
        self.found: dict[str, set[str]] = {p.name: set() for p in code.parameters}
        self.calls: list[_Called] = []
        self.bound: dict[str, list[tuple[str, str]]] = {}
        self._rebound: set[str] = set()
        assert code.node is not None
        self.visit(code.node.body)

    def _parameter(self, node: cst.CSTNode) -> str | None:
        """The parameter that an expression is, None if it is anything else."""
        if type(node) is cst.Name and node.value in self.found and node.value not in self._rebound:
            return node.value
        return None

    def note(self, node: cst.CSTNode, use: str) -> None:
        name = self._parameter(node)
        if name is not None:
            self.found[name].add(use)

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
                self.note(node.value, "asked")
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
            hidden = inner - self._rebound
            self._rebound |= hidden
            for child in children(node):
                self.visit(child)
            self._rebound -= hidden
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
        self._rebound.update(target_names(target))

    def _arithmetic(self, node: cst.BinaryOperation) -> None:
        if not isinstance(node.operator, _ARRAY_OPERATORS):
            return
        for mine, other in ((node.left, node.right), (node.right, node.left)):
            if not isinstance(other, (cst.Tuple, cst.List, cst.BaseString)):
                self.note(mine, "array")
                if type(node.operator) is cst.MatrixMultiply:
                    self.note(mine, "matrix")

    def _comparison(self, node: cst.Comparison) -> None:
        operands = [node.left, *(target.comparator for target in node.comparisons)]
        for mine, other in pairwise(operands):
            self._note_text(mine, "=", other)
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
            self.note(node.value, "matrix")
        elif type(part) is cst.Index:
            if isinstance(part.value, cst.BaseString):
                self.note(node.value, "container")
                self._note_text(node.value, "[", part.value)
            elif type(part.value) is cst.Ellipsis:
                # `x[...]` of an array is the array: only a mutable reference is read so.
                self.note(node.value, "reference")

    def _note_text(self, node: cst.CSTNode, sign: str, text: cst.BaseExpression) -> None:
        if type(text) is cst.SimpleString and isinstance(text.evaluated_value, str):
            self.note(node, f"{sign}{text.evaluated_value}")

    def _call(self, node: cst.Call) -> None:
        self.note(node.func, "called")
        if not node.args:
            return
        if type(node.func) is cst.Name and node.func.value in ("range", "next"):
            self.note(node.args[-1 if node.func.value == "range" else 0].value, node.func.value)
        plain = [arg.value for arg in node.args[:2] if not arg.star and arg.keyword is None]
        given = tuple(map(self._parameter, plain))
        first = None if node.args[0].star else self._parameter(node.args[0].value)
        if first is not None or any(given):
            self.calls.append(_Called(node.func, given, first))
        if called_name(node) in _BINDING and type(node.args[0].value) is cst.Name:
            for arg in node.args[1:]:
                name = self._parameter(arg.value)
                if name is not None and arg.keyword is not None:
                    handed = node.args[0].value.value, arg.keyword.value
                    self.bound.setdefault(name, []).append(handed)
