"""Functions and classes whose parameters configuration files give."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from jitlint.project.walks import dotted

if TYPE_CHECKING:
    from jitlint.project.units import ClassDefinition, Unit

_DECORATORS: Final = frozenset({"gin.configurable", "gin.register"})


def is_configured(defined: Unit | ClassDefinition) -> bool:
    """Whether configuration files may give the parameters of a function or class other values."""
    decorators = getattr(defined.node, "decorator_list", ())
    names = (dotted(node.func if isinstance(node, ast.Call) else node) for node in decorators)
    return not _DECORATORS.isdisjoint(names)
