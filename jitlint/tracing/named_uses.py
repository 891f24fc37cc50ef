"""Judging what all parts of an analysis saw of jitted functions, by the names of things alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jitlint.absint.detectors.compilation import JitUses, Making, Verdict, verdicts
from jitlint.tracing.shared_uses import recall_calls

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.tracing.places import Name
    from jitlint.tracing.shared_uses import SharedUses


@dataclass(frozen=True, slots=True, eq=False)
class _Named:
    """Stands for a function."""

    name: str
    qualname: str
    #: whether it is a method; only that counts
    cls: bool | None


def named_verdicts(
    every: SharedUses, modules: Sequence[ModuleIndex]
) -> Iterator[tuple[Name, Verdict]]:
    """Find every place that makes a jitted function again and again.

    Args:
      every: what all parts saw.
      modules: the indexed modules.

    Yields:
      The place and what is wrong there.
    """
    functions: dict[Name, Any] = {}
    for facts in every.facts.values():
        if facts.owner is not None:
            is_method = True if facts.method is not None else None
            functions[facts.owner] = _Named(facts.method or "", facts.qualname, is_method)

    def function(name: Name) -> Any:
        if name not in functions:
            functions[name] = _Named("", every.qualnames.get(name, name[3]), None)
        return functions[name]

    uses = JitUses()
    places = list(every.makings)
    for key, place in enumerate(places):
        repeated, made = every.makings[place]
        facts = every.facts[place]
        stand_in: Any = None
        uses.makings[key] = Making(
            place=stand_in,
            owner=None if facts.owner is None else function(facts.owner),
            qualname=facts.qualname,
            chain=None,
            operand="",
            callee="",
            made=made,
            loop=stand_in if not facts.looped else _LOOP,
            repeated=repeated,
            guarded=facts.guarded,
            depends=frozenset(facts.depends),
            in_test=facts.in_test,
        )
        callers = every.called_by.get(place)
        if callers is not None:
            uses.called_by[key] = {0 if name is None else id(function(name)) for name in callers}
        if place in every.kept:
            uses.kept.add(key)
    uses.cached = {id(function(name)) for name in every.cached}
    recall_calls(uses, every, function)
    for number, _, verdict in verdicts(uses, modules):
        yield places[number], verdict


_LOOP: Any = object()
