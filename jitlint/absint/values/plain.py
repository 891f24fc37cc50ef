"""Values that are certainly no tracers: constants, and what is known of others by their kind."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final

from jitlint.absint.values.base import Told, Value
from jitlint.absint.values.extents import Extent

if TYPE_CHECKING:
    from jitlint.absint.values.domain import Array, Tree

#: the flag of a constant that other code may change before the code at hand runs
CHANGES: Final = "<changes>"


class Const(Value):
    """A known Python constant: number, string, bytes, bool, None or Ellipsis.

    ``flag`` is the name of the :class:`Flag` that has this value on the path at hand, or
    ``CHANGES``; ``shown`` is whether nothing but a test has shown it.  Neither is part of equality.
    """

    __slots__ = ("flag", "shown", "value")

    def __init__(self, value: Any, flag: str | None = None, *, shown: bool = False) -> None:
        self.value = value
        self.flag = flag
        self.shown = shown

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
    own.  ``scalar`` is how it counts where the tracer that it tells of has no dimensions, of which
    nothing is known: ``ndim`` and ``shape`` are false then, ``x.ndim == 0`` is true.  ``told`` is
    what tests have shown of it.  None of them is part of equality.
    """

    __slots__ = ("extent", "scalar", "told", "type")

    def __init__(self, kind: str | None = None, extent: Extent | None = None) -> None:
        self.type = kind
        self.extent = extent
        self.scalar: bool | None = None
        self.told: Told | None = None

    def of_extent(self, extent: Extent | None) -> Static:
        """The same with a size."""
        made = copy.copy(self)
        made.extent = extent
        return made

    def of_told(self, told: Told | None) -> Static:
        """The same, of which tests have shown something."""
        made = copy.copy(self)
        made.told = told
        return made

    def of_rank(self, scalar: bool) -> Static:
        """The same, asked of a tracer that may have no dimensions: how it counts if it has none."""
        made = copy.copy(self)
        made.scalar = scalar
        return made

    def key(self) -> tuple[Any, ...]:
        """The Python type, None where it is not known."""
        return (self.type,)


class EnumMember(Static):
    """A member of an enumeration of the project, by its qualified name.

    Its ``type`` is ``int`` under ``IntEnum``, whose members are compared with arrays as numbers.
    ``cls`` is the class; it is told by the name.
    """

    __slots__ = ("cls", "name")

    def __init__(self, name: str, cls: Value, kind: str | None = None) -> None:
        super().__init__(kind)
        self.name = name
        self.cls = cls

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


class TextArray(MadeArray):
    """A NumPy array of strings, which JAX takes nowhere."""

    __slots__ = ()

    def key(self) -> tuple[Any, ...]:
        """What tells it from arrays of numbers, and whether it has dimensions."""
        return ("str", self.dimensions)


class Range(Static):
    """A ``range`` of known length.

    Args:
      length: how many numbers it has.
      numbers: these, where the program writes them; None if only the calls in sight pass them.
    """

    __slots__ = ("length", "numbers")

    def __init__(self, length: int, numbers: range | None = None) -> None:
        super().__init__("range")
        self.length = length
        self.numbers = numbers

    def key(self) -> tuple[Any, ...]:
        """The length and the numbers."""
        return (self.length, self.numbers)


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


class Dtype(Static):
    """The dtype of an array of which only the sort is known: ``bool``, ``int`` or ``float``."""

    __slots__ = ("sort",)

    def __init__(self, sort: str) -> None:
        super().__init__("dtype")
        self.sort = sort

    def key(self) -> tuple[Any, ...]:
        """The sort."""
        return (self.sort,)


class Outside(Static):
    """What was read from outside the program: its environment, its machine, its user."""

    __slots__ = ()


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
#: those that stand for many values: what is told of one of these is told of no other
SHARED: Final = (STATIC, INT, FLOAT, BOOL, STR, SHAPE, NDARRAY, DTYPE)
