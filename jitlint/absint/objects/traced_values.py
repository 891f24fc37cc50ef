"""What a value becomes as the argument of a function that a transform traces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from jitlint.absint.code.declarations import EVERY_FIELD
from jitlint.absint.limits import VALUE_LEVELS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.annotations import Annotation
from jitlint.absint.modules.evidence import ParameterEvidence
from jitlint.absint.objects.instances import (
    annotated_instance,
    container_of,
    host_value,
    is_structured,
    of_this_trace,
    told_by_use,
)
from jitlint.absint.program.class_inference import (
    class_of_attribute,
    class_of_parameter,
    library_class_of_parameter,
)
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.hooks import hooks_of
from jitlint.absint.program.members import is_kept_property
from jitlint.absint.values.buffers import NO_BUFFERS
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Certainty,
    Class,
    Const,
    ExternalInstance,
    Level,
    Origin,
    Ref,
    Static,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import OTHERS, DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join, join_all, type_name
from jitlint.absint.values.traversal import rebuilt, rebuilt_object
from jitlint.jaxmodel.frameworks import base_class

#: kinds of annotations that are single values
_SINGLE: Final = frozenset({"array", "scalar", "none"})


def traced_argument(
    it: Interpreter,
    value: Value,
    level: Level,
    *,
    leaves: str = "leaves",
    evidence: ParameterEvidence | None = None,
    origin: Origin | None = None,
    certainty: Certainty = Certainty.SURE,
    depth: int = VALUE_LEVELS,
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
        made = _by_evidence(it, level, leaves, evidence, origin, certainty)
        if isinstance(value, Unknown) and isinstance(made, (Array, Tree)) and value.buffers:
            return made.replace(buffers=it.watched(value.buffers))
        return made
    if isinstance(value, Array):
        return value.replace(
            level=max(level, value.level),
            origin=origin or value.origin,
            trace=it.trace_number,
            buffers=it.watched(value.buffers),
        )
    if isinstance(value, Tree):
        if not value.container and evidence is not None and evidence.used_as_array:
            return Array(
                max(level, value.level),
                certainty=value.certainty,
                origin=origin,
                trace=it.trace_number,
                buffers=it.watched(value.buffers),
            )
        reference = evidence is not None and evidence.used_as_reference
        return value.replace(
            level=max(level, value.level),
            container=value.container or reference,
            origin=origin or value.origin,
            buffers=it.watched(value.buffers),
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
            buffers = it.watched(part.buffers) if isinstance(part, Unknown) else NO_BUFFERS
            return Tree(level, origin=origin, certainty=certainty, buffers=buffers)
        return traced_argument(
            it, part, level, leaves=leaves, origin=origin, certainty=certainty, depth=depth - 1
        )

    if isinstance(value, Tuple):
        beside = _beside_children(it, value)
        items = (item if n in beside else inner(item) for n, item in enumerate(value.items))
        return Tuple(tuple(items), value.cls)
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


def _beside_children(it: Interpreter, value: Tuple) -> frozenset[int]:
    """The items of a named tuple that is registered by itself which are no children of it."""
    info = class_info(it, value.cls) if isinstance(value.cls, Class) else None
    if info is None or not info.registered or info.children is None:
        return frozenset()
    if EVERY_FIELD in info.children:
        return frozenset()
    return frozenset(n for n, made in enumerate(info.fields) if made.name not in info.children)


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
        extent = value.extent if isinstance(value, Static) else None
        return Array(level, certainty=certainty, origin=origin, trace=trace, extent=extent)
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
    new: ListObject | DictObject | Instance
    if isinstance(contents, ListObject):
        items = contents.items
        new = ListObject(
            None if items is None else tuple(inner(item) for item in items),
            inner(contents.element),
            mutable=contents.mutable,
        )
    elif isinstance(contents, DictObject):
        new = DictObject(
            {key: inner(item) for key, item in contents.items.items()},
            None if contents.rest is None else inner(contents.rest),
        )
    elif isinstance(contents, Instance):
        if leaves == "arrays" and class_info(it, contents.cls).pytree == "opaque":
            # What is no pytree is static, as a whole: the function is handed the object itself.
            return value
        if name in it.resolving:
            # A node of a tree that holds such nodes.
            return Ref(name)
        it.resolving.add(name)
        try:
            return _traced_instance(it, contents, level, leaves, origin, name)
        finally:
            it.resolving.discard(name)
    elif isinstance(contents, SetObject):
        return value
    else:
        return UNKNOWN
    it.state.put(name, new)
    return Ref(name)


def _traced_instance(
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
    kinds = {made.name: made.annotation for made in info.fields}
    set_by_others = info.kind == "dataclass" and info.pytree == "leaves"
    set_by_others = set_by_others and hooks_of(it, contents.cls).constants
    attributes: dict[str, Value] = {}
    it.state.put(id_, contents.with_attributes(attributes))
    for name, value in contents.attributes.items():
        annotation = kinds.get(name)
        if name == OTHERS or (set_by_others and name not in kinds):
            # It need not be a field, or be one that is a leaf.
            attributes[name] = UNKNOWN
            continue
        if name not in kinds and is_kept_property(it, contents.cls, name):
            continue
        if name in info.static:
            if value == UNKNOWN and annotation is not None and annotation.kind == "sequence":
                # Whatever it holds, no tracer is an index of it.
                value = container_of(it, annotation, host_value(it, annotation.parts[0]))
            attributes[name] = _static_field(_hashable(it, value), annotation)
            continue
        if info.pytree == "custom" and (info.children is None or name not in info.children):
            # What `tree_unflatten` makes of the children, or takes from elsewhere.
            attributes[name] = _static_field(of_this_trace(it, value, id_), annotation)
            continue
        made = None
        if value == UNKNOWN and annotation is not None:
            made = annotated_argument(it, annotation, level, leaves, origin, Certainty.SURE)
        elif value == UNKNOWN and name in info.arrays:
            made = Array(level, origin=origin, trace=it.trace_number)
        if made is None:
            made = traced_argument(it, value, level, leaves=leaves, origin=origin)
        attributes[name] = made
    if info.pytree == "leaves":
        # `class State(train_state.TrainState)` has the fields of Flax', which nothing sets here.
        own = {*attributes, *kinds, *info.static}
        for name in sorted(info.arrays - own):
            attributes[name] = Array(level, origin=origin, trace=it.trace_number)
    it.state.put(id_, contents.with_attributes(attributes))
    return Ref(id_)


def _as_is(it: Interpreter, contents: Instance, id_: int) -> Ref:
    it.state.put(id_, contents.copy())
    return Ref(id_)


def _hashable(it: Interpreter, value: Value, depth: int = VALUE_LEVELS) -> Value:
    """What a static field holds where its object passes a transform, which hashes it: no arrays.

    What says otherwise is an annotation that means a number.
    """
    if isinstance(value, Array) or depth == 0:
        return UNKNOWN
    if isinstance(value, Tuple):
        return rebuilt(value, lambda part: _hashable(it, part, depth - 1))
    contents = it.contents(value) if isinstance(value, Ref) else None
    if isinstance(value, Ref) and isinstance(contents, (ListObject, DictObject)):
        id_ = it.new_id("hashable", value.id, it.frame.env)
        it.state.put(id_, rebuilt_object(contents, lambda part: _hashable(it, part, depth - 1)))
        return Ref(id_)
    return value


def _static_field(value: Value, annotation: Annotation | None) -> Value:
    if value != UNKNOWN or annotation is None:
        return value
    if annotation.kind == "scalar":
        return annotation.value
    return UNKNOWN


def _traced_fields(
    it: Interpreter, value: ExternalInstance, level: Level, origin: Origin | None
) -> dict[str, Value]:
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
    annotation = evidence.annotation
    kinds = {part.kind for part in annotation.parts} if annotation.parts else {annotation.kind}
    # Where it may be an array, among others, the use tells.
    told_by_use = evidence.used_as_array and (
        "tree" in kinds
        or (annotation.kind == "union" and "array" in kinds and not kinds <= _SINGLE)
    )
    if not told_by_use or leaves == "arrays":
        annotated = annotated_argument(it, annotation, level, leaves, origin, certainty)
        if annotated is not None:
            return annotated
    if leaves == "arrays" and not evidence.asked_as_array_only:
        return UNKNOWN
    if evidence.used_as_array:
        array = Array(level, certainty=certainty, origin=origin, trace=it.trace_number)
        return join(NONE, array) if "none" in kinds else array
    keyed = evidence.used_as_container
    container = keyed or evidence.used_as_reference
    tree = Tree(
        level,
        certainty=certainty,
        container=container,
        keyed=keyed,
        # Who writes down a class, and nothing else, does not mean None as well.
        present=annotation.kind in ("class", "external") and evidence.parameter.default is None,
        origin=origin,
    )
    return used_as_object(it, tree, evidence) if keyed else tree


def used_as_object(it: Interpreter, tree: Tree, evidence: ParameterEvidence) -> Value:
    """A pytree of unknown structure as an object of the class whose names a function uses."""
    if tree.certainty is Certainty.GUESS:
        # What somebody's function made of a tracer: if it is an object, not all in it is traced.
        return tree
    cls = class_of_parameter(it, evidence.code, evidence.parameter, traced=True)
    if cls is not None:
        return _object(it, tree, cls)
    name = library_class_of_parameter(it, evidence.code, evidence.parameter)
    if name is None or tree.certainty is not Certainty.SURE:
        return tree
    return external_instance(it, ExternalInstance(name), tree.level, tree.origin)


def in_place_of_none(value: Value) -> Value:
    """What a caller passes where None would be the default.

    A caller that passes something of which nothing is known has most likely not passed what it
    would be anyway: what such a default asks for happens in other calls, and is reported of them.
    """
    if type(value) is Unknown:
        may_be_none = value.told is not None and value.told.counts is False
        return value if may_be_none else value.as_given()
    if type(value) is Tree:
        return value if value.present else value.replace(present=True)
    return rebuilt(value, in_place_of_none) if type(value) is Union else value


def held_object(it: Interpreter, holder: Ref, name: str, value: Value) -> Value:
    """An attribute of which nothing is known as an object of the class that it is declared with.

    Where there is no such declaration the uses tell.
    """
    contents = it.contents(holder)
    if not isinstance(contents, Instance):
        return value
    fields = class_info(it, contents.cls).fields
    declared = next((field.annotation for field in fields if field.name == name), None)
    if declared is not None and declared.kind == "class":
        cls = declared.value if isinstance(declared.value, Class) else None
    else:
        cls = class_of_attribute(it, contents.cls, name, traced=type(value) is Tree)
    if cls is None:
        return value
    if type(value) is Tree and value.certainty is not Certainty.GUESS:
        return _object(it, value, cls)
    made = annotated_instance(it, cls)
    if declared is None or declared.kind != "class":
        made = told_by_use(it, made, (holder.id, name))
    return of_this_trace(it, made) if it.made_in.get(holder.id) else made


def _object(it: Interpreter, tree: Tree, cls: Class) -> Value:
    instance = annotated_instance(it, cls)
    made = traced_argument(it, instance, tree.level, origin=tree.origin, certainty=tree.certainty)
    if isinstance(made, Ref):
        it.by_use.add(made.id)
    return tree if made == UNKNOWN else made


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
    if kind in ("sequence", "mapping"):
        element = annotated_argument(it, annotation.parts[0], level, leaves, origin, certainty)
        # What is annotated as some sequence of numbers is often an array; a list is none.
        leaf = leaves == "arrays" or annotation.name == "list"
        if element is not None and (
            is_structured(element) or (leaf and isinstance(element, Array))
        ):
            return container_of(it, annotation, element)
    if kind in ("container", "tree", "sequence", "mapping"):
        if leaves == "arrays" and annotation.name != "arrays":
            return UNKNOWN
        # Iterating a mapping gives its keys; what no more is known of may be one.
        keyed = kind in ("mapping", "tree")
        return Tree(level, certainty=certainty, container=True, keyed=keyed, origin=origin)
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
        assert isinstance(annotation.value, Class)
        instance = annotated_instance(it, annotation.value)
        made = traced_argument(
            it, instance, level, leaves=leaves, origin=origin, certainty=certainty
        )
        return None if made == UNKNOWN else made
    if kind == "external" and base_class(annotation.name) is not None:
        return external_instance(it, ExternalInstance(annotation.name), level, origin)
    # A protocol, a class that no visible code registers, a type of another library: whatever it is,
    # a transform takes it.
    return None
