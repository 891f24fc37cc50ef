"""Setting an attribute: what is called for it, and what is held under its name afterwards."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import libcst as cst

from jitlint.absint.code.declarations import decorator_names
from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import AttributeLost
from jitlint.absint.modules.module_state import is_converted
from jitlint.absint.program import forgetting
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.hooks import hooks_of
from jitlint.absint.program.members import class_attribute, find_in_class, member_key
from jitlint.absint.values.domain import (
    UNKNOWN,
    BoundMethod,
    Class,
    Const,
    ExternalInstance,
    Function,
    Ref,
    Unknown,
    Value,
    base_function,
)
from jitlint.absint.values.heap import OTHERS, DictObject, Instance

#: attributes of functions that say what they are called with, or run
SIGNATURE: Final = "signature"
BODY: Final = "body"
_OF_FUNCTIONS: Final = {
    "__signature__": SIGNATURE,
    "__wrapped__": SIGNATURE,
    "__code__": BODY,
    "__defaults__": BODY,
    "__kwdefaults__": BODY,
}


def is_rewritten(it: Interpreter, code: Code, what: str) -> bool:
    """Whether the signature or the body of a function is set to another one, as far as is seen."""
    if (what, code) in it.registered:
        return True
    if code.qualname != code.name:
        # Of what a function makes, running that tells.
        return False
    module = code.module
    return any(
        owner.rpartition(".")[2] == code.name
        for name, of_it in _OF_FUNCTIONS.items()
        if of_it == what
        for owner in module.stores_of(name)
    )


def setter_of(it: Interpreter, receiver: Ref, name: str) -> Value | None:
    """What Python calls to set an attribute of an object, None if nothing.

    A function takes the object, the name and the value; a method bound to a descriptor the object
    and the value, and so does the setter of a property.
    """
    contents = it.contents(receiver)
    if not isinstance(contents, Instance):
        return None
    hook = hooks_of(it, contents.cls).sets
    if hook is not None:
        # What it does itself to set an attribute is done without it.
        return None if hook.code in it.stack else hook
    for cls in class_info(it, contents.cls).mro:
        for unit in cls.definition.methods.get(name, ()):
            if f"{name}.setter" in decorator_names(unit):
                return BoundMethod(Function(it.store.of_unit(unit), cls.closure), receiver)
        if name in cls.definition.attributes:
            found = find_in_class(it, cls, name)
            raw = None if found is None else found[1]
            return class_attribute(it, raw, "__set__") if isinstance(raw, Ref) else None
    return None


def call_setter(
    it: Interpreter, setter: Value, owner: Ref, name: str, value: Value, node: cst.CSTNode
) -> None:
    """Have what sets an attribute do so, as :func:`setter_of` gives it."""
    if isinstance(setter, BoundMethod):
        is_property = setter.receiver == owner
        it.call(setter, Arguments([value] if is_property else [owner, value]), node)
        return
    assert isinstance(setter, Function)
    before = it.contents(owner).attributes.get(name)
    with suppress(Terminated):
        it.follow(setter, Arguments([owner, Const(name), value]), node, follow=True)
    contents = it.contents(owner)
    if isinstance(contents, Instance) and contents.attributes.get(name) is before is not None:
        # It was not followed, or keeps what it is given somewhere else.
        it.edit(owner).attributes[name] = Unknown()


def set_plainly(it: Interpreter, owner: Ref, name: str, value: Value) -> None:
    """Let an object hold a value under a name, as far as its class leaves it as it is."""
    contents = it.edit(owner)
    assert isinstance(contents, Instance)
    if name == "__class__":
        _become(it, owner, value)
    elif name == "__dict__":
        set_all(it, owner, value)
    elif is_converted(value) and _converts(it, contents.cls, name):
        contents.attributes[name] = Unknown()
    else:
        if value == UNKNOWN:
            value = _declared_number(it, contents.cls, name, value)
        contents.attributes[name] = value


def _declared_number(it: Interpreter, cls: Class, name: str, value: Value) -> Value:
    """What a field holds of which only its annotation is known: a number of Python, or a text."""
    fields = class_info(it, cls).fields
    declared = next((made.annotation.number for made in fields if made.name == name), UNKNOWN)
    return value if declared == UNKNOWN else declared


def _converts(it: Interpreter, cls: Class, name: str) -> bool:
    """Whether a class of which not all is known may make something else of what it is given."""
    if hooks_of(it, cls).stored:
        return True
    # A descriptor, whoever has made it.
    found = find_in_class(it, cls, name)
    declared = any(made.name == name for made in class_info(it, cls).fields)
    return found is not None and found[1] == UNKNOWN and not declared


def _become(it: Interpreter, owner: Ref, value: Value) -> None:
    """``x.__class__ = value``."""
    contents = it.edit(owner)
    if isinstance(value, Class):
        contents.cls = value
    else:
        forgetting.become(it, owner)


def set_all(it: Interpreter, owner: Ref, value: Value) -> None:
    """``x.__dict__ = value``."""
    entries = it.contents(value) if isinstance(value, Ref) else None
    contents = it.edit(owner)
    if not isinstance(contents, Instance):
        return
    if isinstance(entries, DictObject):
        contents.attributes = {k: v for k, v in entries.items.items() if isinstance(k, str)}
        if entries.rest is None:
            return
    forgetting.attributes(it, owner)


def set_on(it: Interpreter, owner: Value, name: str | None, value: Value) -> None:
    """An attribute of a class or function is set; one of which the name is not known if None."""
    if isinstance(owner, Class) and it.trace is None:
        if name is not None and it.in_module_code:
            it.reads.changed(owner.module)
            it.registered[member_key(owner, name)] = value
        return
    function = base_function(owner)
    if function is None:
        return
    changed = set(_OF_FUNCTIONS.values()) if name is None else {_OF_FUNCTIONS.get(name)}
    for what in changed - {None}:
        it.reads.changed(function.code.module)
        it.registered[what, function.code] = True


def set_within(
    it: Interpreter, holder: cst.CSTNode, owner: ExternalInstance, name: str, value: Value
) -> None:
    """An attribute of a library's object is set: ``self.count.value = x``.

    Such objects are values here, so that what holds this one holds another from now on.

    Args:
      it: the interpreter.
      holder: the expression that gave the object.
      owner: the object.
      name: the attribute, of those that are known of it.
      value: what it is now.
    """
    held = dict(owner.attributes)
    if name not in held or not isinstance(holder, cst.Attribute) or dotted(holder) is None:
        return
    place, attribute = it.ev(holder.value), holder.attr.value
    contents = it.contents(place) if isinstance(place, Ref) else None
    if not isinstance(place, Ref) or not isinstance(contents, Instance):
        return
    if contents.attributes.get(attribute) == owner:
        made = ExternalInstance(owner.cls, tuple({**held, name: value}.items()))
        it.edit(place).attributes[attribute] = made


def remake(it: Interpreter, cls: Class, made: Ref) -> None:
    """What wraps the making of an object goes over it once it is made."""
    if hooks_of(it, cls).remade and isinstance(it.contents(made), Instance):
        it.forget((made,))
        it.edit(made).attributes[OTHERS] = UNKNOWN


def delete(it: Interpreter, owner: Value, name: str) -> None:
    """``del owner.name``: what its class has of that name is there again."""
    if not isinstance(owner, Ref):
        set_on(it, owner, name, UNKNOWN)
    elif isinstance(it.contents(owner), Instance):
        it.signal(AttributeLost(owner, name))
        it.edit(owner).attributes[name] = Unknown()
