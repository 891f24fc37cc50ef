"""What a name stands for: local, enclosing, module, import, builtin."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import decorated
from jitlint.absint.code.syntax import UnsupportedSyntaxError
from jitlint.absint.machine.frames import HOST, Frame, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import STATEMENTS, evaluates, verb
from jitlint.absint.program.registries import fill
from jitlint.absint.values.domain import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Class,
    External,
    Function,
    ModuleValue,
    Union,
    Value,
)
from jitlint.absint.values.heap import Variables
from jitlint.absint.values.lattice import join_all
from jitlint.jaxmodel.transforms import is_modelled
from jitlint.project.index import ImportTarget, dotted

if TYPE_CHECKING:
    from jitlint.project.index import Binding, ModuleIndex, Unit

_BUILTINS = frozenset(vars(builtins)) | {"__name__", "__file__"}


@verb("look up")
def lookup(it: Interpreter, name: str) -> Value:
    """The value of a name in the current frame."""
    frame = it.frame
    get = it.state.get
    variables = get(frame.env)
    value: Value | None
    if variables is not None and name not in frame.outer and name not in frame.globals:
        value = variables.get(name)
        if value is not None:
            return value
    if frame.code is None and frame.parsed.unit.cls is not None and not frame.closure:
        from jitlint.absint.program.classes import find_in_class

        # A class body sees the names that it bound before.
        owner = Class(frame.parsed.unit.cls, frame.module)
        definition = owner.definition
        if name in definition.methods or name in definition.attributes:
            found = find_in_class(it, owner, name)
            if found is not None:
                return found[1]
    for env in frame.closure:
        variables = get(env)
        if variables is not None:
            value = variables.get(name)
            if value is not None:
                return value
    return global_value(it, frame.module, name, frame.row_limit)


def global_value(
    it: Interpreter, module: ModuleIndex, name: str, row_limit: int | None = None
) -> Value:
    """The value of a module-level name or a builtin."""
    it.reads.touch(module)
    key = (module, name)
    if row_limit is None:
        known = it.globals.get(key)
        if known is not None:
            return known
    if it.rows and f"{module.name}.{name}" in it.rows:
        return External(f"{module.name}.{name}")
    bindings = it.project.bindings(module, name)
    if not bindings:
        external = External(f"builtins.{name}") if name in _BUILTINS else None
        return it.globals.setdefault(key, external or _star_external(it, module, name))
    bindings = _effective(bindings, row_limit)
    if key in it.resolving:
        # Modules that import each other in a circle.
        return UNKNOWN
    it.resolving.add(key)
    try:
        value = join_all(binding_value(it, binding, name) for binding in bindings)
        if isinstance(value, Union) and sum(b.unit.indented for b in bindings) > 1:
            value = Union(value.members, exclusive=True)
    finally:
        it.resolving.discard(key)
    running = it.resolving or it.unit_running
    if row_limit is None and (
        not running or (len(bindings) == 1 and _is_fixed(bindings[0], value))
    ):
        it.globals[key] = value
    if all(binding.target is None for binding in bindings):
        fill(it, module, name, value)
    return value


def _is_fixed(binding: Binding, value: Value) -> bool:
    """Whether a binding gives the same value while modules are still being run."""
    kind = type(value)
    return kind is External or kind is Class or (kind is Function and not decorated(binding.unit))


def _star_external(it: Interpreter, module: ModuleIndex, name: str) -> Value:
    """A name from a star import of a library that the tables know."""
    for source in module.star_imports:
        if not it.project.has_module(source) and is_modelled(f"{source}.{name}"):
            return External(f"{source}.{name}")
    return UNKNOWN


def _effective(bindings: list[Binding], row_limit: int | None) -> list[Binding]:
    """The bindings that can be in force: the last certain one and the conditional ones after it."""
    if len(bindings) == 1:
        return bindings
    if row_limit is not None:
        before = [binding for binding in bindings if binding.unit.first < row_limit]
        bindings = before or bindings
    bindings = [b for b in bindings if not _is_overload(b)] or bindings
    # `try: import jax.numpy as np`, `except ImportError: import numpy as np`: JAX is there.
    bindings = [b for b in bindings if b.target and b.target.module.startswith("jax")] or bindings
    start = 0
    for index, binding in enumerate(bindings):
        if not binding.unit.indented:
            start = index
    return bindings[start:]


def _is_overload(binding: Binding) -> bool:
    node = binding.unit.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return any((dotted(d) or "").rpartition(".")[2] == "overload" for d in node.decorator_list)


def binding_value(it: Interpreter, binding: Binding, name: str) -> Value:
    """The value that one binding gives a module-level name."""
    if binding.target is not None:
        return import_value(it, binding.target, binding.unit.module)
    if binding.cls is not None:
        return Class(binding.cls, binding.unit.module)
    unit = binding.unit
    if unit.is_function and not decorated(unit):
        return Function(it.store.of_unit(unit))
    values = run_unit(it, unit)
    return values.get(name, UNKNOWN)


def import_value(it: Interpreter, target: ImportTarget, importer: ModuleIndex) -> Value:
    """What an import brings: a module or name of the project, else an external name."""
    if is_modelled(target.qualified) or target.qualified in it.rows:
        return External(target.qualified)
    if target.name is None:
        module = it.project.find_module(target.module, importer)
        return External(target.module) if module is None else ModuleValue(module)
    module = it.project.find_module(target.module, importer)
    if module is not None and module is not importer:
        if target.name in module.bindings or module.star_imports:
            value = global_value(it, module, target.name)
            if value != UNKNOWN or target.name in module.bindings:
                return value
        submodule = it.project.find_module(f"{target.module}.{target.name}", importer)
        return UNKNOWN if submodule is None else ModuleValue(submodule)
    submodule = it.project.find_module(target.qualified, importer)
    if submodule is not None:
        return ModuleValue(submodule)
    if module is not None:
        return UNKNOWN
    if it.project.has_module(target.module.partition(".")[0]):
        return UNKNOWN
    return External(target.qualified)


def run_unit(it: Interpreter, unit: Unit) -> dict[str, Value]:
    """Execute a statement of a module body once, in host code; the names that it binds."""
    it.reads.touch(unit.module)
    known = it.unit_values.get(id(unit))
    if known is not None:
        return known
    if id(unit) in it.unit_running:
        return {}
    it.unit_running.add(id(unit))
    try:
        with it.reads.of(it, unit.module, (unit.first, unit.qualname)):
            values = _execute(it, unit)
    finally:
        it.unit_running.discard(id(unit))
    it.unit_values[id(unit)] = values
    return values


def _execute(it: Interpreter, unit: Unit) -> dict[str, Value]:
    try:
        parsed = it.store.parse(unit)
    except UnsupportedSyntaxError as error:
        it.unsupported.setdefault(unit.module.path, error)
        return {}
    env = it.new_id("unit", id(unit))
    frame = Frame(
        module=unit.module,
        parsed=parsed,
        code=None,
        qualname=unit.qualname,
        context=HOST,
        env=env,
        row_limit=unit.first if unit.cls is None else None,
    )
    try:
        with it.at_module_level(), it.entered(frame):
            it.state.put(env, Variables())
            if unit.is_function:
                node = parsed.statement
                assert isinstance(node, cst.FunctionDef)
                value: Value = Function(it.load(it.store.of_unit(unit)))
                return {node.name.value: it.decorate(value, node.decorators)}
            STATEMENTS[type(parsed.statement)](it, parsed.statement)
    except Terminated:
        pass
    return dict(it.module_state.get(env) or {})


def import_statement(
    it: Interpreter, node: cst.Import | cst.ImportFrom
) -> Iterator[tuple[str, Value]]:
    """The names that an import inside a function binds, with their values."""
    module = it.frame.module
    if isinstance(node, cst.Import):
        for alias in node.names:
            name = _dotted(alias.name)
            if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
                yield alias.asname.name.value, import_value(it, ImportTarget(name), module)
            else:
                top = name.partition(".")[0]
                yield top, import_value(it, ImportTarget(top), module)
        return
    source = module.absolute(_dotted(node.module) if node.module else None, len(node.relative))
    if isinstance(node.names, cst.ImportStar):
        return
    for alias in node.names:
        name = _dotted(alias.name)
        bound = name
        if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
            bound = alias.asname.name.value
        yield bound, import_value(it, ImportTarget(source, name), module)


def _dotted(node: cst.CSTNode) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    assert isinstance(node, cst.Name)
    return node.value


def module_attribute(it: Interpreter, module: ModuleIndex, name: str) -> Value:
    """``module.name`` for a module of the project."""
    if is_modelled(f"{module.name}.{name}"):
        return External(f"{module.name}.{name}")
    bindings = it.project.bindings(module, name)
    if bindings:
        return global_value(it, module, name)
    submodule = it.project.find_module(f"{module.name}.{name}")
    return UNKNOWN if submodule is None else ModuleValue(submodule)


_CONSTANTS = {"None": NONE, "True": TRUE, "False": FALSE}


@evaluates(cst.Name)
def _name(it: Interpreter, node: cst.Name) -> Value:
    name = node.value
    frame = it.frame
    variables = it.state.heap.get(frame.env)
    if variables is not None:
        # Most names are local ones: found here, without the calls that `lookup` makes.
        value: Value | None = variables.get(name)
        if value is not None and name not in frame.outer and name not in frame.globals:
            return value
    constant = _CONSTANTS.get(name)
    return lookup(it, name) if constant is None else constant
