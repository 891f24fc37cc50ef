"""JIT101: branches that only choose between values become ``jnp.where``, which computes both."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted, walk
from jitlint.absint.events import Branch, Event
from jitlint.diagnostics import Applicability, Fix
from jitlint.fixes.making.draft import Draft
from jitlint.fixes.making.names import name_of

#: what a value may be made of, so that computing it in vain does nothing
_PURE: Final = (
    cst.Name, cst.Attribute, cst.Integer, cst.Float, cst.BinaryOperation, cst.UnaryOperation,
    cst.Call, cst.Arg, cst.Subscript, cst.SubscriptElement, cst.Index, cst.Slice, cst.Tuple,
    cst.Element,
)  # fmt: skip
#: what is no array, however it is made
_NAMES: Final = frozenset({"None", "True", "False", "NotImplemented", "Ellipsis"})
_MODULES: Final = ("jnp.", "jax.numpy.", "jax.nn.", "jax.lax.", "lax.", "jax.scipy.", "nn.")
#: methods of arrays that give arrays, and change nothing
_METHODS: Final = frozenset(
    """sum mean min max prod std var astype reshape ravel flatten transpose dot clip round squeeze
    cumsum cumprod conj conjugate swapaxes set add multiply divide power""".split()
)


def fix(event: Event) -> Fix | None:
    """Compute both values, and select."""
    assert isinstance(event, Branch)
    draft = Draft(event)
    outer = draft.parent(draft.node)
    if isinstance(outer, cst.IfExp) and outer.test is draft.node:
        return _of_expression(draft, outer)
    if isinstance(outer, cst.If) and outer.test is draft.node:
        return _of_statement(draft, outer)
    return None


def _of_expression(draft: Draft, node: cst.IfExp) -> Fix | None:
    if not _is_pure(node.body) or not _is_pure(node.orelse):
        return None
    jnp = name_of(draft, "jax.numpy")
    if jnp is None:
        return None
    chosen = (node.test, node.body, node.orelse)
    text = f"{jnp}.where({', '.join(map(draft.text, chosen))})"
    draft.replace_between(draft.inner_start(node), draft.inner_end(node), text)
    return draft.fix(f"Select with `{jnp}.where`", Applicability.UNSAFE)


def _of_statement(draft: Draft, node: cst.If) -> Fix | None:
    """``if``, with or without ``else``, that binds one name or returns, each time to a value."""
    if isinstance(draft.parent(node), cst.If) and not isinstance(draft.parent(node), cst.Else):
        # An `elif`: what stands before it would have to be asked, too.
        return None
    first = _only(node.body)
    last = first
    otherwise: str | None = None
    head, value = _choice(draft, first)
    if isinstance(node.orelse, cst.Else):
        last = _only(node.orelse.body)
        other, chosen = _choice(draft, last)
        otherwise = chosen if other == head else None
    elif node.orelse is None and head and _is_bound_before(draft, node, head.removesuffix(" = ")):
        otherwise = head.removesuffix(" = ")
    if value is None or otherwise is None or last is None:
        return None
    jnp = name_of(draft, "jax.numpy")
    if jnp is None:
        return None
    text = f"{head}{jnp}.where({draft.text(node.test)}, {value}, {otherwise})"
    draft.replace_between(draft.start(node), draft.end(last), text)
    return draft.fix(f"Select with `{jnp}.where`", Applicability.UNSAFE)


def _only(body: cst.BaseSuite) -> cst.BaseSmallStatement | None:
    """The one simple statement that a branch consists of."""
    statements = list(body.body)
    if len(statements) == 1 and isinstance(statements[0], cst.SimpleStatementLine):
        statements = list(statements[0].body)
    only = statements[0] if len(statements) == 1 else None
    return only if isinstance(only, cst.BaseSmallStatement) else None


def _choice(draft: Draft, statement: cst.BaseSmallStatement | None) -> tuple[str, str | None]:
    """What a branch does with its value, as text before it, and the value; None if it does more."""
    if isinstance(statement, cst.Return) and statement.value is not None:
        head, value = "return ", statement.value
    elif isinstance(statement, cst.Assign) and len(statement.targets) == 1:
        target = statement.targets[0].target
        if not isinstance(target, cst.Name):
            return "", None
        head, value = f"{target.value} = ", statement.value
    else:
        return "", None
    bare = isinstance(value, cst.Tuple)
    return head, None if bare or not _is_pure(value) else draft.text(value)


def _is_pure(value: cst.BaseExpression) -> bool:
    """Whether an expression gives an array or a number and does nothing else, by its look."""
    if isinstance(value, cst.Tuple):
        return False
    for node in walk(value):
        if not isinstance(node, _PURE):
            return False
        if isinstance(node, cst.Name) and node.value in _NAMES:
            return False
        if isinstance(node, cst.Call) and not _gives_array(node):
            return False
    return True


def _gives_array(call: cst.Call) -> bool:
    name = dotted(call.func)
    if name is not None and name.startswith(_MODULES):
        return True
    return isinstance(call.func, cst.Attribute) and call.func.attr.value in _METHODS


def _is_bound_before(draft: Draft, node: cst.If, name: str) -> bool:
    """Whether a name certainly has a value where an ``if`` begins."""
    function = draft.function
    if function is None or name not in function.bound_names:
        return False
    if any(parameter.name == name for parameter in function.parameters):
        return True
    block = draft.parent(node)
    if not isinstance(block, cst.IndentedBlock):
        return False
    for statement in block.body:
        if statement is node:
            return False
        small = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        for each in small:
            targets = each.targets if isinstance(each, cst.Assign) else ()
            if any(dotted(target.target) == name for target in targets):
                return True
    return False
