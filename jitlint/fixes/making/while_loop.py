"""JIT102: ``while`` becomes ``jax.lax.while_loop``; what the loop binds is what it carries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import Event, Loop
from jitlint.diagnostics import Applicability, Fix, Location
from jitlint.fixes.making.bindings import is_bound_before
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of

#: what leaves the loop, binds in other ways than by ``=``, or changes what lies outside
_REFUSED: Final = (
    cst.Break, cst.Continue, cst.Return, cst.Raise, cst.Yield, cst.Await, cst.Global, cst.Nonlocal,
    cst.Del, cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.NamedExpr, cst.With, cst.Try,
    cst.TryStar, cst.Import, cst.ImportFrom, cst.Match, cst.While,
)  # fmt: skip


def fix(event: Event) -> Fix | None:
    """Make functions of the condition and the body, and have JAX run them."""
    assert isinstance(event, Loop)
    draft = Draft(event)
    loop = next((it for it in draft.around(draft.node) if isinstance(it, cst.While)), None)
    function = draft.function
    if loop is None or function is None or loop.orelse is not None:
        return None
    if any(isinstance(node, cst.NamedExpr) for node in walk(loop.test)):
        # What the test binds is bound in neither of the two functions.
        return None
    if not isinstance(loop.body, cst.IndentedBlock) or "\t" in _indent(draft, loop):
        return None
    names = _carried(draft, loop, function)
    if not names:
        return None
    jax = name_of(draft, "jax")
    if jax is None:
        return None
    go_on, turn = _free_name(draft, function, "go_on"), _free_name(draft, function, "turn")
    outer, inner = _indent(draft, loop), _indent(draft, loop.body.body[0])
    carry = ", ".join(names)
    unpacked = f"{inner}{carry} = carry\n" if len(names) > 1 else ""
    parameter = "carry" if len(names) > 1 else names[0]
    condition = draft.text(loop.test)
    if "\n" in condition and not loop.test.lpar:
        return None
    head = draft.end(loop.test)
    colon = Location(head.row, head.column + len(loop.whitespace_before_colon.value))
    draft.replace_between(draft.start(loop), colon, f"def {go_on}({parameter})")
    after = Location(colon.row + 1, 1)
    returned = carry if len(names) == 1 else f"({carry})"
    draft.insert(
        after,
        f"{unpacked}{inner}return {condition}\n\n{outer}def {turn}({parameter}):\n{unpacked}",
    )
    last = draft.last_row(loop.body)
    if not draft.module.written(last, last)[0].endswith("\n"):
        return None
    end = Location(last + 1, 1)
    draft.insert(
        end,
        f"{inner}return {carry}\n\n{outer}{carry} = {jax}.lax.while_loop("
        f"{go_on}, {turn}, {returned})\n",
    )
    return draft.fix(f"Loop with `{jax}.lax.while_loop`", Applicability.UNSAFE)


def _indent(draft: Draft, node: cst.CSTNode) -> str:
    start = draft.start(node)
    return draft.between(Location(start.row, 1), start)


def _free_name(draft: Draft, function: Code, name: str) -> str:
    """A name that neither the function nor its module binds or reads."""
    read = {node.value for node in function.own_nodes if isinstance(node, cst.Name)}
    taken = function.bound_names | read
    while name in taken or draft.module.binds(name) or draft.binds_around(name):
        name += "_"
    return name


def _carried(draft: Draft, loop: cst.While, function: Code) -> list[str]:
    """The names that the loop binds and hands on; none where that is not all that it does."""
    found: dict[str, Location] = {}
    for node in walk(loop.body):
        if isinstance(node, _REFUSED) or _changes_object(node):
            return []
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For)):
            names = list(target_names(node.target))
            plain = all(isinstance(it, _PLAIN) for it in walk(node.target))
            if not names or not plain:
                return []
            place = draft.start(node.target)
            found.update((name, min(place, found.get(name, place))) for name in names)
    ordered = sorted(found, key=lambda name: found[name])
    carried = [name for name in ordered if is_bound_before(draft, loop, function, name)]
    used = {node.value for node in _after(draft, loop) if isinstance(node, cst.Name)}
    local = found.keys() - set(carried)
    in_test = {node.value for node in walk(loop.test) if isinstance(node, cst.Name)}
    return [] if local & (used | in_test) else carried


def _changes_object(node: cst.CSTNode) -> bool:
    """Whether a statement calls a method for what it does: ``errors.append(x)``."""
    call = node.value if isinstance(node, cst.Expr) else None
    name = dotted(call.func) if isinstance(call, cst.Call) else None
    return name is not None and "." in name and not name.startswith("jax.")


_PLAIN: Final = (cst.Name, cst.Tuple, cst.Element)


def _after(draft: Draft, loop: cst.While) -> Iterator[cst.CSTNode]:
    """What may run after a loop: all that stands behind it, and around it in other loops."""
    top: cst.CSTNode = loop
    for outer in draft.around(loop):
        if isinstance(outer, (cst.For, cst.While)):
            top = outer
        elif isinstance(outer, (cst.FunctionDef, cst.Lambda)):
            inside = {id(node) for node in walk(loop)}
            end = draft.last_row(loop.body)
            repeated = {id(node) for node in walk(top)} if top is not loop else set()
            for node in walk(outer.body):
                if id(node) in inside or not isinstance(node, cst.Name):
                    continue
                if id(node) in repeated or draft.start(node).row > end:
                    yield node
            return
