"""Tables of rules: the nearest class counts, and an object in the heap by what it holds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from jitlint.absint import assembly  # noqa: F401 - fills the tables
from jitlint.absint.machine import verbs
from jitlint.absint.machine.verbs import Rules, ValueRules
from jitlint.absint.values.domain import Flag, Ref, Static, Value
from jitlint.absint.values.heap import DictObject, ListObject


def test_a_class_without_a_rule_has_its_base_s() -> None:
    rules = Rules()
    rules.of(Value)(lambda: "value")
    rules.of(Static)(lambda: "static")
    assert rules[Flag]() == "static"
    assert rules[Ref]() == "value"


def test_a_rule_of_its_own_comes_before_the_base_s() -> None:
    rules = Rules()
    rules.of(Static)(lambda: "static")
    rules.of(Flag)(lambda: "flag")
    assert rules[Flag]() == "flag"


def test_an_object_is_told_by_its_contents() -> None:
    rules = ValueRules()
    rules.of(object)(lambda it, value, name: "unknown")
    rules.of(ListObject)(lambda it, value, name: f"list {name}")
    heap: dict[int, Any] = {1: ListObject((), Static()), 2: DictObject({}, None), 3: None}
    it = SimpleNamespace(contents=lambda ref: heap[ref.id])
    assert rules[Ref](it, Ref(1), "append") == "list append"
    assert rules[Ref](it, Ref(2), "append") == "unknown"
    assert rules[Ref](it, Ref(3), "append") == "unknown"


def test_every_table_knows_what_to_do_with_anything() -> None:
    for table in (verbs.CALLS, verbs.ATTRIBUTES, verbs.ITEMS, verbs.ITERATIONS, verbs.TRUTHS):
        assert Value in table
    for table in (verbs.ATTRIBUTES, verbs.ITEMS, verbs.ITERATIONS, verbs.TRUTHS):
        assert object in table
