"""What annotations say: the evidence that settles a parameter that nothing stronger settles.

Annotations are read with ``ast`` and resolved through the module's names, so that aliases
(``Array = jax.Array``) mean what they stand for.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from jitlint.absint.program import names
from jitlint.absint.values.domain import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    STATIC,
    STR,
    UNKNOWN,
    Array,
    Class,
    External,
    ExternalInstance,
    Level,
    ModuleValue,
    Tuple,
    Value,
)
from jitlint.absint.values.lattice import join_all
from jitlint.foundation.records import record

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
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _named(it, module, node, depth)
    return UNKNOWN_ANNOTATION


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


def resolve(it: Interpreter, module: ModuleIndex, node: ast.expr) -> Value:
    """The value of a dotted name that stands in a module, read with ``ast``."""
    if isinstance(node, ast.Name):
        return names.global_value(it, module, node.id)
    if isinstance(node, ast.Attribute):
        base = resolve(it, module, node.value)
        if isinstance(base, External):
            return External(f"{base.name}.{node.attr}")
        if isinstance(base, ModuleValue):
            return names.module_attribute(it, base.module, node.attr)
    return UNKNOWN


def _named(it: Interpreter, module: ModuleIndex, node: ast.expr, depth: int) -> Annotation:
    value = resolve(it, module, node)
    if isinstance(value, External):
        return _external(value.name)
    if isinstance(value, Class):
        return Annotation("class", value=value)
    if value == UNKNOWN and isinstance(node, ast.Name):
        alias = _alias(it, module, node.id)
        if alias is not None:
            return read(it, alias[0], alias[1], depth - 1)
    return UNKNOWN_ANNOTATION


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
    node = binding.unit.node
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return binding.unit.module, node.value
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return binding.unit.module, node.value
    type_alias: Any = getattr(ast, "TypeAlias", None)
    if type_alias is not None and isinstance(node, type_alias):
        return binding.unit.module, node.value
    return None


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
    base = resolve(it, module, node.value)
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
    if isinstance(node.value, ast.Name):
        alias = _alias(it, module, node.value.id)
        if alias is not None:
            return read(it, alias[0], alias[1], depth - 1)
    return UNKNOWN_ANNOTATION


def of_parameter(it: Interpreter, code: Code, parameter: Parameter) -> Annotation:
    """The annotation of a parameter, read once."""
    key = ("annotation", id(parameter))
    it.reads.touch(code.module)
    known: Annotation | None = it.facts.get(key)
    if known is None:
        known = UNKNOWN_ANNOTATION
        if parameter.annotation is not None:
            with it.reads.of(it, code.module, key[0]):
                known = read(it, code.module, code.annotation(parameter))
        it.facts[key] = known
        it.keep(parameter)
    return known


def informed(it: Interpreter, code: Code, parameter: Parameter) -> Value:
    """What an annotation says of an argument of which nothing else is known."""
    return host_value(it, of_parameter(it, code, parameter))


def host_value(it: Interpreter, annotation: Annotation) -> Value:
    """A value of an annotated type outside a trace."""
    kind = annotation.kind
    if kind == "array":
        if annotation.name == "numpy":
            return UNKNOWN
        # Inside a trace an array that is not traced would become so with its first operation.
        return Array(Level.CONCRETE)
    if kind == "scalar":
        # A helper annotated `float` is given tracers all the time: only int, bool and str hold.
        return UNKNOWN if annotation.value == FLOAT else annotation.value
    if kind == "none":
        return NONE
    if kind == "tuple":
        return Tuple(tuple(host_value(it, part) for part in annotation.parts))
    if kind == "union":
        parts = [host_value(it, part) for part in annotation.parts]
        return UNKNOWN if UNKNOWN in parts else join_all(parts)
    if kind == "class":
        from jitlint.absint.program.classes import annotated_instance

        assert isinstance(annotation.value, Class)
        return annotated_instance(it, annotation.value)
    if kind == "external":
        from jitlint.jaxmodel.frameworks import base_class, lookup

        if base_class(annotation.name) is not None or lookup(annotation.name) is not None:
            return ExternalInstance(annotation.name)
    return UNKNOWN


__all__ = [
    "UNKNOWN_ANNOTATION",
    "Annotation",
    "host_value",
    "informed",
    "of_parameter",
    "read",
    "resolve",
]
