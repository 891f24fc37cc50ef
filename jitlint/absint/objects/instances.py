"""Instances that nobody visibly makes: of annotated parameters and fields, and for methods."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.bare_classes import means_another
from jitlint.absint.code.declarations import is_declaration, makes_on_demand
from jitlint.absint.code.syntax import is_none
from jitlint.absint.limits import COPIED_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import HOST, Frame, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import verb
from jitlint.absint.modules.annotations import Annotation, of_parameter
from jitlint.absint.modules.constructions import is_made_without_arrays
from jitlint.absint.objects.changed_entries import filled_while_made
from jitlint.absint.objects.kept_functions import is_kept, keep_functions, makers_of
from jitlint.absint.program.class_inference import class_of_parameter
from jitlint.absint.program.classes import ClassInfo, class_info
from jitlint.absint.program.members import find_in_class, method_of
from jitlint.absint.program.setting import remake
from jitlint.absint.program.subclasses import subclasses
from jitlint.absint.values.domain import (
    GIVEN,
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    BoundMethod,
    Class,
    ExternalInstance,
    Flag,
    Function,
    Level,
    Ref,
    Static,
    Tuple,
    Unknown,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, Variables
from jitlint.absint.values.lattice import join_all
from jitlint.absint.values.narrowed import by_told
from jitlint.absint.values.traversal import rebuilt_object
from jitlint.jaxmodel import frameworks

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code, Parameter


def informed(
    it: Interpreter, code: Code, parameter: Parameter, argument: Unknown = UNKNOWN
) -> Value:
    """What an annotation, or its use, says of an argument of which nothing else is known."""
    value = by_told(_informed(it, code, parameter), argument.told)
    if not argument.given:
        return value
    value = join_all((member for member in members_of(value) if member != NONE), default=argument)
    return argument if value == UNKNOWN else value


def _informed(it: Interpreter, code: Code, parameter: Parameter) -> Value:
    value = host_value(it, of_parameter(it, code, parameter))
    if value != UNKNOWN:
        return value if it.trace is None else of_this_trace(it, value)
    cls = class_of_parameter(it, code, parameter, traced=False)
    if cls is None:
        return UNKNOWN
    value = annotated_instance(it, cls)
    if it.trace is not None or _may_be_pytree(it, cls):
        # A pytree comes as an argument of whatever trace calls the function.
        value = of_this_trace(it, value)
        if isinstance(value, Ref):
            it.by_use.add(value.id)
        return value
    return told_by_use(it, value, id(parameter))


def told_by_use(it: Interpreter, value: Value, user: Hashable) -> Value:
    """An object like one of a class that nothing but its use tells: another for each user.

    Args:
      it: the interpreter.
      value: what is known of objects of that class; what is no object is given back.
      user: what it is that is used so.
    """
    contents = it.contents(value) if isinstance(value, Ref) else None
    if contents is None or not isinstance(value, Ref):
        return value
    made = Ref(it.standing_id("by use", value.id, user))
    # It is as old as that one is: nobody knows when it is made.
    it.made_in[made.id], it.made_at[made.id] = it.made_in[value.id], it.made_at[value.id]
    it.by_use.add(made.id)
    if it.contents(made) is None:
        it.state.put(made.id, contents.copy())
    return made


def of_this_trace(
    it: Interpreter, value: Value, holder: int | None = None, *, depth: int = COPIED_LEVELS
) -> Value:
    """A copy of an object that may have been made in the trace that runs, with what it holds.

    Args:
      it: the interpreter.
      value: the object; what is no object is given back.
      holder: what holds the copy, None for the function that runs.
      depth: levels of objects that are still looked into.
    """
    contents = it.contents(value) if isinstance(value, Ref) else None
    if contents is None or not isinstance(value, Ref):
        return value
    if depth == 0:
        return UNKNOWN
    id_ = it.new_id("of trace", value.id, it.frame.env if holder is None else holder)
    # Newer than each trace that begins from here on, too: nobody knows where it is made.
    it.made_in[id_] = sys.maxsize
    if value.id in it.by_use:
        it.by_use.add(id_)

    def held(part: Value) -> Value:
        return of_this_trace(it, part, holder, depth=depth - 1)

    it.state.put(id_, rebuilt_object(contents, held))
    return Ref(id_)


def _may_be_pytree(it: Interpreter, cls: Class) -> bool:
    """Whether a transform may take an object of a class apart, and make it anew in its trace."""
    return any(class_info(it, c).pytree != "opaque" for c in (cls, *subclasses(it, cls)))


def host_value(it: Interpreter, annotation: Annotation) -> Value:
    """A value of an annotated type outside a trace."""
    kind = annotation.kind
    if kind == "array":
        if annotation.name == "numpy":
            return UNKNOWN
        # Inside a trace an array that is not traced would become so with its first operation.
        return Array(Level.CONCRETE)
    if kind == "scalar":
        return annotation.number
    if kind == "none":
        return NONE
    if kind == "tuple":
        return Tuple(tuple(host_value(it, part) for part in annotation.parts))
    if kind == "union":
        parts = [host_value(it, part) for part in annotation.parts]
        return UNKNOWN if UNKNOWN in parts else join_all(parts)
    if kind in ("sequence", "mapping"):
        element = host_value(it, annotation.parts[0])
        return container_of(it, annotation, element) if is_structured(element) else UNKNOWN
    if kind == "class":
        assert isinstance(annotation.value, Class)
        return annotated_instance(it, annotation.value)
    if kind == "external":
        name = annotation.name
        if frameworks.base_class(name) is not None or frameworks.lookup(name) is not None:
            return ExternalInstance(name)
    return UNKNOWN


def is_structured(value: Value) -> bool:
    """Whether a value has attributes or items of its own: more than a leaf or tree of arrays."""
    return all(
        member == NONE or isinstance(member, (Ref, Tuple, ExternalInstance))
        for member in members_of(value)
    )


def container_of(it: Interpreter, annotation: Annotation, element: Value) -> Ref:
    """A sequence or mapping that an annotation names, of unknown length."""
    id_ = it.new_id(annotation.kind, id(annotation), it.frame.env)
    it.keep(annotation)
    mapping = annotation.kind == "mapping"
    it.state.put(
        id_, DictObject({}, element, frozen=True) if mapping else ListObject(None, element)
    )
    return Ref(id_)


def annotated_instance(it: Interpreter, cls: Class) -> Value:
    """A value of a class that an annotation names."""
    info = class_info(it, cls)
    if info.kind == "enum":
        return STATIC
    if means_another(cls.definition):
        return UNKNOWN
    if info.kind == "namedtuple":
        key = ("annotated", id(cls.definition))
        if key in it.resolving:
            # A node of a tree that holds such nodes.
            return UNKNOWN
        it.resolving.add(key)
        try:
            return Tuple(tuple(host_value(it, made.annotation) for made in info.fields), cls)
        finally:
            it.resolving.discard(key)
    if info.kind == "dataclass" or info.pytree in ("leaves", "custom", "variables"):
        return _annotated_fields(it, info)
    if info.complete:
        # One that is a pytree may have been put together in the trace, whatever the class is.
        if it.trace is not None and _may_be_pytree(it, cls):
            return _annotated_fields(it, info)
        return prototype(it, cls)
    return UNKNOWN


def _annotated_fields(it: Interpreter, info: ClassInfo) -> Ref:
    id_ = it.new_id("annotated", id(info.cls.definition), it.frame.env)
    if it.contents(id_) is None:
        it.state.put(id_, Instance(info.cls, {}))
        attributes = unmade_attributes(it, info.cls, id_)
        it.state.put(id_, Instance(info.cls, attributes, extensible=True))
    return Ref(id_)


def unmade_attributes(it: Interpreter, cls: Class, holder: int) -> dict[str, Value]:
    """The attributes of an object of a class that nobody visibly makes.

    What an object holds that is made in a trace is made there too.
    """
    info = class_info(it, cls)
    if info.fields:
        values = {made.name: host_value(it, made.annotation) for made in info.fields}
        return values | _filled(it, info, values)
    contents = it.module_state.get(prototype(it, cls).id)
    attributes = dict(contents.attributes) if isinstance(contents, Instance) else {}
    if it.made_in.get(holder):
        return {name: of_this_trace(it, value, holder) for name, value in attributes.items()}
    return attributes


def _filled(it: Interpreter, info: ClassInfo, values: Mapping[str, Value]) -> dict[str, Value]:
    """Fields of which nothing is known but that the object has put something in as it was made."""
    names = filled_while_made(it, info)
    return {name: GIVEN for name in names if values.get(name) == UNKNOWN}


@verb("some object")
def _some_object(it: Interpreter, cls: Class, node: cst.CSTNode | None) -> Value:
    """An object of a class that is made at another time, in the trace that runs or before it."""
    if class_info(it, cls).kind in ("enum", "namedtuple"):
        return UNKNOWN
    if node is not None:
        made = it.allocate(node, Instance(cls, {}), "some object")
        attributes = unmade_attributes(it, cls, made.id)
        it.state.put(made.id, Instance(cls, attributes, extensible=True))
        return made
    with it.at_module_level():
        id_ = it.standing_id("some object", id(cls.definition))
        it.made_in[id_] = sys.maxsize
        it.state.put(id_, Instance(cls, {}))
        attributes = unmade_attributes(it, cls, id_)
        it.state.put(id_, Instance(cls, attributes, extensible=True))
    return Ref(id_)


def prototype(it: Interpreter, cls: Class) -> Ref:
    """An instance for methods that start an analysis: what ``__init__`` makes of unknown arguments.

    Attributes that other methods assign again are Unknown.
    """
    key = _prototype_of(cls)
    it.reads.read(cls.module)
    known = it.facts.get(key)
    if known is not None:
        return Ref(known)
    id_ = it.standing_id("prototype", id(cls.definition))
    it.facts[key] = id_
    with it.reads.of(it, cls.module, f"prototype {cls.definition.qualname}"):
        _make_prototype(it, cls, id_)
    return Ref(id_)


def _prototype_of(cls: Class) -> tuple[str, int]:
    return "prototype", id(cls.definition)


def may_be_overridden(it: Interpreter, method: BoundMethod) -> bool:
    """Whether an object that nobody visibly makes may have another method of that name.

    A subclass defines it, or the class only declares it, for subclasses that are elsewhere.
    """
    function, receiver = base_function(method), method.receiver
    instance = it.contents(receiver) if isinstance(receiver, Ref) else None
    if function is None or not isinstance(receiver, Ref) or not isinstance(instance, Instance):
        return False
    cls, name = instance.cls, function.code.name
    made = it.facts.get(_prototype_of(cls)) != receiver.id and not instance.extensible
    return not made and (
        is_declaration(function.code.unit)
        or any(name in other.definition.methods for other in subclasses(it, cls))
    )


def _make_prototype(it: Interpreter, cls: Class, id_: int) -> None:
    info = class_info(it, cls)
    attributes: dict[str, Value] = {
        made.name: _flag(host_value(it, made.annotation), id_, number)
        for number, made in enumerate(info.fields)
    }
    ref = Ref(id_)
    with it.at_module_level():
        it.state.put(id_, Instance(cls, attributes))
        if find_in_class(it, cls, "__init__") is None:
            _initialise(it, method_of(it, cls, "__post_init__"), ref)
            made_so = it.edit(ref).attributes
            made_so |= _filled(it, info, made_so)
        else:
            _initialise(it, method_of(it, cls, "__init__"), ref)
            _add_default_objects(it, cls, ref)
        if info.is_linen_module:
            _initialise(it, method_of(it, cls, "setup"), ref)
        remake(it, cls, ref)
        keep_functions(it, info, ref, lambda method, made: _initialise(it, method, made))
        _forget_reassigned(it, info, ref)
        it.edit(ref).extensible = True


def _add_default_objects(it: Interpreter, cls: Class, ref: Ref) -> None:
    """Let attributes of which nothing is known be the objects that they are by default.

    After ``self.model = model or Model()`` the attribute is such an object, or one like it; after
    ``self.found = found or {}`` a dict that holds whatever is passed.
    """
    method = method_of(it, cls, "__init__")
    code = None if method is None else it.load(method.code)
    if code is None or not any(is_none(parameter.default) for parameter in code.parameters):
        return
    unknown = [n for n, value in it.contents(ref).attributes.items() if value == UNKNOWN]
    if not unknown:
        return
    made = Ref(it.standing_id("by default", ref.id))
    it.state.put(made.id, Instance(cls, {}))
    _initialise(it, method, made, by_default=True)
    attributes = it.contents(made).attributes
    for name in unknown:
        value = attributes.get(name)
        contents = it.contents(value) if isinstance(value, Ref) else None
        if not isinstance(value, Ref) or value == made:
            continue
        if isinstance(contents, Instance):
            it.edit(value).extensible = True
        elif isinstance(contents, DictObject):
            it.state.put(value.id, DictObject({}, UNKNOWN))
        elif isinstance(contents, ListObject):
            it.state.put(value.id, ListObject(None, UNKNOWN, mutable=contents.mutable))
        else:
            continue
        it.edit(ref).attributes[name] = value


def _initialise(
    it: Interpreter, method: Function | None, instance: Ref, *, by_default: bool = False
) -> None:
    """Run a method on arguments of which only what their annotations say is known.

    Args:
      it: the interpreter.
      method: the method.
      instance: what it is run on.
      by_default: whether arguments are left at a default of None.
    """
    code = None if method is None else it.load(method.code)
    if method is None or code is None:
        return
    args = Arguments([instance], open=True)
    for number, parameter in enumerate(code.parameters[1:]):
        if parameter.kind not in ("*", "**") and not (by_default and is_none(parameter.default)):
            value = informed(it, code, parameter)
            if isinstance(value, Array) and _is_made_without(it, code, parameter):
                value = STATIC
            args.keywords[parameter.name] = _flag(value, instance.id, number)
    assert code.node is not None and code.parsed is not None
    env = it.new_id("root", id(code))
    it.state.put(env, Variables())
    frame = Frame(code.module, code.parsed, None, code.qualname, HOST, env)
    with it.entered(frame), suppress(Terminated):
        it.follow(method, args, code.node, follow=True)


def _is_made_without(it: Interpreter, code: Code, parameter: Parameter) -> bool:
    """Whether no code in sight passes an array for a parameter of a constructor."""
    if code.name != "__init__" or code.unit.cls is None:
        return False
    cls = Class(code.unit.cls, code.module)
    # What derives from it passes on what it is given itself.
    return not subclasses(it, cls) and is_made_without_arrays(it, cls, code, parameter)


def _flag(value: Value, id_: int, number: int) -> Value:
    """A bool that is not known, told from others: a setting of an object."""
    if type(value) is Static and value.type == "bool":
        return Flag(f"<flag{id_}:{number}>")
    return value


def _forget_reassigned(it: Interpreter, info: ClassInfo, ref: Ref) -> None:
    attributes = it.edit(ref).attributes
    making = makers_of(info) | {"setup"}
    for cls in info.mro:
        for name, methods in cls.definition.assigned_attributes.items():
            others = methods - making
            value = attributes.get(name)
            if isinstance(value, Unknown) and value.given and _is_filled(cls, name, others):
                continue
            if value is None or (others and not is_kept(value)):
                # One of its own: setting the attribute to what it holds changes nothing.
                attributes[name] = Unknown()


def _is_filled(cls: Class, name: str, others: Iterable[str]) -> bool:
    """Whether an attribute that an object is made with is only made on demand by other methods."""
    units = [unit for other in others for unit in cls.definition.methods.get(other, ())]
    return bool(units) and all(makes_on_demand(unit, name) for unit in units)
