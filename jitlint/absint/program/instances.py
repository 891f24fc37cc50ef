"""Instances that nobody visibly makes: of annotated parameters and fields, and for methods."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import HOST, Frame, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.annotations import Annotation, of_parameter
from jitlint.absint.program.classes import ClassInfo, class_info
from jitlint.absint.program.members import find_in_class, method_of
from jitlint.absint.values.domain import (
    FLOAT,
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Class,
    ExternalInstance,
    Flag,
    Function,
    Level,
    Ref,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import Instance, Variables
from jitlint.absint.values.lattice import join_all
from jitlint.jaxmodel import frameworks

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code, Parameter


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
        assert isinstance(annotation.value, Class)
        return annotated_instance(it, annotation.value)
    if kind == "external":
        name = annotation.name
        if frameworks.base_class(name) is not None or frameworks.lookup(name) is not None:
            return ExternalInstance(name)
    return UNKNOWN


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
        attributes = {made.name: host_value(it, made.annotation) for made in info.fields}
        if not info.fields:
            base = it.contents(prototype(it, info.cls))
            if isinstance(base, Instance):
                attributes = dict(base.attributes)
        it.state.put(id_, Instance(info.cls, attributes))
    return Ref(id_)


def prototype(it: Interpreter, cls: Class) -> Ref:
    """An instance for methods that start an analysis: what ``__init__`` makes of unknown arguments.

    Attributes that other methods assign again are Unknown.
    """
    key = ("prototype", id(cls.definition))
    it.reads.read(cls.module)
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
        if find_in_class(it, cls, "__init__") is None:
            _initialise(it, method_of(it, cls, "__post_init__"), ref)
        else:
            _initialise(it, method_of(it, cls, "__init__"), ref)
        if info.is_linen_module:
            _initialise(it, method_of(it, cls, "setup"), ref)
        _forget_reassigned(it, info, ref)


def _initialise(it: Interpreter, method: Function | None, instance: Ref) -> None:
    """Run a method on arguments of which only what their annotations say is known."""
    code = None if method is None else it.load(method.code)
    if method is None or code is None:
        return
    args = Arguments([instance], open=True)
    for number, parameter in enumerate(code.parameters[1:]):
        if parameter.kind not in ("*", "**"):
            value = informed(it, code, parameter)
            args.keywords[parameter.name] = _flag(value, instance.id, number)
    assert code.node is not None and code.parsed is not None
    env = it.new_id("root", id(code))
    it.state.put(env, Variables())
    frame = Frame(code.module, code.parsed, None, code.qualname, HOST, env)
    with it.entered(frame), suppress(Terminated):
        it.follow(method, args, code.node, follow=True)


def _flag(value: Value, id_: int, number: int) -> Value:
    """A bool that is not known, told from others: a setting of an object."""
    if type(value) is Static and value.type == "bool":
        return Flag(f"<flag{id_}:{number}>")
    return value


def _forget_reassigned(it: Interpreter, info: ClassInfo, ref: Ref) -> None:
    attributes = it.edit(ref).attributes
    for cls in info.mro:
        for name, methods in cls.definition.assigned_attributes.items():
            others = methods - {"__init__", "__post_init__", "setup"}
            value = attributes.get(name)
            if value is None or (others and not isinstance(value, Transformed)):
                # One of its own: setting the attribute to what it holds changes nothing.
                attributes[name] = Unknown()
