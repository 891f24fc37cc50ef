"""JIT202: what a trace would leave in a list or dict is handed to it when the program runs."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.functions import target_names
from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import CapturedMutation, Event
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft, scopes_around
from jitlint.fixes.making.names import member_of, name_of

#: methods that put one value into a container
_METHODS: Final = frozenset({"append", "appendleft"})
#: what is no array, or changes when it is moved
_STAYS: Final = (
    cst.BaseString, cst.NamedExpr, cst.Await, cst.Yield, cst.StarredElement, cst.Lambda,
)  # fmt: skip


def fix(event: Event) -> Fix | None:
    """Put it in with ``jax.debug.callback``, where the function does not look at it again."""
    assert isinstance(event, CapturedMutation)
    draft = Draft(event)
    statement = draft.statement_of(draft.node)
    if not event.traced or statement is None or draft.function is None:
        return None
    if any(isinstance(node, _STAYS) for node in walk(statement)):
        return None
    if isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Call):
        return _called(draft, statement.value)
    if isinstance(statement, cst.Assign) and len(statement.targets) == 1:
        return _stored(draft, statement, statement.targets[0].target)
    return None


def _called(draft: Draft, call: cst.Call) -> Fix | None:
    method = call.func
    if not isinstance(method, cst.Attribute) or method.attr.value not in _METHODS or call.lpar:
        return None
    if len(call.args) != 1 or call.args[0].star or call.args[0].keyword is not None:
        return None
    if _is_read(draft, method.value, call):
        return None
    jax = name_of(draft, "jax")
    if jax is None:
        return None
    draft.before(call, f"{jax}.debug.callback(")
    draft.replace_between(draft.end(method), draft.start(call.args[0].value), ", ")
    return _fixed(draft, jax)


def _stored(draft: Draft, statement: cst.Assign, target: cst.CSTNode) -> Fix | None:
    """``table[key] = value``."""
    if not isinstance(target, cst.Subscript) or len(target.slice) != 1 or target.lpar:
        return None
    index = target.slice[0].slice
    if not isinstance(index, cst.Index) or _is_read(draft, target.value, statement):
        return None
    jax, partial = name_of(draft, "jax"), member_of(draft, "functools", "partial")
    if jax is None or partial is None:
        return None
    table, key = draft.text(target.value), draft.text(index.value)
    draft.replace_between(
        draft.start(target),
        draft.start(statement.value),
        f"{jax}.debug.callback({partial}({table}.__setitem__, {key}), ",
    )
    draft.behind(statement.value, ")")
    return _fixed(draft, jax)


def _fixed(draft: Draft, jax: str) -> Fix | None:
    return draft.fix(f"Store it with `{jax}.debug.callback`", Applicability.UNSAFE)


def _is_read(draft: Draft, container: cst.BaseExpression, change: cst.CSTNode) -> bool:
    """Whether the function around a change does anything else with the container."""
    name = dotted(container if not isinstance(container, cst.Subscript) else container.value)
    function = draft.function
    if name is None or function is None:
        return True
    if "." not in name and name in function.bound_names:
        # Made by the traced function itself, or given to it.
        return True
    if "." not in name and _is_of_trace_around(draft, name):
        return True
    inside = set(map(id, walk(change)))
    return any(
        id(node) not in inside
        and (dotted(node) == name or (name in _bound(node) if "." not in name else False))
        for node in function.own_nodes
    )


def _is_of_trace_around(draft: Draft, name: str) -> bool:
    """Whether a function around binds a name that is traced itself: it reads what is there then."""
    binding = next(
        (
            scope.node
            for scope in scopes_around(draft.parsed, draft.node)
            if scope is not None and name in scope.bound_names
        ),
        None,
    )
    way = draft.event.chain[0]
    if not isinstance(binding, cst.FunctionDef) or way is None:
        return False
    started = way.steps()[0].place
    return started.parsed is not draft.parsed or not draft.parsed.holds(binding.body, started.node)


def _bound(node: cst.CSTNode) -> set[str]:
    return set(target_names(node.target)) if isinstance(node, cst.AssignTarget) else set()
