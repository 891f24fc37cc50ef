"""How a file calls what a fix needs: by its own alias, or by one that an import adds."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jitlint.diagnostics import Location
from jitlint.project.index import ModuleIndex

if TYPE_CHECKING:
    from jitlint.fixes.making.draft import Draft
    from jitlint.project.units import Unit

#: how programs import what they do not import yet, and the name that this binds
_USUAL: Final = {
    "jax": ("import jax", "jax"),
    "jax.numpy": ("import jax.numpy as jnp", "jnp"),
    "numpy": ("import numpy as np", "np"),
    "functools": ("import functools", "functools"),
    "jax.experimental.checkify": ("from jax.experimental import checkify", "checkify"),
}


def name_of(draft: Draft, module: str) -> str | None:
    """What a module is called at the place of a fix; the import is added where there is none.

    Args:
      draft: the fix.
      module: the module's dotted name, one of those that fixes need.

    Returns:
      The name, such as ``jnp``; None where it cannot be had without harm.
    """
    index = draft.module
    for name, bindings in index.bindings.items():
        if len(bindings) != 1 or bindings[0].unit.indented:
            continue
        target = bindings[0].target
        if target is not None and target.qualified == module and _reaches(draft, name):
            return name
    package, _, rest = module.partition(".")
    if rest and _imports_below(index, module):
        outer = name_of(draft, package)
        return None if outer is None else f"{outer}.{rest}"
    statement, name = _USUAL[module]
    if name in index.bindings or index.star_imports or not _reaches(draft, name):
        return None
    where, text = _import_at(index, statement)
    draft.insert(Location(where, 1), text)
    return name


def member_of(draft: Draft, module: str, name: str) -> str | None:
    """What a function of a module is called at the place of a fix, as :func:`name_of` has it.

    Args:
      draft: the fix.
      module: the module's dotted name.
      name: the function.

    Returns:
      The name, such as ``partial`` or ``functools.partial``; None where it cannot be had.
    """
    for known, bindings in draft.module.bindings.items():
        if len(bindings) != 1 or bindings[0].unit.indented:
            continue
        target = bindings[0].target
        wanted = target is not None and target.qualified == f"{module}.{name}"
        if wanted and _reaches(draft, known):
            return known
    outer = name_of(draft, module)
    return None if outer is None else f"{outer}.{name}"


def qualified_name(draft: Draft, written: str) -> str:
    """What a dotted name at the place of a fix stands for; empty if no import says so.

    Args:
      draft: the fix.
      written: the name, such as ``np.sin``.
    """
    first, _, rest = written.partition(".")
    bindings = draft.module.bindings.get(first, ())
    targets = {binding.target.qualified for binding in bindings if binding.target is not None}
    if len(targets) != 1 or len(bindings) != 1 or draft.binds_around(first):
        return ""
    return targets.pop() + (f".{rest}" if rest else "")


def _reaches(draft: Draft, name: str) -> bool:
    """Whether a name of the module means the same at the place: no scope between binds it."""
    return not draft.module.rebinds(name) and not draft.binds_around(name)


def _imports_below(index: ModuleIndex, module: str) -> bool:
    """Whether ``import jax.numpy`` stands at the top, which binds ``jax`` alone."""
    package = module.partition(".")[0]
    return any(
        isinstance(binding.unit.node, ast.Import)
        and any(alias.name == module and not alias.asname for alias in binding.unit.node.names)
        for binding in index.bindings.get(package, ())
        if not binding.unit.indented
    )


def _import_at(index: ModuleIndex, statement: str) -> tuple[int, str]:
    """The row before which an import is put in, with the text: where a sorter would have it.

    The standard library comes first, then other libraries, then the project's own modules, with a
    blank row between them.
    """
    new = ast.parse(statement).body[0]
    assert isinstance(new, (ast.Import, ast.ImportFrom))
    section, _ = wanted = _sorted_by(index, new)
    last, following = None, None
    for unit in _imports_at_top(index):
        place = _sorted_by(index, unit.node)
        if place <= wanted:
            last = unit, place[0]
        elif following is None:
            following = unit, place[0]
    if last is not None and last[1] == section:
        return last[0].last + 1, f"{statement}\n"
    if following is not None and following[1] == section:
        return following[0].first, f"{statement}\n"
    if last is not None:
        return last[0].last + 1, f"\n{statement}\n"
    if following is not None:
        return following[0].first, f"{statement}\n\n"
    return _docstring_end(index) + 1, f"{statement}\n"


def _imports_at_top(index: ModuleIndex) -> Iterator[Unit]:
    """The imports that stand before other code, in their order."""
    for unit in index.units:
        imports = isinstance(unit.node, (ast.Import, ast.ImportFrom))
        if imports and not unit.indented:
            yield unit
        elif not (imports or isinstance(unit.node, ast.Pass) or _is_text(unit.node)):
            # A `pass` is what stands for the magics of notebooks.
            return


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _sorted_by(index: ModuleIndex, node: ast.AST) -> tuple[int, tuple[bool, str]]:
    """What imports are sorted by: a section; ``import`` before ``from``; the name."""
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    is_from = isinstance(node, ast.ImportFrom)
    name = (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
    top = name.partition(".")[0]
    relative = isinstance(node, ast.ImportFrom) and node.level > 0
    if relative or (index.package and top == index.package.partition(".")[0]):
        section = 3
    elif top == "__future__":
        section = 0
    else:
        section = 1 if top in sys.stdlib_module_names else 2
    return section, (is_from, name.lower())


def _docstring_end(index: ModuleIndex) -> int:
    """The last row of what must stand first: interpreter, encoding, the module's own text."""
    try:
        body = ast.parse(index.text).body
    except (SyntaxError, ValueError, RecursionError):
        body = []
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        return body[0].end_lineno or body[0].lineno
    return index.heads
