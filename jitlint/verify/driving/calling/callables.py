"""What can be called in a module, and how.

Runs in a child process only.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import functools
import inspect
import itertools
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import CodeType, ModuleType
from typing import Any

from jitlint.verify.driving.calling import sources
from jitlint.verify.driving.calling.applied_modules import (
    haiku_method,
    is_haiku_module,
    linen_method,
)
from jitlint.verify.driving.calling.call_sites import CallSites
from jitlint.verify.driving.calling.inputs import OMITTED, Known, Maker, passed_parameters
from jitlint.verify.driving.drivers import Code
from jitlint.verify.recording.real_jax import real_jax
from jitlint.verify.recording.tracers import is_tracer

#: how many wrappers may lie around a function
_MOST_WRAPPERS = 8
#: how many subclasses have their turn with a method that they inherit
_MOST_SUBCLASSES = 4


@dataclass(frozen=True)
class Target:
    """Something to call.

    Args:
      function: the callable.
      label: what it is called, for the evidence.
      known: what the analysis knows of the parameters of the function below it.
      code: it in Python, None where that is not known.
      jitted: it was jitted here, and not by the user.
      owner: the class of the object that it is a method of, where such objects may be made anew.
      method: the name of the method.
      turn: of a function that another returns: in which of its calls.
    """

    function: Callable[..., Any]
    label: str
    known: Known
    code: str | None = None
    jitted: bool = False
    owner: type | None = None
    method: str = ""
    turn: int = 0

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"{self.label}#{self.turn}"


class Callables:
    """What can be called in a module.

    Args:
      module: the module.
      filename: its file.
      lines: its text.
      pool: values seen in real calls, by name.
      profiles: the shapes that unknown arrays have together, by turns.
      known: what the analysis knows of its functions, by their dotted names.
      real: the identities of the values in the pool that real calls have shown.
    """

    def __init__(
        self,
        module: ModuleType,
        filename: str,
        lines: list[str],
        pool: Mapping[str, list[Any]],
        profiles: tuple[tuple[int, ...], ...],
        known: Mapping[str, Known],
        real: Collection[int] = frozenset(),
    ) -> None:
        self.source = sources.Source(ast.parse("\n".join(lines)), filename)
        name = module.__name__ if module.__name__ in sys.modules else None
        self.maker = Maker(
            vars(module),
            self.source.functions(),
            pool,
            real,
            profiles=profiles,
            # A notebook is nobody's module.
            module=None if name == "__main__" else name,
            known=known,
        )
        self.maker.calls = CallSites(self.source.tree, vars(module), self.maker.of_name)
        self._module = module

    def code(self, target: Target, values: Mapping[str, Any]) -> Code | None:
        """A call in Python, None where that is not known."""
        module = self.maker.module
        try:
            spelled = self.maker.speller.arguments(*arguments(target.function, values))
        except (TypeError, ValueError):
            return None
        if module is None or target.code is None or spelled is None:
            return None
        return Code(module, f"{target.code}({spelled})")

    def named(self, name: str) -> Iterator[Target]:
        """The callables that a dotted name stands for, made where that needs no invention."""
        head, *rest = name.split(".")
        value = getattr(self._module, head, None)
        if is_haiku_module(value) and rest:
            instances = functools.partial(self.maker.instances, value, 0, 1)
            applied = haiku_method(value, rest[0], lambda: next(instances()))
            yield replace(self._target(applied, f"hk.transform of {name}"), jitted=True)
        elif isinstance(value, type) and rest == ["__init__"]:
            yield self._target(value, head, self.maker.spelled(head))
        elif isinstance(value, type) and rest:
            for cls in [value, *self.maker.subclasses(value)[:_MOST_SUBCLASSES]]:
                made = self.maker.instances(cls, 0, 1)
                own = (one for one in made if type(one).__qualname__ == cls.__qualname__)
                for instance in itertools.islice(own, 2):
                    yield from self._methods(instance, cls.__name__, rest[0])
            held = vars(value).get(rest[0])
            if (
                callable(held)
                and is_jitted(held)
                and "self" not in (passed_parameters(held) or ("self",))
            ):
                # A function that the class only keeps.
                code = self.maker.spelled(head)
                yield self._target(held, name, code and f"{code}.{rest[0]}")
        elif inspect.iscoroutinefunction(value):
            yield self._target(_awaited(value), f"asyncio.run of {head}")
        elif callable(value) and not isinstance(value, type):
            yield self._target(value, head, self.maker.spelled(head))
            if self._has_rule(head):
                for jitted in (False, True):
                    label = f"the gradient of {head}" + (" under jax.jit" if jitted else "")
                    target = self._target(_differentiated(value, jitted=jitted), label)
                    yield replace(target, jitted=jitted)
        elif isinstance(value, Mapping | list | tuple):
            pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
            for key, item in itertools.islice(pairs, 3):
                if callable(item):
                    code = self.maker.spelled(head)
                    yield self._target(item, head, code and f"{code}[{key!r}]")

    def _has_rule(self, name: str) -> bool:
        """Whether a function has a derivative that is written by hand."""
        tree = self.source.functions().get(name)
        decorators = [] if tree is None else tree.decorator_list
        return any("custom_" in ast.unparse(decorator) for decorator in decorators)

    def _methods(self, instance: Any, cls: str, name: str) -> Iterator[Target]:
        """A method of an object, and the jitted functions that it holds."""
        if hasattr(instance, "init_with_output"):
            with contextlib.suppress(AttributeError):
                made = self._target(linen_method(instance, name), f"{cls}.apply")
                yield replace(made, jitted=True)
            return
        code = self.maker.speller.spell(instance)
        fields = getattr(instance, "__dict__", {})
        # A method is often given the fields of its object.
        for key, item in fields.items():
            if not callable(item) and not is_tracer(item):
                self.maker.fields.setdefault(key, item)
        method = getattr(instance, name, None)
        if callable(method) and name != "__init__":
            made = self._target(method, f"{cls}.{name}", code and f"{code}.{name}")
            yield replace(made, owner=type(instance), method=name)
        # What the constructor has jitted stands in attributes.
        for key, item in getattr(instance, "__dict__", {}).items():
            if hasattr(item, "__wrapped__") and callable(item):
                made = self._target(item, f"{cls}.{key}", code and f"{code}.{key}")
                yield replace(made, owner=type(instance), method=key)

    def _target(self, function: Callable[..., Any], label: str, code: str | None = None) -> Target:
        return Target(function, label, self.known(function), code)

    def known(self, function: Any) -> Known:
        """What the analysis knows of the parameters of the function below a callable."""
        code = code_below(function, frozenset({self.source.filename}))
        return {} if code is None else self.maker.known.get(written_name(code.co_qualname), {})


def written_name(qualname: str) -> str:
    """The dotted name of a function as it is written, from the one that Python gives it."""
    return qualname.replace(".<locals>", "")


def arguments(
    target: Callable[..., Any], values: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Values by name as an argument list; transforms like their arguments in order."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    omitted = False
    for name, parameter in inspect.signature(target).parameters.items():
        if name not in values:
            continue
        if values[name] is OMITTED:
            omitted = True
        elif parameter.kind is parameter.VAR_POSITIONAL:
            args += values[name]
        elif parameter.kind is parameter.VAR_KEYWORD:
            kwargs |= values[name]
        elif parameter.kind is parameter.KEYWORD_ONLY or omitted:
            kwargs[name] = values[name]
        else:
            args.append(values[name])
    return args, kwargs


def _differentiated(function: Callable[..., Any], *, jitted: bool) -> Callable[..., Any]:
    """What differentiates a function by all of its arguments that have a derivative.

    Args:
      function: what has a rule for that.
      jitted: whether that happens under ``jax.jit``, so that the rule is given tracers.
    """
    jax = real_jax()

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        def total(chosen: dict[int, Any]) -> Any:
            given = [chosen.get(place, value) for place, value in enumerate(args)]
            return sum(leaf.sum() for leaf in jax.tree.leaves(function(*given, **kwargs)))

        def smooth(value: Any) -> bool:
            leaves = jax.tree.leaves(value)
            return bool(leaves) and all(
                hasattr(leaf, "dtype") and jax.numpy.issubdtype(leaf.dtype, jax.numpy.inexact)
                for leaf in leaves
            )

        chosen = {place: value for place, value in enumerate(args) if smooth(value)}
        gradient = jax.grad(total)
        return (jax.jit(gradient) if jitted else gradient)(chosen)

    return run


def _awaited(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that runs what a coroutine function returns to its end."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        return asyncio.run(function(*args, **kwargs))

    return run


def callables_in(value: Any, files: frozenset[str]) -> Iterator[tuple[Callable[..., Any], str]]:
    """The project's own functions in a result, each with where it is there."""
    items: list[tuple[Any, str]] = [(value, "")]
    if isinstance(value, tuple | list):
        items = [(item, f"[{place}]") for place, item in enumerate(value)]
    elif isinstance(value, Mapping):
        items = [(item, f"[{key!r}]") for key, item in value.items()]
    for item, place in items:
        inner: Any = item
        for _ in range(_MOST_WRAPPERS):
            code = getattr(inner, "__code__", None)
            if code is not None and code.co_filename in files:
                yield item, place
                break
            inner = getattr(inner, "func", None) or getattr(inner, "__wrapped__", None)
            if inner is None:
                break


def code_below(function: Any, files: frozenset[str]) -> CodeType | None:
    """The code of the project's function that lies below some wrappers, if one does."""
    for _ in range(_MOST_WRAPPERS):
        code = getattr(function, "__code__", None)
        if isinstance(code, CodeType) and code.co_filename in files:
            return code
        for name in ("func", "__wrapped__", "__func__"):
            if getattr(function, name, None) is not None:
                function = getattr(function, name)
                break
        else:
            return None
    return None


def is_jitted(function: Any) -> bool:
    """Whether a function is one that was jitted."""
    return hasattr(function, "__wrapped__") and hasattr(function, "lower")
