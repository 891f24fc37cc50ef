"""JIT301, JIT302 and JIT303: what is jitted the same each time is jitted once, by the module."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

import libcst as cst

from jitlint.absint.code.functions import parameters_of
from jitlint.absint.code.syntax import children, dotted, walk
from jitlint.absint.events import Event, JitInLoop, JitPerCall
from jitlint.diagnostics import Applicability, Fix, Location
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import qualified_name
from jitlint.jaxmodel.transforms import transform

_ACTS = (cst.NamedExpr, cst.Await, cst.Yield, cst.BaseComp, cst.StarredElement)


def fix(event: Event) -> Fix | None:
    """Give the jitted function a name of the module, before the function that uses it."""
    assert isinstance(event, (JitInLoop, JitPerCall))
    draft = Draft(event)
    call = draft.node
    row = _row(draft)
    if not isinstance(call, cst.Call) or row is None:
        return None
    if isinstance(draft.parent(call), cst.Decorator):
        return None
    text = draft.text(call)
    if "#" in text or "\n" in text or call.lpar or not _is_of_module(draft, call):
        return None
    name = _free_name(draft, call)
    draft.insert(Location(row, 1), f"{name} = {text}\n\n\n")
    draft.replace(call, name)
    # What a lambda takes from the module may have other contents in the next call, and what else is
    # called, such as `jax.devices`, may not be meant to be called by an import.
    plain = all(_only_makes(draft, node) for node in walk(call))
    applicability = Applicability.SAFE if plain else Applicability.UNSAFE
    return draft.fix(f"Jit it once, as `{name}` of the module", applicability)


def _only_makes(draft: Draft, node: cst.CSTNode) -> bool:
    """Whether a node is no more than part of making a function of functions."""
    if not isinstance(node, cst.Call):
        return not isinstance(node, cst.Lambda)
    name = qualified_name(draft, dotted(node.func) or "")
    return name == "functools.partial" or transform(name) is not None


def _row(draft: Draft) -> int | None:
    """The row of the module's statement that the place stands in; None at the top of the module."""
    unit = draft.parsed.unit
    if draft.function is None or (unit.indented and unit.cls is None):
        return None
    node: ast.stmt = unit.node if unit.cls is None else unit.cls.node
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    row = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    return None if node.col_offset else row


def _is_of_module(draft: Draft, call: cst.Call) -> bool:
    """Whether an expression says the same above the statement of the module that it stands in."""
    module, unit = draft.module, draft.parsed.unit
    names = _names(call, frozenset())
    if names is None:
        return False
    for name in names:
        if draft.binds_around(name) or module.rebinds(name):
            return False
        known = module.bound(name)
        if not known and not hasattr(builtins, name):
            return False
        if len(known) > 1 or any(
            each.unit.indented or not each.unit.begins_above(unit) for each in known
        ):
            return False
    return True


def _names(node: cst.CSTNode, own: frozenset[str]) -> set[str] | None:
    """The names that an expression takes from outside; None if it does more than that."""
    if isinstance(node, _ACTS):
        return None
    if isinstance(node, cst.Name):
        return set() if node.value in own else {node.value}
    inner: Iterator[cst.CSTNode] = iter(children(node))
    if isinstance(node, (cst.Attribute, cst.Arg)):
        inner = iter((node.value,))
    elif isinstance(node, cst.Lambda):
        if any(parameter.default is not None for parameter in parameters_of(node)):
            return None
        own = own | {parameter.name for parameter in parameters_of(node)}
        inner = iter((node.body,))
    found: set[str] = set()
    for child in inner:
        names = _names(child, own)
        if names is None:
            return None
        found |= names
    return found


def _free_name(draft: Draft, call: cst.Call) -> str:
    """A name that says what is jitted, and that nothing else has."""
    statement = draft.statement_of(call)
    wanted = ""
    if isinstance(statement, cst.Assign) and statement.value is call:
        wanted = dotted(statement.targets[0].target) or ""
    function: cst.CSTNode | None = call.args[0].value if call.args else None
    while not wanted and isinstance(function, (cst.Call, cst.Name, cst.Attribute)):
        if not isinstance(function, cst.Call):
            wanted = dotted(function) or "function"
        elif function.args:
            function = function.args[0].value
        else:
            break
    base = f"_jitted_{wanted.rpartition('.')[2].lstrip('_') or 'function'}"
    name, number = base, 2
    while name in draft.module.text:
        name, number = f"{base}_{number}", number + 1
    return name
