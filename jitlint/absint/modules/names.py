"""What a name of a module stands for: what its statements bind, an import, a builtin."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.declarations import decorator_names, is_overload
from jitlint.absint.code.modules_written import swapped_libraries
from jitlint.absint.code.replaced_names import hands_out_names, patched_libraries, stand_ins
from jitlint.absint.machine.bound_globals import globals_bound
from jitlint.absint.machine.in_force import reached
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules import module_state
from jitlint.absint.modules.module_code import run_unit
from jitlint.absint.modules.registries import fill
from jitlint.absint.values.domain import (
    UNKNOWN,
    Class,
    External,
    Function,
    ModuleValue,
    Union,
    Value,
)
from jitlint.absint.values.lattice import join_all
from jitlint.jaxmodel import frameworks
from jitlint.jaxmodel.moved import current_name
from jitlint.jaxmodel.transforms import is_modelled
from jitlint.project.import_targets import ImportTarget
from jitlint.project.written.filled_namespaces import namespaces_taken_over

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import Binding, Unit

_BUILTINS = frozenset(vars(builtins)) | {"__name__", "__file__"}
_NUMPY: Final = External("numpy")
_OF_NO_OBJECT: Final = frozenset({"staticmethod", "classmethod"})


def global_value(
    it: Interpreter, module: ModuleIndex, name: str, above: Unit | None = None
) -> Value:
    """The value of a module-level name or a builtin.

    Args:
      it: the interpreter.
      module: the module.
      name: the name.
      above: the statement of the module above which bindings count, where not all do.
    """
    it.reads.read(module)
    key = (module, name)
    bound = globals_bound(it)
    if bound and (str(module.path), name) in bound:
        return UNKNOWN
    if above is None:
        above = reached(it, module, name)
    if above is None:
        known = it.globals.get(key)
        if known is not None:
            return known
    if it.rows and f"{module.name}.{name}" in it.rows:
        return External(f"{module.name}.{name}")
    bindings = it.project.bindings(module, name)
    if not bindings:
        own = name in _BUILTINS and not module.rebinds(name)
        own = own and f"builtins.{name}" not in module.fact(patched_libraries)
        own = own and not module.fact(hands_out_names)
        external = External(f"builtins.{name}") if own else None
        if external is not None and module.star_imports:
            # `from jax.numpy import *` brings functions with the names of builtins.
            external = _starred(it, module, name) or external
        return it.globals.setdefault(key, external or _foreign(it, module, name))
    bindings = _effective(bindings, name, above)
    # `f = jax.jit(f)`: the name as it is bound above is another one.
    active = (*key, above)
    if active in it.resolving:
        # Modules that import each other in a circle.
        it.unfinished += 1
        return UNKNOWN
    it.resolving.add(active)
    try:
        value = join_all(binding_value(it, binding, name) for binding in bindings)
        if isinstance(value, Union) and sum(b.unit.indented for b in bindings) > 1:
            value = Union(value.members, exclusive=True)
    finally:
        it.resolving.discard(active)
    if all(binding.target is None for binding in bindings):
        fill(it, module, name, value)
    value = module_state.of_name(it, module, name, value)
    running = it.resolving or it.unit_running or it.finishing
    if above is None and (not running or (len(bindings) == 1 and _is_fixed(bindings[0], value))):
        it.globals[key] = value
    return value


def _is_fixed(binding: Binding, value: Value) -> bool:
    """Whether a binding gives the same value while modules are still being run."""
    kind = type(value)
    return kind is External or kind is Class or (kind is Function and not binding.unit.decorated)


def _foreign(it: Interpreter, module: ModuleIndex, name: str) -> Value:
    """A name that a module has from a library that the tables know, and does not list."""
    starred = _starred(it, module, name)
    if starred is not None:
        return starred
    # Modules may take over each other's names in a circle.
    active = (module, "the names taken over", None)
    if name.startswith("_") or active in it.resolving:
        return UNKNOWN
    it.resolving.add(active)
    try:
        for written in it.written(namespaces_taken_over, module):
            head = written.partition(".")[0]
            holder = dotted_value(it, module, written) if module.binds(head) else UNKNOWN
            if isinstance(holder, External) and is_modelled(f"{holder.name}.{name}"):
                return External(current_name(f"{holder.name}.{name}"))
    finally:
        it.resolving.discard(active)
    return UNKNOWN


def _starred(it: Interpreter, module: ModuleIndex, name: str) -> External | None:
    """What a module has from a library of which it imports all that the tables know."""
    for source in module.star_imports:
        if not it.project.has_module(source, module) and is_modelled(f"{source}.{name}"):
            return External(current_name(f"{source}.{name}"))
    return None


def _is_open(it: Interpreter, module: ModuleIndex) -> bool:
    """Whether a module has names that it does not list."""
    return bool(module.star_imports or it.written(namespaces_taken_over, module))


def _effective(bindings: list[Binding], name: str, above: Unit | None) -> list[Binding]:
    """The bindings that can be in force: the last certain one and the conditional ones after it."""
    if len(bindings) == 1:
        return bindings
    if above is not None and bindings[0].unit.module is above.module:
        sides = above.sides(name)
        bindings = [
            each for each, side in zip(bindings, sides, strict=True) if side < 0
        ] or bindings
    bindings = [b for b in bindings if not is_overload(b.unit)] or bindings
    # `try: import jax.numpy as np`, `except ImportError: import numpy as np`: JAX is there.
    bindings = [b for b in bindings if b.target and _is_jax(b.target.module)] or bindings
    start = 0
    for index, binding in enumerate(bindings):
        if binding.unit.certain:
            start = index
    return bindings[start:]


def _is_jax(module: str) -> bool:
    """Whether a module is one of JAX itself, and none of a project that stands in for it."""
    return module.partition(".")[0] in ("jax", "jaxlib")


def binding_value(it: Interpreter, binding: Binding, name: str) -> Value:
    """The value that one binding gives a module-level name."""
    if binding.target is not None:
        value = import_value(it, binding.target, binding.unit.module)
        swapped = value == _NUMPY and name in it.written(swapped_libraries, binding.unit.module)
        return UNKNOWN if swapped else value
    if binding.cls is not None:
        return Class(binding.cls, binding.unit.module)
    unit = binding.unit
    if unit.is_function and not unit.decorated:
        return Function(it.store.of_unit(unit))
    if it.observing and id(unit) not in it.unit_values:
        running = it.running_unit(unit.module)
        if running is not None and running.begins_above(unit):
            # Who watches must not have code run before its turn.
            return UNKNOWN
    values = run_unit(it, unit)
    return values.get(name, UNKNOWN)


def import_value(it: Interpreter, target: ImportTarget, importer: ModuleIndex) -> Value:
    """What an import brings: a module or name of the project, else an external name."""
    others = importer.fact(stand_ins)
    if others and (target.module in others or target.qualified in others):
        return UNKNOWN
    if _has_model(it, target.qualified, importer):
        return External(current_name(target.qualified))
    if target.name is None:
        module = it.project.find_module(target.module, importer)
        return External(current_name(target.module)) if module is None else ModuleValue(module)
    module = it.project.find_module(target.module, importer)
    if module is not None and module is not importer:
        if module.binds(target.name) or _is_open(it, module):
            value = global_value(it, module, target.name)
            if value != UNKNOWN or module.binds(target.name):
                return value
        submodule = it.project.find_module(f"{target.module}.{target.name}", importer)
        return UNKNOWN if submodule is None else ModuleValue(submodule)
    submodule = it.project.find_module(target.qualified, importer)
    if submodule is not None:
        return ModuleValue(submodule)
    if module is not None:
        return UNKNOWN
    if it.project.has_module(target.module.partition(".")[0], importer):
        return UNKNOWN
    return External(current_name(target.qualified))


def _has_model(it: Interpreter, qualified: str, importer: ModuleIndex) -> bool:
    """Whether the tables say what a name stands for, wherever its source may lie.

    A class of a framework, which programs derive from or decorate with, does by metaclasses and
    hooks what the tables know better.  To the framework's own code it is one class among others.
    Its functions are followed: what goes wrong in them is for this project to know.
    """
    if is_modelled(qualified) or qualified in it.rows:
        return True
    own = importer.name.partition(".")[0] == qualified.partition(".")[0]
    return not own and frameworks.base_class(qualified) is not None


def module_attribute(
    it: Interpreter, module: ModuleIndex, name: str, importer: ModuleIndex
) -> Value:
    """``module.name`` for a module of the project, in the code of another."""
    if _has_model(it, f"{module.name}.{name}", importer):
        return External(f"{module.name}.{name}")
    bindings = it.project.bindings(module, name)
    if bindings:
        return global_value(it, module, name)
    submodule = _submodule(it, module, name, importer)
    if submodule is not None:
        return ModuleValue(submodule)
    return _foreign(it, module, name) if _is_open(it, module) else UNKNOWN


def _submodule(
    it: Interpreter, module: ModuleIndex, name: str, importer: ModuleIndex
) -> ModuleIndex | None:
    """A module of a package, in code that names it or has it from the package."""
    return it.project.find_module(f"{module.name}.{name}", module) or it.project.find_module(
        f"{module.name}.{name}", importer
    )


def dotted_value(
    it: Interpreter, module: ModuleIndex, name: str | None, first: Value | None = None
) -> Value:
    """The value of a dotted name that stands in a module.

    Args:
      it: the interpreter.
      module: the module.
      name: the name.
      first: the value of its first part, where a function binds that.
    """
    if not name:
        return UNKNOWN
    head, *rest = name.split(".")
    value = global_value(it, module, head) if first is None else first
    for attribute in rest:
        if isinstance(value, External):
            value = External(current_name(f"{value.name}.{attribute}"))
        elif isinstance(value, ModuleValue):
            value = module_attribute(it, value.module, attribute, module)
        elif isinstance(value, Class):
            value = _class_attribute(it, value, attribute)
        else:
            return UNKNOWN
    return value


def _class_attribute(it: Interpreter, cls: Class, name: str) -> Value:
    """``Class.name`` where that is a class within it, or a method that takes no object."""
    it.reads.read(cls.module)
    inner = cls.definition.classes.get(name)
    if inner is not None:
        return Class(inner, cls.module, cls.closure)
    units = cls.definition.methods.get(name, ())
    if units and not _OF_NO_OBJECT.isdisjoint(decorator_names(units[-1])):
        return Function(it.store.of_unit(units[-1]), cls.closure)
    return UNKNOWN
