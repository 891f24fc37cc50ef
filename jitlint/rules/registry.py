"""All rules: those of the modules that the catalogue lists, so that no folder is searched."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from jitlint.absint.events import Event
from jitlint.rules.base import Rule, metas_in, rules_in
from jitlint.rules.catalogue import MODULES
from jitlint.rules.meta import RuleMeta

_MODULES = tuple(map(import_module, dict.fromkeys(MODULES.values())))
_RULES = tuple(
    sorted((rule for module in _MODULES for rule in rules_in(module)), key=lambda it: it.meta.code)
)


@cache
def all_rules() -> tuple[RuleMeta, ...]:
    """The metadata of every rule, sorted by code."""
    metas = (meta for module in _MODULES for meta in metas_in(module))
    return tuple(sorted(metas, key=lambda meta: meta.code))


@cache
def _by_key() -> dict[str, RuleMeta]:
    return {key: meta for meta in all_rules() for key in (meta.code, meta.name)}


def find(code_or_name: str) -> RuleMeta | None:
    """The metadata of a rule by its code (in any case) or its name; None when there is none."""
    found = _by_key()
    return found.get(code_or_name.upper()) or found.get(code_or_name.lower())


@cache
def rules_for(event_type: type[Event]) -> tuple[Rule, ...]:
    """The rules that want to see events of a class, in the order of their codes."""
    return tuple(rule for rule in _RULES if issubclass(event_type, rule.events))
