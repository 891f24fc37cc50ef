"""What ``jax.jit`` demands of its options and of the arguments of what it makes.

Facts observed under JAX 0.10.2: a static argument must be hashable, a static or donated name must
be a parameter, everything else must be an array, a number or a pytree of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.events import (
    NonArrayArgument,
    StaticParameter,
    TracedSelf,
    UnhashableStaticArgument,
    UnknownStaticArgument,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import comparable_tracer
from jitlint.absint.program.classes import ClassInfo, FieldInfo, class_info
from jitlint.absint.program.declarations import (
    bases_of,
    decorator_names,
    decorator_options,
    has_keywords,
)
from jitlint.absint.python.calls import constant
from jitlint.absint.values.domain import (
    Array,
    BoundMethod,
    Class,
    Const,
    External,
    ExternalInstance,
    Function,
    MadeArray,
    Origin,
    Partial,
    Ref,
    Slice,
    Static,
    Transformed,
    Tuple,
    Value,
    base_function,
    partial_keywords,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel import functions
from jitlint.jaxmodel.transforms import (
    CHECKS_ARGUMENTS,
    CHECKS_HASHES,
    CHECKS_OPTIONS,
    TRACES_SELF,
    display_name,
)

_STATIC_ERROR: Final = ("ValueError",)
_ARGUMENT_ERROR: Final = ("TypeError",)
#: objects of libraries that are neither arrays nor pytrees of arrays
_OPAQUE: Final = frozenset(
    {
        "logging.Logger",
        "io.TextIOWrapper",
        "pathlib.Path",
        "numpy.random.Generator",
        "numpy.random.RandomState",
        "random.Random",
        "SummaryWriter",
        "optax.GradientTransformation",
        "optax.GradientTransformationExtraArgs",
        "jitlint.transformed",
    }
)


def _traced_by(function: Transformed) -> Origin:
    return Origin(function.place, f"traced by {display_name(function.transform)}")


# -- options --------------------------------------------------------------------------------------


def check_options(
    it: Interpreter,
    function: Transformed,
    code: Code | None,
    bound: int,
    node: cst.CSTNode,
) -> bool:
    """Static and donated names and positions that the function does not have.

    Args:
      it: the interpreter.
      function: what the transform made.
      code: the function under its wrappers, None if it is not known.
      bound: how many leading parameters are bound already.
      node: the use of the transform.

    Returns:
      Whether there is one, so that the transform raises.
    """
    if function.transform not in CHECKS_OPTIONS or code is None:
        return False
    if base_function(function.function) is None:
        return False
    parameters = code.parameters
    kinds = {parameter.kind for parameter in parameters}
    positional = [p for p in parameters if p.kind in ("positional", "positional-only")][bound:]
    keyword_bound = partial_keywords(function.function)
    # What a partial binds by name, and what stands after it, can be passed by name only.
    count = next((i for i, p in enumerate(positional) if p.name in keyword_bound), len(positional))
    names = tuple(p.name for p in [*positional, *(p for p in parameters if p.kind == "keyword")])
    by_name = set(names) - {p.name for p in positional if p.kind == "positional-only"}
    for option, value in function.options:
        given = constant(value)
        items = given if isinstance(given, tuple) else (given,)
        for item in items:
            if option in ("static_argnames", "donate_argnames"):
                wrong = isinstance(item, str) and "**" not in kinds and item not in by_name
            elif option in ("static_argnums", "donate_argnums"):
                wrong = (
                    isinstance(item, int)
                    and not isinstance(item, bool)
                    and "*" not in kinds
                    and not -count <= item < count
                )
            else:
                continue
            if wrong:
                it.note(
                    UnknownStaticArgument,
                    _option_node(node, option),
                    operand=_option_node(node, option),
                    origin=_traced_by(function),
                    exceptions=_STATIC_ERROR,
                    option=option,
                    wrong=repr(item) if isinstance(item, str) else str(item),
                    target=code.name,
                    parameters=names,
                )
                return True
    return False


def _option_node(node: cst.CSTNode, option: str) -> cst.CSTNode:
    if isinstance(node, cst.Call):
        for arg in node.args:
            if arg.keyword is not None and arg.keyword.value == option:
                return arg.value
    return node


# -- methods --------------------------------------------------------------------------------------


def check_method(
    it: Interpreter, function: Transformed, static: tuple[set[int], set[str]], node: cst.CSTNode
) -> None:
    """A transform of a method traces ``self``, where the class is no pytree."""
    target = function.function
    if function.transform not in TRACES_SELF or not isinstance(target, Function):
        return
    unit = target.code.unit
    if (
        unit.cls is None
        or target.closure
        or target.code.node is None
        or unit.name != target.code.name
    ):
        return
    decorators = decorator_names(unit)
    if "staticmethod" in decorators:
        return
    positional = [p for p in target.code.parameters if p.kind in ("positional", "positional-only")]
    if not positional or 0 in static[0] or positional[0].name in static[1]:
        return
    if positional[0].name not in ("self", "cls"):
        # A class used as a namespace of functions.
        return
    owner = Class(unit.cls, unit.module)
    if "classmethod" not in decorators and (
        not is_opaque(it, class_info(it, owner)) or _has_other_subclasses(it, owner)
    ):
        return
    it.note(
        TracedSelf,
        node,
        operand=target.code.name,
        origin=_traced_by(function),
        exceptions=_ARGUMENT_ERROR,
        cls=unit.cls.name,
        callee=function.transform,
    )


def is_opaque(it: Interpreter, info: ClassInfo) -> bool:
    """Whether instances of a class are certainly no pytree."""
    if info.pytree != "opaque" or not info.complete or "" in info.decorators:
        return False
    if info.kind in ("enum", "namedtuple"):
        return False
    for cls in info.mro:
        if cls is not info.cls and class_info(it, cls).registered:
            # Known to be registered by itself alone.
            continue
        methods = cls.definition.methods
        if _REGISTERING & methods.keys() or has_keywords(cls.definition):
            return False
        if any(_REGISTERS.search(unit.text) for units in methods.values() for unit in units):
            return False
    return not _registered_elsewhere(it, info)


def _has_other_subclasses(it: Interpreter, cls: Class) -> bool:
    """Whether a class of the project derives from this one and may be a pytree itself."""
    name = cls.definition.name
    for module in it.modules_with(name):
        for definition in module.classes.values():
            if name in ((base or "").rpartition(".")[2] for base in bases_of(definition)):
                other = Class(definition, module)
                if not is_opaque(it, class_info(it, other)):
                    return True
                if _has_other_subclasses(it, other):
                    return True
    return False


#: methods that make a class a pytree, or change what its subclasses are
_REGISTERING: Final = frozenset(
    {"__jax_array__", "__init_subclass__", "tree_flatten", "tree_unflatten", "__tree_flatten__"}
)
_REGISTERS: Final = re.compile(r"\bregister_(?:pytree|dataclass|static)|\btree_util\b")
_REGISTRATIONS: Final = (
    "register_pytree_node",
    "register_pytree_node_class",
    "register_pytree_with_keys",
    "register_pytree_with_keys_class",
    "register_dataclass",
    "register_static",
)


def _registered_elsewhere(it: Interpreter, info: ClassInfo) -> bool:
    """Whether some statement registers a pytree and names the class, however indirectly."""
    name = info.cls.definition.name
    for module in (info.cls.module, it.frame.module):
        for registration in _REGISTRATIONS:
            for unit in module.units_with(registration):
                if unit.cls is not None and unit.cls is not info.cls.definition:
                    continue
                if name in unit.text or any(word in unit.text for word in ("for ", "def ")):
                    return True
    return False


# -- arguments ------------------------------------------------------------------------------------


def check_static(
    it: Interpreter, function: Transformed, value: Value, name: str, node: cst.CSTNode
) -> None:
    """An argument for a parameter that is declared static."""
    if function.transform not in CHECKS_HASHES:
        return
    traced = comparable_tracer(value)
    if traced is not None:
        it.emit(
            StaticParameter,
            node,
            traced,
            exceptions=_STATIC_ERROR,
            callee=_name_of(function),
            parameter=name,
        )
        return
    kind = unhashable(it, value)
    if kind is not None:
        it.note(
            UnhashableStaticArgument,
            node,
            origin=_traced_by(function),
            exceptions=_STATIC_ERROR,
            parameter=name,
            python_type=kind,
        )


def unhashable(it: Interpreter, value: Value, depth: int = 4) -> str | None:
    """The type of a value that cannot be hashed, None if it can be or is not known."""
    if isinstance(value, Array):
        return "array"
    if isinstance(value, MadeArray):
        return "NumPy array"
    if isinstance(value, Tuple) and depth:
        for item in value.items:
            inner = unhashable(it, item, depth - 1)
            if inner is not None:
                return f"tuple that holds a {inner}" if depth == 4 else inner
        return None
    if not isinstance(value, Ref):
        return None
    contents = it.contents(value)
    if isinstance(contents, ListObject):
        return "list" if it.is_mutable(value) else None
    if isinstance(contents, DictObject):
        return "dict"
    if isinstance(contents, SetObject):
        return "set" if it.is_mutable(value) else None
    if isinstance(contents, Instance) and depth:
        return _unhashable_instance(it, contents, depth)
    return None


def _unhashable_instance(it: Interpreter, contents: Instance, depth: int) -> str | None:
    info = class_info(it, contents.cls)
    name = contents.cls.definition.name
    if not info.complete or "" in info.decorators or info.externals:
        return None
    for cls in info.mro:
        if cls.definition.methods.get("__hash__") or "__hash__" in cls.definition.attributes:
            return None
    if info.decorators:
        if info.decorators != ["dataclasses.dataclass"] or len(info.mro) > 1:
            return None
        options = decorator_options(contents.cls.definition)
        computed = None in options.values()
        if computed or options.get("eq") is False or options.get("unsafe_hash"):
            return None
        if not options.get("frozen"):
            return f"`{name}` dataclass with `eq` and no hash"
        plain = {made.name for made in info.fields if not _is_left_out(made)}
        for field, part in contents.attributes.items():
            inner = unhashable(it, part, depth - 1) if field in plain else None
            if inner is not None:
                return f"`{name}` that holds a {inner}"
        return None
    if any(cls.definition.methods.get("__eq__") for cls in info.mro):
        return f"`{name}` with `__eq__` and no `__hash__`"
    return None


def _is_left_out(made: FieldInfo) -> bool:
    """``field(hash=False)`` or ``field(compare=False)``."""
    specifier = made.declared.specifier
    return specifier is not None and not specifier.keywords.keys().isdisjoint(("hash", "compare"))


def check_argument(
    it: Interpreter,
    function: Transformed,
    value: Value,
    name: str,
    node: cst.CSTNode,
    *,
    certain: bool = True,
) -> None:
    """An argument for a parameter that is traced."""
    if function.transform not in CHECKS_ARGUMENTS or name in ("self", "cls"):
        # Who jits a method is told at the transform.
        return
    kind = not_an_array(it, value)
    if kind is not None:
        it.note(
            NonArrayArgument,
            node,
            origin=_traced_by(function),
            certain=certain,
            exceptions=_ARGUMENT_ERROR,
            parameter=name,
            python_type=kind,
            callee=_name_of(function),
        )


def not_an_array(it: Interpreter, value: Value, depth: int = 4) -> str | None:
    """What a value is that no trace can take, None if it can or is not known."""
    if isinstance(value, (Const, Static)):
        kind = type_name(value)
        return kind if kind in ("str", "bytes", "range", "dtype") else None
    if isinstance(value, Partial):
        return None if value.pytree else "partial"
    if isinstance(value, (Function, BoundMethod, Transformed)):
        return "function"
    if isinstance(value, Class):
        return "class"
    if isinstance(value, External):
        fact = functions.lookup(value.name)
        return "function" if fact is not None else None
    if isinstance(value, ExternalInstance):
        return value.cls.rpartition(".")[2] if value.cls in _OPAQUE else None
    if isinstance(value, Slice):
        return "slice"
    if depth == 0:
        return None
    parts: Iterable[Value] = ()
    if isinstance(value, Tuple):
        if value.cls == External("builtins.range"):
            return "range"
        parts = value.items
    elif isinstance(value, Ref):
        contents = it.contents(value)
        if isinstance(contents, SetObject):
            return "set"
        if isinstance(contents, ListObject) and it.is_mutable(value):
            parts = contents.items or ()
        elif isinstance(contents, DictObject):
            parts = contents.items.values()
        elif isinstance(contents, Instance):
            opaque = is_opaque(it, class_info(it, contents.cls))
            if opaque and not _has_other_subclasses(it, contents.cls):
                return contents.cls.definition.name
            return None
    for part in parts:
        kind = not_an_array(it, part, depth - 1)
        if kind is not None:
            return kind
    return None


def _name_of(function: Transformed) -> str:
    target = base_function(function)
    return function.transform if target is None else target.code.name
