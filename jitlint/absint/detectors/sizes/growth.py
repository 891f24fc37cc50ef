"""What gets longer, or shorter, each time that a piece of code runs.

``x = jnp.concatenate([x, new])``, ``tokens.append(token)``, ``queue = queue[1:]``.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import dotted
from jitlint.absint.detectors.sizes.bindings import Binding
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.values.domain import Function, Ref
from jitlint.absint.values.heap import ListObject
from jitlint.jaxmodel.sizes import JOINING, KEEPING, KEEPING_METHODS, STACKING, plain_name

_LENGTHENING: Final = frozenset({"append", "extend", "insert", "appendleft"})
_SHORTENING: Final = frozenset(
    {"clear", "pop", "popleft", "popitem", "remove", "discard", "resize", "truncate"}
)
_LISTS: Final = (cst.List, cst.ListComp)


def growth(scope: Scope, path: str) -> cst.CSTNode | None:
    """Where something gets longer or shorter each time, None if it does not, or not for sure.

    Args:
      scope: what runs each time.
      path: the name or attribute that holds it.
    """
    if scope.is_function and "." not in path:
        # What a function binds is another thing in each of its calls.
        return None
    found: cst.CSTNode | None = None
    for call in scope.written.calls.get(path, ()):
        assert isinstance(call.func, cst.Attribute)
        method = call.func.attr.value
        if method in _SHORTENING:
            return None
        if method in _LENGTHENING and _is_list(scope, path):
            found = call
    for binding in scope.written.bindings.get(path, ()):
        if not _lengthens(scope, binding, path):
            return None
        found = binding.node
    return None if found is None or _is_limited(scope, path) else found


def growing_methods(scope: Scope, path: str) -> list[str]:
    """The other methods of the class that make an attribute of their object longer.

    There are none where one of them sets it to something else.

    Args:
      scope: a method.
      path: the attribute, as the method writes it.
    """
    code = scope.code
    if code is None or code.cls is None or path.count(".") != 1:
        return []
    found = []
    for name, units in code.cls.methods.items():
        for unit in units:
            if name in ("__init__", code.name) or path not in unit.text:
                continue
            receiver = cst.Name(path.partition(".")[0])
            body = scope.inside(Function(scope.it.store.of_unit(unit)), receiver, ())
            if body is None:
                return []
            if growth(body, path) is not None:
                found.append(name)
            elif path in body.written.bindings:
                return []
    return found


def _lengthens(scope: Scope, binding: Binding, path: str) -> bool:
    if binding.value is None or binding.is_loop or binding.index:
        return False
    if not binding.is_step:
        return _relation(scope, binding.value, path) in ("longer", "shorter")
    operator = getattr(binding.node, "operator", None)
    if not isinstance(operator, cst.AddAssign):
        return False
    return isinstance(binding.value, (*_LISTS, cst.Tuple)) or (
        _is_list(scope, path) and isinstance(binding.value, cst.Name)
    )


def _is_list(scope: Scope, path: str) -> bool:
    """Whether something is certainly a list: a deque may be of one length for ever."""
    defined = scope.definition(path)
    if defined is not None and defined.value is not None and not defined.index:
        value = defined.value
        made = isinstance(value, cst.Call) and dotted(value.func) == "list"
        if made or isinstance(value, _LISTS):
            return True
        if isinstance(value, cst.Call):
            return False
    if scope.module.has_word("deque"):
        return False
    known = scope.value(path)
    contents = scope.it.contents(known) if isinstance(known, Ref) else None
    return isinstance(contents, ListObject) and contents.mutable and not contents.iterator


def _is_limited(scope: Scope, path: str) -> bool:
    """Whether the code asks how long something is, and goes on in another way."""
    lengths = (f"len({path})", f"{path}.shape[0]")
    for node in scope.parsed.fact(_tests, scope.repeated):
        if any(length in scope.source(node) for length in lengths):
            return True
    return False


def _tests(node: cst.CSTNode) -> tuple[cst.BaseExpression, ...]:
    """The tests of a piece of code that ask whether a number has been reached exactly."""
    from jitlint.absint.code.syntax import walk_own

    return tuple(
        inner
        for inner in walk_own(node)
        if isinstance(inner, cst.Comparison)
        and isinstance(inner.comparisons[0].operator, (cst.Equal, cst.NotEqual))
    )


def _relation(scope: Scope, node: cst.BaseExpression, path: str) -> str:
    """Whether an expression gives the ``same`` as a path holds, or that made longer or shorter.

    It is empty where something else is given: what is cut and joined may be as long as before.
    """
    if dotted(node) == path:
        return "same"
    if isinstance(node, cst.Name):
        made = scope.written.bindings.get(node.value, ())
        plain = len(made) == 1 and not made[0].is_loop and not made[0].is_step and not made[0].index
        value = made[0].value if plain else None
        return "" if value is None or value is node else _guarded(scope, value, path)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(other, (cst.List, cst.Tuple)) and other.elements:
                return "longer" if _is_kept(scope, one, path) else ""
        return ""
    if isinstance(node, (cst.List, cst.Tuple)):
        kept = [
            element
            for element in node.elements
            if isinstance(element, cst.StarredElement) and _is_kept(scope, element.value, path)
        ]
        return "longer" if len(kept) == 1 and len(node.elements) > 1 else ""
    if isinstance(node, cst.Subscript):
        return _of_subscript(scope, node, path)
    return _of_call(scope, node, path) if isinstance(node, cst.Call) else ""


def _is_kept(scope: Scope, node: cst.BaseExpression, path: str) -> bool:
    """Whether an expression has all of what a path holds."""
    return _relation(scope, node, path) in ("same", "longer")


def _guarded(scope: Scope, node: cst.BaseExpression, path: str) -> str:
    question = ("relation", id(node), path)
    if question in scope.active:
        return ""
    scope.active.add(question)
    try:
        return _relation(scope, node, path)
    finally:
        scope.active.discard(question)


def _of_subscript(scope: Scope, node: cst.Subscript, path: str) -> str:
    """``x[1:]`` and ``x[:-1]`` are shorter; ``np.r_[x, y]`` is longer."""
    if scope.library(node.value) in ("numpy.r_", "jax.numpy.r_"):
        parts = [element.slice for element in node.slice]
        kept = [p for p in parts if isinstance(p, cst.Index) and _is_kept(scope, p.value, path)]
        return "longer" if len(kept) == 1 and len(parts) > 1 else ""
    if len(node.slice) != 1 or _relation(scope, node.value, path) not in ("same", "shorter"):
        return ""
    cut = node.slice[0].slice
    if not isinstance(cut, cst.Slice) or cut.step is not None:
        return ""
    first = isinstance(cut.lower, cst.Integer) and cut.upper is None and cut.lower.value != "0"
    last = isinstance(cut.upper, cst.UnaryOperation) and cut.lower is None
    return "shorter" if first or last else ""


def _of_call(scope: Scope, node: cst.Call, path: str) -> str:
    name = plain_name(scope.library(node.func))
    first = node.args[0].value if node.args and not node.args[0].star else None
    if name and first is not None:
        if name in JOINING:
            joined = scope.meant(first)
            parts = (
                [arg.value for arg in node.args if arg.keyword is None]
                if name == "append"
                else [element.value for element in joined.elements]
                if isinstance(joined, (cst.List, cst.Tuple))
                else []
            )
            kept = [part for part in parts if _is_kept(scope, part, path)]
            return "longer" if kept and len(parts) > 1 else ""
        return _relation(scope, first, path) if name in KEEPING | STACKING else ""
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in KEEPING_METHODS:
        return _relation(scope, node.func.value, path)
    return _of_function(scope, node, path)


def _of_function(scope: Scope, node: cst.Call, path: str) -> str:
    """What a function of the project gives of what it is given."""
    body = scope.called(node)
    if body is None:
        return ""
    names = [name for name, (_, given) in body.given.items() if dotted(given) == path]
    results = list(body.results())
    if len(names) != 1 or len(results) != 1:
        return ""
    return _guarded(body, results[0], names[0])
