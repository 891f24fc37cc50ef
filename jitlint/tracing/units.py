"""What the text of a unit tells to those who select: names, and what imports bind."""

from __future__ import annotations

import ast
import re
from typing import Final

from jitlint.project.contents import import_targets
from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit
from jitlint.project.walks import FunctionNode, dotted, walk

_RULES: Final = re.compile(r"\.def(?:jvps?|vjp|_vmap|_jvp|_fwd|_bwd)\b")
_INDENTED_IMPORT: Final = re.compile(r"^[ \t]+(?:from|import)\b", re.MULTILINE)


def last_word(name: str) -> str:
    """What must stand in a text that uses a carrier: a name, or a class that is exported on."""
    return name.rpartition(" ")[2].rpartition(".")[2]


def defines_rules(unit: Unit) -> bool:
    """Whether a unit gives a function rules of differentiation or batching."""
    return unit.finds(_RULES)


def is_rule(unit: Unit) -> bool:
    """Whether a unit is itself such a rule, as its decorators say."""
    return defines_rules(unit) and unit.fact(_decorated_as_rule)


def _decorated_as_rule(unit: Unit) -> bool:
    node = unit.node
    return isinstance(node, FunctionNode) and any(
        _RULES.search(ast.unparse(decorator)) for decorator in node.decorator_list
    )


def local_imports(unit: Unit) -> dict[str, str]:
    """Names that imports inside a function bind."""
    return unit.fact(_imports_inside) if unit.is_function else {}


def _imports_inside(unit: Unit) -> dict[str, str]:
    if not _INDENTED_IMPORT.search(unit.code):
        return {}
    found: dict[str, str] = {}
    for node in walk(unit.node):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for name, target in import_targets(node, unit.module):
                found[name] = target.qualified
    return found


def hands_on(module: ModuleIndex) -> bool:
    """Whether a module gives others names that it need not mention: a package, or by a star."""
    return module.path.stem == "__init__" or bool(module.star_imports)


def takes_callable(unit: Unit) -> bool:
    """Whether a function calls one of its parameters or passes it on."""
    node = unit.node
    assert isinstance(node, FunctionNode)
    args = node.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    names = {a.arg for a in every if a is not None}
    for inner in walk(node):
        if isinstance(inner, ast.Call):
            if isinstance(inner.func, ast.Name) and inner.func.id in names:
                return True
            passed = [*inner.args, *(keyword.value for keyword in inner.keywords)]
            for argument in passed:
                if isinstance(argument, ast.Starred):
                    argument = argument.value
                if isinstance(argument, ast.Name) and argument.id in names:
                    return True
        if isinstance(inner, FunctionNode) and any(
            dotted(d) in names for d in inner.decorator_list
        ):
            return True
    return False
