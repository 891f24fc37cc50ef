"""Classes of the project and their instances: attributes, construction, pytrees."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, decorated
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import HOST, Frame, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import Received
from jitlint.absint.machine.verbs import calls_of
from jitlint.absint.program import evidence, names
from jitlint.absint.program.annotations import (
    Annotation,
    host_value,
    informed,
    read as read_annotation,
    resolve,
)
from jitlint.absint.values.domain import (
    STATIC,
    STR,
    UNKNOWN,
    Array,
    BoundMethod,
    Cached,
    Certainty,
    Class,
    Const,
    ContainerMethod,
    Descriptor,
    Dispatched,
    EnumMember,
    External,
    ExternalInstance,
    Flag,
    Function,
    Level,
    Origin,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject, Variables
from jitlint.jaxmodel import frameworks
from jitlint.project.index import Unit, dotted

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


@dataclass(slots=True, eq=False, repr=False)
class FieldInfo:
    """A field of a dataclass-like class."""

    name: str
    annotation: Annotation
    default: ast.expr | None
    unit: Unit
    static: bool = False


@dataclass(slots=True, eq=False, repr=False)
class ClassInfo:
    """What is known of a class of the project.

    ``pytree`` is how instances pass a transform: ``leaves`` (fields are traced, but static ones),
    ``variables`` (nnx: arrays and Variables), ``custom`` (its own flatten decides), ``opaque`` (not
    a pytree), ``unknown``.
    """

    cls: Class
    mro: list[Class] = field(default_factory=list)
    externals: list[str] = field(default_factory=list)
    decorators: list[str] = field(default_factory=list)
    kind: str = "plain"
    pytree: str = "opaque"
    fields: list[FieldInfo] = field(default_factory=list)
    static: set[str] = field(default_factory=set)
    flatten: set[str] | None = None
    complete: bool = True
    #: whether the class itself was registered as a pytree, which subclasses do not inherit
    registered: bool = False


def class_info(it: Interpreter, cls: Class) -> ClassInfo:
    """Resolve bases, decorators and fields of a class, once."""
    key = ("class", id(cls.definition))
    it.reads.touch(cls.module)
    info: ClassInfo | None = it.facts.get(key)
    if info is None:
        info = ClassInfo(cls)
        it.facts[key] = info
        with it.reads.of(it, cls.module, cls.definition.qualname):
            _fill(it, info)
    return info


def _fill(it: Interpreter, info: ClassInfo) -> None:
    definition = info.cls.definition
    module = info.cls.module
    info.mro = [info.cls]
    orders: list[list[Class]] = []
    for base in definition.node.bases:
        value = _resolve(it, info.cls, base)
        if isinstance(value, Class):
            other = class_info(it, value)
            orders.append(other.mro)
            info.mro.extend(c for c in other.mro if c not in info.mro)
            info.externals.extend(e for e in other.externals if e not in info.externals)
            known = {made.name for made in info.fields}
            info.fields.extend(made for made in other.fields if made.name not in known)
            info.static |= other.static
            info.complete = info.complete and other.complete
            if other.kind in ("dataclass", "namedtuple", "enum"):
                info.kind = other.kind
            if other.pytree != "opaque" and not (
                other.registered and find_in_class(it, value, "__init_subclass__") is None
            ):
                info.pytree = other.pytree
        elif isinstance(value, External):
            info.externals.append(value.name)
        else:
            info.complete = False
    if len(orders) > 1:
        info.mro = [info.cls, *(_merged([*orders, [o[0] for o in orders]]) or info.mro[1:])]
    for decorator in definition.node.decorator_list:
        info.decorators.append(_decorator_name(it, info.cls, decorator))
    _classify(info)
    for unit in definition.statements:
        node = unit.node
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            made = FieldInfo(
                node.target.id,
                read_annotation(it, module, node.annotation),
                node.value,
                unit,
            )
            made.static = _declared_static(node)
            info.fields = [f for f in info.fields if f.name != made.name]
            info.fields.append(made)
            if made.static:
                info.static.add(made.name)
    _registered(info)


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


#: libraries whose decorators are known: those that register a class are in the tables
_KNOWN_LIBRARIES = sys.stdlib_module_names | {
    "attr", "attrs", "beartype", "builtins", "chex", "equinox", "flax", "haiku", "jax", "jaxtyping",
    "optax", "typeguard", "typing_extensions",
}  # fmt: skip


def _decorator_name(it: Interpreter, cls: Class, node: ast.expr) -> str:
    """The qualified name of a decorator, empty where it is not known what it does."""
    value = _resolve(it, cls, node.func if isinstance(node, ast.Call) else node)
    if isinstance(node, ast.Call) and value == External("functools.partial") and node.args:
        value = _resolve(it, cls, node.args[0])
    if not isinstance(value, External):
        return ""
    return value.name if value.name.partition(".")[0] in _KNOWN_LIBRARIES else ""


def _resolve(it: Interpreter, cls: Class, node: ast.expr) -> Value:
    if isinstance(node, ast.Subscript):
        return _resolve(it, cls, node.value)
    return resolve(it, cls.module, node)


def _declared_static(node: ast.AnnAssign) -> bool:
    """``field(static=True)``, ``struct.field(pytree_node=False)``, static metadata, ClassVar."""
    text = ast.unparse(node.annotation)
    if text.startswith(("ClassVar", "typing.ClassVar")):
        return True
    if not isinstance(node.value, ast.Call):
        return False
    for keyword in node.value.keywords:
        if keyword.arg == "static" and ast.unparse(keyword.value) == "True":
            return True
        if keyword.arg == "pytree_node" and ast.unparse(keyword.value) == "False":
            return True
        if keyword.arg == "metadata" and "static" in ast.unparse(keyword.value):
            return True
    name = ast.unparse(node.value.func).rpartition(".")[2]
    return name in ("static_field", "static")


def _registered(info: ClassInfo) -> None:
    """Registration calls: ``register_dataclass(Cls, data_fields=..., meta_fields=...)`` and kin."""
    definition = info.cls.definition
    calls_: list[ast.Call] = [d for d in definition.node.decorator_list if isinstance(d, ast.Call)]
    calls_.extend(info.cls.module.calls_on.get(definition.name, ()))
    for node in calls_:
        text = dotted(node.func) or ""
        partial_of = (dotted(node.args[0]) if node.args else None) or ""
        name = text if not text.endswith("partial") else partial_of
        last = name.rpartition(".")[2]
        if last in ("register_dataclass", "dataclass"):
            for keyword in node.keywords:
                if keyword.arg in ("meta_fields", "static_fields") and isinstance(
                    keyword.value, (ast.List, ast.Tuple)
                ):
                    for element in keyword.value.elts:
                        if isinstance(element, ast.Constant):
                            info.static.add(str(element.value))
            if last == "register_dataclass":
                info.pytree, info.registered = "leaves", True
                if len(node.args) >= 3 and isinstance(node.args[2], (ast.List, ast.Tuple)):
                    info.static.update(
                        str(e.value) for e in node.args[2].elts if isinstance(e, ast.Constant)
                    )
        elif last in ("register_pytree_node", "register_pytree_with_keys"):
            info.pytree, info.registered = "custom", True
            info.flatten = _registered_children(info, node)
        elif last == "register_static":
            info.pytree, info.registered = "static", True
    if info.pytree == "custom":
        info.static |= _aux_fields(info)


def _aux_fields(info: ClassInfo) -> set[str]:
    """Attributes of ``self`` that ``tree_flatten`` puts into the auxiliary data."""
    for cls in info.mro:
        for unit in cls.definition.methods.get("tree_flatten", []):
            returns = [n for n in ast.walk(unit.node) if isinstance(n, ast.Return)]
            for node in returns:
                if isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
                    return _self_names(unit, node.value.elts[1])
    return set()


def _self_names(unit: Unit, node: ast.expr) -> set[str]:
    if isinstance(node, ast.Name):
        name = node.id
        for statement in ast.walk(unit.node):
            if (
                isinstance(statement, ast.Assign)
                and isinstance(statement.targets[0], ast.Name)
                and statement.targets[0].id == name
            ):
                node = statement.value
    return _attribute_names(node)


def _child_fields(info: ClassInfo) -> set[str] | None:
    """Attributes that ``tree_flatten`` puts into the children, None if that cannot be read."""
    if info.flatten is not None:
        return info.flatten
    for cls in info.mro:
        for unit in cls.definition.methods.get("tree_flatten", []):
            for node in ast.walk(unit.node):
                if (
                    isinstance(node, ast.Return)
                    and isinstance(node.value, ast.Tuple)
                    and len(node.value.elts) == 2
                ):
                    return _self_names(unit, node.value.elts[0])
    return None


def _registered_children(info: ClassInfo, node: ast.Call) -> set[str] | None:
    """What the flatten function of ``register_pytree_node(Cls, flatten, unflatten)`` reads."""
    flatten = node.args[1] if len(node.args) > 1 else None
    if isinstance(flatten, ast.Lambda):
        body: ast.expr | None = flatten.body
        if isinstance(body, ast.Tuple) and len(body.elts) == 2:
            return _attribute_names(body.elts[0])
    if isinstance(flatten, ast.Name):
        for binding in info.cls.module.bindings.get(flatten.id, []):
            unit = binding.unit
            for statement in ast.walk(unit.node):
                if (
                    isinstance(statement, ast.Return)
                    and isinstance(statement.value, ast.Tuple)
                    and len(statement.value.elts) == 2
                ):
                    return _self_names(unit, statement.value.elts[0])
    return None


def _attribute_names(node: ast.expr) -> set[str]:
    return {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}


def is_subclass(it: Interpreter, cls: Class, other: Class) -> bool | None:
    """Whether a class is another or derives from it; None if a base is not known."""
    info = class_info(it, cls)
    if other in info.mro:
        return True
    if cls in class_info(it, other).mro:
        return None
    return False if info.complete else None


# -- attributes -----------------------------------------------------------------------------------


def find_in_class(it: Interpreter, cls: Class, name: str) -> tuple[Class, Value] | None:
    """A class attribute by the method resolution order: (class that defines it, raw value)."""
    for owner in class_info(it, cls).mro:
        definition = owner.definition
        units = definition.methods.get(name)
        if units:
            return owner, _method_value(it, units[-1])
        unit = definition.attributes.get(name)
        if unit is not None:
            return owner, _class_variable(it, unit, name)
        inner = definition.classes.get(name)
        if inner is not None:
            return owner, Class(inner, owner.module)
    return None


def _method_value(it: Interpreter, unit: Unit) -> Value:
    if not decorated(unit):
        return Function(it.store.of_unit(unit))
    name = unit.node.name  # type: ignore[attr-defined]
    return names.run_unit(it, unit).get(name, UNKNOWN)


def _class_variable(it: Interpreter, unit: Unit, name: str) -> Value:
    node = unit.node
    if isinstance(node, ast.AnnAssign) and (node.value is None or isinstance(node.value, ast.Call)):
        if node.value is None:
            return UNKNOWN
        last = ast.unparse(node.value.func).rpartition(".")[2]
        if "field" in last or last in ("static", "static_field"):
            return UNKNOWN
    return names.run_unit(it, unit).get(name, UNKNOWN)


def property_setter(it: Interpreter, receiver: Ref, name: str) -> Function | None:
    """The setter of a property of an instance's class, None if there is none."""
    contents = it.contents(receiver)
    if not isinstance(contents, Instance):
        return None
    for cls in class_info(it, contents.cls).mro:
        for unit in cls.definition.methods.get(name, ()):
            decorators = getattr(unit.node, "decorator_list", ())
            if any(ast.unparse(d) == f"{name}.setter" for d in decorators):
                return Function(it.store.of_unit(unit))
    return None


def class_attribute(it: Interpreter, receiver: Ref, name: str) -> Value | None:
    """A method of an instance's class, bound to it; None if the class does not define it."""
    contents = it.contents(receiver)
    if not isinstance(contents, Instance):
        return None
    found = find_in_class(it, contents.cls, name)
    return None if found is None else _bind(found[1], receiver, contents.cls)


def _bind(raw: Value, receiver: Value, cls: Value) -> Value:
    if isinstance(raw, Descriptor):
        if raw.kind == "staticmethod":
            return raw.function
        if raw.kind == "classmethod":
            return BoundMethod(raw.function, cls)
        return raw
    if isinstance(raw, (Function, Transformed, Partial, Dispatched)):
        # A partial object is no descriptor: it is called without the instance.
        return raw if isinstance(raw, Partial) else BoundMethod(raw, receiver)
    if isinstance(raw, Cached):
        return BoundMethod(raw, receiver)
    return raw


def instance_attribute(it: Interpreter, receiver: Ref, name: str, node: cst.CSTNode) -> Value:
    """``instance.name``."""
    contents = it.contents(receiver)
    assert isinstance(contents, Instance)
    value = contents.attributes.get(name)
    if value is not None:
        return value
    found = find_in_class(it, contents.cls, name)
    info = class_info(it, contents.cls)
    if found is not None:
        owner, raw = found
        if isinstance(raw, Descriptor) and raw.kind in ("property", "cached_property"):
            given = it.call(raw.function, Arguments([receiver]), node)
            if it.trace is None:
                it.signal(Received(given))
                if raw.kind == "cached_property":
                    # Computed before any trace: found there by every later one.
                    it.edit(receiver).attributes[name] = given
            return given
        if isinstance(raw, Ref) and class_attribute(it, raw, "__get__") is not None:
            # A descriptor of the project's own: what it gives is its own affair.
            return UNKNOWN
        if info.kind == "enum" and name in owner.definition.attributes:
            return STATIC
        if name in owner.definition.methods or not any(f.name == name for f in info.fields):
            return _bind(raw, receiver, contents.cls)
        return raw
    if name == "__class__":
        return contents.cls
    if name == "__dict__":
        return UNKNOWN
    if not name.startswith("__") and info.complete:
        fallback = class_attribute(it, receiver, "__getattr__")
        if fallback is not None:
            return it.call(fallback, Arguments([Const(name)]), node)
    if name in ("replace", "_replace") and info.kind in ("dataclass", "namedtuple"):
        return BoundMethod(External("jitlint.replace"), receiver)
    fact = _framework_method(info, name)
    if fact is not None:
        return ExternalInstance(
            "jitlint.method",
            (("receiver", receiver), ("name", Const(name)), ("gives", Const(fact))),
        )
    return UNKNOWN


def _framework_method(info: ClassInfo, name: str) -> str | None:
    for external in info.externals:
        fact = frameworks.base_class(external)
        if fact is not None and name in fact.methods:
            return fact.methods[name]
    return None


def class_value_attribute(it: Interpreter, cls: Class, name: str) -> Value:
    """``Class.name``."""
    found = find_in_class(it, cls, name)
    if found is None:
        if _framework_method(class_info(it, cls), name) == "same":
            return BoundMethod(External("jitlint.create"), cls)
        if name in ("__name__", "__qualname__", "__module__", "__doc__"):
            return STR
        return UNKNOWN
    raw = found[1]
    if isinstance(raw, Descriptor):
        if raw.kind == "classmethod":
            return BoundMethod(raw.function, cls)
        return raw.function
    info = class_info(it, cls)
    if info.kind == "enum":
        integer = any(external in _INTEGER_ENUMS for external in info.externals)
        qualname = f"{cls.module.name}.{cls.definition.qualname}.{name}"
        return EnumMember(qualname, "int" if integer else None)
    return raw


_INTEGER_ENUMS: Final = frozenset({"enum.IntEnum", "enum.IntFlag"})


# -- construction ---------------------------------------------------------------------------------


@calls_of(Class)
def instantiate(it: Interpreter, cls: Class, args: Arguments, node: cst.CSTNode) -> Value:
    """``Class(*args)``."""
    info = class_info(it, cls)
    if info.kind == "enum":
        return STATIC
    if info.kind == "namedtuple" and find_in_class(it, cls, "__new__") is None:
        values = _fields_from_arguments(it, info, args)
        return Tuple(tuple(values.values()), cls)
    new = find_in_class(it, cls, "__new__")
    if new is not None:
        return UNKNOWN
    ref = it.allocate(node, Instance(cls, {}), f"instance {id(cls.definition)}")
    if it.trace is None:
        it.made_here(ref)
    initialiser = find_in_class(it, cls, "__init__")
    if initialiser is not None and isinstance(initialiser[1], Function):
        with suppress(Terminated):
            it.follow(initialiser[1], args.prepended(ref), node, follow=True)
        _fill_unknown(it, ref)
    elif info.kind == "dataclass" or info.fields:
        contents = it.edit(ref)
        contents.attributes.update(_fields_from_arguments(it, info, args))
        post = find_in_class(it, cls, "__post_init__")
        if post is not None and isinstance(post[1], Function):
            with suppress(Terminated):
                it.follow(post[1], Arguments([ref]), node)
    _run_setup(it, info, ref, node)
    if "equinox.Module" in info.externals:
        _run_checks(it, info, ref, node)
    return ref


def _run_checks(it: Interpreter, info: ClassInfo, ref: Ref, node: cst.CSTNode) -> None:
    """Equinox calls every ``__check_init__`` of a module's classes once it is made."""
    for cls in info.mro:
        for unit in cls.definition.methods.get("__check_init__", ())[-1:]:
            check = _method_value(it, unit)
            if isinstance(check, Function):
                with suppress(Terminated):
                    it.follow(check, Arguments([ref]), node)


def _fill_unknown(it: Interpreter, ref: Ref) -> None:
    """Attributes that methods assign later must not be read from the class."""
    contents = it.contents(ref)
    if not isinstance(contents, Instance):
        return
    for cls in class_info(it, contents.cls).mro:
        for name, methods in cls.definition.assigned_attributes.items():
            if name not in contents.attributes and methods:
                it.edit(ref).attributes.setdefault(name, UNKNOWN)


def _run_setup(it: Interpreter, info: ClassInfo, ref: Ref, node: cst.CSTNode) -> None:
    """Flax linen calls ``setup`` before a method is used."""
    if any(name.startswith("flax.linen") for name in info.externals):
        setup = find_in_class(it, info.cls, "setup")
        if setup is not None and isinstance(setup[1], Function):
            with suppress(Terminated):
                it.follow(setup[1], Arguments([ref]), node, follow=True)


def _fields_from_arguments(it: Interpreter, info: ClassInfo, args: Arguments) -> dict[str, Value]:
    values: dict[str, Value] = {}
    position = 0
    fields = [f for f in info.fields if not _is_class_variable(f)]
    for made in fields:
        if position < len(args.positional):
            values[made.name] = args.positional[position]
            position += 1
        elif made.name in args.keywords:
            values[made.name] = args.keywords[made.name]
        elif args.star is not None or args.star_keywords is not None:
            values[made.name] = UNKNOWN
        else:
            values[made.name] = _field_default(it, made)
        if values[made.name] == UNKNOWN:
            known = host_value(it, made.annotation)
            # Made inside a trace of what is not known: a static value may be annotated as array.
            if it.trace is None or not isinstance(known, (Array, Tree)):
                values[made.name] = known
    return values


def _is_class_variable(made: FieldInfo) -> bool:
    annotation = getattr(made.unit.node, "annotation", None)
    while isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    return annotation is not None and dotted(annotation) in ("ClassVar", "typing.ClassVar")


def _field_default(it: Interpreter, made: FieldInfo) -> Value:
    node = made.default
    if node is None:
        return UNKNOWN
    if isinstance(node, ast.Call) and "field" in ast.unparse(node.func):
        for keyword in node.keywords:
            if keyword.arg == "default" and isinstance(keyword.value, ast.Constant):
                return Const(keyword.value.value)
            if keyword.arg == "default_factory" and isinstance(keyword.value, ast.Name):
                return _made_by_factory(it, made, keyword.value.id)
        return UNKNOWN
    return names.run_unit(it, made.unit).get(made.name, UNKNOWN)


def _made_by_factory(it: Interpreter, made: FieldInfo, name: str) -> Value:
    """A new container for a field; what other factories give is not known."""
    if made.unit.module.bindings.get(name):
        return UNKNOWN
    if name == "list":
        return it.allocate(made.unit, ListObject((), UNKNOWN, mutable=True), made.name)
    if name == "dict":
        return it.allocate(made.unit, DictObject({}, None), made.name)
    if name == "set":
        return it.allocate(made.unit, SetObject(UNKNOWN, mutable=True), made.name)
    return UNKNOWN


def replace(it: Interpreter, receiver: Value, args: Arguments, node: cst.CSTNode) -> Value:
    """``dataclasses.replace`` and the ``replace`` methods: a copy with some fields changed."""
    if isinstance(receiver, Tuple) and isinstance(receiver.cls, ExternalInstance):
        fields = dict(receiver.cls.attributes)["fields"]
        assert isinstance(fields, Tuple)
        changed = [
            args.keywords.get(field_name.value, item) if isinstance(field_name, Const) else item
            for field_name, item in zip(fields.items, receiver.items, strict=False)
        ]
        return Tuple(tuple(changed), receiver.cls)
    if isinstance(receiver, Tuple) and isinstance(receiver.cls, Class):
        names = [f.name for f in class_info(it, receiver.cls).fields]
        items = [
            args.keywords.get(name, item) for name, item in zip(names, receiver.items, strict=False)
        ]
        return Tuple(tuple(items), receiver.cls)
    if isinstance(receiver, Ref):
        contents = it.contents(receiver)
        if isinstance(contents, Instance):
            copy = contents.copy()
            copy.attributes.update(args.keywords)
            return it.allocate(node, copy, "replace")
    if isinstance(receiver, (Tree, ExternalInstance)):
        return receiver
    return UNKNOWN


@calls_of(Ref)
def call_instance(it: Interpreter, receiver: Ref, args: Arguments, node: cst.CSTNode) -> Value:
    """``instance(*args)``."""
    if not isinstance(it.contents(receiver), Instance):
        return UNKNOWN
    method = class_attribute(it, receiver, "__call__")
    return UNKNOWN if method is None else it.call(method, args, node)


def iterate_instance(
    it: Interpreter, value: Ref, node: cst.CSTNode
) -> tuple[Value, Sequence[Value] | None]:
    """What iterating an instance gives."""
    method = class_attribute(it, value, "__iter__")
    if method is not None:
        made = it.call(method, Arguments(), node)
        contents = it.contents(made) if isinstance(made, Ref) else None
        if isinstance(contents, ListObject):
            return contents.element, contents.items
        if isinstance(contents, Instance):
            following = class_attribute(it, made, "__next__") if isinstance(made, Ref) else None
            if following is not None:
                return it.call(following, Arguments(), node), None
    return UNKNOWN, None


# -- instances that nobody visibly makes -----------------------------------------------------------


def prototype(it: Interpreter, cls: Class) -> Ref:
    """An instance for methods that start an analysis: what ``__init__`` makes of unknown arguments.

    Attributes that other methods assign again are Unknown.
    """
    key = ("prototype", id(cls.definition))
    it.reads.touch(cls.module)
    known = it.facts.get(key)
    if known is not None:
        return Ref(known)
    id_ = it.new_id("prototype", id(cls.definition))
    it.facts[key] = id_
    with it.reads.of(it, cls.module, f"prototype {cls.definition.qualname}"):
        _make_prototype(it, cls, id_)
    return Ref(id_)


def _make_prototype(it: Interpreter, cls: Class, id_: int) -> None:
    info = class_info(it, cls)
    attributes: dict[str, Value] = {
        made.name: _flag(host_value(it, made.annotation), id_, number)
        for number, made in enumerate(info.fields)
    }
    ref = Ref(id_)
    with it.at_module_level():
        it.state.put(id_, Instance(cls, attributes))
        initialiser = find_in_class(it, cls, "__init__")
        if initialiser is not None and isinstance(initialiser[1], Function):
            function = initialiser[1]
            code = it.load(function.code)
            unknown = Arguments([ref], star=None)
            for number, parameter in enumerate(code.parameters[1:]):
                if parameter.kind in ("*", "**"):
                    continue
                value = informed(it, code, parameter)
                unknown.keywords[parameter.name] = _flag(value, id_, number)
            with it.entered(_unit_frame(it, code)), suppress(Terminated):
                it.follow(function, unknown, code.node or cst.Pass(), follow=True)
        post = find_in_class(it, cls, "__post_init__")
        if post is not None and isinstance(post[1], Function) and initialiser is None:
            code = it.load(post[1].code)
            with it.entered(_unit_frame(it, code)), suppress(Terminated):
                it.follow(post[1], Arguments([ref]), code.node or cst.Pass(), follow=True)
        if any(name.startswith("flax.linen") for name in info.externals):
            setup = find_in_class(it, cls, "setup")
            if setup is not None and isinstance(setup[1], Function):
                code = it.load(setup[1].code)
                with it.entered(_unit_frame(it, code)):
                    _run_setup(it, info, ref, code.node or cst.Pass())
        _forget_reassigned(it, info, ref)


def _flag(value: Value, id_: int, number: int) -> Value:
    """A bool that is not known, told from others: a setting of an object."""
    return (
        Flag(f"<flag{id_}:{number}>") if type(value) is Static and value.type == "bool" else value
    )


def _unit_frame(it: Interpreter, code: Code) -> Frame:
    assert code.parsed is not None
    env = it.new_id("root", id(code))
    it.state.put(env, Variables())
    return Frame(
        module=code.module,
        parsed=code.parsed,
        code=None,
        qualname=code.qualname,
        context=HOST,
        env=env,
    )


def _forget_reassigned(it: Interpreter, info: ClassInfo, ref: Ref) -> None:
    contents = it.edit(ref)
    if not isinstance(contents, Instance):
        return
    for cls in info.mro:
        for name, methods in cls.definition.assigned_attributes.items():
            others = methods - {"__init__", "__post_init__", "setup"}
            value = contents.attributes.get(name)
            if value is None or (others and not isinstance(value, Transformed)):
                # One of its own: setting the attribute to what it holds changes nothing.
                contents.attributes[name] = Unknown()


def annotated_instance(it: Interpreter, cls: Class) -> Value:
    """A value of a class that an annotation names."""
    info = class_info(it, cls)
    if info.kind == "enum":
        return STATIC
    if info.kind == "namedtuple":
        return Tuple(tuple(host_value(it, made.annotation) for made in info.fields), cls)
    if info.kind == "dataclass" or info.pytree in ("leaves", "custom", "variables"):
        return _annotated_fields(it, info)
    if info.complete:
        return prototype(it, cls)
    return UNKNOWN


def _annotated_fields(it: Interpreter, info: ClassInfo) -> Ref:
    id_ = it.new_id("annotated", id(info.cls.definition), id(it.frame))
    if it.contents(id_) is None:
        it.state.put(id_, Instance(info.cls, {}))
        attributes: dict[str, Value] = {}
        for made in info.fields:
            attributes[made.name] = host_value(it, made.annotation)
        if not info.fields:
            base = it.contents(prototype(it, info.cls))
            if isinstance(base, Instance):
                attributes = dict(base.attributes)
        it.state.put(id_, Instance(info.cls, attributes))
    return Ref(id_)


def traced_instance(
    it: Interpreter,
    contents: Instance,
    level: Level,
    leaves: str,
    origin: Origin | None,
    id_: int,
) -> Value:
    """An instance as it arrives inside a transform, field by field."""
    info = class_info(it, contents.cls)
    if info.pytree in ("opaque", "unknown", "static"):
        if leaves == "arrays" or info.pytree == "static":
            return _as_is(it, contents, id_)
        return UNKNOWN
    if info.pytree == "variables":
        leaves = "arrays"
    children = _child_fields(info) if info.pytree == "custom" else None
    kinds = {made.name: made.annotation for made in info.fields}
    attributes: dict[str, Value] = {}
    it.state.put(id_, Instance(contents.cls, attributes))
    for name, value in contents.attributes.items():
        static = name in info.static
        if info.pytree == "custom" and (children is None or name not in children):
            static = True
        if static:
            attributes[name] = _static_field(value, kinds.get(name))
            continue
        annotation = kinds.get(name)
        if value == UNKNOWN and annotation is not None:
            made_value = evidence.annotated_argument(
                it, annotation, level, leaves, origin, Certainty.SURE
            )
            attributes[name] = (
                made_value
                if made_value is not None
                else (Tree(level, origin=origin) if leaves == "leaves" else UNKNOWN)
            )
        else:
            attributes[name] = evidence.traced_argument(
                it, value, level, leaves=leaves, origin=origin
            )
            if value == UNKNOWN and leaves == "arrays":
                attributes[name] = UNKNOWN
    it.state.put(id_, Instance(contents.cls, attributes))
    return Ref(id_)


def _as_is(it: Interpreter, contents: Instance, id_: int) -> Ref:
    it.state.put(id_, contents.copy())
    return Ref(id_)


def _static_field(value: Value, annotation: Annotation | None) -> Value:
    if value != UNKNOWN or annotation is None:
        return value
    if annotation.kind == "scalar":
        return annotation.value
    return UNKNOWN


def tuple_attribute(it: Interpreter, value: Tuple, name: str, node: cst.CSTNode) -> Value:
    """An attribute of a tuple or NamedTuple."""
    if isinstance(value.cls, ExternalInstance):
        fields = dict(value.cls.attributes)["fields"]
        assert isinstance(fields, Tuple)
        for field_name, item in zip(fields.items, value.items, strict=False):
            if field_name == Const(name):
                return item
        if name == "_replace":
            return BoundMethod(External("jitlint.replace"), value)
    if isinstance(value.cls, Class):
        names = [made.name for made in class_info(it, value.cls).fields]
        if name in names and names.index(name) < len(value.items):
            return value.items[names.index(name)]
        if name == "_replace":
            return BoundMethod(External("jitlint.replace"), value)
        if name == "_asdict":
            return UNKNOWN
        if name == "_fields":
            return Tuple(tuple(Const(field_name) for field_name in names))
        found = find_in_class(it, value.cls, name)
        if found is not None:
            raw = found[1]
            if isinstance(raw, Descriptor) and raw.kind == "property":
                return it.call(raw.function, Arguments([value]), node)
            return _bind(raw, value, value.cls)
    if name in ("index", "count"):
        return ContainerMethod(value, name)
    return UNKNOWN


def super_attribute(
    it: Interpreter, owner: Class, receiver: Value, name: str, node: cst.CSTNode
) -> Value:
    """``super().name`` in a method of ``owner``: what comes after it in the receiver's classes."""
    contents = it.contents(receiver) if isinstance(receiver, Ref) else receiver
    cls = contents.cls if isinstance(contents, Instance) else contents
    order = class_info(it, cls).mro if isinstance(cls, Class) else []
    if owner not in order:
        order = class_info(it, owner).mro
    for other in order[order.index(owner) + 1 :]:
        units = other.definition.methods.get(name)
        if units:
            raw = _method_value(it, units[-1])
            if isinstance(raw, Descriptor) and raw.kind == "property":
                return it.call(raw.function, Arguments([receiver]), node)
            return _bind(raw, receiver, cls if isinstance(cls, Class) else owner)
    return UNKNOWN
