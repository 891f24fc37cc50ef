"""Functions and classes that configuration files set up: their defaults are only where these begin.

Gin binds any parameter of what is decorated with ``@gin.configurable``, so no call in sight tells
what is left at its default.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from jitlint.absint.values.domain import NONE, UNKNOWN, Const, Flag, Static, Union, Value
from jitlint.absint.values.lattice import type_name
from jitlint.project.walks import dotted

if TYPE_CHECKING:
    from jitlint.project.units import ClassDefinition, Unit

_DECORATORS: Final = frozenset({"gin.configurable", "gin.register"})
_SETTINGS: Final = frozenset({"int", "float", "complex", "str"})


def is_configured(defined: Unit | ClassDefinition) -> bool:
    """Whether configuration files may give the parameters of a function or class other values."""
    decorators = getattr(defined.node, "decorator_list", ())
    names = (dotted(node.func if isinstance(node, ast.Call) else node) for node in decorators)
    return not _DECORATORS.isdisjoint(names)


def configured_value(defined: Unit | ClassDefinition, name: str, default: Value) -> Value:
    """What a parameter holds that is left at its default: a constant of the same type.

    Args:
      defined: the function or class.
      name: the parameter.
      default: its default.
    """
    if default == NONE:
        return Union((NONE, UNKNOWN))
    return setting_like(f"<configured {id(defined)}:{name}>", default)


def setting_like(name: str, default: Value) -> Value:
    """A setting of the type of its default, which other code may give another value.

    Args:
      name: stands for a flag.
      default: the default; what is no constant is given back.
    """
    if not isinstance(default, (Const, Static)):
        return default
    kind = type_name(default)
    if kind == "bool":
        return Flag(name)
    return Static(kind) if kind in _SETTINGS else default
