"""Whole argument lists: what is likeliest for each parameter, and then something else for one.

Runs in a child process only.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from jitlint.verify.driving.calling.arrays import array_of
from jitlint.verify.driving.calling.inputs import OMITTED, Known, Maker, passed_parameters

#: how functions are called that make the first value of something
_MAKING = ("init", "initial", "make", "create", "new", "random", "sample")


def make(maker: Maker, name: str) -> None:
    """Have the module make the value of a parameter, by what is called after that.

    Args:
      maker: is to know the value.
      name: of the parameter: ``params`` for ``init_params``.
    """
    for word in _MAKING:
        function = maker.namespace.get(f"{word}_{name}")
        tree = maker.functions.get(f"{word}_{name}")
        if tree is None or not callable(function) or name in maker.made:
            continue
        maker.made[name] = None
        known = maker.known.get(f"{word}_{name}", {})
        for values, _ in itertools.islice(argument_lists(function, known, maker), 2):
            with contextlib.suppress(Exception):
                passed = values_by_name(values)
                made = function(**passed)
                if isinstance(made, Collection) and not made:
                    # Nothing comes of what it was given: layers of no sizes, for example.
                    continue
                maker.made[name] = made
                maker.speller.note_call(made, maker.spelled(f"{word}_{name}"), passed)
                return
        del maker.made[name]


def variadic(
    function: Callable[..., Any], known: Known, maker: Maker, profile: int
) -> dict[str, Any]:
    """The parameters that take all other arguments, each with what it gets at least."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    found: dict[str, Any] = {}
    for parameter in parameters:
        name = parameter.name
        if parameter.kind is parameter.VAR_POSITIONAL:
            found[name] = (array_of(maker.profiles[profile]),)
        elif parameter.kind is parameter.VAR_KEYWORD:
            made = (v for s in known.get(name, ()) for v in maker.sketched(s, name, profile))
            found[name] = next((one for one in made if isinstance(one, dict)), {})
    return found


def argument_lists(
    function: Callable[..., Any], known: Known, maker: Maker
) -> Iterator[tuple[dict[str, Any], str]]:
    """Argument lists for a callable, the likeliest first.

    Args:
      function: what will be called.
      known: what the analysis knows of the parameters of the underlying function.
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
        make(maker, name)
    passed = maker.passed(function)
    varied: list[dict[str, list[tuple[str, Any]]]] = []
    seen: set[str] = set()
    for profile in range(len(maker.profiles)):
        lists = {
            name: maker.candidates(
                name,
                known.get(name, ()),
                parameter.default,
                parameter.annotation,
                profile,
                passed=passed,
            )
            for name, parameter in chosen.items()
        }
        lists = {name: made for name, made in lists.items() if made}
        varied.append(lists)
        described = maker.speller.arguments([], values_by_name(_pick(lists, {})[0]))
        more = variadic(function, known, maker, profile)
        if described in seen and not more:
            continue
        if described is not None:
            seen.add(described)
        yield _pick(lists, {})
        if more:
            # Guards often ask for one at least.
            values, origin = _pick(lists, {})
            yield {**values, **more}, origin or "search"
    # An array of another shape is the likeliest of all other things that a parameter may be.
    for lists in varied[:2]:
        yield from _started(lists, maker)
        yield from _varied(lists)


def _started(
    lists: Mapping[str, list[tuple[str, Any]]], maker: Maker
) -> Iterator[tuple[dict[str, Any], str]]:
    """The same arguments, with the state that an optimiser of the module begins with."""
    values, _ = _pick(lists, {})
    for name in [name for name in values if "state" in name][:1]:
        of = next((other for other in values if other != name), "")
        of = "params" if "params" in values else of
        for optimiser in [*maker.namespace.values()]:
            if of and hasattr(optimiser, "init") and hasattr(optimiser, "update"):
                with contextlib.suppress(Exception):
                    yield {**values, name: optimiser.init(values[of])}, "the optimiser"


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
