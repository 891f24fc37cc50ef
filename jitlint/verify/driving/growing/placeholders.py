"""Placeholders: values that tell what is asked of them, and go on as what they turn out to be.

Runs in a child process only.  They are pytrees with one array in them, so that they pass through
transforms: inside of a trace they hold a tracer.
"""

from __future__ import annotations

import dis
import functools
import operator
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from jitlint.verify.driving.growing.specs import Path
from jitlint.verify.recording.real_jax import real_jax, real_numpy

#: attributes that arrays have; any other attribute shows an object
ARRAY_ATTRIBUTES = frozenset(
    "shape ndim dtype size T mT at sum mean max min any all reshape astype item tolist argmax "
    "argmin std var dot flatten ravel squeeze transpose copy cumsum prod real imag clip round "
    "conj swapaxes sort argsort nbytes itemsize take repeat trace block_until_ready".split()
)
#: methods that only texts have
TEXT_METHODS = frozenset(
    "split rsplit splitlines strip lstrip rstrip lower upper title encode startswith endswith "
    "isdigit isalpha isspace replace partition casefold".split()
)
#: the text that something is whose value nobody knows
_ANY_TEXT = "mean"
#: attributes of arrays that are no methods
_DATA = frozenset("shape ndim dtype size T mT at real imag nbytes itemsize".split())
_OF_JAX = re.compile(r"[\\/](?:jax|jaxlib|numpy)[\\/]")
#: what only named tuples have; JAX asks everything else that begins like that
_TUPLE_METHODS = frozenset({"_replace", "_asdict"})
#: how many elements of something unknown are given to a loop
_TURNS = 2
#: how far functions of JAX lie between the user's code and the question for an array
_MOST_FRAMES = 12
#: how deep inputs may be nested
_DEEPEST = 6
#: what a mapping holds whose keys nobody names
_ANY_KEY = "w"


@dataclass(eq=False)
class Facts:
    """What placeholders have been asked during a run, in order.

    Args:
      found: the path, the question, and more of it.
    """

    found: list[tuple[Path, str, Any]] = field(default_factory=list)

    def note(self, path: Path, what: str, more: Any = None) -> None:
        """Take in a question."""
        if (path, what, more) not in self.found:
            self.found.append((path, what, more))


class Placeholder:
    """A value of which nothing is known.

    Args:
      path: where it is among the inputs.
      leaf: the array that it holds.
      facts: what is asked of it.
      rank: how many axes the array has outside of all transforms.
    """

    def __init__(self, path: Path, leaf: Any, facts: Facts, rank: int) -> None:
        self._path = path
        self._leaf = leaf
        self._facts = facts
        self._rank = rank

    # -- what it turns out to be ------------------------------------------------------------------

    def _array(self, least: int = 0, dtype: str | None = None) -> Any:
        """It as an array with some axes at least."""
        inner = len(getattr(self._leaf, "shape", ()))
        outer = self._rank - inner
        rank = max(inner, least)
        self._facts.note(self._path, "array", rank + max(outer, 0))
        if dtype is not None:
            self._facts.note(self._path, "dtype", dtype)
        if rank == inner and dtype is None:
            return self._leaf
        shape = (*(3,) * (rank - inner), *getattr(self._leaf, "shape", ()))
        return real_jax().device_put(real_numpy().ones(shape, dtype or "float32"))

    def _child(self, step: tuple[str, Any], leaf: Any = None) -> Placeholder:
        if len(self._path) > _DEEPEST:
            # NumPy, for one, looks into sequences without end.
            raise TypeError("nothing holds values so deep")
        if leaf is None:
            numpy = real_numpy()
            leaf = real_jax().device_put(numpy.ones((3,), "float32"))
        return Placeholder((*self._path, step), leaf, self._facts, len(leaf.shape))

    def _is_own_child(self, other: Any) -> bool:
        return (
            isinstance(other, Placeholder)
            and len(other._path) > len(self._path)
            and other._path[: len(self._path)] == self._path
        )

    # -- containers -------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str) or self._is_own_child(key):
            name = key if isinstance(key, str) else _ANY_KEY
            self._facts.note(self._path, "key", name)
            return self._child(("key", name))
        if isinstance(key, int) and not isinstance(key, bool):
            self._facts.note(self._path, "place", key)
            if len(self._leaf.shape) > 0:
                return self._child(("place", key), self._leaf[0])
            return self._child(("place", key))
        if isinstance(key, slice) and all(
            part is None or isinstance(part, int) for part in (key.start, key.stop, key.step)
        ):
            # Of an array, or of a sequence: what is taken of it says more.
            self._facts.note(self._path, "sliced")
            return self
        if isinstance(key, Placeholder):
            self._facts.note(key._path, "index")
            key = key._array(dtype="int32")
        rank = sum(part is not None for part in key) if isinstance(key, tuple) else 1
        if isinstance(key, tuple):
            key = tuple(k._array(dtype="int32") if isinstance(k, Placeholder) else k for k in key)
            rank -= sum(part is Ellipsis for part in key)
        return self._array(rank)[key]

    def __iter__(self) -> Iterator[Any]:
        frame = sys._getframe(1)
        count = _unpacked(frame)
        if count is not None:
            self._facts.note(self._path, "unpacked", count)
            return iter([self._child(("place", n)) for n in range(count)])
        self._facts.note(self._path, "iterated")
        return iter([self._child(("place", None)) for _ in range(_TURNS)])

    def __len__(self) -> int:
        self._facts.note(self._path, "sized")
        return int(self._leaf.shape[0]) if self._leaf.shape else _TURNS

    def __contains__(self, key: Any) -> bool:
        if isinstance(key, str):
            self._facts.note(self._path, "key", key)
            return True
        return bool(key in self._array(1))

    def keys(self) -> Any:
        """The keys of a mapping."""
        return self._mapping().keys()

    def values(self) -> Any:
        """The values of a mapping."""
        return self._mapping().values()

    def items(self) -> Any:
        """The pairs of a mapping."""
        return self._mapping().items()

    def _mapping(self) -> dict[str, Any]:
        known = [
            path[-1][1]
            for path, _, _ in self._facts.found
            if path[:-1] == self._path and path[-1][0] == "key"
        ]
        self._facts.note(self._path, "mapping")
        if not known:
            self._facts.note(self._path, "key", _ANY_KEY)
        return {key: self._child(("key", key)) for key in dict.fromkeys(known or [_ANY_KEY])}

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key."""
        return self[key] if isinstance(key, str) else default

    def pop(self, key: Any, default: Any = None) -> Any:
        """The value of a key."""
        return self[key] if isinstance(key, str) else default

    # -- attributes -------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if (name.startswith("_") and name not in _TUPLE_METHODS) or _is_asked_by_jax():
            raise AttributeError(name)
        if name in _DATA:
            return getattr(self._array(), name)
        if name in TEXT_METHODS:
            self._facts.note(self._path, "text", _ANY_TEXT)
            return getattr(_ANY_TEXT, name)
        self._facts.note(self._path, "attribute", name)
        child = self._child(("attribute", name))
        if name in ARRAY_ATTRIBUTES:
            return _Method((*self._path, ("attribute", name)), child._leaf, self._facts, self, name)
        return child

    # -- plain values -----------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What a function returns."""
        self._facts.note(self._path, "called")
        return args[0] if args else self._leaf

    def __bool__(self) -> bool:
        return bool(self._array())

    def __index__(self) -> int:
        if self._is_traced():
            return operator.index(self._array(dtype="int32"))
        self._facts.note(self._path, "number")
        return 2

    def __int__(self) -> int:
        return int(self._array()) if self._is_traced() else self.__index__()

    def __float__(self) -> float:
        if self._is_traced():
            return float(self._array())
        self._facts.note(self._path, "decimal")
        return 0.5

    def _is_traced(self) -> bool:
        return isinstance(self._leaf, real_jax().core.Tracer)

    def __hash__(self) -> int:
        return hash(self._path)

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, str):
            self._facts.note(self._path, "text", other)
            return True
        if other is None or isinstance(other, type):
            return False
        if isinstance(other, Placeholder) and other._path == self._path:
            return True
        return self._array() == plain(other)

    def __ne__(self, other: Any) -> Any:
        if isinstance(other, str) or other is None or isinstance(other, type):
            return not self == other
        return self._array() != plain(other)

    # -- arrays -----------------------------------------------------------------------------------

    def __jax_array__(self) -> Any:
        frame = sys._getframe(1)
        for _ in range(_MOST_FRAMES):
            name, values = frame.f_code.co_name, frame.f_locals
            if name == "einsum" and isinstance(values.get("subscripts"), str):
                return self._array(_einsum_rank(values, self))
            if name in ("dot", "matmul") and "b" in values:
                return self._array(2 if values["b"] is self else 1)
            if "matmul" in name:
                return self._array(1 if "rmatmul" in name else 2)
            if frame.f_back is None or "jax" not in frame.f_back.f_code.co_filename:
                break
            frame = frame.f_back
        return self._array()

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return real_numpy().asarray(self._array(), *args, **kwargs)

    def __matmul__(self, other: Any) -> Any:
        # Examples come first, but not where something else goes over them.
        outer = self._rank - len(self._leaf.shape)
        return self._array(1 if outer > 0 else 2) @ _right(other)

    def __rmatmul__(self, other: Any) -> Any:
        return other @ self._array(2)


class _Method(Placeholder):
    """An attribute that arrays have as a method: of what is called, the owner is an array."""

    def __init__(self, path: Path, leaf: Any, facts: Facts, owner: Placeholder, name: str) -> None:
        super().__init__(path, leaf, facts, len(leaf.shape))
        self._owner = owner
        self._method = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._facts.found.remove((self._owner._path, "attribute", self._method))
        return getattr(self._owner._array(), self._method)(*map(plain, args), **kwargs)


def _is_asked_by_jax() -> bool:
    """Whether JAX or NumPy, and not the user's code, asks for an attribute."""
    return _OF_JAX.search(sys._getframe(2).f_code.co_filename) is not None


def plain(value: Any) -> Any:
    """A value, for a placeholder the array that it stands for."""
    return value._array() if isinstance(value, Placeholder) else value


def _right(value: Any) -> Any:
    return value._array(2) if isinstance(value, Placeholder) else value


def _binary(name: str) -> Any:
    function = getattr(operator, name)

    def forward(self: Placeholder, other: Any) -> Any:
        return function(self._array(), plain(other))

    return forward


def _comparing(name: str) -> Any:
    function = getattr(operator, name)

    def compare(self: Placeholder, other: Any) -> Any:
        if isinstance(other, Placeholder) and self._path == other._path:
            # They are sorted: rather the keys of a mapping than elements of an array.
            return function(id(self), id(other))
        return function(self._array(), plain(other))

    return compare


def _reflected(name: str) -> Any:
    function = getattr(operator, name)

    def backward(self: Placeholder, other: Any) -> Any:
        return function(other, self._array())

    return backward


def _unary(name: str) -> Any:
    function = getattr(operator, name)
    return lambda self: function(self._array())


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(Placeholder, f"__{_name}__", _binary(_name))
    setattr(Placeholder, f"__r{_name}__", _reflected(_name))
for _name in ("lt", "le", "gt", "ge"):
    setattr(Placeholder, f"__{_name}__", _comparing(_name))
for _name in ("neg", "pos", "abs"):
    setattr(Placeholder, f"__{_name}__", _unary(_name))
for _name in ("and_", "or_", "xor"):
    setattr(Placeholder, f"__{_name.strip('_')}__", _binary(_name))
    setattr(Placeholder, f"__r{_name.strip('_')}__", _reflected(_name))


def _unpacked(frame: FrameType) -> int | None:
    """Into how many names a frame is about to unpack something, None if it does not."""
    for instruction in dis.get_instructions(frame.f_code):
        if instruction.offset >= frame.f_lasti:
            if instruction.offset > frame.f_lasti:
                return None
            if instruction.opname == "UNPACK_SEQUENCE":
                return int(instruction.arg or 0)
            if instruction.opname == "UNPACK_EX":
                arg = int(instruction.arg or 0)
                return (arg & 0xFF) + (arg >> 8) + 1
            return None
    return None


def _einsum_rank(values: dict[str, Any], placeholder: Placeholder) -> int:
    terms = str(values["subscripts"]).partition("->")[0].replace(" ", "").split(",")
    operands = values.get("operands", ())
    if isinstance(operands, tuple | list):
        for term, operand in zip(terms, operands, strict=False):
            if operand is placeholder:
                return len(term.replace("...", ""))
    return 0


@functools.cache
def register() -> None:
    """Make JAX take placeholders for containers of their array."""
    jax = real_jax()

    def flatten(value: Placeholder) -> Any:
        return (value._leaf,), (value._path, value._facts, value._rank)

    def unflatten(data: Any, children: Any) -> Placeholder:
        return Placeholder(data[0], children[0], data[1], data[2])

    jax.tree_util.register_pytree_node(Placeholder, flatten, unflatten)
