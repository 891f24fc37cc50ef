"""What annotations say of a type.

They are read as the index's ``ast`` has them and resolved through the module's names, so that
aliases (``Array = jax.Array``) mean what they stand for.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from jitlint.absint.machine.verbs import verb
from jitlint.absint.program.declarations import alias_of, annotation_of, return_annotation_of
from jitlint.absint.program.names import dotted_value
from jitlint.absint.values.domain import (
    BOOL,
    FLOAT,
    INT,
    STATIC,
    STR,
    UNKNOWN,
    Array,
    Class,
    External,
    Level,
    Tuple,
    Value,
)
from jitlint.foundation.records import record
from jitlint.project.walks import dotted

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code, Parameter
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex

_ARRAYS: Final = frozenset(
    {
        "jax.Array",
        "jax.numpy.ndarray",
        "jax.interpreters.xla.DeviceArray",
        "jaxtyping.Array",
        "jaxtyping.ArrayLike",
        "jaxtyping.PRNGKeyArray",
        "jaxtyping.Scalar",
        "jaxtyping.ScalarLike",
        "jaxtyping.Key",
        "jax.typing.ArrayLike",
        "chex.Array",
        "chex.ArrayDevice",
        "chex.Numeric",
        "chex.Scalar",
        "chex.PRNGKey",
        "jax.random.PRNGKeyArray",
        "jax.random.KeyArray",
        "jax.random.PRNGKey",
        "numpy.ndarray",
        "numpy.typing.NDArray",
        "numpy.typing.ArrayLike",
        "optax.ScalarOrSchedule_",
    }
)
_JAXTYPING: Final = frozenset(
    f"jaxtyping.{name}"
    for name in (
        "Float Float16 Float32 Float64 Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 Bool "
        "Num Real Inexact Complex Integer Shaped Key BFloat16"
    ).split()
)
_CONTAINERS: Final = frozenset(
    """builtins.dict builtins.list builtins.set builtins.frozenset typing.Dict typing.List
    typing.Mapping typing.MutableMapping typing.Sequence typing.Iterable typing.Set
    collections.abc.Mapping collections.abc.Sequence collections.abc.Iterable
    collections.abc.MutableMapping collections.OrderedDict chex.ArrayTree chex.ArrayDeviceTree
    jaxtyping.PyTree optax.Params optax.OptState optax.Updates flax.core.FrozenDict
    flax.typing.FrozenVariableDict flax.core.frozen_dict.FrozenDict haiku.Params haiku.State
    flax.nnx.State flax.typing.VariableDict""".split()
)
_SCALARS: Final = {
    "builtins.int": INT,
    "builtins.float": FLOAT,
    "builtins.bool": BOOL,
    "builtins.str": STR,
    "typing.SupportsFloat": FLOAT,
    "typing.SupportsInt": INT,
}
_CALLABLES: Final = frozenset({"typing.Callable", "collections.abc.Callable"})
_WRAPPERS: Final = frozenset(
    {"typing.Annotated", "typing.Final", "typing.ClassVar", "dataclasses.InitVar"}
)


@record()
class Annotation:
    """A type as far as it matters.

    ``kind``: ``array``, ``scalar`` (``value`` is its static), ``none``, ``container``, ``tuple``
    (``parts``), ``union`` (``parts``), ``class`` (``value`` is the class), ``external`` (``name``),
    ``callable``, ``unknown``.
    """

    kind: str
    parts: tuple[Annotation, ...] = ()
    value: Value = UNKNOWN
    name: str = ""


UNKNOWN_ANNOTATION: Final = Annotation("unknown")
_ARRAY: Final = Annotation("array")


def read(it: Interpreter, module: ModuleIndex, node: ast.expr | None, depth: int = 6) -> Annotation:
    """Understand an annotation that stands in a module."""
    if node is None or depth == 0:
        return UNKNOWN_ANNOTATION
    if isinstance(node, ast.Constant):
        if node.value is None:
            return Annotation("none")
        if isinstance(node.value, str):
            return read(it, module, _parse(node.value), depth - 1)
        return UNKNOWN_ANNOTATION
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(
            read(it, module, node.left, depth - 1), read(it, module, node.right, depth - 1)
        )
    if isinstance(node, ast.Subscript):
        return _subscripted(it, module, node, depth)
    name = dotted(node)
    return UNKNOWN_ANNOTATION if name is None else _named(it, module, name, depth)


def _parse(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _union(*parts: Annotation) -> Annotation:
    flat: list[Annotation] = []
    for part in parts:
        flat.extend(part.parts if part.kind == "union" else (part,))
    return Annotation("union", tuple(flat))


def _named(it: Interpreter, module: ModuleIndex, name: str, depth: int) -> Annotation:
    value = dotted_value(it, module, name)
    if isinstance(value, External):
        return _external(value.name)
    if isinstance(value, Class):
        return Annotation("class", value=value)
    return _aliased(it, module, name, depth) if value == UNKNOWN else UNKNOWN_ANNOTATION


def _aliased(it: Interpreter, module: ModuleIndex, name: str, depth: int) -> Annotation:
    alias = _alias(it, module, name) if name.isidentifier() else None
    return UNKNOWN_ANNOTATION if alias is None else read(it, *alias, depth - 1)


def _alias(it: Interpreter, module: ModuleIndex, name: str) -> tuple[ModuleIndex, ast.expr] | None:
    """The right side of ``Name = Union[...]``, for aliases that are no single class."""
    bindings = it.project.bindings(module, name)
    if len(bindings) != 1:
        return None
    binding = bindings[0]
    if binding.target is not None and binding.target.name is not None:
        other = it.project.find_module(binding.target.module, module)
        if other is None or other is module:
            return None
        return _alias(it, other, binding.target.name)
    node = alias_of(binding.unit)
    return None if node is None else (binding.unit.module, node)


def _external(name: str) -> Annotation:
    if name in _ARRAYS:
        # What may be a NumPy array or a number as well says little of what it is outside a trace.
        weak = name.startswith("numpy") or name.endswith(("ArrayLike", "ScalarLike", "Numeric"))
        return Annotation("array", name="numpy" if weak else "")
    if name in _JAXTYPING:
        return _ARRAY
    if name in _SCALARS:
        return Annotation("scalar", value=_SCALARS[name])
    if name in _CONTAINERS:
        return Annotation("container")
    if name in _CALLABLES:
        return Annotation("callable")
    if name == "builtins.tuple":
        return Annotation("container")
    if name in ("typing.Any", "builtins.object"):
        return UNKNOWN_ANNOTATION
    return Annotation("external", name=name)


def _subscripted(
    it: Interpreter, module: ModuleIndex, node: ast.Subscript, depth: int
) -> Annotation:
    written = dotted(node.value) or ""
    base = dotted_value(it, module, written)
    name = base.name if isinstance(base, External) else ""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "typing.Optional":
        return _union(read(it, module, parts[0], depth - 1), Annotation("none"))
    if name == "typing.Union":
        return _union(*(read(it, module, part, depth - 1) for part in parts))
    if name in ("builtins.tuple", "typing.Tuple"):
        if parts and isinstance(parts[-1], ast.Constant) and parts[-1].value is ...:
            return Annotation("container")
        return Annotation("tuple", tuple(read(it, module, part, depth - 1) for part in parts))
    if name == "typing.Literal":
        if all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts):
            return Annotation("scalar", value=STR)
        return Annotation("scalar", value=STATIC)
    if name in _WRAPPERS:
        return read(it, module, parts[0], depth - 1)
    if name in _JAXTYPING:
        return _ARRAY
    if isinstance(base, External):
        return _external(name)
    if isinstance(base, Class):
        return Annotation("class", value=base)
    return _aliased(it, module, written, depth)


def of_parameter(it: Interpreter, code: Code, parameter: Parameter) -> Annotation:
    """The annotation of a parameter, read once."""
    key = ("annotation", id(parameter))
    it.reads.read(code.module)
    known: Annotation | None = it.facts.get(key)
    if known is None:
        known = UNKNOWN_ANNOTATION
        if parameter.annotated:
            with it.reads.of(it, code.module, key[0]):
                known = read(it, code.module, annotation_of(code, parameter))
        it.facts[key] = known
        it.keep(parameter)
    return known


@verb("result")
def _result(it: Interpreter, code: Code, value: Value) -> Value:
    if type(value) is Array and value.level is Level.CONCRETE:
        returned = read(it, code.module, return_annotation_of(code))
        if returned.value == INT:
            # What an annotation of a parameter calls an array is a Python number then.
            return UNKNOWN
    return value


def classes_of(it: Interpreter, code: Code, parameter: Parameter) -> Value | None:
    """The class or classes that the annotation of a parameter names, None if it has none."""
    node = annotation_of(code, parameter)
    return None if node is None else _classes(it, code.module, node)


def _classes(it: Interpreter, module: ModuleIndex, node: ast.expr | None) -> Value:
    if isinstance(node, ast.Constant):
        return _classes(it, module, _parse(node.value)) if isinstance(node.value, str) else UNKNOWN
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return Tuple((_classes(it, module, node.left), _classes(it, module, node.right)))
    name = None if node is None else dotted(node)
    return UNKNOWN if name is None else dotted_value(it, module, name)
