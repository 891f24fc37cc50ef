"""What has no hash: JAX finds what it compiled for static arguments by theirs.

Observed under JAX 0.10.2: dataclasses that compare and are not frozen have none; frozen ones,
Equinox and Flax modules, and named tuples take the hashes of their fields, and no array has one.
What is made of a typed dict is a plain dict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from jitlint.absint.code.declarations import decorator_options
from jitlint.absint.limits import STATIC_LEVELS
from jitlint.absint.modules.annotations import Written, unhashable_kinds
from jitlint.absint.program.classes import ClassInfo, FieldInfo, class_info
from jitlint.absint.program.hooks import hooks_of
from jitlint.absint.program.subclasses import subclasses
from jitlint.absint.values.domain import Class
from jitlint.foundation.records import Record

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex

#: decorators of classes that JAX, Flax and Chex make frozen, whatever their options say
_FROZEN: Final = frozenset({"flax.struct.dataclass"})
_COMPARING: Final = frozenset(
    {"dataclasses.dataclass", "chex.dataclass", "chex.mappable_dataclass", *_FROZEN}
)
#: decorators that leave the hash as it is
_NEUTRAL: Final = frozenset(
    """jax.tree_util.register_dataclass jax.tree_util.register_pytree_node_class
    jax.tree_util.register_pytree_with_keys_class jaxtyping.jaxtyped typing.final""".split()
)
#: bases whose objects take the hashes of their fields; those of other libraries are modules of
#: Equinox (seen in zodiax 0.2 and 0.5, Diffrax 0.7, Optimistix 0.1, Lineax 0.1 and paramax 0.0.5)
_OF_FIELDS: Final = frozenset(
    """equinox.Module flax.struct.PyTreeNode flax.linen.Module flax.linen.module.Module
    typing.NamedTuple typing_extensions.NamedTuple
    zodiax.Base zodiax.ExtendedBase diffrax.AbstractTerm diffrax.AbstractPath diffrax.AbstractSolver
    diffrax.AbstractStepSizeController optimistix.AbstractMinimiser optimistix.AbstractRootFinder
    optimistix.AbstractLeastSquaresSolver optimistix.AbstractFixedPointSolver
    optimistix.AbstractDescent optimistix.AbstractSearch lineax.AbstractLinearOperator
    lineax.AbstractLinearSolver paramax.AbstractUnwrappable""".split()
)
#: bases whose objects are dicts, whatever their classes define
_TYPED_DICTS: Final = frozenset({"typing.TypedDict", "typing_extensions.TypedDict"})
_KNOWN_BASES: Final = _OF_FIELDS | frozenset(
    "abc.ABC builtins.object typing.Generic typing.Protocol typing_extensions.Protocol".split()
)


class Hash(Record):
    """How the objects of a class are hashed.

    Args:
      refused: why none of them has a hash; None if they may have.
      fields: those that they are compared by, and their hash is made of.
    """

    refused: str | None = None
    fields: tuple[FieldInfo, ...] = ()


_OWN: Final = Hash()


def hash_of(it: Interpreter, cls: Class) -> Hash:
    """How objects of a class are hashed, as far as that is known."""
    info = class_info(it, cls)
    if not _TYPED_DICTS.isdisjoint(info.externals):
        return Hash(f"`{cls.definition.name}` dict")
    if not info.named or not _KNOWN_BASES.issuperset(info.externals):
        return _OWN
    for other in info.mro:
        definition = other.definition
        if definition.binds("__hash__") or "__hash__" in hooks_of(it, other).replaced:
            return _OWN
        decorators = set(class_info(it, other).decorators) - _NEUTRAL
        if decorators:
            given = class_info(it, other).options
            return _decorated(info, other, decorators, given)
        if definition.binds("__eq__"):
            return Hash(f"`{definition.name}` with `__eq__` and no `__hash__`")
    return Hash(fields=_hashed(info)) if _OF_FIELDS.intersection(info.externals) else _OWN


def _decorated(
    info: ClassInfo, cls: Class, decorators: set[str], given: Mapping[str, bool | None]
) -> Hash:
    if not decorators <= _COMPARING:
        return _OWN
    options = {**given, **decorator_options(cls.definition)}
    if None in options.values() or options.get("eq") is False or options.get("unsafe_hash"):
        return _OWN
    if options.get("frozen") or decorators <= _FROZEN:
        return Hash(fields=_hashed(info))
    return Hash(f"`{cls.definition.name}` dataclass with `eq` and no hash", _hashed(info))


def _hashed(info: ClassInfo) -> tuple[FieldInfo, ...]:
    return tuple([made for made in info.fields if not _is_left_out(made)])


def _is_left_out(made: FieldInfo) -> bool:
    """``field(hash=False)``, ``field(compare=False)`` or a variable of the class."""
    specifier = made.declared.specifier
    given = () if specifier is None else specifier.keywords.keys()
    return made.declared.is_class_variable or not {*given}.isdisjoint(("hash", "compare"))


def declared_unhashable(
    it: Interpreter, module: ModuleIndex, annotation: Written, depth: int = STATIC_LEVELS
) -> str | None:
    """What an annotation says a value is that has no hash, None where it may have one.

    Of ``X | None`` that is what is said of ``X``.
    """
    found = [
        (class_unhashable(it, kind, depth) if depth else None) if isinstance(kind, Class) else kind
        for kind in unhashable_kinds(it, module, annotation)
    ]
    return None if None in found else next(iter(found), None)


def class_unhashable(it: Interpreter, cls: Class, depth: int = STATIC_LEVELS) -> str | None:
    """Why no object of a class has a hash, as its declaration shows; None if one may have."""
    known = hash_of(it, cls)
    found = _held(it, cls, known.fields, depth) or known.refused
    if found is None or any(other.definition.binds("__hash__") for other in subclasses(it, cls)):
        return None
    return found


def _held(it: Interpreter, cls: Class, fields: tuple[FieldInfo, ...], depth: int) -> str | None:
    found = (field_unhashable(it, made, depth - 1) for made in fields)
    kind = next(filter(None, found), None)
    return None if kind is None else holds(f"`{cls.definition.name}`", kind)


def field_unhashable(it: Interpreter, made: FieldInfo, depth: int = STATIC_LEVELS) -> str | None:
    """What a field holds that has no hash, as its declaration says; None if it may have one."""
    if made.declared.may_be_none:
        return None
    module = made.declared.unit.module
    it.reads.read(module)
    return declared_unhashable(it, module, made.declared.annotation, depth)


def holds(what: str, kind: str) -> str:
    """That something holds what has no hash, in words."""
    article = "an" if kind.lstrip("`")[:1].lower() in "aeiou" else "a"
    return f"{what} that holds {article} {kind}"
