"""From what is known of inputs to values: plain ones, or placeholders where it is not enough.

Runs in a child process only.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import inspect
import typing
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from jitlint.sketches import ANY, ARRAY, CALLABLE, LIST, MAPPING, OBJECT, TUPLE, Sketch
from jitlint.verify.driving.calling.argument_lists import make
from jitlint.verify.driving.calling.arrays import array_of
from jitlint.verify.driving.calling.inputs import (
    OMITTED,
    SCALARS,
    Known,
    Maker,
    field_names,
)
from jitlint.verify.driving.calling.names import is_key
from jitlint.verify.driving.growing.learning import new
from jitlint.verify.driving.growing.placeholders import Facts, Placeholder
from jitlint.verify.driving.growing.specs import STEPS, Inputs, Kind, Path, Spec
from jitlint.verify.recording.real_jax import real_jax

_MOST_DEPTH = 4
#: what containers are, by what the analysis calls them
_CONTAINERS = {MAPPING: Kind.MAPPING, LIST: Kind.SEQUENCE, TUPLE: Kind.SEQUENCE}
#: what the object is called that a method belongs to
OWNER = "self"


class Making:
    """Makes values of what is known of them.

    Args:
      maker: knows the module's classes and functions.
    """

    def __init__(self, maker: Maker) -> None:
        self._maker = maker

    @property
    def namespace(self) -> Mapping[str, Any]:
        """The globals of the module."""
        return self._maker.namespace

    # -- what is known before the first call ------------------------------------------------------

    def begin(
        self,
        parameters: Mapping[str, inspect.Parameter],
        known: Known,
        owner: type | None = None,
        passed: Mapping[str, Any] = MappingProxyType({}),
    ) -> Inputs:
        """What is known of the parameters' values.

        Args:
          parameters: those of the function.
          known: what the analysis knows of them.
          owner: the class of the object that it is a method of.
          passed: what calls in the text of the module pass.
        """
        inputs = Inputs({})
        if owner is not None:
            inputs.roots[OWNER] = Spec(Kind.RECORD, value=owner, name=OWNER)
        for name, parameter in parameters.items():
            make(self._maker, name)
            if name in passed and name not in self._maker.pool:
                inputs.roots[name] = Spec(Kind.GIVEN, value=passed[name], name=name)
                continue
            inputs.roots[name] = self._first(inputs, parameter, known.get(name, ()))
        return inputs

    def _first(self, inputs: Inputs, parameter: inspect.Parameter, known: Sequence[Sketch]) -> Spec:
        name = parameter.name
        if parameter.default is not inspect.Parameter.empty:
            return Spec(Kind.GIVEN, value=OMITTED, name=name)
        for value in self._maker.pooled(name)[:1]:
            return Spec(Kind.GIVEN, value=value, name=name)
        if name in self._maker.made:
            return Spec(Kind.GIVEN, value=self._maker.made[name], name=name)
        if name in self._maker.fields:
            return Spec(Kind.GIVEN, value=self._maker.fields[name], name=name)
        # What callers pass has the keys and the constants that an annotation cannot tell; of an
        # array the annotation may tell more.
        arrays = [sketch for sketch in known if sketch.kind == ARRAY]
        others = [sketch for sketch in known if sketch.kind != ARRAY]
        found = next((self._sketched(inputs, sketch, name) for sketch in others), None)
        found = found or self.annotated(inputs, parameter.annotation, name)
        found = found or next((self._sketched(inputs, sketch, name) for sketch in arrays), None)
        return found or self._unknown(inputs, name)

    def _sketched(self, inputs: Inputs, sketch: Sketch, name: str) -> Spec | None:
        """What the analysis knows, None if nothing can be made of that."""
        if sketch.kind in (ARRAY, ANY) and sketch.name != "key":
            dims = tuple(inputs.sizes.new(length) for length in sketch.shape or ())
            known = sketch.kind == ARRAY and sketch.shape is not None
            dtype = sketch.name or "float"
            return Spec(Kind.ARRAY, dims, dtype, name=name) if known else new(inputs, name)
        if sketch.kind == CALLABLE or (
            sketch.kind == MAPPING and not any(part.tells for _, part in sketch.parts)
        ):
            # What is asked of it tells more: all keys, and what they stand for.
            return None
        if sketch.kind in _CONTAINERS:
            held = [(k, self._sketched(inputs, s, str(k))) for k, s in sketch.parts]
            children = {key: spec or new(inputs, str(key)) for key, spec in held}
            choice = int(sketch.kind == TUPLE)
            return Spec(_CONTAINERS[sketch.kind], children=children, choice=choice, name=name)
        if sketch.kind == OBJECT:
            for cls in self._maker.named(sketch.name):
                needed = {name for name, _ in _needed(cls)}
                held = [
                    (key, self._sketched(inputs, part, str(key)))
                    for key, part in sketch.parts
                    if key in needed and part.tells
                ]
                children = {key: spec for key, spec in held if spec is not None}
                return Spec(Kind.RECORD, value=cls, children=children, name=name)
            return None
        made = next(self._maker.sketched(sketch, name, 0), OMITTED)
        return None if made is OMITTED else Spec(Kind.GIVEN, value=made, name=name)

    def _unknown(self, inputs: Inputs, name: str) -> Spec:
        streams = self._maker.streams(name)
        if streams is not None:
            return Spec(Kind.GIVEN, value=streams, name=name)
        if is_key(name):
            return Spec(Kind.KEY, name=name)
        if name in ("keys", "rngs", "subkeys"):
            return Spec(Kind.KEY, dims=(inputs.sizes.new(),), name=name)
        return new(inputs, name)

    def annotated(self, inputs: Inputs, annotation: Any, name: str, depth: int = 0) -> Spec | None:
        """What an annotation says, None if that is nothing."""
        jax = real_jax()
        if isinstance(annotation, typing.ForwardRef):
            # So do named tuples keep what is written as text.
            annotation = annotation.__forward_arg__
        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, dict(self._maker.namespace))
            except Exception:
                return None
        if annotation in (int, float, bool, str):
            return Spec(Kind.GIVEN, value=SCALARS[annotation.__name__], name=name)
        if annotation is jax.Array:
            return self._unknown(inputs, name)
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if annotation is dict or origin is dict:
            return Spec(Kind.MAPPING, name=name)
        if origin is tuple and arguments and Ellipsis not in arguments and depth < _MOST_DEPTH:
            parts = [
                self.annotated(inputs, a, name, depth + 1) or self._unknown(inputs, name)
                for a in arguments
            ]
            return Spec(Kind.SEQUENCE, children=dict(enumerate(parts)), choice=1, name=name)
        if origin in (list, tuple, collections.abc.Sequence) and arguments and depth < _MOST_DEPTH:
            parts = [
                self.annotated(inputs, arguments[0], name, depth + 1) or self._unknown(inputs, name)
                for _ in range(2)
            ]
            return Spec(Kind.SEQUENCE, children=dict(enumerate(parts)), name=name)
        if (
            isinstance(annotation, type)
            and _is_own(annotation)
            and (field_names(annotation) or self._maker.subclasses(annotation))
        ):
            return Spec(Kind.RECORD, value=annotation, name=name)
        made = next(iter(self._maker.annotated(annotation, 0, 0)), None)
        if made is None or hasattr(made, "shape"):
            return None
        return Spec(Kind.GIVEN, value=made, name=name)

    def complete(self, inputs: Inputs) -> None:
        """Add what the classes of objects want besides what is read of them."""
        for spec in inputs.walk():
            options = self._callable_classes() if spec.kind is Kind.FUNCTION else []
            if spec.choice < len(options):
                # A model that is called is rather one of the module's than any function.
                spec.kind, spec.value, spec.children = Kind.RECORD, options[spec.choice], {}
        for spec in inputs.roots.values():
            self._complete(inputs, spec, ())

    def _complete(self, inputs: Inputs, spec: Spec, around: tuple[Any, ...]) -> None:
        """Complete what is in objects of some classes."""
        if spec.kind is Kind.RECORD:
            # A choice that comes round to the first one is nothing new.
            spec.choice %= len(self.classes(spec))
            cls = self.class_of(spec)
            around = (*around, cls)
            for name, parameter in _needed(cls) if cls is not None else ():
                child = spec.children.get(name)
                if child is None or child.kind is Kind.UNKNOWN:
                    known = self.annotated(inputs, parameter.annotation, name)
                    if known is not None and known.kind is Kind.RECORD and _is_deep(known, around):
                        known = None
                    if child is None:
                        spec.children[name] = known or self._unknown(inputs, name)
                    elif known is not None and known.kind is not Kind.UNKNOWN:
                        # Otherwise what has been found out of its sizes stays.
                        spec.children[name] = known
        for child in spec.children.values():
            self._complete(inputs, child, around)

    def _callable_classes(self) -> list[Any]:
        """The module's own classes whose objects can be called, and passed through transforms."""
        return [
            known
            for known in self._maker.namespace.values()
            if isinstance(known, type)
            and known.__module__ == self._maker.namespace.get("__name__")
            and "__call__" in vars(known)
            and dataclasses.is_dataclass(known)
            and not hasattr(known, "init_with_output")
        ]

    # -- objects ----------------------------------------------------------------------------------

    def classes(self, spec: Spec) -> list[Any]:
        """The classes of which an object may be; None stands for a named tuple of its own."""
        if spec.value is not None:
            return [*self._filled_in(spec.value)]
        wanted = {str(name) for name in spec.children}
        found: list[Any] = []
        for known in self._maker.namespace.values():
            if isinstance(known, type) and _is_own(known) and known not in found:
                fields = field_names(known)
                asked = {name for name, _ in _needed(known)}
                if fields and wanted <= fields | asked | set(dir(known)):
                    found.append(known)
        return [*found, None]

    def _filled_in(self, cls: Any) -> list[Any]:
        """A class, or those that fill it in where it is abstract."""
        others = self._maker.subclasses(cls)
        return others if inspect.isabstract(cls) and others else [cls, *others]

    def class_of(self, spec: Spec) -> Any:
        """The class whose turn it is."""
        options = self.classes(spec)
        return options[spec.choice % len(options)]

    # -- values -----------------------------------------------------------------------------------

    def values(self, inputs: Inputs, facts: Facts | None, *, plain: bool = False) -> dict[str, Any]:
        """The inputs by name.

        Args:
          inputs: what is known of them.
          facts: is told what placeholders are asked; None for values without placeholders.
          plain: whether all sizes that are free are the same.
        """
        return {
            name: self._value(inputs, spec, (("root", name),), facts, plain)
            for name, spec in inputs.roots.items()
        }

    def _value(
        self, inputs: Inputs, spec: Spec, path: Path, facts: Facts | None, plain: bool
    ) -> Any:
        if spec.kind is Kind.GIVEN:
            return spec.value
        if spec.kind is Kind.FUNCTION:
            options = [*self._maker.callables(spec.name)]
            return options[spec.choice % len(options)]
        if spec.kind in (Kind.UNKNOWN, Kind.ARRAY, Kind.KEY):
            shape = tuple(inputs.sizes.size(n, plain=plain) for n in spec.dims)
            if spec.kind is Kind.KEY:
                key = real_jax().random.key(0)
                return real_jax().random.split(key, shape) if shape else key
            array = array_of(shape, spec.dtype)
            if spec.kind is Kind.UNKNOWN and facts is not None:
                return Placeholder(path, array, facts, len(shape))
            return array
        inner = {
            key: self._value(inputs, child, (*path, (STEPS[spec.kind], key)), facts, plain)
            for key, child in spec.children.items()
        }
        if spec.kind is Kind.MAPPING:
            return inner
        if spec.kind is Kind.SEQUENCE:
            return tuple(inner.values()) if spec.choice == 1 else list(inner.values())
        return self._object(self.class_of(spec), inner)

    def _object(self, cls: Any, inner: dict[str, Any]) -> Any:
        if cls is not None:
            values = {name: inner[name] for name, _ in _needed(cls) if name in inner}
            made = cls(**values)
            ours = self._maker.namespace.get(cls.__name__) is cls
            text = self._maker.spelled(cls.__name__) if ours else None
            if not _fill(made, {k: v for k, v in inner.items() if k not in values}):
                self._maker.speller.note_call(made, text, values)
            return made
        names = [name for name in inner if name.isidentifier() and not name.startswith("_")]
        return collections.namedtuple("inputs", names)(**{name: inner[name] for name in names})


def _is_deep(spec: Spec, around: Sequence[Any]) -> bool:
    """Whether an object lies in many others, or in two of its own class: trees have an end."""
    return len(around) > _MOST_DEPTH or around.count(spec.value) > 1


def _fill(made: Any, values: Mapping[str, Any]) -> bool:
    """Set what an object's constructor leaves open; whether something was set."""
    filled = False
    for name, value in values.items():
        if getattr(made, name, None) is None:
            with contextlib.suppress(Exception):
                object.__setattr__(made, name, value)
                filled = True
    return filled


def _is_own(cls: type) -> bool:
    return not cls.__module__.startswith(
        ("jax.", "jaxlib.", "numpy", "builtins", "typing", "collections", "pathlib")
    )


def _needed(cls: Any) -> Iterator[tuple[str, inspect.Parameter]]:
    """The parameters of a class that have no default; of pytrees that hold arrays also others."""
    try:
        parameters = inspect.signature(cls).parameters
    except (TypeError, ValueError):
        return
    hints = (
        {f.name: f.type for f in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else {}
    )
    for name, parameter in parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is parameter.empty:
            hint = hints.get(name, parameter.annotation)
            yield name, parameter.replace(annotation=hint)
