"""Construction: what calling a class makes, and copies with some fields changed."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import libcst as cst

from jitlint.absint.code.declarations import (
    COMPUTED,
    Field,
    Name,
    is_constant,
    makers_of_attribute,
)
from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import walk
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import calls_of
from jitlint.absint.modules import module_state
from jitlint.absint.modules.module_code import run_unit
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.objects.configured import default_of_field
from jitlint.absint.objects.instances import host_value
from jitlint.absint.objects.kept_functions import makers_of
from jitlint.absint.program.classes import ClassInfo, FieldInfo, class_info
from jitlint.absint.program.dict_classes import ENTRIES, is_dict
from jitlint.absint.program.hooks import hooks_of
from jitlint.absint.program.members import (
    find_in_class,
    is_kept_property,
    method_of,
    method_value,
    thread_method,
)
from jitlint.absint.program.setting import remake
from jitlint.absint.values.domain import (
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Class,
    Const,
    External,
    ExternalInstance,
    Function,
    Ref,
    Tree,
    Tuple,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.project.units import Unit

#: what makes weak references
_WEAK_REFERENCES: Final = frozenset({"weakref.ref", "weakref.ReferenceType", "weakref.WeakMethod"})


@calls_of(Class)
def instantiate(it: Interpreter, cls: Class, args: Arguments, node: cst.CSTNode) -> Value:
    """``Class(*args)``."""
    info = class_info(it, cls)
    if info.kind == "enum":
        return STATIC
    if info.kind == "namedtuple" and find_in_class(it, cls, "__new__") is None:
        values = _fields_from_arguments(it, info, args)
        return Tuple(tuple(values.values()), cls)
    if hooks_of(it, cls).passed:
        args = Arguments(star=UNKNOWN, star_keywords=UNKNOWN)
    ref = _new(it, cls, args, node)
    if not isinstance(ref, Ref):
        return ref
    if it.trace is None:
        it.made_here(ref)
    initialiser = method_of(it, cls, "__init__")
    if initialiser is not None:
        with suppress(Terminated):
            it.follow(initialiser, args.prepended(ref), node, follow=True)
        _fill_unassigned(it, info, ref)
    elif info.kind == "dataclass" or info.fields:
        contents = it.edit(ref)
        contents.attributes.update(_fields_from_arguments(it, info, args))
        _run(it, method_of(it, cls, "__post_init__"), ref, node, follow=True)
    elif (inherited := thread_method(info, ref, "__init__")) is not None:
        it.call(inherited, args, node)
    if info.is_linen_module:
        # Flax calls it before a method is used.
        _run(it, method_of(it, cls, "setup"), ref, node, follow=True)
    remake(it, cls, ref)
    if "equinox.Module" in info.externals:
        _run_converters(it, info, ref, node)
        _run_checks(it, info, ref, node)
    return ref


def _new(it: Interpreter, cls: Class, args: Arguments, node: cst.CSTNode) -> Value:
    """A new object, as ``__new__`` makes it.

    Where that may make something else, Unknown, unless Python does no more with what it made.
    """
    new = method_of(it, cls, "__new__")
    if new is None:
        if find_in_class(it, cls, "__new__") is not None:
            return UNKNOWN
        held: dict[str, Value] = {}
        place = f"instance {id(cls.definition)}"
        if is_dict(class_info(it, cls)):
            # What it is made with, and what its base is told, is not looked at.
            held[ENTRIES] = it.allocate(node, DictObject({}, UNKNOWN), f"{place} entries")
        return it.allocate(node, Instance(cls, held), place)
    given = args.prepended(cls) if _reads_arguments(it, new) else Arguments([cls])
    made: Value
    try:
        made = it.follow(new, given, node, follow=True)
    except Terminated:
        return UNKNOWN
    if not any(_is_instance_of(it, member, cls) for member in members_of(made)):
        return UNKNOWN
    # Python initialises what is an object of the class, and only that.
    certain = isinstance(made, Ref) or method_of(it, cls, "__init__") is None
    return made if certain else UNKNOWN


def _reads_arguments(it: Interpreter, new: Function) -> bool:
    """Whether a ``__new__`` looks at what is passed: else it makes the same of all arguments."""
    code = it.load(new.code)
    if code is None or code.parsed is None:
        return True
    return code.parsed.fact(_reads_passed, code)


def _reads_passed(code: Code) -> bool:
    passed = code.parameters[1:]
    if any(parameter.kind not in ("*", "**") for parameter in passed):
        return True
    names = {parameter.name for parameter in passed}

    def mentions(root: cst.CSTNode) -> int:
        return sum(type(node) is cst.Name and node.value in names for node in walk(root))

    assert code.node is not None
    # What is only deleted is not looked at.
    return mentions(code.node.body) > sum(
        mentions(node) for node in code.own_nodes if type(node) is cst.Del
    )


def _is_instance_of(it: Interpreter, value: Value, cls: Class) -> bool:
    contents = it.contents(value) if isinstance(value, Ref) else None
    return isinstance(contents, Instance) and contents.cls == cls


def _run(
    it: Interpreter, method: Value | None, ref: Ref, node: cst.CSTNode, *, follow: bool = False
) -> None:
    """Run a method without arguments, if it is a plain function."""
    if isinstance(method, Function):
        with suppress(Terminated):
            it.follow(method, Arguments([ref]), node, follow=follow)


def _run_converters(it: Interpreter, info: ClassInfo, ref: Ref, node: cst.CSTNode) -> None:
    """Equinox converts fields that ask for it, whoever set them: ``field(converter=f)``."""
    for made in info.fields:
        specifier = made.declared.specifier
        if specifier is None or "converter" not in specifier.keywords:
            continue
        field = run_unit(it, made.declared.unit, info.cls.closure).get(made.name, UNKNOWN)
        given = it.contents(ref).attributes.get(made.name, UNKNOWN)
        if not isinstance(field, ExternalInstance) or given == UNKNOWN:
            continue
        converter = dict(field.attributes).get("converter", NONE)
        if converter != NONE:
            with suppress(Terminated):
                it.edit(ref).attributes[made.name] = it.call(converter, Arguments([given]), node)


def _run_checks(it: Interpreter, info: ClassInfo, ref: Ref, node: cst.CSTNode) -> None:
    """Equinox calls every ``__check_init__`` of a module's classes once it is made."""
    for cls in info.mro:
        for unit in cls.definition.methods.get("__check_init__", ())[-1:]:
            _run(it, method_value(it, cls, unit), ref, node)


def _fill_unassigned(it: Interpreter, info: ClassInfo, ref: Ref) -> None:
    """Give a new object the attributes that methods assign later.

    Until then the class says what they are, where nothing else can have set them: a constant in its
    body, ``ready = False``, that no method sets while the object is made.  What is kept by a weak
    reference, once it was asked for, is None until then.
    """
    if not isinstance(it.contents(ref), Instance):
        return
    making = _asked_while_made(info)
    for cls in info.mro:
        for name, methods in cls.definition.assigned_attributes.items():
            if not methods or name in it.contents(ref).attributes:
                continue
            found = find_in_class(it, info.cls, name)
            value: Value = UNKNOWN
            if found is not None and isinstance(found[1], Const):
                if found[1] == NONE and _is_kept_weakly(it, info, name):
                    value = NONE
                elif info.complete and methods.isdisjoint(making):
                    value = module_state.of_class(it, info.mro, name, found[1])
            it.edit(ref).attributes[name] = value


def _asked_while_made(info: ClassInfo) -> frozenset[str]:
    """The members that a new object may be asked for while it is made, and what makes it."""
    makers = makers_of(info)
    mentions = (
        mention.split(".")
        for cls in info.mro
        for maker in makers
        for unit in cls.definition.methods.get(maker, ())
        for mention in unit.mentions
    )
    return makers.union(names[1] for names in mentions if names[0] == "self" and len(names) > 1)


def _is_kept_weakly(it: Interpreter, info: ClassInfo, name: str) -> bool:
    """Whether all that methods assign to an attribute are weak references."""
    for cls in info.mro:
        for method in cls.definition.assigned_attributes.get(name, ()):
            for unit in cls.definition.methods[method]:
                made = makers_of_attribute(unit, name)
                if not made or not all(_is_weak_reference(it, unit, maker) for maker in made):
                    return False
    return True


def _is_weak_reference(it: Interpreter, unit: Unit, maker: str | None) -> bool:
    called = None if maker is None else dotted_value(it, unit.module, maker)
    return isinstance(called, External) and called.name in _WEAK_REFERENCES


def _fields_from_arguments(it: Interpreter, info: ClassInfo, args: Arguments) -> dict[str, Value]:
    values: dict[str, Value] = {}
    position = 0
    fields = [f for f in info.fields if not f.declared.is_class_variable]
    for made in fields:
        if position < len(args.positional):
            values[made.name] = args.positional[position]
            position += 1
        elif made.name in args.keywords:
            values[made.name] = args.keywords[made.name]
        elif args.star is not None or args.star_keywords is not None:
            values[made.name] = UNKNOWN
        else:
            default = _field_default(it, info.cls, made)
            values[made.name] = default_of_field(it, info.cls, made.name, default)
        if values[made.name] == UNKNOWN:
            known = host_value(it, made.annotation)
            # Made inside a trace of what is not known: a static value may be annotated as array.
            if it.trace is None or not isinstance(known, (Array, Tree)):
                values[made.name] = known
    return values


def _field_default(it: Interpreter, cls: Class, made: FieldInfo) -> Value:
    declared = made.declared
    if not declared.has_default:
        return UNKNOWN
    specifier = declared.specifier
    if specifier is None or "field" not in specifier.name:
        return run_unit(it, declared.unit, cls.closure).get(made.name, UNKNOWN)
    default = specifier.keywords.get("default", COMPUTED)
    if is_constant(default):
        return Const(default)
    factory = specifier.keywords.get("default_factory")
    return _made_by_factory(it, declared, factory.text) if isinstance(factory, Name) else UNKNOWN


def _made_by_factory(it: Interpreter, made: Field, name: str) -> Value:
    """A new container for a field; what other factories give is not known."""
    if made.unit.module.binds(name):
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
            info = class_info(it, contents.cls)
            copy = contents.copy()
            for name in contents.attributes.keys() - {f.name for f in info.fields}:
                if is_kept_property(it, contents.cls, name):
                    del copy.attributes[name]
            copy.attributes.update(args.keywords)
            return it.allocate(node, copy, "replace")
    if isinstance(receiver, (Tree, ExternalInstance)):
        return receiver
    return UNKNOWN
