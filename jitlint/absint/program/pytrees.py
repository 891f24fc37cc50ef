"""Classes whose instances are certainly no pytrees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.declarations import bases_of, has_keywords
from jitlint.absint.code.modules_written import registering_words
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.names import dotted_value
from jitlint.absint.program.classes import ClassInfo, class_info, named_in_header
from jitlint.absint.values.domain import Class

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex

#: methods that make a class a pytree, or change what its subclasses are
_REGISTERING: Final = frozenset(
    {"__jax_array__", "__init_subclass__", "tree_flatten", "tree_unflatten", "__tree_flatten__"}
)
_REGISTERS: Final = re.compile(r"\bregister_(?:pytree|dataclass|static)|\btree_util\b")
_REGISTRATIONS: Final = (
    "register_pytree_node",
    "register_pytree_node_class",
    "register_pytree_with_keys",
    "register_pytree_with_keys_class",
    "register_dataclass",
    "register_static",
)
#: bases of enumerations whose members are no numbers; those of ``IntEnum`` pass for integers
_ENUMERATIONS: Final = frozenset({"enum.Enum", "enum.Flag", "enum.StrEnum", "builtins.str"})


def is_never_pytree(it: Interpreter, cls: Class) -> bool:
    """Whether no instance of a class is a pytree, nor one of a class that derives from it."""
    return _is_opaque(it, class_info(it, cls)) and not _has_other_subclasses(it, cls)


def _is_opaque(it: Interpreter, info: ClassInfo) -> bool:
    """Whether instances of a class itself are certainly no pytrees."""
    if info.pytree != "opaque" or not info.complete or "" in info.decorators:
        return False
    if info.kind == "namedtuple" or info.protocol:
        return False
    if info.kind == "enum" and not _ENUMERATIONS.issuperset(info.externals):
        return False
    for cls in info.mro:
        if cls is not info.cls and class_info(it, cls).registered:
            # Known to be registered by itself alone.
            continue
        methods = cls.definition.methods
        if _REGISTERING & methods.keys() or has_keywords(cls.definition):
            return False
        if any(unit.finds(_REGISTERS) for units in methods.values() for unit in units):
            return False
        if _has_named_parts(it, cls):
            return False
    return not _registered_elsewhere(it, info)


def _has_named_parts(it: Interpreter, cls: Class) -> bool:
    """Whether what the body of a class makes is told of the class: ``__set_name__``."""
    for unit in cls.definition.attributes.values():
        for name in unit.calls:
            made = named_in_header(it, cls, name)
            if isinstance(made, Class) and any(
                "__set_name__" in other.definition.methods for other in class_info(it, made).mro
            ):
                return True
    return False


def _has_other_subclasses(it: Interpreter, cls: Class) -> bool:
    """Whether a class of the project derives from this one and may be a pytree itself."""
    name = cls.definition.name
    for module in it.modules_with(name):
        for definition in module.classes.values():
            if name in ((base or "").rpartition(".")[2] for base in bases_of(definition)):
                other = Class(definition, module)
                if not is_never_pytree(it, other):
                    return True
    return False


def _registered_elsewhere(it: Interpreter, info: ClassInfo) -> bool:
    """Whether some statement registers a pytree and names the class, however indirectly."""
    name = info.cls.definition.name
    for module in (info.cls.module, it.frame.module):
        for registration in it.written(registering_words, module):
            for unit in module.units_with(registration):
                if unit.cls is not None and unit.cls is not info.cls.definition:
                    continue
                if name in unit.text or any(word in unit.text for word in ("for ", "def ")):
                    return True
    # `from .state import State; register_pytree_node(State, ...)`: where its package is imported.
    return any(
        _names(it, module, unit.text, info.cls)
        for module in it.modules_with(name)
        for registration in _REGISTRATIONS
        if module.has_word(registration)
        for unit in module.units_with(registration)
        if unit.cls is None
    )


def _names(it: Interpreter, module: ModuleIndex, text: str, cls: Class) -> bool:
    """Whether a text in a module names a class: another may have the same name."""
    written = re.findall(rf"(?<![\w.])[\w.]*\b{cls.definition.name}\b", text)
    return any(dotted_value(it, module, name) == cls for name in dict.fromkeys(written))
