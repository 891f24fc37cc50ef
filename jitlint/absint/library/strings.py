"""Methods of texts, and of numbers and shapes of which no more than their type is known."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from jitlint.absint.events import Conversion
from jitlint.absint.library.concretization import compares
from jitlint.absint.library.registry import ANY, Call, method
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.operations.strings import shown
from jitlint.absint.values.domain import BOOL, INT, STR, Const, Static, Tuple, Value
from jitlint.absint.values.heap import ListObject
from jitlint.absint.values.lattice import type_name
from jitlint.absint.values.statics import constant

#: methods whose result is reckoned where all that they need is known
_FOLDED: Final = frozenset({"startswith", "endswith", "lower", "upper", "strip", "replace"})
#: what methods give that do not give a text
_RESULTS: Final[dict[str, Value]] = {
    **dict.fromkeys(
        ("startswith", "endswith", "isdigit", "isidentifier", "isalpha", "isupper"), BOOL
    ),
    **dict.fromkeys(("index", "find", "count", "rfind"), INT),
    **dict.fromkeys(("partition", "rpartition"), Tuple((STR, STR, STR))),
}

#: a replacement field: its name, conversion and format specification
_FIELD: Final = r"\{([^{}:!]*)(![rsa])?(:[^{}]*)?\}"


@method("str", ANY)
def _text_method(it: Interpreter, call: Call) -> Value:
    text, values = call.receiver, call.positional
    if isinstance(text, Const) and call.name in _FOLDED and not call.keywords:
        known = [constant(value) for value in values]
        if ... not in known:
            with suppress(TypeError, ValueError):
                return Const(getattr(text.value, call.name)(*known))
    return _RESULTS.get(call.name, STR)


@method("str", "split", "rsplit", "splitlines")
def _split(it: Interpreter, call: Call) -> Value:
    """The parts of a text, those of a known one by themselves."""
    text, values = call.receiver, call.positional
    parts: list[str] | None = None
    if isinstance(text, Const) and not call.keywords:
        known = [value.value for value in values if isinstance(value, Const)]
        if len(known) == len(values):
            with suppress(TypeError, ValueError):
                parts = getattr(text.value, call.name)(*known)
    if parts is None or len(parts) > it.limits.items:
        return it.allocate(call.node, ListObject(None, STR))
    return it.allocate(call.node, ListObject(tuple(map(Const, parts)), STR))


method("str", "join")(lambda it, call: shown(it, *call.positional))


@method("str", "format")
def _format(it: Interpreter, call: Call) -> Value:
    """``"{:.2f}".format(x)`` asks the tracer to format itself."""
    text = call.receiver.value if isinstance(call.receiver, Const) else ""
    position = 0
    for match in re.finditer(_FIELD, text):
        field, conversion, spec = match.groups()
        if field.isdigit():
            value = call.args.get(int(field), "")
        elif field:
            value = call.keywords.get(field.split(".")[0].split("[")[0])
        else:
            value = call.args.get(position, "")
            position += 1
        if value is None or conversion or not spec or spec == ":":
            continue
        traced = sure_array(value)
        if traced is not None:
            call.report(it, Conversion, traced, ("TypeError",), callee="format specification")
            return STR
    return shown(it, *call.positional, *call.keywords.values())


@method("shape", ANY)
def _shape_method(it: Interpreter, call: Call) -> Value:
    traced = sure_array(call.first)
    if traced is not None:
        compares(it, call, traced, None, f".{call.name}()")
    return INT


@method("int float bool", ANY)
def _number_method(it: Interpreter, call: Call) -> Value:
    if call.name.startswith("is_"):
        return BOOL
    return Static("int" if type_name(call.receiver) == "int" else None)
