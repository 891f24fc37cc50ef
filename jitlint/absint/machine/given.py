"""Which parameter of a traced function a value comes from, and what callers pass for it."""

from __future__ import annotations

from typing import Final

from jitlint.absint.code.functions import Code, Place
from jitlint.absint.values.domain import (
    Array,
    BoundMethod,
    Const,
    Default,
    Function,
    Origin,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.foundation.certainty import SEEN
from jitlint.foundation.records import Record

#: what a static parameter can take, by its type; a function or class that is always the same one
HASHABLE: Final = frozenset(
    {"bool", "bytes", "dtype", "function", "int", "NoneType", "range", "str", "tuple"}
)
#: what is passed is not known
UNSEEN: Final = "unseen"
#: what is passed is an array, a fraction, or something that cannot be hashed
OTHER: Final = "other"


class Application(Record):
    """How a transform is applied to a function.

    Args:
      transform: its qualified name.
      place: where.
      options: the names of those that it is given.
      code: the function.
      bound: how many of its leading parameters have a value; None where it is wrapped, so that its
        parameters are those of something else.
    """

    transform: str
    place: Place
    options: frozenset[str]
    code: Code
    bound: int | None

    @property
    def positional(self) -> tuple[str, ...]:
        """The parameters that positions count; none where they are those of something else."""
        names = [it.name for it in self.code.parameters if it.kind.startswith("positional")]
        return () if self.bound is None else tuple(names[self.bound :])


def application_of(made: Transformed, code: Code) -> Application:
    """How a transform is applied.

    Args:
      made: what the transform made.
      code: the function under it.
    """
    options = frozenset(name for name, _ in made.options)
    bound: int | None = None
    if isinstance(made.function, Function):
        bound = 0
    elif isinstance(made.function, BoundMethod) and isinstance(made.function.function, Function):
        bound = 1
    return Application(made.transform, made.place, options, code, bound)


class Given(Origin):
    """The origin of what a traced function gets for one of its parameters.

    Args:
      place: that an explanation shows.
      note: what it says there.
      application: what traces the function.
      name: the parameter.
      kind: what is passed: one of ``HASHABLE``, ``UNSEEN`` or ``OTHER``.
      certainty: how it is known that a tracer comes there.
    """

    __slots__ = ("application", "certainty", "kind", "name")

    def __init__(
        self,
        place: Place,
        note: str,
        application: Application,
        name: str,
        kind: str,
        certainty: str = SEEN,
    ) -> None:
        super().__init__(place, note)
        self.certainty = certainty
        self.application = application
        self.name = name
        self.kind = kind


def kind_of_given(value: Value) -> str:
    """What a caller passes, in the words of :class:`Given`."""
    if isinstance(value, Default):
        value = value.value
    if isinstance(value, Union):
        kinds = {kind_of_given(member) for member in value.members}
        if len(kinds) > 1:
            kinds -= {"NoneType"}
        return kinds.pop() if len(kinds) == 1 else OTHER if OTHER in kinds else UNSEEN
    if isinstance(value, Tuple):
        return "tuple" if all(kind_of_given(item) in HASHABLE for item in value.items) else OTHER
    if isinstance(value, Unknown) or (isinstance(value, Static) and value.type is None):
        return UNSEEN
    kind = OTHER
    if isinstance(value, Const):
        kind = type(value.value).__name__
    elif isinstance(value, Static):
        kind = str(value.type)
    return kind if kind in HASHABLE else OTHER


def kind_of_traced(value: Value) -> str:
    """The same of an argument that was not seen, by the tracer that was made of it."""
    if isinstance(value, Array):
        kind = value.python_type
        return UNSEEN if kind is None else kind if kind in HASHABLE else OTHER
    return UNSEEN if isinstance(value, Tree) and not value.container else OTHER


def given_at(origin: Origin | None) -> Given | None:
    """The parameter that a value comes from; None for what comes from none."""
    while origin is not None and origin.previous is not None:
        origin = origin.previous
    return origin if isinstance(origin, Given) else None


def facts_of_given(given: Given | None) -> frozenset[str]:
    """What is so of a value that comes from a parameter, as a fact that events tell."""
    if given is None or given.kind == OTHER:
        return frozenset()
    return frozenset({_fact(given, "static"), _fact(given, given.kind)})


def given_kind(given: Given, facts: frozenset[str]) -> str | None:
    """What a parameter is given each time, by the facts of an event; None if it may be an array."""
    if _fact(given, "static") not in facts:
        return None
    return next((kind for kind in sorted(HASHABLE) if _fact(given, kind) in facts), UNSEEN)


def _fact(given: Given, what: str) -> str:
    return f"{what}: {given.name} of {id(given.application.place.node)}"
