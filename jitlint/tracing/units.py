"""What the text of a unit tells to those who select: names, and what imports bind."""

from __future__ import annotations

import ast
import re
from typing import Final

from jitlint.project.contents import import_targets
from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit
from jitlint.project.walks import FunctionNode, walk

_RULES: Final = re.compile(r"\.def(?:jvps?|vjp|_vmap|_jvp|_fwd|_bwd)\b")
_INDENTED_IMPORT: Final = re.compile(r"^[ \t]+(?:from|import)\b", re.MULTILINE)


def last_word(name: str) -> str:
    """What must stand in a text that uses a carrier: a name, or a class that is exported on."""
    return name.rpartition(" ")[2].rpartition(".")[2]


def defines_rules(unit: Unit) -> bool:
    """Whether a unit gives a function rules of differentiation or batching."""
    return _RULES.search(unit.text) is not None


def is_import(unit: Unit) -> bool:
    """Whether a unit is an import statement."""
    return isinstance(unit.node, (ast.Import, ast.ImportFrom))


def local_imports(unit: Unit) -> dict[str, str]:
    """Names that imports inside a function bind."""
    if not isinstance(unit.node, FunctionNode):
        return {}
    if not _INDENTED_IMPORT.search(unit.text):
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
