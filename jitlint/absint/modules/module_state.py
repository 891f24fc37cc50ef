"""What modules hold, as functions find it: not what was there when the module was imported.

A guard like ``if not _stack: raise`` or ``if _mesh is None: raise`` passes when the program runs,
since other code has filled the stack and set the mesh by then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.replaced_names import (
    binds_computed_names,
    is_settable,
    patched_libraries,
    runs_texts,
)
from jitlint.absint.values.domain import (
    CHANGES,
    NONE,
    UNKNOWN,
    Class,
    Const,
    External,
    Function,
    ModuleValue,
    Ref,
    Static,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, ListObject

if TYPE_CHECKING:
    import libcst as cst

    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex


def of_name(it: Interpreter, module: ModuleIndex, name: str, value: Value) -> Value:
    """The value of a module-level name in a function, of what importing the module gives it."""
    if is_converted(value) or isinstance(value, _REPLACED):
        return UNKNOWN if _is_replaced(module, name, value) else value
    if it.in_module_code:
        return value
    held = any(isinstance(member, Ref) for member in members_of(value))
    if held and _is_set_from_afar(it, module, name):
        return UNKNOWN
    if isinstance(value, Ref):
        _fill_later(it, value, lambda: it.pushed_in_module(module, name))
        _set_later(it, module, name, value)
    elif isinstance(value, Const) and _is_rebound(it, module, name, value):
        if is_switch(value) and module.fact(is_settable, name):
            # Whoever uses the module may have set it, the one way or the other.
            return UNKNOWN
        return changing(value)
    return value


def is_converted(value: Value) -> bool:
    """Whether code that nobody follows makes something else of values like one: a host's array.

    To put it on a device is why programs go over what they hold, and what is read by a tracer.
    """
    return isinstance(value, Static) and value.type == "ndarray"


#: what programs replace by a like thing: functions of their own, and libraries
_REPLACED: Final = (External, Function, ModuleValue)


def _is_replaced(module: ModuleIndex, name: str, value: Value) -> bool:
    """Whether anything in a module gives one of its names another value, at whatever time."""
    if module.rebinds(name):
        return True
    if isinstance(value, Function) and module.fact(runs_texts):
        return True
    if module.fact(binds_computed_names):
        # `me = sys.modules[__name__]`, and `me.name = value`
        return not isinstance(value, _REPLACED) or bool(module.stores_of(name))
    return any(owner.startswith("sys.modules[") for owner in module.stores_of(name))


def is_patched(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a module puts something else in the place of what it names of a library."""
    patched = it.frame.module.fact(patched_libraries)
    return bool(patched) and it.text(node) in patched


def of_attribute(
    it: Interpreter, owner: Ref, classes: Sequence[Class], name: str, value: Value
) -> Value:
    """The value of an attribute in a function, of what its object was made with."""
    if it.in_module_code or owner.id not in it.module_state.heap:
        return value
    if isinstance(value, Ref):
        _fill_later(it, value, lambda: it.pushed_in_member(classes, name))
    elif owner.id in it.state.heap:
        return value
    elif is_switch(value):
        return changing(value) if is_set_somewhere(it, classes, name) else value
    elif is_converted(value) and _is_set_again(it, classes, name):
        return UNKNOWN
    return value


def _is_set_again(it: Interpreter, classes: Sequence[Class], name: str) -> bool:
    """Whether several methods set an attribute, or anything else does after the object was made.

    A method that alone sets it is called where the object is made.
    """
    setting = {
        (cls.definition.qualname, method)
        for cls in classes
        for method in cls.definition.assigned_attributes.get(name, ())
    }
    return len(setting) > 1 or bool(_stores(it, name))


def of_class(it: Interpreter, classes: Sequence[Class], name: str, value: Value) -> Value:
    """The value of an attribute of a class in a function, of what its body gives it."""
    if it.in_module_code:
        return value
    if isinstance(value, Ref):
        _fill_later(it, value, lambda: it.pushed_in_member(classes, name))
    elif is_switch(value):
        names = {other.definition.name for other in classes} | _OWN_CLASS
        if any(owner.rpartition(".")[2] in names for _, owner in _stores(it, name)):
            return changing(value)
    return value


def of_enclosing(it: Interpreter, env: int, name: str, value: Value) -> Value:
    """The value of a variable of an enclosing function, of what that function left in it.

    Once it has returned, another of the functions that it made may have bound the variable anew.
    """
    frame: Frame | None = it.frame
    converted = is_converted(value)
    if not converted and not is_switch(value):
        return value
    if converted and it.frame.module.stores_of("cell_contents"):
        # A closure that is opened from outside.
        return UNKNOWN
    if name not in it.frame.parsed.unit.rebound:
        return value
    while frame is not None:
        if frame.env == env:
            return value
        frame = frame.parent
    return UNKNOWN if converted else changing(value)


#: how a method writes the class that it belongs to
_OWN_CLASS: Final = frozenset({"cls", "__class__", "type(self)"})


def _set_later(it: Interpreter, module: ModuleIndex, name: str, value: Ref) -> None:
    """Functions set what a dict holds that a module has under a name."""
    contents = it.module_state.heap.get(value.id)
    if not isinstance(contents, DictObject) or ("set", value.id) in it.registered:
        return
    it.registered["set", value.id] = True
    switches = {key: item for key, item in contents.items.items() if is_switch(item)}
    if not switches:
        return
    with it.reads.of(it, module, f"set {name}"):
        keys = {
            key
            for other in it.modules_with(name)
            for owner, key in other.key_stores
            if owner.rpartition(".")[2] == name and (owner != name or other.binds(name))
        }
    changed = {key: changing(item) for key, item in switches.items() if {repr(key), ""} & keys}
    if changed:
        it.module_state.put(value.id, DictObject({**contents.items, **changed}, contents.rest))


def is_switch(value: Value) -> bool:
    """Whether a value is one that guards ask for: it is set, or it is not yet."""
    return isinstance(value, Const) and (not value.value or value.value is True)


def changing(value: Value) -> Value:
    """What stands for a constant that is changed.

    None is there until something else is.  Another value is what most runs have: its way is gone
    unless it ends there.
    """
    return Const(value.value, CHANGES) if isinstance(value, Const) and value != NONE else UNKNOWN


def _fill_later(it: Interpreter, value: Ref, element: Callable[[], Value]) -> None:
    """Nobody keeps an empty container in a module but to fill it."""
    if value.id in it.state.heap and it.state is not it.module_state:
        return
    contents = it.module_state.heap.get(value.id)
    if isinstance(contents, ListObject) and contents.mutable and contents.items == ():
        # What is pushed may be made with what the container holds.
        it.module_state.put(value.id, ListObject(None, UNKNOWN, mutable=True))
        held = element()
        is_known = held != UNKNOWN
        it.module_state.put(value.id, ListObject(None, held, mutable=True, open=is_known))
    elif isinstance(contents, DictObject) and not contents.items and contents.rest is None:
        it.module_state.put(value.id, DictObject({}, UNKNOWN))
        it.module_state.put(value.id, DictObject({}, element()))


def _is_rebound(it: Interpreter, module: ModuleIndex, name: str, value: Value) -> bool:
    """Whether a function gives a module-level name another value, in any module."""
    if module.rebinds(name):
        return True
    if not is_switch(value):
        return False
    for other, owner in _stores(it, name):
        for binding in other.bound(owner.partition(".")[0]):
            target = binding.target
            if target is not None and it.project.find_module(target.qualified, other) is module:
                return True
        if owner.rpartition(".")[2] == module.name.rpartition(".")[2]:
            return True
    return False


def _is_set_from_afar(it: Interpreter, module: ModuleIndex, name: str) -> bool:
    """Whether code sets a name in modules that it finds as it runs, as switches of backends do.

    The module that binds the name is asked too: where it does not mention JAX it is not among those
    that are searched.
    """
    owners = {owner for _, owner in _stores(it, name)} | module.stores_of(name)
    return any(owner.startswith("sys.modules[") for owner in owners)


def is_set_somewhere(it: Interpreter, classes: Sequence[Class], name: str) -> bool:
    """Whether anything gives an attribute of an object another value after it was made."""
    by_methods = any(
        other.definition.assigned_attributes.get(name, set()) - {"__init__", "__post_init__"}
        for other in classes
    )
    return by_methods or bool(_stores(it, name))


def _stores(it: Interpreter, name: str) -> list[tuple[ModuleIndex, str]]:
    """Where an attribute is set, and of what, as far as it is not of a plain ``self``."""
    return [
        (module, owner)
        for module in it.modules_with(name)
        for owner in sorted(module.stores_of(name))
    ]
