"""Variants: a function run with other values than its defaults, where these hide some of it.

A parameter that has a default is there to be given another value too.  Each variant changes one
parameter, so that tests of it agree with each other; the last one changes all of them at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from types import EllipsisType
from typing import Final

from jitlint.absint.code.choices import Choice, Defaulted
from jitlint.absint.code.functions import Code
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.defaults import default_value
from jitlint.absint.values.domain import FLOAT, INT, STR, UNKNOWN, Const, Value
from jitlint.foundation.records import record

_OTHERS: Final[dict[type, Value]] = {str: STR, int: INT, float: FLOAT}


@record()
class Variant:
    """Other values for some parameters of a function.

    Args:
      values: by the name of the parameter.
      said: the same in words of the program: ``debug=True``.
    """

    values: dict[str, Value]
    said: tuple[str, ...]


def variants(
    it: Interpreter, code: Code, names: Collection[str], *, handed_on: bool
) -> Iterable[Variant]:
    """The variants of a function.

    Args:
      it: the interpreter.
      code: the function, which was loaded.
      names: the parameters that may vary.
      handed_on: whether a flag varies too that the function only passes on.
    """
    key = ("variants", id(code), frozenset(names))
    it.reads.read(code.module)
    known: tuple[Variant, ...] | None = it.facts.get(key)
    if known is None:
        known = it.facts[key] = tuple(_variants(it, code, names, handed_on=handed_on))
    return known


def _variants(
    it: Interpreter, code: Code, names: Collection[str], *, handed_on: bool
) -> Iterable[Variant]:
    assert code.node is not None
    single: list[Variant] = []
    first: list[Variant] = []
    for parameter in code.parameters:
        if parameter.default is None or parameter.name not in names:
            continue
        default = default_value(it, code, parameter)
        if not isinstance(default, Const) or isinstance(default.value, (bytes, complex)):
            continue
        choice = Defaulted(code.node, parameter.name, default.value)
        others = choice.alternatives()
        if not others and handed_on and choice.is_handed_on():
            others = (not default.value,) if isinstance(default.value, bool) else (...,)
        made = [_variant(parameter.name, default.value, other) for other in others]
        single += made
        first += made[:1]
    yield from single[: it.limits.variants]
    if len(first) > 1:
        values = {name: value for variant in first for name, value in variant.values.items()}
        yield Variant(values, tuple(said for variant in first for said in variant.said))


def _variant(name: str, default: Choice, other: Choice) -> Variant:
    if not isinstance(other, EllipsisType):
        return Variant({name: Const(other)}, (f"`{name}={other!r}`",))
    if default is None:
        return Variant({name: UNKNOWN}, (f"`{name}` given",))
    return Variant({name: _OTHERS[type(default)]}, (f"another `{name}`",))
