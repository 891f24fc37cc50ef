"""Plausible inputs for a function, from what is known of its parameters.

Runs in a child process only.  A parameter's candidates come, best first, from values of that name
seen in real calls, from what the analysis knows of it (what visible callers pass, with the keys,
classes and constants that an annotation cannot tell), its annotation, its default, and last from a
few shapes that fit much code.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import dataclasses
import inspect
import itertools
import sys
import typing
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from jitlint import sketches
from jitlint.sketches import Sketch
from jitlint.verify.driving.calling.arrays import array_of, jaxtyping_shape
from jitlint.verify.driving.calling.call_sites import CallSites
from jitlint.verify.driving.calling.names import FUNCTION_NAMES, is_count, is_key
from jitlint.verify.driving.calling.spelling import Speller
from jitlint.verify.recording.exceptions import described
from jitlint.verify.recording.real_jax import real_jax, real_numpy

_MOST_DEPTH = 3
#: how many values are made of one thing that the analysis knows
_MOST_ALIKE = 3
#: shapes that unknown arrays have together, by turns
PROFILES: tuple[tuple[int, ...], ...] = ((3,), (), (3, 3), (4, 2), (2, 4, 4, 3), (2, 3, 3))
#: stands for an argument that is not passed, so that its default holds
OMITTED = object()
#: a value of each type that Python numbers, flags and texts are of
SCALARS: Mapping[str, Any] = {"int": 2, "float": 0.5, "bool": True, "str": "mean"}
_ANY = Sketch(sketches.ANY)

#: what is known of the parameters of a function, by name: what each may hold
Known = Mapping[str, Sequence[Sketch]]


@dataclass
class Maker:
    """Makes values for parameters.

    Args:
      namespace: the globals of the module, for its classes.
      functions: the module's functions and methods, by their last name.
      pool: values seen in real calls, and in those that have made others, by name.
      real: the identities of those that were seen in real calls.
      fields: the fields of the objects made so far, by name.
      profiles: the shapes that unknown arrays have together, by turns.
      module: the dotted name of the module; None where nothing can import it.
      speller: remembers how values were made.
      made: values that the module's own functions have made, by name.
      calls: the calls in its text.
      known: what the analysis knows of the module's functions, by their dotted names.
      refused: what the constructors of classes raised last, by the names of the classes.
    """

    namespace: Mapping[str, Any]
    functions: Mapping[str, ast.FunctionDef]
    pool: Mapping[str, list[Any]]
    real: Collection[int] = frozenset()
    fields: dict[str, Any] = field(default_factory=dict)
    profiles: tuple[tuple[int, ...], ...] = PROFILES
    module: str | None = None
    speller: Speller = field(default_factory=Speller)
    made: dict[str, Any] = field(default_factory=dict)
    calls: CallSites | None = None
    known: Mapping[str, Known] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)

    def passed(self, function: Callable[..., Any]) -> dict[str, Any]:
        """What calls in the module's text pass to a function, by parameter."""
        chosen = passed_parameters(function)
        return self.calls.passed(function, chosen) if self.calls is not None and chosen else {}

    def of_name(self, name: str) -> Any:
        """A value of a parameter whose name tells what it is.

        Raises:
          KeyError: it tells nothing.
        """
        if is_key(name):
            return real_jax().random.key(0)
        if is_count(name):
            return 2
        raise KeyError(name)

    def spelled(self, name: str) -> str | None:
        """A value of the module, as it is spelled outside of it."""
        return None if self.module is None else f"{self.module}.{name}"

    def pooled(self, name: str) -> list[Any]:
        """Values of a name that were seen; nothing comes of containers that hold nothing."""
        return [v for v in self.pool.get(name, ()) if not isinstance(v, dict | list) or v]

    def seen(self, cls: Any) -> list[Any]:
        """Instances of a class from real calls."""
        if not isinstance(cls, type) or getattr(cls, "_is_protocol", False):
            return []
        found = (value for values in self.pool.values() for value in values)
        # A module that was imported anew has classes of the same name.
        return [v for v in found if isinstance(v, cls) or type(v).__qualname__ == cls.__qualname__]

    def candidates(
        self,
        name: str,
        known: Sequence[Sketch],
        default: Any,
        annotation: Any,
        profile: int,
        depth: int = 0,
        passed: Mapping[str, Any] = MappingProxyType({}),
    ) -> list[tuple[str, Any]]:
        """Values for one parameter, the best first, each with its source.

        Args:
          name: of the parameter.
          known: what the analysis knows of it.
          default: its default.
          annotation: its annotation.
          profile: the shapes that unknown arrays have.
          depth: how many objects are being made around it.
          passed: what calls in the text of the module pass.
        """
        found: list[tuple[str, Any]] = []
        for value in self.pooled(name)[:2]:
            real = id(value) in self.real
            found.append(
                ("a value seen in a real call" if real else "what the module makes", value)
            )
        if name in passed:
            found.append(("a call in the code", passed[name]))
        if name in self.fields:
            found.append(("a field of the object", self.fields[name]))
        if name in self.made:
            found.append(("what the module makes", self.made[name]))
        for sketch in known:
            constant = sketch.kind == sketches.CONSTANT
            if constant and type(sketch.value) is type(default) and sketch.value == default:
                continue
            if sketch.kind != sketches.ARRAY or sketch.is_exact:
                made = itertools.islice(self.sketched(sketch, name, profile), _MOST_ALIKE)
                found += [("the analysis", value) for value in made]
        rank = max((len(s.shape or ()) for s in known if s.kind == sketches.ARRAY), default=0)
        if annotation is not inspect.Parameter.empty:
            found += [("annotation", v) for v in self.annotated(annotation, rank, profile, depth)]
        found += [("search", v) for v in self.guessed(name, rank, profile)]
        if default is not inspect.Parameter.empty:
            found.insert(0, ("default", OMITTED))
        return found

    def sketched(self, sketch: Sketch, name: str, profile: int, depth: int = 0) -> Iterator[Any]:
        """Values that are what the analysis knows, if any can be made."""
        if sketch.kind == sketches.CONSTANT:
            yield sketch.value
        elif sketch.kind == sketches.SCALAR:
            yield SCALARS[sketch.name]
        elif sketch.kind == sketches.NAMED:
            yield from self.named(sketch.name)
        elif sketch.kind == sketches.OBJECT:
            for cls in self.named(sketch.name):
                yield from self.instances(cls, profile, depth + 1, dict(sketch.parts))
        elif sketch.kind == sketches.CALLABLE:
            yield from self.callables(name)
        elif sketch.kind == sketches.ITERATOR:
            yield itertools.repeat(array_of(self.profiles[profile]))
        elif sketch.name == "key":
            yield real_jax().random.key(0)
        elif sketch.is_exact:
            yield array_of(tuple(n or 0 for n in sketch.shape or ()), sketch.name)
        elif sketch.kind in (sketches.ARRAY, sketches.ANY):
            yield from self.guessed(name, len(sketch.shape or ()), profile)
        else:
            made = {
                key: next(self.sketched(part, str(key), profile, depth + 1), None)
                for key, part in sketch.parts
            }
            if sketch.kind == sketches.MAPPING:
                yield made or {"w": array_of((3, 3)), "b": array_of((3,), turn=1)}
            else:
                yield [*made.values()] if sketch.kind == sketches.LIST else (*made.values(),)

    def named(self, name: str) -> Iterator[Any]:
        """What a dotted name stands for, if its module was imported."""
        parts = name.split(".")
        heads = (".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
        head = next((head for head in heads if head in sys.modules), None)
        value: Any = None
        if head is not None:
            value = sys.modules[head]
            for inner in name[len(head) + 1 :].split("."):
                value = getattr(value, inner, None)
        if value is None:
            # The analysis may know a module under a longer name than those who import it.
            value = self.namespace.get(parts[-1])
        if value is not None:
            ours = self.namespace.get(parts[-1]) is value
            known = name if name.startswith("jax.") else None
            self.speller.note(value, self.spelled(parts[-1]) if ours else known)
            yield value

    def guessed(self, name: str, rank: int, profile: int) -> Iterator[Any]:
        """Values by name, then of the profile's shape."""
        jax = real_jax()
        numpy = real_numpy()

        streams = self.streams(name)
        if streams is not None:
            yield streams
            return
        if is_key(name):
            yield jax.random.key(0)
            return
        if name in FUNCTION_NAMES:
            yield from self.callables(name)
            return
        if is_count(name):
            yield 2
        shape = self._shape(rank, profile)
        yield array_of(shape)
        yield 0.5
        yield 2
        yield jax.device_put(numpy.ones((3,), bool))
        yield array_of((3, 3) if shape != (3, 3) else (3,))
        yield jax.device_put(numpy.arange(3, dtype=numpy.int32))
        yield [array_of(shape), array_of(shape, turn=1)]
        yield {"w": array_of((3, 3)), "b": array_of((3,), turn=1)}
        yield "mean"

    def streams(self, name: str) -> Any:
        """What Flax NNX takes keys from, where the module uses that and a parameter says so."""
        nnx = sys.modules.get("flax.nnx")
        uses = nnx is not None and any(value is nnx for value in self.namespace.values())
        return nnx.Rngs(0) if nnx is not None and uses and name == "rngs" else None

    def _shape(self, rank: int, profile: int) -> tuple[int, ...]:
        """The profile's shape, with as many axes at least."""
        shape = self.profiles[profile]
        return (*shape, *(3,) * (rank - len(shape)))

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
        body = lambda carry, *args: (carry, args[0] if args else carry)  # noqa: E731
        self.speller.note(body, "lambda carry, *args: (carry, args[0] if args else carry)")
        yield body
        for known, tree in self.functions.items():
            value = self.namespace.get(known)
            if callable(value) and not tree.decorator_list:
                self.speller.note(value, self.spelled(known))
                yield value

    def instances(
        self, cls: Any, profile: int, depth: int, fields: Mapping[Any, Sketch] | None = None
    ) -> Iterator[Any]:
        """Instances of a class, made from its fields, or from what is known of those of one."""
        if depth > _MOST_DEPTH:
            return
        try:
            parameters = inspect.signature(cls).parameters
        except (TypeError, ValueError):
            return
        yield from self.seen(cls)
        known = self.known.get(f"{cls.__qualname__}.__init__", {})
        fields = fields or {}
        made_one, values = None, dict[str, Any]()
        passed = self.passed(cls)
        for variant in (None, 2, 0.5):
            values = {}
            for name, parameter in parameters.items():
                if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                    continue
                if parameter.default is not parameter.empty and name not in fields:
                    continue
                sketched = [s for s in (fields.get(name, _ANY), *known.get(name, ())) if s.tells]
                made = self.candidates(
                    name,
                    sketched,
                    parameter.empty,
                    parameter.annotation,
                    profile,
                    depth,
                    passed,
                )
                plain = made and made[0][0] == "search" and hasattr(made[0][1], "shape")
                plain = plain and not is_key(name)
                if depth < _MOST_DEPTH and made:
                    values[name] = variant if variant is not None and plain else made[0][1]
            others = [p for p in parameters.values() if p.kind is p.VAR_POSITIONAL]
            try:
                made_one = cls(**values)
            except Exception as error:
                self.refused[cls.__name__] = described(error)
                if not others or values:
                    continue
                try:
                    made_one = cls(array_of(self.profiles[profile]))
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
            yield from self.instances(other, profile, depth + 1)

    def subclasses(self, cls: Any) -> list[Any]:
        """The module's classes that fill in what a class leaves open."""
        return [
            known
            for known in dict.fromkeys(filter(inspect.isclass, self.namespace.values()))
            if known is not cls and cls in known.__mro__[1:]
        ]

    def annotated(self, annotation: Any, rank: int, profile: int, depth: int = 0) -> Iterator[Any]:
        """Values of an annotated type, which may be given as text."""
        jax = real_jax()
        jnp = real_jax().numpy

        if isinstance(annotation, typing.ForwardRef):
            # So do named tuples keep what is written as text.
            annotation = annotation.__forward_arg__
        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, dict(self.namespace))
            except Exception:
                return
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if annotation in (int, float, bool, str):
            yield SCALARS[annotation.__name__]
        elif getattr(annotation, "__name__", "") == "Rngs" and self.streams("rngs") is not None:
            yield self.streams("rngs")
        elif hasattr(annotation, "dim_str"):
            yield array_of(jaxtyping_shape(annotation))
        elif annotation in (jax.Array, jnp.ndarray) or "Array" in str(annotation):
            yield array_of(self._shape(rank, profile))
        elif origin in (tuple,) and arguments and Ellipsis not in arguments:
            parts = [list(self.annotated(a, 0, profile, depth + 1)) for a in arguments]
            if all(parts):
                yield tuple(part[0] for part in parts)
        elif origin in (list, tuple, collections.abc.Sequence) and arguments:
            made = list(self.annotated(arguments[0], 0, profile, depth + 1))
            if made:
                yield (list if origin is list else tuple)([made[0], made[0]])
        elif origin is dict and len(arguments) == 2:
            made = list(self.annotated(arguments[1], 0, profile, depth + 1))
            if made:
                yield {"a": made[0]}
        elif origin is not None and arguments and origin is not collections.abc.Callable:
            for argument in arguments:
                yield from self.annotated(argument, rank, profile, depth)
        elif isinstance(annotation, type) and (
            field_names(annotation) or self.subclasses(annotation)
        ):
            yield from self.instances(annotation, profile, depth + 1)


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
