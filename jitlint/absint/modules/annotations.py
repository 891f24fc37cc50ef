"""What annotations say of a type.

They are read as the index's ``ast`` has them and resolved through the module's names, so that
aliases (``Array = jax.Array``) mean what they stand for.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeAlias

from jitlint.absint.code.declarations import alias_of
from jitlint.absint.code.signatures import annotation_of
from jitlint.absint.limits import ANNOTATION_LEVELS
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.values.domain import (
    BOOL,
    FLOAT,
    INT,
    STATIC,
    STR,
    UNKNOWN,
    Class,
    External,
    ModuleValue,
    Tuple,
    Value,
)
from jitlint.foundation.records import Record
from jitlint.jaxmodel.transforms import STATIC_TYPES
from jitlint.project.walks import dotted
from jitlint.project.written.parametrized import BY_KEYWORD, BY_NAMES, flags_listed

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code, Parameter
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex

_ARRAYS: Final = frozenset(
    {
        "jax.Array",
        "jax.numpy.ndarray",
        "jax.interpreters.xla.DeviceArray",
        "jax.numpy.DeviceArray",
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
NUMPY_ARRAY: Final = "numpy.ndarray"
#: what of these may be a number of Python, or an array of NumPy, as well
_ALSO_NUMBERS: Final = ("ArrayLike", "ScalarLike", "Numeric", "chex.Scalar", "chex.Array")
_JAXTYPING: Final = frozenset(
    f"jaxtyping.{name}"
    for name in (
        "Float Float16 Float32 Float64 Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 Bool "
        "Num Real Inexact Complex Integer Shaped Key BFloat16"
    ).split()
)
_SEQUENCES: Final = frozenset(
    """builtins.list builtins.tuple typing.List typing.Tuple typing.Sequence typing.MutableSequence
    typing.Iterable typing.Collection collections.abc.Sequence collections.abc.MutableSequence
    collections.abc.Iterable collections.abc.Collection""".split()
)
_LISTS: Final = frozenset({"builtins.list", "typing.List"})
_MAPPINGS: Final = frozenset(
    """builtins.dict typing.Dict typing.Mapping typing.MutableMapping typing.OrderedDict
    collections.abc.Mapping collections.abc.MutableMapping collections.OrderedDict
    flax.core.FrozenDict flax.core.frozen_dict.FrozenDict""".split()
)
_CONTAINERS: Final = frozenset(
    """builtins.set builtins.frozenset typing.Set flax.typing.FrozenVariableDict haiku.Params
    haiku.State flax.nnx.State flax.typing.VariableDict""".split()
)
#: what may be a single array as well
_TREES: Final = frozenset(
    """chex.ArrayTree chex.ArrayDeviceTree jaxtyping.PyTree optax.Params optax.OptState
    optax.Updates""".split()
)
#: what holds arrays, in dicts or in tuples
_UNHASHABLE_TREES: Final = frozenset(
    {"haiku.Params", "haiku.State", "optax.OptState", "optax.Params", "optax.Updates"}
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
    {"typing.Annotated", "typing.Final", "typing.ClassVar", "dataclasses.InitVar", *STATIC_TYPES}
)


class Annotation(Record):
    """A type as far as it matters.

    ``kind``: ``array`` (``value`` is the class where it is NumPy's own), ``scalar`` (``value`` is
    its static), ``none``, ``container``, ``tree`` (it may be a single array; ``name`` is ``arrays``
    where all leaves are some), ``tuple`` (``parts``), ``sequence`` or ``mapping`` of unknown length
    (``parts`` is what its elements are; ``name`` is ``list`` where it can be nothing else),
    ``union`` (``parts``), ``class`` (``value`` is the class), ``external`` (``name``),
    ``callable``, ``unknown``.
    """

    kind: str
    parts: tuple[Annotation, ...] = ()
    value: Value = UNKNOWN
    name: str = ""

    @property
    def number(self) -> Value:
        """The Python number, flag or text that is meant; what is called `float` may be a tracer."""
        return self.value if self.kind == "scalar" and self.value != FLOAT else UNKNOWN


#: an annotation as the index has it
Written: TypeAlias = ast.expr | None
UNKNOWN_ANNOTATION: Final = Annotation("unknown")
_ARRAY: Final = Annotation("array")


def read(
    it: Interpreter, module: ModuleIndex, node: ast.expr | None, depth: int = ANNOTATION_LEVELS
) -> Annotation:
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
    if isinstance(node, ast.Call):
        return _declared(it, module, node, depth)
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


def _declared(it: Interpreter, module: ModuleIndex, node: ast.Call, depth: int) -> Annotation:
    """What ``NewType("Key", jax.Array)`` and ``TypeVar("T", bound=...)`` stand for."""
    made = dotted_value(it, module, dotted(node.func))
    name = made.name.rpartition(".")[2] if isinstance(made, External) else ""
    if name == "NewType" and len(node.args) == 2:
        return read(it, module, node.args[1], depth - 1)
    if name == "TypeVar":
        bounds = [k.value for k in node.keywords if k.arg == "bound"] or node.args[1:]
        parts = [read(it, module, bound, depth - 1) for bound in bounds]
        return _union(*parts) if len(parts) > 1 else next(iter(parts), UNKNOWN_ANNOTATION)
    return UNKNOWN_ANNOTATION


def _named(it: Interpreter, module: ModuleIndex, name: str, depth: int) -> Annotation:
    value = dotted_value(it, module, name)
    if isinstance(value, Class):
        return Annotation("class", value=value)
    # `Pair = tuple[jax.Array, float]`: what is subscripted is not all that the alias says.
    alias = _alias(it, module, name)
    if alias is not None:
        return read(it, *alias, depth - 1)
    return _external(value.name) if isinstance(value, External) else UNKNOWN_ANNOTATION


def _alias(it: Interpreter, module: ModuleIndex, name: str) -> tuple[ModuleIndex, ast.expr] | None:
    """The right side of ``Name = Union[...]``, for aliases that are no single class."""
    head, _, rest = name.rpartition(".")
    if head:
        holder = dotted_value(it, module, head)
        return _alias(it, holder.module, rest) if isinstance(holder, ModuleValue) else None
    bindings = it.project.bindings(module, name)
    if len(bindings) != 1:
        return None
    binding = bindings[0]
    if binding.target is not None and binding.target.name is not None:
        other = it.project.find_module(binding.target.module, module)
        if other is None or other is module:
            return None
        return _alias(it, other, binding.target.name)
    it.reads.read(binding.unit.module)
    node = alias_of(binding.unit)
    return None if node is None else (binding.unit.module, node)


def _external(name: str) -> Annotation:
    if name in _ARRAYS:
        # What may be a NumPy array or a number as well says little of what it is outside a trace.
        weak = name.startswith("numpy") or name.endswith(_ALSO_NUMBERS)
        host = External(name) if name == NUMPY_ARRAY else UNKNOWN
        return Annotation("array", value=host, name="numpy" if weak else "")
    if name in _JAXTYPING:
        # Of a kind of numbers alone, without `[Array, "..."]`, it says nothing of arrays.
        return UNKNOWN_ANNOTATION
    if name in _SCALARS:
        return Annotation("scalar", value=_SCALARS[name])
    if name in _SEQUENCES:
        return Annotation("sequence", (UNKNOWN_ANNOTATION,))
    if name in _MAPPINGS:
        return Annotation("mapping", (UNKNOWN_ANNOTATION,))
    if name in _CONTAINERS:
        return Annotation("container")
    if name in _TREES:
        return Annotation("tree")
    if name in _CALLABLES:
        return Annotation("callable")
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
    repeated = bool(parts) and isinstance(parts[-1], ast.Constant) and parts[-1].value is ...
    if name in ("builtins.tuple", "typing.Tuple") and not repeated:
        return Annotation("tuple", tuple(read(it, module, part, depth - 1) for part in parts))
    if name in _SEQUENCES:
        written = "list" if name in _LISTS else ""
        return Annotation("sequence", (read(it, module, parts[0], depth - 1),), name=written)
    if name in _MAPPINGS:
        return Annotation("mapping", (read(it, module, parts[-1], depth - 1),))
    if name == "typing.Literal":
        if all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts):
            return Annotation("scalar", value=STR)
        return Annotation("scalar", value=STATIC)
    if name in _WRAPPERS:
        return read(it, module, parts[0], depth - 1)
    if name in _JAXTYPING:
        return _ARRAY
    if name == "jaxtyping.PyTree":
        of_arrays = read(it, module, parts[0], depth - 1) == _ARRAY
        return Annotation("tree", name="arrays" if of_arrays else "")
    return _named(it, module, written, depth)


def says_static(it: Interpreter, module: ModuleIndex, node: ast.expr | None) -> bool:
    """Whether an annotation declares a field or a parameter static, for whoever reads it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = _parse(node.value)
    if isinstance(node, ast.Subscript):
        node = node.value
    name = None if node is None else dotted(node)
    value = None if name is None else dotted_value(it, module, name)
    return isinstance(value, External) and value.name in STATIC_TYPES


def static_names(it: Interpreter, code: Code) -> list[str]:
    """The parameters of a parsed function whose annotations declare them static."""
    it.reads.read(code.module)
    return [
        parameter.name
        for parameter in code.parameters
        if parameter.annotated and says_static(it, code.module, annotation_of(code, parameter))
    ]


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
        elif code.unit.decorated and code.unit.qualname == code.qualname:
            with it.reads.of(it, code.module, key[0]):
                known = _listed(it, code, parameter)
        it.facts[key] = known
        it.keep(parameter)
    return known


def _listed(it: Interpreter, code: Code, parameter: Parameter) -> Annotation:
    """What the decorators of a test list of a parameter: a flag that is tried both ways."""
    for name, decorator, by_keyword in it.written(flags_listed, code.unit):
        if name == parameter.name:
            called = External(BY_KEYWORD if by_keyword else BY_NAMES)
            if dotted_value(it, code.module, decorator) == called:
                return Annotation("scalar", value=BOOL)
    return UNKNOWN_ANNOTATION


def unhashable_kinds(
    it: Interpreter, module: ModuleIndex, node: Written
) -> list[str | Class | None]:
    """What each member of a union, or an annotation that is none, says of the hash of a value.

    Returns:
      A kind that has no hash, or a class that may have none; None for what may have one, and
      nothing for None itself.
    """
    found: list[str | Class | None] = []
    for part in _alternatives(it, module, node):
        kind = _unhashable(it, module, part)
        named = part.value if isinstance(part, ast.Subscript) else part
        value = None if kind is not None else dotted_value(it, module, dotted(named) or "")
        found.append(value if isinstance(value, Class) else kind)
    return found


def _alternatives(it: Interpreter, module: ModuleIndex, node: Written) -> list[ast.expr]:
    """The members of a union, without None."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = _parse(node.value)
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return [*_alternatives(it, module, node.left), *_alternatives(it, module, node.right)]
    if isinstance(node, ast.Subscript):
        base = dotted_value(it, module, dotted(node.value) or "")
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(base, External) and base.name in ("typing.Optional", "typing.Union"):
            return [each for part in parts for each in _alternatives(it, module, part)]
    return [node]


def _unhashable(it: Interpreter, module: ModuleIndex, node: Written) -> str | None:
    """What an annotation says a value is, where nothing of the kind can be hashed.

    Returns:
      ``array``, ``dict of arrays`` or ``pytree of arrays``; None where numbers, tuples or None will
      do as well, and where nothing is known.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = _parse(node.value)
    if isinstance(node, ast.Subscript):
        base = dotted_value(it, module, dotted(node.value) or "")
        name = base.name if isinstance(base, External) else ""
        if name in _JAXTYPING or name == "numpy.typing.NDArray":
            return "array"
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in ("builtins.dict", "typing.Dict") and _unhashable(it, module, parts[-1]):
            return "dict of arrays"
        return None
    written = None if node is None else dotted(node)
    value = UNKNOWN if written is None else dotted_value(it, module, written)
    if not isinstance(value, External):
        return None
    if value.name in _UNHASHABLE_TREES:
        return "pytree of arrays"
    number = value.name.endswith(("ArrayLike", "ScalarLike", "Numeric", "Scalar", "Schedule_"))
    return "array" if value.name in _ARRAYS and not number else None


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
