"""Abstract values: what the interpreter knows about a Python object at trace time.

Values are immutable.  Mutable Python objects (lists, dicts, instances, the variables of a frame)
live in the heap and are held by :class:`Ref`.  Where a value came from (``origin``) explains
reports and never takes part in equality, so that two runs over the same code with the same facts
compare equal.

All of them are imported from here, wherever they are defined.
"""

from __future__ import annotations

import enum
from typing import Any, Final

from jitlint.absint.values.base import (
    GIVEN as GIVEN,
    REPORTED as REPORTED,
    UNKNOWN as UNKNOWN,
    Reported as Reported,
    Unknown as Unknown,
    Value as Value,
)
from jitlint.absint.values.buffers import NO_BUFFERS, Buffers
from jitlint.absint.values.callables import (
    ArrayMethod as ArrayMethod,
    BoundMethod as BoundMethod,
    Cached as Cached,
    Class as Class,
    ContainerMethod as ContainerMethod,
    Descriptor as Descriptor,
    Dispatched as Dispatched,
    External as External,
    ExternalInstance as ExternalInstance,
    Function as Function,
    ModuleValue as ModuleValue,
    Partial as Partial,
    Transformed as Transformed,
    base_function as base_function,
    partial_keywords as partial_keywords,
)
from jitlint.absint.values.extents import Extent
from jitlint.absint.values.plain import (
    BOOL as BOOL,
    CHANGES as CHANGES,
    DTYPE as DTYPE,
    FALSE as FALSE,
    FLOAT as FLOAT,
    INT as INT,
    MADE_ARRAY as MADE_ARRAY,
    MADE_ROWS as MADE_ROWS,
    NDARRAY as NDARRAY,
    NONE as NONE,
    SHAPE as SHAPE,
    SHAPE_STRUCT as SHAPE_STRUCT,
    SHARED as SHARED,
    STATIC as STATIC,
    STR as STR,
    TRUE as TRUE,
    Const as Const,
    Dtype as Dtype,
    Duration as Duration,
    EnumMember as EnumMember,
    Flag as Flag,
    MadeArray as MadeArray,
    Outside as Outside,
    Range as Range,
    Reading as Reading,
    Sentinel as Sentinel,
    Static as Static,
    Text as Text,
    TextArray as TextArray,
    TreeStructure as TreeStructure,
)
from jitlint.foundation.certainty import SEEN


class Level(enum.IntEnum):
    """How much of an array's value Python may see.

    CONCRETE is a real ``jax.Array``; VALUE a tracer of ``grad`` or ``jvp`` alone, which carries its
    value (``if x > 0`` works, ``float(x)`` does not); ABSTRACT a tracer without a value.
    """

    CONCRETE = 0
    VALUE = 1
    ABSTRACT = 2


class Certainty(enum.IntEnum):
    """How sure it is that the value is traced at all.

    SURE reports as an error, DEFAULTED (only if a caller passes a parameter that has a default and
    no call is visible) as a warning, GUESS never.
    """

    GUESS = 0
    DEFAULTED = 1
    SURE = 2


#: what is said of the result of an operation that was given no tracer
STAGED: Final = "every JAX operation is traced here, even of constants"


class Origin:
    """How a traced value came to be: a linked list of (place, note), newest first."""

    __slots__ = ("note", "place", "previous")

    #: how it is known that the value came there
    certainty = SEEN
    #: whether it is one of several values that could as well be there
    several = False

    def __init__(self, place: Any, note: str, previous: Origin | None = None) -> None:
        self.place = place
        self.note = note
        self.previous = previous


class Array(Value):
    """A JAX array or tracer.

    Args:
      level: what Python may see of it.
      certainty: how sure it is that it is traced.
      dtype: ``bool``, ``int``, ``float``, ``key`` where known.
      rank: number of dimensions where known.
      python_type: the Python scalar type that was passed and became a tracer (``int``).
      origin: how it came to be; not part of equality.
      trace: number of the trace that the tracer belongs to, 0 where that is not known; not part of
        equality either.
      operand: where the body of control flow got this very tracer; not part of equality, and no
        copy with changes has it.
      buffers: which array in memory it is; likewise.
      seed: of a random key, where a trace made the key of a constant that alone decides it.
      extent: its size where that is known; not part of equality.
    """

    __slots__ = (
        "buffers",
        "certainty",
        "dtype",
        "extent",
        "level",
        "operand",
        "origin",
        "python_type",
        "rank",
        "seed",
        "trace",
    )

    def __init__(
        self,
        level: Level,
        *,
        certainty: Certainty = Certainty.SURE,
        dtype: str | None = None,
        rank: int | None = None,
        python_type: str | None = None,
        origin: Origin | None = None,
        trace: int = 0,
        operand: tuple[int, ...] | None = None,
        buffers: Buffers = NO_BUFFERS,
        seed: Any = None,
        extent: Extent | None = None,
    ) -> None:
        self.level = level
        self.certainty = certainty
        self.dtype = dtype
        self.rank = rank
        self.python_type = python_type
        self.origin = origin
        self.trace = trace
        self.operand = operand
        self.buffers = buffers
        self.seed = seed
        self.extent = extent

    def key(self) -> tuple[Any, ...]:
        """Every field but origin, trace, operand and buffers; of the seed the place."""
        known = int(self.level), int(self.certainty), self.dtype, self.rank, self.python_type
        return known if self.seed is None else (*known, id(self.seed.place.node))

    def replace(self, **changes: Any) -> Array:
        """A copy with some fields changed."""
        fields: dict[str, Any] = {
            "level": self.level,
            "certainty": self.certainty,
            "dtype": self.dtype,
            "rank": self.rank,
            "python_type": self.python_type,
            "origin": self.origin,
            "trace": self.trace,
            "seed": self.seed,
            "extent": self.extent,
        }
        fields.update(changes)
        return Array(**fields)


class Tree(Value):
    """A pytree of unknown structure whose leaves are arrays of one level.

    It may be a single array, a container, an instance of a registered class, or None.
    ``container`` is True where it certainly is no bare array (``*args``, a dict annotation), so
    that arithmetic on it says nothing; ``keyed`` where it is used like a dict or an object, so that
    iterating it need not give its leaves; ``arrays_only`` where every attribute of it is a leaf or
    a subtree: the state of an optimiser; ``present`` where it certainly is not None.  ``operand``
    is as in :class:`Array`, and so are ``buffers``, of which a tree has one for all of its leaves.
    """

    __slots__ = (
        "arrays_only",
        "buffers",
        "certainty",
        "container",
        "keyed",
        "level",
        "operand",
        "origin",
        "present",
    )

    def __init__(
        self,
        level: Level,
        *,
        certainty: Certainty = Certainty.SURE,
        container: bool = False,
        keyed: bool = False,
        arrays_only: bool = False,
        present: bool = False,
        origin: Origin | None = None,
        operand: tuple[int, ...] | None = None,
        buffers: Buffers = NO_BUFFERS,
    ) -> None:
        self.level = level
        self.certainty = certainty
        self.container = container
        self.keyed = keyed
        self.arrays_only = arrays_only
        self.present = present
        self.origin = origin
        self.operand = operand
        self.buffers = buffers

    def key(self) -> tuple[Any, ...]:
        """Every field but the origin, the operand and the buffers."""
        flags = self.container, self.keyed, self.arrays_only, self.present
        return (int(self.level), int(self.certainty), *flags)

    def replace(self, **changes: Any) -> Tree:
        """A copy with some fields changed."""
        fields: dict[str, Any] = {
            "level": self.level,
            "certainty": self.certainty,
            "container": self.container,
            "keyed": self.keyed,
            "arrays_only": self.arrays_only,
            "present": self.present,
            "origin": self.origin,
        }
        fields.update(changes)
        return Tree(**fields)


class Tuple(Value):
    """A tuple of known length.

    ``cls`` is its NamedTuple class, if it has one: a class of the project or what
    ``collections.namedtuple`` made.
    """

    __slots__ = ("cls", "items")

    def __init__(self, items: tuple[Value, ...], cls: Value | None = None) -> None:
        self.items = items
        self.cls = cls

    def key(self) -> tuple[Any, ...]:
        """The items in order, and the class of a NamedTuple."""
        return (self.items, self.cls)


class Slice(Value):
    """``slice(lower, upper, step)`` as it stands in a subscript."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Value, Value, Value]) -> None:
        self.parts = parts

    def key(self) -> tuple[Any, ...]:
        """The lower bound, the upper bound and the step."""
        return self.parts


class Ref(Value):
    """A mutable object in the heap, named by where and in which call it was made."""

    __slots__ = ("id",)

    def __init__(self, number: int) -> None:
        self.id = number

    def key(self) -> tuple[Any, ...]:
        """The number of the object; its contents are the heap's."""
        return (self.id,)


class Default(Value):
    """The default of a parameter, where no call is visible that leaves it out."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def key(self) -> tuple[Any, ...]:
        """The value of the default."""
        return (self.value,)


class Union(Value):
    """One of several values; never nested, never holds Unknown twice, at most a few members.

    ``exclusive`` is True for the definitions of one name in branches of a module: which of them is
    there depends on what is installed.  ``choice`` is the name of the :class:`Flag` that has chosen
    it, if one has, with what it is where that is true and where it is false.  Neither is part of
    equality.
    """

    __slots__ = ("choice", "exclusive", "members")

    def __init__(
        self,
        members: tuple[Value, ...],
        *,
        exclusive: bool = False,
        choice: tuple[str, Value, Value] | None = None,
    ) -> None:
        self.members = members
        self.exclusive = exclusive
        self.choice = choice

    def key(self) -> tuple[Any, ...]:
        """The members in no order."""
        return (frozenset(self.members),)


def members_of(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value: the members of a union, else the value alone."""
    return value.members if type(value) is Union else (value,)


def known_bool(value: Value) -> bool | None:
    """Truth of a constant, None where it is not known."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Tuple):
        return bool(value.items)
    if isinstance(value, (Unknown, Static)) and value.told is not None:
        return value.told.counts
    return True if type(value) in _TRUE else None


#: what counts as true whatever it is
_TRUE: Final = frozenset(
    {Function, BoundMethod, Partial, Class, ModuleValue, Transformed, Cached, ArrayMethod}
)
