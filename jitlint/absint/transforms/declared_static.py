"""Parameters that are declared static vary: what their defaults hide runs under other values.

They are left at their defaults, or passed as Python values, so a call shows one of the functions
that JAX will compile.  The others are run on the other arguments of the first such call.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import libcst as cst
from msgspec import Struct, field

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import OutOfBudget, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.variants import Variant, variants_of_static
from jitlint.absint.program.signatures import positional_parameters, visible_signature
from jitlint.absint.traces.options import static_parameters
from jitlint.absint.traces.running import trace
from jitlint.absint.values.domain import (
    UNKNOWN,
    Const,
    Default,
    Transformed,
    Value,
    base_function,
    partial_keywords,
)
from jitlint.jaxmodel.transforms import Transform


class Tried(Struct, eq=False):
    """The variants that were run, each with what made the function and the variants around it."""

    variants: set[tuple[Any, ...]] = field(default_factory=set)

    def fork(self) -> Tried:
        """For an analysis that goes on from here."""
        return Tried(set(self.variants))


def run_variants(
    it: Interpreter, function: Transformed, row: Transform, args: Arguments, node: cst.CSTNode
) -> None:
    """Run a transformed function on the values that its static parameters have elsewhere.

    Args:
      it: the interpreter.
      function: what the transform made.
      row: the transform.
      args: what it is called with here.
      node: the call.
    """
    declares = any(name.startswith("static") for name, _ in function.options)
    if it.is_speculating or it.finishing or not (declares or row.traces == "arrays"):
        return
    code, offset = visible_signature(it, function.function)
    if code is None or code.node is None:
        return
    positional = positional_parameters(code, offset)
    static = static_parameters(function, positional)
    if not static.known:
        return
    indices = {parameter.name: index for index, parameter in enumerate(positional)}
    names = static.names - partial_keywords(function.function)
    if row.traces == "arrays":
        names |= _left_alone(code, args, indices)
    tried = it.observations(Tried).variants
    passed = {name: _passed(args, indices, name) for name in names}
    given = {name: value for name, value in passed.items() if value is not None}
    for variant in variants_of_static(it, code, frozenset(names), given):
        if not all(_is_left(passed[name]) for name in variant.values):
            continue
        what = (id(function.place.node), id(code), variant.said)
        if (what, ()) in tried or (what, it.under) in tried:
            continue
        tried.add((what, it.under))
        # With `has_aux=True` comes a function that gives two things: not the one of this call.
        others = {name: UNKNOWN for name in given if base_function(given[name]) is not None}
        values = {**others, **variant.values}
        _run(it, function, row, _changed(args, indices, values), node, variant)


def _passed(args: Arguments, indices: dict[str, int], name: str) -> Value | None:
    """The argument of a parameter, None where it is left at its default."""
    index = indices.get(name)
    return args.keywords.get(name) if index is None else args.get(index, name)


def _left_alone(code: Code, args: Arguments, indices: dict[str, int]) -> set[str]:
    """The parameters that no visible call passes: static too, where only arrays are traced."""
    passed = {p.name: _passed(args, indices, p.name) for p in code.parameters}
    return {
        name
        for name, value in passed.items()
        if isinstance(value, Default) and isinstance(value.value, Const)
    }


def _is_left(value: Value | None) -> bool:
    """Whether an argument is the default or another constant, so that its calls may differ."""
    return value is None or isinstance(value, (Default, Const))


def _changed(args: Arguments, indices: dict[str, int], values: Mapping[str, Value]) -> Arguments:
    """The arguments of a call with others in place of some of its own."""
    # What is not really passed has no place.
    changed = Arguments(list(args.positional), dict(args.keywords), args.star, args.star_keywords)
    for name, value in values.items():
        index = indices.get(name)
        if index is not None and index < len(args.positional):
            changed.positional[index] = value
        else:
            changed.keywords[name] = value
    return changed


def _run(
    it: Interpreter,
    function: Transformed,
    row: Transform,
    args: Arguments,
    node: cst.CSTNode,
    variant: Variant,
) -> None:
    """Run a variant beside the program: only what is found stays."""
    with it.beside(variant.said), suppress(Terminated, OutOfBudget):
        trace(it, function, row, args, node)
