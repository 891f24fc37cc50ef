"""Abstract values: what the interpreter knows about a Python object at trace time.

Values are immutable.  Mutable Python objects (lists, dicts, instances, the variables of a frame)
live in the heap and are held by :class:`Ref`.  Where a value came from (``origin``) explains
reports and never takes part in equality, so that two runs over the same code with the same facts
compare equal.

All of them are imported from here, wherever they are defined.
"""

from __future__ import annotations

import copy
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


#: the flag of a constant that other code may change before the code at hand runs
CHANGES: Final = "<changes>"


class Const(Value):
    """A known Python constant: number, string, bytes, bool, None or Ellipsis.

    ``flag`` is the name of the :class:`Flag` that has this value on the path at hand, or
    ``CHANGES``; not part of equality.
    """

    __slots__ = ("flag", "value")

    def __init__(self, value: Any, flag: str | None = None) -> None:
        self.value = value
        self.flag = flag

    def key(self) -> tuple[Any, ...]:
        """The type and the exact value, told by its ``repr``."""
        # repr tells 1 from True and 0.0 from -0.0, and makes nan equal to itself.
        return (type(self.value).__name__, repr(self.value))


NONE: Final = Const(None)
TRUE: Final = Const(True)
FALSE: Final = Const(False)


class Static(Value):
    """A Python or NumPy value that is certainly no tracer, its content unknown.

    ``type`` is its Python type where known: ``int``, ``float``, ``bool``, ``str``, ``bytes``,
    ``ndarray``, ``dtype``, ``shape`` (a tuple of ints), else None.  ``extent`` is the size of an
    array, of a shape the one that it is of; an int that is taken from a shape is the size of its
    own.  It is not part of equality.
    """

    __slots__ = ("extent", "type")

    def __init__(self, kind: str | None = None, extent: Extent | None = None) -> None:
        self.type = kind
        self.extent = extent

    def of_extent(self, extent: Extent | None) -> Static:
        """The same with a size."""
        made = copy.copy(self)
        made.extent = extent
        return made

    def key(self) -> tuple[Any, ...]:
        """The Python type, None where it is not known."""
        return (self.type,)


class EnumMember(Static):
    """A member of an enumeration of the project, by its qualified name.

    Its ``type`` is ``int`` under ``IntEnum``, whose members are compared with arrays as numbers.
    """

    __slots__ = ("name",)

    def __init__(self, name: str, kind: str | None = None) -> None:
        super().__init__(kind)
        self.name = name

    def key(self) -> tuple[Any, ...]:
        """The qualified name."""
        return (self.name,)


class Sentinel(Static):
    """What ``object()`` gave in the code of a module, once: ``is`` tells it from all else.

    ``made_by`` is the call that made it.
    """

    __slots__ = ("made_by",)

    def __init__(self, made_by: object) -> None:
        super().__init__(None)
        self.made_by = made_by

    def key(self) -> tuple[Any, ...]:
        """The call."""
        return (self.made_by,)


class Flag(Static):
    """A bool that nobody visibly chose: a field of an object; the same one wherever it gets to.

    ``name`` stands for it in what a state assumes of conditions.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__("bool")
        self.name = name

    def key(self) -> tuple[Any, ...]:
        """The name."""
        return (self.name,)


class MadeArray(Static):
    """A NumPy array that was made as one: no scalar, so it certainly cannot be hashed.

    ``dimensions`` is True where it has at least one, so that arithmetic with it gives another such
    array and no scalar.
    """

    __slots__ = ("dimensions",)

    def __init__(self, *, dimensions: bool = False) -> None:
        super().__init__("ndarray")
        self.dimensions = dimensions

    def key(self) -> tuple[Any, ...]:
        """Whether it has dimensions."""
        return (self.dimensions,)


class Range(Static):
    """A ``range`` of known length."""

    __slots__ = ("length",)

    def __init__(self, length: int) -> None:
        super().__init__("range")
        self.length = length

    def key(self) -> tuple[Any, ...]:
        """The length."""
        return (self.length,)


class TreeStructure(Static):
    """What ``tree_flatten`` says of the pytree that it took apart: the tree, and its leaves."""

    __slots__ = ("leaves", "tree")

    def __init__(self, tree: Value, leaves: Value) -> None:
        super().__init__()
        self.tree = tree
        self.leaves = leaves

    def key(self) -> tuple[Any, ...]:
        """The tree and the list of its leaves."""
        return (self.tree, self.leaves)


class Text(Static):
    """A string that shows a tracer: ``f"{x}"`` of a traced value."""

    __slots__ = ("tracer",)

    def __init__(self, tracer: Array | Tree) -> None:
        super().__init__("str")
        self.tracer = tracer

    def key(self) -> tuple[Any, ...]:
        """The tracer that it shows."""
        return (self.tracer,)


class Reading(Static):
    """What a clock showed: one of some readings, each known by a number of its own."""

    __slots__ = ("numbers",)

    def __init__(self, numbers: frozenset[int], kind: str | None = None) -> None:
        super().__init__(kind)
        self.numbers = numbers

    def key(self) -> tuple[Any, ...]:
        """The numbers of the readings."""
        return (self.numbers,)


class Duration(Static):
    """The time between two readings of a clock, or a number that was made of such times.

    Args:
      spans: the pairs of readings that it comes from, the earlier one first.
      kind: its Python type where known.
    """

    __slots__ = ("spans",)

    def __init__(self, spans: frozenset[tuple[int, int]], kind: str | None = None) -> None:
        super().__init__(kind)
        self.spans = spans

    def key(self) -> tuple[Any, ...]:
        """The spans."""
        return (self.spans,)


STATIC: Final = Static()
INT: Final = Static("int")
FLOAT: Final = Static("float")
BOOL: Final = Static("bool")
STR: Final = Static("str")
SHAPE: Final = Static("shape")
NDARRAY: Final = Static("ndarray")
MADE_ARRAY: Final = MadeArray()
MADE_ROWS: Final = MadeArray(dimensions=True)
DTYPE: Final = Static("dtype")
#: an array without values, to compile for: where a transform takes it, it is traced like one
SHAPE_STRUCT: Final = Static("ShapeDtypeStruct")


class Origin:
    """How a traced value came to be: a linked list of (place, note), newest first."""

    __slots__ = ("note", "place", "previous")

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
    a subtree: the state of an optimiser.  ``operand`` is as in :class:`Array`, and so are
    ``buffers``, of which a tree has one for all of its leaves.
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
    )

    def __init__(
        self,
        level: Level,
        *,
        certainty: Certainty = Certainty.SURE,
        container: bool = False,
        keyed: bool = False,
        arrays_only: bool = False,
        origin: Origin | None = None,
        operand: tuple[int, ...] | None = None,
        buffers: Buffers = NO_BUFFERS,
    ) -> None:
        self.level = level
        self.certainty = certainty
        self.container = container
        self.keyed = keyed
        self.arrays_only = arrays_only
        self.origin = origin
        self.operand = operand
        self.buffers = buffers

    def key(self) -> tuple[Any, ...]:
        """Every field but the origin, the operand and the buffers."""
        return (int(self.level), int(self.certainty), self.container, self.keyed, self.arrays_only)

    def replace(self, **changes: Any) -> Tree:
        """A copy with some fields changed."""
        fields: dict[str, Any] = {
            "level": self.level,
            "certainty": self.certainty,
            "container": self.container,
            "keyed": self.keyed,
            "arrays_only": self.arrays_only,
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
    there depends on what is installed; not part of equality.
    """

    __slots__ = ("exclusive", "members")

    def __init__(self, members: tuple[Value, ...], *, exclusive: bool = False) -> None:
        self.members = members
        self.exclusive = exclusive

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
    return True if type(value) in _TRUE else None


#: what counts as true whatever it is
_TRUE: Final = frozenset(
    {Function, BoundMethod, Partial, Class, ModuleValue, Transformed, Cached, ArrayMethod}
)
