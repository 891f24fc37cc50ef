"""Plausible inputs for a function, from how it uses its parameters.

Runs in a child process only.  A parameter's candidates come, best first, from values of that name
seen in real calls, its annotation, its uses in the body, its default, and last from a few shapes
that fit much code.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import inspect
import io
import itertools
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jitlint.verify.driving.spelling import Speller
from jitlint.verify.driving.uses import Functions, Uses, uses_of
from jitlint.verify.recording.real_jax import real_jax, real_numpy

_MOST_DEPTH = 3
KEY_NAMES = frozenset({"key", "rng", "rng_key", "prng_key", "subkey", "prng"})
_FUNCTION_NAMES = frozenset({"function", "func", "fn", "callback"})
_COUNT_WORDS = (
    "num count steps size length turns limit iterations epochs seed width depth features hidden "
    "classes layers rounds rows columns"
).split()
#: how functions are called that make the first value of something
_MAKING = ("init", "initial", "make", "create", "new", "random", "sample")
#: shapes that unknown arrays have together, by turns
PROFILES: tuple[tuple[int, ...], ...] = ((3,), (), (3, 3), (4, 2), (2, 4, 4, 3), (2, 3, 3))
#: stands for an argument that is not passed, so that its default holds
OMITTED = object()


@dataclass
class Maker:
    """Makes values for parameters.

    Args:
      namespace: the globals of the module, for its classes.
      functions: the module's functions and methods, by their last name.
      pool: values seen in real calls, by name.
      fields: the fields of the objects made so far, by name.
      profiles: the shapes that unknown arrays have together, by turns.
      module: the dotted name of the module; None where nothing can import it.
      speller: remembers how values were made.
      made: values that the module's own functions have made, by name.
    """

    namespace: Mapping[str, Any]
    functions: Functions
    pool: Mapping[str, list[Any]]
    fields: dict[str, Any] = field(default_factory=dict)
    profiles: tuple[tuple[int, ...], ...] = PROFILES
    module: str | None = None
    speller: Speller = field(default_factory=Speller)
    made: dict[str, Any] = field(default_factory=dict)

    def make(self, name: str) -> None:
        """Have the module make the value of a parameter, by what is called after that.

        Args:
          name: of the parameter: ``params`` for ``init_params``.
        """
        for word in _MAKING:
            function = self.namespace.get(f"{word}_{name}")
            tree = self.functions.get(f"{word}_{name}")
            if tree is None or not callable(function) or name in self.made:
                continue
            self.made[name] = None
            uses = uses_of(tree, self.functions)
            for values, _ in itertools.islice(argument_lists(function, uses, self), 2):
                with contextlib.suppress(Exception):
                    passed = values_by_name(values)
                    self.made[name] = function(**passed)
                    self.speller.note_call(self.made[name], self.spelled(f"{word}_{name}"), passed)
                    return
            del self.made[name]

    def spelled(self, name: str) -> str | None:
        """A value of the module, as it is spelled outside of it."""
        return None if self.module is None else f"{self.module}.{name}"

    def seen(self, cls: Any) -> list[Any]:
        """Instances of a class from real calls."""
        if not isinstance(cls, type) or getattr(cls, "_is_protocol", False):
            return []
        found = (value for values in self.pool.values() for value in values)
        # A module that was imported anew has classes of the same name.
        return [v for v in found if isinstance(v, cls) or type(v).__qualname__ == cls.__qualname__]

    def candidates(
        self, name: str, uses: Uses, default: Any, annotation: Any, profile: int
    ) -> list[tuple[str, Any]]:
        """Values for one parameter, the best first, each with its source."""
        found: list[tuple[str, Any]] = []
        for value in self.pool.get(name, ())[:2]:
            found.append(("a value seen in a real call", value))
        if name in self.fields:
            found.append(("a field of the object", self.fields[name]))
        if name in self.made:
            found.append(("what the module makes", self.made[name]))
        hint = annotation if annotation is not inspect.Parameter.empty else uses.annotation
        if hint is not None:
            found += [("annotation", v) for v in self.annotated(hint, uses, profile)]
        found += [("search", v) for v in self.guessed(name, uses, profile)]
        if default is not inspect.Parameter.empty:
            plain = isinstance(default, str | bool | list | dict | set | tuple | None)
            first = plain or callable(default) or dataclasses.is_dataclass(default)
            found.insert(0 if first else len(found), ("default", OMITTED))
        return found

    def guessed(self, name: str, uses: Uses, profile: int, depth: int = 0) -> Iterator[Any]:
        """Values by use, then by name, then of the profile's shape."""
        jax = real_jax()
        numpy = real_numpy()

        if uses.key or name in KEY_NAMES or name.endswith(("_key", "_rng")):
            yield jax.random.key(0)
            return
        if (uses.called or name in _FUNCTION_NAMES) and not uses.attributes:
            yield from self.callables(name)
            return
        if uses.text is not None:
            yield uses.text
        if "write" in uses.methods:
            yield io.StringIO()
        if uses.advanced:
            yield itertools.repeat(_array(self.profiles[profile], 0))
        if uses.annotation and depth:
            yield from self.annotated(uses.annotation, uses, profile, depth)
        if depth < _MOST_DEPTH and (uses.fields or uses.attributes or "items" in uses.methods):
            yield from self._structures(name, uses, profile, depth)
        if uses.unpacked:
            # What is unpacked may be an array, or a tuple of arrays.
            shape = self.profiles[profile]
            yield tuple(_array(shape, n) for n in range(uses.unpacked))
            yield _array((uses.unpacked,), 0)
        if uses.count or any(word in name for word in _COUNT_WORDS):
            yield 2
        if uses.place and not uses.rank:
            yield jax.device_put(numpy.int32(1))
        shape = self.profiles[profile]
        while len(shape) < uses.rank:
            shape = (*shape, 3)
        if shape and uses.indexed >= shape[0]:
            shape = (uses.indexed + 1, *shape[1:])
        yield _array(shape, 0)
        yield 0.5
        yield 2
        yield jax.device_put(numpy.ones((3,), bool))
        yield _array((3, 3) if shape != (3, 3) else (3,), 0)
        yield jax.device_put(numpy.arange(3, dtype=numpy.int32))
        yield [_array(shape, 0), _array(shape, 1)]
        yield {"w": _array((3, 3), 0), "b": _array((3,), 1)}
        yield "mean"

    def several(self, uses: Uses | None, profile: int) -> Any:
        """What a parameter gets that takes all other arguments: one array, or one for each key."""
        array = _array(self.profiles[profile], 0)
        if uses is None:
            return (array,)
        return {
            str(key): next(iter(self.guessed(str(key), use, profile, 1)))
            for key, use in uses.fields.items()
        }

    def callables(self, name: str) -> Iterator[Any]:
        """The module's value of that name, plain functions, then the module's own functions."""
        jnp = real_jax().numpy

        for known, value in self.namespace.items():
            if known == name and callable(value):
                self.speller.note(value, self.spelled(known))
                yield value
        first = lambda *args, **kwargs: args[0] if args else 0.0  # noqa: E731
        self.speller.note(first, "lambda *args, **kwargs: args[0] if args else 0.0")
        yield first
        total = lambda *args, **kwargs: jnp.sum(args[0] if args else jnp.ones(()))  # noqa: E731
        self.speller.note(
            total, "lambda *args, **kwargs: jnp.sum(args[0] if args else jnp.ones(()))"
        )
        yield total
        for known, tree in self.functions.items():
            value = self.namespace.get(known)
            if callable(value) and not tree.decorator_list:
                self.speller.note(value, self.spelled(known))
                yield value

    def _structures(self, name: str, uses: Uses, profile: int, depth: int) -> Iterator[Any]:
        inner: dict[str, Any] = {}
        wanted = uses.fields or uses.attributes
        for key, use in wanted.items():
            inner[key] = next(iter(self.guessed(key, use, profile, depth + 1)))
        if uses.fields or "items" in uses.methods:
            yield inner or {"w": _array((3, 3), 0), "b": _array((3,), 1)}
            return
        for known in list(self.namespace.values()):
            fields = field_names(known)
            if fields and set(uses.attributes) <= fields | set(dir(known)):
                yield from self.instances(known, uses, profile, depth + 1)
        if uses.attributes:
            try:
                yield collections.namedtuple("inputs", list(inner))(**inner)
            except ValueError:
                return

    def instances(self, cls: Any, uses: Uses, profile: int, depth: int) -> Iterator[Any]:
        """Instances of a class, made from its fields."""
        if depth > _MOST_DEPTH:
            return
        try:
            parameters = inspect.signature(cls).parameters
        except (TypeError, ValueError):
            return
        yield from self.seen(cls)
        tree = self.functions.get(f"{cls.__name__}.__init__")
        own = uses_of(tree, self.functions, 1) if tree is not None else {}
        made_one, values = None, dict[str, Any]()
        for variant in (None, 2, 0.5):
            values = {}
            for name, parameter in parameters.items():
                if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                    continue
                if parameter.default is not parameter.empty:
                    continue
                use = Uses()
                use.merge(uses.attributes.get(name, Uses()))
                use.merge(own.get(name, Uses()))
                made = self.candidates(name, use, parameter.default, parameter.annotation, profile)
                plain = made and made[0][0] == "search" and hasattr(made[0][1], "shape")
                if depth < _MOST_DEPTH and made:
                    values[name] = variant if variant is not None and plain else made[0][1]
            others = [p for p in parameters.values() if p.kind is p.VAR_POSITIONAL]
            try:
                made_one = cls(**values)
            except Exception:
                if not others or values:
                    continue
                try:
                    made_one = cls(*self.several(None, profile))
                except Exception:
                    continue
                yield made_one
                continue
            ours = self.namespace.get(cls.__name__) is cls
            self.speller.note_call(made_one, self.spelled(cls.__name__) if ours else None, values)
            yield made_one
        words = {p.name: "other" for p in parameters.values() if isinstance(p.default, str)}
        if words and made_one is not None:
            # What it is by default may be what a guard sends away.
            with contextlib.suppress(Exception):
                yield cls(**{**values, **words})
        for other in self.subclasses(cls):
            yield from self.instances(other, uses, profile, depth + 1)

    def subclasses(self, cls: Any) -> list[Any]:
        """The module's classes that fill in what a class leaves open."""
        return [
            known
            for known in dict.fromkeys(filter(inspect.isclass, self.namespace.values()))
            if known is not cls and cls in known.__mro__[1:]
        ]

    def annotated(self, annotation: Any, uses: Uses, profile: int, depth: int = 0) -> Iterator[Any]:
        """Values of an annotated type, which may be given as text."""
        jax = real_jax()
        jnp = real_jax().numpy

        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, dict(self.namespace))
            except Exception:
                return
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        shape = self.profiles[profile]
        while len(shape) < uses.rank:
            shape = (*shape, 3)
        simple: dict[Any, Any] = {int: 2, float: 0.5, bool: True, str: uses.text or "mean"}
        if annotation in simple:
            yield simple[annotation]
        elif hasattr(annotation, "dim_str"):
            yield _array(_jaxtyping_shape(annotation), 0)
        elif annotation in (jax.Array, jnp.ndarray) or "Array" in str(annotation):
            yield _array(shape, 0)
        elif origin in (tuple,) and arguments and Ellipsis not in arguments:
            parts = [list(self.annotated(a, Uses(), profile, depth + 1)) for a in arguments]
            if all(parts):
                yield tuple(part[0] for part in parts)
        elif origin in (list, tuple, collections.abc.Sequence) and arguments:
            made = list(self.annotated(arguments[0], Uses(), profile, depth + 1))
            if made:
                yield (list if origin is list else tuple)([made[0], made[0]])
        elif origin is dict and len(arguments) == 2:
            made = list(self.annotated(arguments[1], Uses(), profile, depth + 1))
            if made:
                yield dict.fromkeys([*uses.fields] or ["a"], made[0])
        elif origin is not None and arguments and origin is not collections.abc.Callable:
            for argument in arguments:
                yield from self.annotated(argument, uses, profile, depth)
        elif isinstance(annotation, type) and (
            field_names(annotation) or self.subclasses(annotation)
        ):
            yield from self.instances(annotation, uses, profile, depth + 1)


def field_names(cls: Any) -> set[str]:
    """The names of a class's fields, or of what its constructor takes."""
    if not isinstance(cls, type):
        return set()
    named = getattr(cls, "_fields", None)
    if isinstance(named, tuple):
        return set(named)
    if dataclasses.is_dataclass(cls):
        return {item.name for item in dataclasses.fields(cls)}
    try:
        return set(inspect.signature(cls).parameters) if "__init__" in vars(cls) else set()
    except (TypeError, ValueError):
        return set()


def _jaxtyping_shape(annotation: Any) -> tuple[int, ...]:
    shape = []
    for word in str(annotation.dim_str).split():
        if "..." not in word:
            digits = word.lstrip("#*")
            shape.append(int(digits) if digits.isdigit() else 2 + sum(map(ord, digits)) % 3)
    return tuple(shape)


def _array(shape: tuple[int, ...], turn: int) -> Any:
    numpy = real_numpy()

    # By NumPy, since each operation of JAX would have to be compiled first, `asarray` too.
    size = int(numpy.prod(shape))
    values = (numpy.arange(size, dtype=numpy.float32).reshape(shape) + 1 + turn) / (size + 1)
    return real_jax().device_put(values)


def passed_parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter] | None:
    """The parameters of a callable that are passed one by one; None where they are not known."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    return {
        name: parameter
        for name, parameter in parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }


def variadic(function: Callable[..., Any], uses: Mapping[str, Uses]) -> dict[str, Uses | None]:
    """The parameters that take all other arguments, with the uses of those by name."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}
    found: dict[str, Uses | None] = {}
    for name, parameter in parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            found[name] = None
        elif parameter.kind is parameter.VAR_KEYWORD:
            found[name] = uses.get(name, Uses())
    return found


def argument_lists(
    function: Callable[..., Any], uses: Mapping[str, Uses], maker: Maker
) -> Iterator[tuple[dict[str, Any], str]]:
    """Argument lists for a callable, the likeliest first.

    Args:
      function: what will be called.
      uses: how the underlying function uses its parameters.
      maker: makes the values.

    Yields:
      Values by parameter name, and in words where they come from.
    """
    chosen = passed_parameters(function)
    if chosen is None:
        return
    if not chosen:
        yield {}, "no arguments"
    for name in chosen:
        maker.make(name)
    more = variadic(function, uses)
    if not chosen and not more:
        return
    later: dict[str, list[tuple[str, Any]]] = {}
    for profile in range(len(maker.profiles)):
        lists = {
            name: maker.candidates(
                name, uses.get(name, Uses()), parameter.default, parameter.annotation, profile
            )
            for name, parameter in chosen.items()
        }
        lists = {name: made for name, made in lists.items() if made}
        yield _pick(lists, {})
        started = _started(_pick(lists, {})[0], uses, maker)
        if started is not None:
            yield started, "the optimiser"
        if more:
            # Guards often ask for one at least.
            values, origin = _pick(lists, {})
            named = {name: maker.several(use, profile) for name, use in more.items()}
            yield {**values, **named}, origin or "search"
        if profile == 0:
            yield from _varied(lists)
        elif profile == 1:
            later = lists
    yield from _varied(later)


def _varied(
    lists: Mapping[str, list[tuple[str, Any]]],
) -> Iterator[tuple[dict[str, Any], str]]:
    """One parameter at a time is something else; then numbers wherever there may be one."""
    for place in range(1, 4):
        for name, made in lists.items():
            if place < len(made):
                yield _pick(lists, {name: place})
    numbers = {
        name: next((i for i, (_, v) in enumerate(made) if isinstance(v, float)), 0)
        for name, made in lists.items()
    }
    yield _pick(lists, numbers)


def values_by_name(values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that are passed."""
    return {name: value for name, value in values.items() if value is not OMITTED}


def _pick(
    lists: Mapping[str, list[tuple[str, Any]]], places: Mapping[str, int]
) -> tuple[dict[str, Any], str]:
    picked = {name: made[places.get(name, 0)] for name, made in lists.items()}
    sources = sorted({source for source, _ in picked.values()})
    return {name: value for name, (_, value) in picked.items()}, ", ".join(sources)


def _started(
    values: dict[str, Any], uses: Mapping[str, Uses], maker: Maker
) -> dict[str, Any] | None:
    """The same arguments with the first states of the optimisers that they belong to, if any do."""
    found = {}
    for name in values:
        optimiser, optimised = uses.get(name, Uses()).state_of or ("", "")
        begin = getattr(maker.namespace.get(optimiser), "init", None)
        if callable(begin) and optimised in values:
            with contextlib.suppress(Exception):
                found[name] = begin(values[optimised])
    return {**values, **found} if found else None


def other_values(arguments: Any, turn: int) -> Any:
    """Arguments with other values of the same shapes and dtypes; ``turn`` 0 gives the same ones.

    Only arrays of numbers change: Python values may be static, and other ones would trace anew.
    """
    jax = real_jax()
    numpy = real_numpy()

    def other(leaf: Any) -> Any:
        if isinstance(leaf, (jax.Array, numpy.ndarray)):
            if jax.numpy.issubdtype(leaf.dtype, jax.dtypes.prng_key):
                return jax.random.fold_in(leaf, turn) if turn else leaf
            if jax.numpy.issubdtype(leaf.dtype, numpy.number):
                return (leaf + turn).astype(leaf.dtype)
        return leaf

    return jax.tree.map(other, arguments)
