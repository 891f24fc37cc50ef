"""What a class of the project is: its bases, its kind, its fields, and how JAX flattens it."""

from __future__ import annotations

import sys
from typing import Final

from msgspec import Struct, field

from jitlint.absint.code import declarations
from jitlint.absint.code.declarations import EVERY_FIELD, Call, Field, Name
from jitlint.absint.code.registration import flattened_fields, registrations
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.annotations import Annotation, read, says_static
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.program.class_decorators import applied_by, options_given, registers
from jitlint.absint.values.domain import Class, Const, External, Function, Partial, Ref, Value
from jitlint.absint.values.heap import DictObject
from jitlint.foundation.records import Record
from jitlint.jaxmodel import frameworks

_DATACLASSES: Final = frozenset(
    {
        "dataclasses.dataclass",
        "flax.struct.dataclass",
        "chex.dataclass",
        "chex.mappable_dataclass",
        "equinox.dataclass",
        "flax.nnx.dataclass",
        "jax_dataclasses.pytree_dataclass",
        "simple_pytree.dataclass",
        "tjax.dataclasses.dataclass",
    }
)
_DATACLASS_BASES: Final = frozenset(
    {"equinox.Module", "flax.linen.Module", "flax.struct.PyTreeNode", "flax.linen.module.Module"}
)
_REGISTER_CLASS: Final = frozenset(
    {"jax.tree_util.register_pytree_node_class", "jax.tree_util.register_pytree_with_keys_class"}
)
_REGISTER_DATACLASS: Final = "jax.tree_util.register_dataclass"
_ENUMS: Final = frozenset(f"enum.{name}" for name in "Enum IntEnum StrEnum Flag IntFlag".split())

_PROTOCOLS: Final = ("typing.Protocol", "typing_extensions.Protocol")

#: kinds of classes whose objects are made as Python makes objects
PLAIN_KINDS: Final = ("plain", "dataclass")
#: libraries whose decorators are known: those that register a class are in the tables
_KNOWN_LIBRARIES = sys.stdlib_module_names | {
    "attr", "attrs", "beartype", "builtins", "chex", "equinox", "flax", "haiku", "jax", "jaxtyping",
    "optax", "typeguard", "typing_extensions",
}  # fmt: skip


class FieldInfo(Record):
    """A field of a dataclass-like class, with what its annotation means."""

    name: str
    annotation: Annotation
    declared: Field


class ClassInfo(Struct, eq=False):
    """What is known of a class of the project.

    ``mro`` are the classes of the project in the order of method resolution, ``externals`` the
    names of those of libraries.  ``kind`` is ``plain``, ``dataclass``, ``namedtuple`` or ``enum``.
    ``pytree`` is how instances pass a transform: ``leaves`` (fields are traced, but static ones),
    ``variables`` (nnx: arrays and Variables), ``custom`` (its own flatten decides), ``static``,
    ``opaque`` (not a pytree), ``unknown``.
    """

    cls: Class
    mro: list[Class] = field(default_factory=list)
    externals: list[str] = field(default_factory=list)
    #: qualified names; empty for a decorator of which nothing is known
    decorators: list[str] = field(default_factory=list)
    #: what decorators of the project make a dataclass with; None for what is computed
    options: dict[str, bool | None] = field(default_factory=dict)
    kind: str = "plain"
    pytree: str = "opaque"
    fields: list[FieldInfo] = field(default_factory=list)
    #: fields that are no children of the pytree
    static: set[str] = field(default_factory=set)
    #: fields that a library's base declares to be one array each
    arrays: set[str] = field(default_factory=set)
    #: attributes that a ``custom`` pytree flattens into, None if that cannot be read
    children: set[str] | None = None
    #: whether every base is known
    complete: bool = True
    #: whether every base is one of the project, or has at least a name
    named: bool = True
    #: whether the class itself was registered as a pytree, which subclasses do not inherit
    registered: bool = False
    #: whether it only says what an object has, whatever its class
    protocol: bool = False

    @property
    def is_linen_module(self) -> bool:
        """Whether Flax linen makes its submodules in ``setup``."""
        return any(name.startswith("flax.linen") for name in self.externals)


def class_info(it: Interpreter, cls: Class) -> ClassInfo:
    """Resolve bases, decorators and fields of a class, once."""
    key = ("class", id(cls.definition), cls.closure)
    it.reads.read(cls.module)
    info: ClassInfo | None = it.facts.get(key)
    if info is None:
        info = ClassInfo(cls)
        it.facts[key] = info
        with it.reads.of(it, cls.module, cls.definition.qualname):
            _fill(it, info)
    return info


def is_subclass(it: Interpreter, cls: Class, other: Class) -> bool | None:
    """Whether a class is another or derives from it; None if a base is not known."""
    info = class_info(it, cls)
    if other in info.mro:
        return True
    if cls in class_info(it, other).mro:
        return None
    return False if info.complete else None


def _fill(it: Interpreter, info: ClassInfo) -> None:
    definition = info.cls.definition
    module = info.cls.module
    info.mro = [info.cls]
    orders: list[list[Class]] = []
    for base in it.written(declarations.bases_of, definition):
        value = named_in_header(it, info.cls, base)
        if isinstance(value, Class):
            other = class_info(it, value)
            orders.append(other.mro)
            _inherit(info, other)
        elif isinstance(value, External):
            info.externals.append(value.name)
            info.protocol = info.protocol or value.name in _PROTOCOLS
        else:
            info.complete = info.named = False
    fact = frameworks.base_class(f"{module.name}.{definition.qualname}")
    if fact is not None and fact.role == "base" and fact.pytree:
        # The framework's own source: it makes pytrees of these classes by metaclasses and hooks.
        info.externals.append(fact.name)
    if len(orders) > 1:
        info.mro = [info.cls, *(_merged([*orders, [o[0] for o in orders]]) or info.mro[1:])]
    own = False
    for name, call in it.written(declarations.decorators_of, definition):
        decorator = _decorator(it, info.cls, name, call)
        if isinstance(decorator, Function):
            own = True
            _decorate(info, applied_by(it, decorator))
            info.options |= options_given(it, decorator)
        else:
            info.decorators.append(decorator)
    _classify(info)
    for declared in definition.fact(declarations.fields_of):
        name, annotation = declared.name, read(it, module, declared.annotation)
        info.fields = [made for made in info.fields if made.name != name]
        info.fields.append(FieldInfo(name, annotation, declared))
        if (
            declared.is_static
            or says_static(it, module, declared.annotation)
            or _is_made_static(it, info.cls, declared)
        ):
            info.static.add(name)
    _register(info)
    if own and info.pytree != "variables" and (info.pytree != "custom" or info.children is None):
        # Which fields a decorator of the project takes for children is its own affair; of nnx
        # modules what an attribute holds decides, not what made their constructor.
        info.static |= {
            made.name
            for made in info.fields
            if made.declared.unit.cls is definition and not _holds_arrays(made.annotation)
        }


def _is_made_static(it: Interpreter, cls: Class, declared: declarations.Field) -> bool:
    """Whether a function of the project, or a partial one, makes the field a static one."""
    made = declared.specifier
    if made is None or made.name.rpartition(".")[2] in ("", "field"):
        return False
    value = named_in_header(it, cls, made.name)
    if isinstance(value, Partial):
        return _makes_static(it, value, made)
    return isinstance(value, Function) and it.written(
        declarations.makes_static_fields, value.code.unit
    )


def _makes_static(it: Interpreter, partial: Partial, made: Call) -> bool:
    """Whether ``partial(struct.field, pytree_node=False)`` makes static fields, called so."""
    function = partial.function
    if not isinstance(function, External) or not function.name.endswith(".field"):
        return False
    given = {name: value for name, value in partial.keywords if name not in made.keywords}
    metadata = given.get("metadata")
    about = it.contents(metadata) if isinstance(metadata, Ref) else None
    said = about.items.get("static") if isinstance(about, DictObject) else None
    return (
        given.get("pytree_node") == Const(False)
        or Const(True) in (given.get("static"), said)
        or partial.args[:1] == (Const(False),)
    )


def _inherit(info: ClassInfo, base: ClassInfo) -> None:
    info.mro.extend(c for c in base.mro if c not in info.mro)
    info.externals.extend(e for e in base.externals if e not in info.externals)
    known = {made.name for made in info.fields}
    info.fields.extend(made for made in base.fields if made.name not in known)
    info.static |= base.static
    info.complete = info.complete and base.complete
    info.named = info.named and base.named
    if base.kind in ("dataclass", "namedtuple", "enum"):
        info.kind = base.kind
    # A registration is inherited only where it is repeated for each subclass.
    repeated = any(cls.definition.binds("__init_subclass__") for cls in base.mro)
    if base.pytree != "opaque" and (repeated or not base.registered):
        info.pytree = base.pytree


def _merged(orders: list[list[Class]]) -> list[Class] | None:
    """Python's order of the classes that several bases bring; None if there is no such order."""
    merged: list[Class] = []
    left = [order for order in orders if order]
    while left:
        head = next((o[0] for o in left if all(o[0] not in other[1:] for other in left)), None)
        if head is None:
            return None
        merged.append(head)
        left = [[c for c in order if c != head] for order in left]
        left = [order for order in left if order]
    return merged


def _classify(info: ClassInfo) -> None:
    for name in info.externals:
        if name in ("typing.NamedTuple", "typing_extensions.NamedTuple"):
            info.kind, info.pytree = "namedtuple", "leaves"
        elif name in _ENUMS:
            info.kind = "enum"
        else:
            fact = frameworks.base_class(name)
            if fact is not None:
                info.static.update(fact.static_fields)
                info.arrays.update(fact.array_fields)
                if name in _DATACLASS_BASES or fact.fields == "traced":
                    info.kind = "dataclass"
                if fact.pytree:
                    info.pytree = {"traced": "leaves", "variables": "variables"}.get(
                        fact.fields, "unknown"
                    )
            elif name not in ("builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic"):
                info.complete = False
    for name in info.decorators:
        if name in _DATACLASSES:
            info.kind = "dataclass"
            if name not in ("dataclasses.dataclass", "equinox.dataclass"):
                info.pytree, info.registered = "leaves", True
        elif name == _REGISTER_DATACLASS:
            info.pytree, info.registered = "leaves", True
        elif name in _REGISTER_CLASS:
            info.pytree, info.registered = "custom", True
        elif name == "jax.tree_util.register_static":
            info.pytree, info.registered = "static", True
        elif name == "":
            # A decorator that is not known may register the class or change it.
            info.pytree = "unknown" if info.pytree == "opaque" else info.pytree


def _decorate(info: ClassInfo, applied: frozenset[str]) -> None:
    """Take over what a decorator of the project does with a class by functions of libraries."""
    known = applied & _DATACLASSES
    info.decorators.extend(sorted(known))
    if registers(applied):
        info.decorators.append(_REGISTER_DATACLASS)
    elif not applied.isdisjoint(_REGISTER_CLASS):
        info.decorators.extend(sorted(applied & _REGISTER_CLASS))
    elif known <= {"dataclasses.dataclass"}:
        info.decorators.append("")


def _holds_arrays(annotation: Annotation) -> bool:
    kinds = {part.kind for part in annotation.parts} or {annotation.kind}
    return kinds <= {"array", "tree", "none"} and kinds != {"none"}


def _decorator(it: Interpreter, cls: Class, name: str | None, call: Call | None) -> str | Function:
    """The qualified name of a decorator, empty where it is not known what it does.

    For one of the project, the function.
    """
    value = named_in_header(it, cls, name)
    if call is not None and value == External("functools.partial") and call.arguments:
        first = call.arguments[0]
        value = named_in_header(it, cls, first.text if isinstance(first, Name) else None)
    if isinstance(value, Function):
        return value
    if not isinstance(value, External):
        return ""
    known = value.name in _DATACLASSES or value.name.partition(".")[0] in _KNOWN_LIBRARIES
    return value.name if known else ""


def named_in_header(it: Interpreter, cls: Class, name: str | None) -> Value:
    """What a dotted name in the header of a class stands for."""
    head = (name or "").partition(".")[0]
    for env in cls.closure:
        variables = it.contents(env) or {}
        if head in variables:
            return dotted_value(it, cls.module, name, variables[head])
    return dotted_value(it, cls.module, name)


def _register(info: ClassInfo) -> None:
    for registration in registrations(info.cls.definition):
        info.static |= registration.static
        if registration.pytree:
            info.pytree, info.registered = registration.pytree, True
            info.children = registration.children
    if info.pytree == "custom":
        children, auxiliary = flattened_fields([cls.definition for cls in info.mro])
        info.static |= auxiliary
        if info.children is None:
            info.children = children
        if info.children is not None and EVERY_FIELD in info.children:
            info.children |= {made.name for made in info.fields} - info.static
