"""Facts, and operations that may change them: each fact with each operation, in all places.

A fact is a program with a fault of some rule that rests on what an object holds.  An operation that
nobody follows may change that: with it nothing is reported.  The same operation on another object
changes nothing: the report stays.
"""

from __future__ import annotations

import pytest

from tests.linting import reports

_BOX = """
class Box:
    def __init__(self, x):
        self.x = x
        self.flag = jnp.sum(x) > 0
        self.n = jnp.argmax(x)
        self.table = np.arange(3)

other = Box(np.ones(3))
"""
_TRACE = """
@jax.jit
def traced(x):
    box = {made}
    {operation}
    {use}
    return x
"""
_OBJECT = "Box(x)"
_DICT = '{"flag": jnp.sum(x) > 0, "n": jnp.argmax(x), "x": x}'

#: programs, with what is reported in them
FACTS = {
    "if": (_BOX, _TRACE, _OBJECT, "if box.flag: x = -x", "JIT101"),
    "while": (_BOX, _TRACE, _OBJECT, "while box.flag: x = -x", "JIT102"),
    "assert": (_BOX, _TRACE, _OBJECT, "assert box.flag", "JIT103"),
    "not": (_BOX, _TRACE, _OBJECT, "y = not box.flag", "JIT104"),
    "float": (_BOX, _TRACE, _OBJECT, "y = int(box.n)", "JIT105"),
    "numpy": (_BOX, _TRACE, _OBJECT, "y = np.sin(box.n)", "JIT106"),
    "host array": (_BOX, _TRACE, _OBJECT, "y = box.table[jnp.argmax(x)]", "JIT106"),
    "index": (_BOX, _TRACE, _OBJECT, "y = [1, 2, 3][box.n]", "JIT107"),
    "range": (_BOX, _TRACE, _OBJECT, "for _ in range(box.n): x = x + 1", "JIT107"),
    "shape": (_BOX, _TRACE, _OBJECT, "y = jnp.zeros(box.n)", "JIT108"),
    "mask": (_BOX, _TRACE, _OBJECT, "y = x[box.flag]", "JIT109"),
    "smallest": (_BOX, _TRACE, _OBJECT, "y = min(box.n, 3)", "JIT110"),
    "hash": (_BOX, _TRACE, _OBJECT, "y = {box.n: 1}", "JIT111"),
    "key": (_BOX, _TRACE, _DICT, "if box['flag']: x = -x", "JIT101"),
    "key converted": (_BOX, _TRACE, _DICT, "y = int(box['n'])", "JIT105"),
    "key of a shape": (_BOX, _TRACE, _DICT, "y = jnp.zeros(box['n'])", "JIT108"),
    "item": (_BOX, _TRACE, "[jnp.sum(x) > 0]", "if box[0]: x = -x", "JIT101"),
    "inner": (_BOX, _TRACE, "[Box(x)]", "if box[0].flag: x = -x", "JIT101"),
    "module": (
        _BOX,
        "box = Box(np.ones(3))\n{operation}\n@jax.jit\ndef traced(i):\n    {use}\n    return i\n",
        "",
        "i = box.table[i]",
        "JIT106",
    ),
    "donated": (
        _BOX,
        "step = jax.jit(lambda x: x + 1, donate_argnums=0)\ndef run():\n    box = {made}\n"
        "    y = step(box.x)\n    {operation}\n    {use}\n    return y\nrun()\n",
        "Box(jnp.ones(3))",
        "y = box.x + y",
        "JIT310",
    ),
}
#: operations on any object, and on one with attributes
OF_ANYTHING = {
    "stranger": "unknown_stranger({box})",
    "held by another": "unknown_stranger(1, held=[{box}])",
    "method of a stranger": "unknown_plugin.registry.visit({box})",
    "context": "with unknown_context({box}): pass",
    "called by name": "functools.reduce(unknown_stranger, [{box}], {box})",
}
OF_OBJECTS = {
    "computed name": "setattr({box}, unknown_name(), 0)",
    "loop": "for name in unknown_names: setattr({box}, name, 0)",
    "namespace": "vars({box}).update(unknown_settings)",
    "__dict__": "{box}.__dict__.update(unknown_settings)",
    "entry of __dict__": "{box}.__dict__[unknown_name()] = 0",
    "entry of vars": "vars({box})[unknown_name()] = 0",
    "whole __dict__": "{box}.__dict__ = unknown_settings",
    "object": "object.__setattr__({box}, unknown_name(), 0)",
    "deleted": "delattr({box}, unknown_name())",
    "cleared": "vars({box}).clear()",
    "taken out": "vars({box}).pop(unknown_name())",
}


def _cases() -> list[tuple[str, str]]:
    return [
        (fact, operation)
        for fact, (_, _, made, _, _) in FACTS.items()
        for operation in [*OF_ANYTHING, *(OF_OBJECTS if made[:1] in ("B", "") else ())]
    ]


def _program(fact: str, operation: str) -> str:
    head, body, made, use, _ = FACTS[fact]
    for slot, text in (("made", made), ("operation", operation), ("use", use)):
        body = body.replace("{" + slot + "}", text)
    return head + body


def _codes(program: str) -> list[str]:
    return [code for _, code in reports(program)]


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_is_reported(fact: str) -> None:
    assert FACTS[fact][-1] in _codes(_program(fact, "pass"))


@pytest.mark.parametrize(("fact", "operation"), _cases())
def test_what_may_have_changed_is_not_reported(fact: str, operation: str) -> None:
    written = {**OF_ANYTHING, **OF_OBJECTS}[operation].replace("{box}", "box")
    assert FACTS[fact][-1] not in _codes(_program(fact, written))


@pytest.mark.parametrize(("fact", "operation"), _cases())
def test_what_is_done_to_another_object_changes_nothing(fact: str, operation: str) -> None:
    written = {**OF_ANYTHING, **OF_OBJECTS}[operation].replace("{box}", "other")
    assert FACTS[fact][-1] in _codes(_program(fact, written))
