"""What a module says of the libraries that it computes with, and of its classes, by the index.

Nothing is resolved, and libcst is not needed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.declarations import bases_of

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import ClassDefinition

#: what a module imports that is written for JAX, and what one imports whose code another compiles
_JAX: Final = frozenset("jax flax haiku equinox optax chex distrax diffrax numpyro".split())
OTHER_COMPILERS: Final = frozenset({"numba", "torch", "tensorflow"})
#: asks what stands under a name now, as what an import brought there is known
_ASKED_FOR_JAX: Final = re.compile(r"""["']jax[\w.]*["']\s*(?:==|!=|in|not in)\s*(\w+)\.__name__""")
#: names of functions that register a class, JAX's or a project's own
_REGISTRAR: Final = re.compile(r"register_\w*(?:pytree|dataclass|static)\w*")


def is_written_for_jax(module: ModuleIndex) -> bool:
    """Whether a module imports JAX or a library upon it, and no other compiler."""
    imported = {
        binding.target.module.partition(".")[0]
        for bindings in module.bindings.values()
        for binding in bindings
        if binding.target is not None
    }
    return not _JAX.isdisjoint(imported) and imported.isdisjoint(OTHER_COMPILERS)


def swapped_libraries(module: ModuleIndex) -> frozenset[str]:
    """The names for which others put in ``jax.numpy``: a module that has no other asks for it."""
    imported = (b.target for bindings in module.bindings.values() for b in bindings)
    if any(target is not None and target.qualified == "jax.numpy" for target in imported):
        return frozenset()
    return frozenset(name for unit in module.units for name in _ASKED_FOR_JAX.findall(unit.text))


def stands_for_two(module: ModuleIndex) -> bool:
    """Whether a name of a module is that of NumPy or of JAX, as something else decides."""
    meanings = (
        {None if binding.target is None else binding.target.qualified for binding in bindings}
        for bindings in module.bindings.values()
        if len(bindings) > 1
    )
    return any({"numpy", "jax.numpy"} <= each for each in meanings)


def registering_words(module: ModuleIndex) -> tuple[str, ...]:
    """The words of a module that name what registers pytrees: ``register_our_pytree_node``, too.

    Also other names under which it is imported: ``import register_our_pytree as _register``.
    """
    words = {word for word in module.words if _REGISTRAR.fullmatch(word)}
    words.update(
        name
        for name, bindings in module.bindings.items()
        for binding in bindings
        if binding.target is not None and _REGISTRAR.fullmatch(binding.target.name or "")
    )
    return tuple(sorted(words))


def derived_classes(module: ModuleIndex) -> dict[str, list[ClassDefinition]]:
    """The classes of a module by the names of their bases, there and where they come from."""
    found: dict[str, list[ClassDefinition]] = {}
    for definition in module.classes.values():
        names: dict[str, None] = {}
        for base in bases_of(definition):
            head, _, last = (base or "").rpartition(".")
            names[last] = None
            for binding in () if head else module.bound(last):
                if binding.target is not None and binding.target.name is not None:
                    names[binding.target.name] = None
        for name in names:
            found.setdefault(name, []).append(definition)
    return found


def private_users(definition: ClassDefinition) -> dict[str, set[str]]:
    """The private members that the methods of a class ask its object for, with those methods."""
    users: dict[str, set[str]] = {}
    for name, units in definition.methods.items():
        for mention in sorted({mention for unit in units for mention in unit.mentions}):
            owner, member = (*mention.split("."), "")[:2]
            if owner == "self" and member != name and _is_private(member):
                users.setdefault(member, set()).add(name)
    return users


def item_setters(definition: ClassDefinition, *names: str) -> tuple[str, ...]:
    """The methods of a class that set items of one of some attributes of its object."""
    sets = re.compile(rf"\bself\.(?:{'|'.join(map(re.escape, names))})\[.*\] = ")
    methods = definition.methods.items()
    return tuple(name for name, units in methods if any(sets.search(each.text) for each in units))


def own_callers(definition: ClassDefinition, name: str) -> tuple[str, ...]:
    """The methods of a class that call a method of their object."""
    called, methods = f"self.{name}(", definition.methods.items()
    return tuple(other for other, units in methods if any(called in each.text for each in units))


def _is_private(name: str) -> bool:
    return name[:1] == "_" and name[:2] != "__"
