"""Variants: a function run with other values than its defaults, where these hide some of it.

A parameter that has a default is there to be given another value too, and so is one that is
declared static: what a call passes for it is one of its values.  Each variant changes one
parameter, so that tests of it agree with each other; the last one changes all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import EllipsisType, MappingProxyType, NoneType
from typing import Final

import libcst as cst

from jitlint.absint.code.choices import Choice, Defaulted, Questions, questions
from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.code.syntax import children
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.modules.defaults import default_value
from jitlint.absint.modules.names import global_value
from jitlint.absint.values.domain import (
    FLOAT,
    GIVEN,
    INT,
    STR,
    Const,
    Function,
    Transformed,
    Value,
)
from jitlint.foundation.records import Record
from jitlint.jaxmodel.transforms import transform_words

#: types of defaults; those of others, tuples for example, are chosen for what they hold
_VARYING: Final = (str, int, float, NoneType)
#: types of what calls pass for parameters that have other values by what the function asks for
_CHOSEN: Final = (bool, str)
_OTHERS: Final[dict[type, Value]] = {str: STR, int: INT, float: FLOAT}


class Variant(Record):
    """Other values for some parameters of a function.

    Args:
      values: by the name of the parameter.
      said: the same in words of the program: ``debug=True``.
    """

    values: dict[str, Value]
    said: tuple[str, ...]


def variants_of_host(it: Interpreter, code: Code) -> Iterable[Variant]:
    """The variants of a function that starts an analysis, where they may lead to a trace."""
    names = frozenset(p.name for p in code.parameters if p.default is not None)
    return _known(it, code, names, traced=False) if names else ()


def variants_of_static(
    it: Interpreter, code: Code, names: frozenset[str], passed: Mapping[str, Value]
) -> Iterable[Variant]:
    """The variants of a traced function in its static parameters, also in those it hands on.

    Args:
      it: the interpreter.
      code: the function.
      names: its static parameters.
      passed: what a call passes for them; one of their values, as their defaults are.
    """
    chosen = {
        name: value.value
        for name, value in passed.items()
        if isinstance(value, Const) and isinstance(value.value, _CHOSEN)
    }
    return _known(it, code, names, traced=True, chosen=chosen)


def _known(
    it: Interpreter,
    code: Code,
    names: frozenset[str],
    *,
    traced: bool,
    chosen: Mapping[str, bool | str] = MappingProxyType({}),
) -> Iterable[Variant]:
    key = ("variants", id(code), names, traced, tuple(sorted(chosen.items())))
    it.reads.read(code.module)
    known: tuple[Variant, ...] | None = it.facts.get(key)
    if known is None:
        with it.reads.of(it, code.module, key[0]):
            known = tuple(_variants(it, code, names, traced=traced, chosen=chosen))
        it.facts[key] = known
    return known


def _variants(
    it: Interpreter,
    code: Code,
    names: Collection[str],
    *,
    traced: bool,
    chosen: Mapping[str, bool | str],
) -> Iterable[Variant]:
    matters = (lambda hidden: True) if traced else _may_trace(it, code)
    single: list[Variant] = []
    first: list[Variant] = []
    for parameter in code.parameters:
        if parameter.name not in names:
            continue
        made: dict[str, Variant] = {}
        for usual in _usual(it, code, parameter, chosen):
            choice = Defaulted(it.written(_asked, code), parameter.name, usual, matters)
            others = choice.alternatives()
            if not others and traced and choice.is_handed_on():
                others = (not usual,) if isinstance(usual, bool) else (...,)
            if not traced and type(usual) in (int, float):
                # A count, a size: what a program does for some of them seldom leads to a trace.
                others = tuple(other for other in others if other is not ...)
            made |= {repr(other): _variant(parameter.name, usual, other) for other in others}
        if parameter.name in chosen:
            # The call itself runs it.
            made.pop(repr(chosen[parameter.name]), None)
        single += made.values()
        first += [*made.values()][:1]
    yield from single[: it.limits.variants]
    if len(first) > 1:
        values = {name: value for variant in first for name, value in variant.values.items()}
        yield Variant(values, tuple(said for variant in first for said in variant.said))


def _usual(
    it: Interpreter, code: Code, parameter: Parameter, chosen: Mapping[str, bool | str]
) -> Iterator[Choice]:
    """The values of a parameter that are known, of which others are told: the default first."""
    if parameter.default is not None:
        default = default_value(it, code, parameter)
        if isinstance(default, Const) and isinstance(default.value, _VARYING):
            yield default.value
    if parameter.name in chosen:
        yield chosen[parameter.name]


def _asked(code: Code) -> Questions:
    assert code.node is not None
    return questions(code.node)


def _may_trace(it: Interpreter, code: Code) -> Callable[[cst.CSTNode], bool]:
    """Tells whether a part of a function may lead to a trace.

    It names a transform or calls a function that does, or it belongs to a nested function, which
    may be what is traced.
    """
    own = frozenset(map(id, code.own_nodes))
    words = transform_words()

    def may_trace(hidden: cst.CSTNode) -> bool:
        if id(hidden) not in own:
            return True
        stack = [hidden]
        while stack:
            node = stack.pop()
            if type(node) is cst.Name:
                if node.value in words or _names_transform(it, code, node.value):
                    return True
            elif type(node) is cst.Attribute and node.attr.value in words:
                return True
            stack.extend(children(node))
        return False

    return may_trace


def _names_transform(it: Interpreter, code: Code, name: str) -> bool:
    """Whether a name is that of a function that is transformed or names a transform itself."""
    if name in code.bound_names or not it.project.bindings(code.module, name):
        return False
    value = global_value(it, code.module, name)
    if isinstance(value, Function):
        text = value.code.unit.text
        return any(word in text for word in transform_words())
    return isinstance(value, Transformed)


def _variant(name: str, default: Choice, other: Choice) -> Variant:
    if not isinstance(other, EllipsisType):
        return Variant({name: Const(other)}, (f"`{name}={other!r}`",))
    if default is None:
        return Variant({name: GIVEN}, (f"`{name}` given",))
    return Variant({name: _OTHERS[type(default)]}, (f"another `{name}`",))
