"""What the options of a transform declare static, and those that JAX refuses.

Facts observed under JAX 0.10.2: a static or donated name must be a parameter, and a position must
be one of a positional parameter; positions and names are inferred from one another where only one
of them is given.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.events import UnknownStaticArgument
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.objects.instances import may_be_overridden
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.values.domain import (
    NONE,
    BoundMethod,
    External,
    Origin,
    Range,
    Ref,
    Transformed,
    Tuple,
    Value,
    base_function,
    partial_keywords,
)
from jitlint.absint.values.statics import constant
from jitlint.foundation.records import Record
from jitlint.jaxmodel.functions import lookup
from jitlint.jaxmodel.transforms import CHECKS_OPTIONS
from jitlint.jaxmodel.wording import trace_note


class StaticParameters(Record):
    """The parameters that a transform leaves as they are.

    Args:
      positions: of positional parameters.
      names: of any.
      known: whether this is all; if not, every positional parameter counts as static.
    """

    positions: frozenset[int]
    names: frozenset[str]
    known: bool

    def at(self, position: int) -> bool:
        """Whether the parameter at a position is static."""
        return not self.known or position in self.positions

    def beyond(self, count: int, positional: Sequence[Parameter]) -> bool:
        """Whether a positional parameter after the first ``count`` is static."""
        return (
            not self.known
            or any(position >= count for position in self.positions)
            or any(parameter.name in self.names for parameter in positional[count:])
        )


def static_parameters(
    function: Transformed, positional: Sequence[Parameter], by_name: Collection[str] = ()
) -> StaticParameters:
    """What ``static_argnums`` and ``static_argnames`` declare.

    Args:
      function: what the transform made.
      positional: the positional parameters of what it is made of.
      by_name: the parameters that can be passed by name only: names that are not known may be
        those of any of them.
    """
    numbers = _given(function, "static_argnums") or _given(function, "static_broadcasted_argnums")
    named = _given(function, "static_argnames")
    given = [*_constants(numbers), *_constants(named)]
    order = _order(function, positional)
    count = len(order)
    positions = {n + count if n < 0 else n for n in _constants(numbers) if isinstance(n, int)}
    names = {name for name in _constants(named) if isinstance(name, str)}
    known = ... not in given
    if numbers is None:
        positions |= {i for i, name in enumerate(order) if name in names}
    if named is None:
        names |= {name for i, name in enumerate(order) if i in positions}
    if not known:
        names.update(order)
        if ... in _constants(named):
            names.update(by_name)
    return StaticParameters(frozenset(positions), frozenset(names), known)


def _order(function: Transformed, positional: Sequence[Parameter]) -> list[str]:
    """What the positional parameters are called, of a library's functions as far as is known."""
    made_of = function.function
    fact = lookup(made_of.name) if isinstance(made_of, External) else None
    known = () if fact is None or fact.parameters is None else fact.parameters
    in_library = [each.name for each in known if each.kind in ("positional", "either")]
    return [parameter.name for parameter in positional] or in_library


class DonatedParameters(Record):
    """The parameters whose arguments a transform takes over.

    Args:
      first: the first position of those that are all donated, None if it is declared which are.
      positions: of positional parameters.
      names: of any.
    """

    first: int | None
    positions: frozenset[int]
    names: frozenset[str]

    def at(self, position: int) -> bool:
        """Whether the argument at a position is donated."""
        return position in self.positions or (self.first is not None and position >= self.first)

    def named(self, name: str) -> bool:
        """Whether an argument that is passed by name is donated."""
        return name in self.names or self.first is not None


#: what Equinox's ``donate`` says, and the first argument that is donated then
_DONATED_FROM: Final = {"all": 0, "warn": 0, "all-except-first": 1, "warn-except-first": 1}


def donated_parameters(
    function: Transformed, positional: Sequence[Parameter]
) -> DonatedParameters | None:
    """What ``donate_argnums``, ``donate_argnames`` and Equinox's ``donate`` declare.

    Args:
      function: what the transform made.
      positional: the positional parameters of what it is made of.
    """
    numbers, named = _given(function, "donate_argnums"), _given(function, "donate_argnames")
    choice = function.option("donate")
    first = _DONATED_FROM.get(str(constant(choice))) if choice is not None else None
    order = _order(function, positional)
    count = len(order)
    positions = {n + count if n < 0 else n for n in _constants(numbers) if isinstance(n, int)}
    names = {name for name in _constants(named) if isinstance(name, str)}
    if numbers is None:
        positions |= {i for i, parameter in enumerate(positional) if parameter.name in names}
    if named is None:
        names |= {parameter.name for i, parameter in enumerate(positional) if i in positions}
    if first is None and not positions and not names:
        return None
    return DonatedParameters(first, frozenset(positions), frozenset(names))


def _given(function: Transformed, name: str) -> Value | None:
    """An option, None also where it is ``None``, as wrappers of ``jax.jit`` hand it on.

    JAX takes that as if it had been left out: the other one of the two then says what is meant.
    """
    option = function.option(name)
    return None if option == NONE else option


def _constants(option: Value | None) -> Sequence[object]:
    """What an option lists, which may be one constant; ``...`` where that is not known."""
    if option is None:
        return ()
    value = constant(option)
    return value if isinstance(value, tuple) else (value,)


def with_constant_options(it: Interpreter, function: Transformed) -> Transformed:
    """Options given as lists or named constants, as constants."""
    options = []
    for name, value in function.options:
        if isinstance(value, (Range, Ref)):
            found = sequence_items(it, value)
            if found is not None and found[1] is not None:
                value = Tuple(tuple(found[1]))
        options.append((name, value))
    return Transformed(function.function, function.transform, tuple(options), function.place)


def refuses_options(
    it: Interpreter, function: Transformed, code: Code | None, bound: int, node: cst.CSTNode
) -> bool:
    """Report static and donated names and positions that the function does not have.

    Args:
      it: the interpreter.
      function: what the transform made.
      code: the function under its wrappers, None if it is not known.
      bound: how many leading parameters are bound already.
      node: the use of the transform.

    Returns:
      Whether there is one, so that the transform raises.
    """
    if function.transform not in CHECKS_OPTIONS or code is None:
        return False
    target = function.function
    if base_function(target) is None:
        return False
    if isinstance(target, BoundMethod) and may_be_overridden(it, target):
        # The method that is meant may have other parameters.
        return False
    parameters = code.parameters
    kinds = {parameter.kind for parameter in parameters}
    positional = [p for p in parameters if p.kind in ("positional", "positional-only")][bound:]
    keyword_bound = partial_keywords(function.function)
    # What a partial binds by name, and what stands after it, can be passed by name only.
    count = next((i for i, p in enumerate(positional) if p.name in keyword_bound), len(positional))
    names = tuple(p.name for p in [*positional, *(p for p in parameters if p.kind == "keyword")])
    by_name = set(names) - {p.name for p in positional if p.kind == "positional-only"}
    for option, value in function.options:
        for item in _constants(value):
            if option in ("static_argnames", "donate_argnames"):
                wrong = isinstance(item, str) and "**" not in kinds and item not in by_name
            elif option in ("static_argnums", "donate_argnums"):
                wrong = (
                    isinstance(item, int)
                    and not isinstance(item, bool)
                    and "*" not in kinds
                    and not -count <= item < count
                )
            else:
                continue
            if wrong:
                it.note(
                    UnknownStaticArgument,
                    _option_node(node, option),
                    operand=_option_node(node, option),
                    origin=Origin(function.place, trace_note(function.transform)),
                    exceptions=("ValueError",),
                    option=option,
                    wrong=repr(item) if isinstance(item, str) else str(item),
                    target=code.name,
                    parameters=names,
                )
                return True
    return False


def _option_node(node: cst.CSTNode, option: str) -> cst.CSTNode:
    if isinstance(node, cst.Call):
        for arg in node.args:
            if arg.keyword is not None and arg.keyword.value == option:
                return arg.value
    return node
