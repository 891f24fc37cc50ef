"""Methods of texts, and of numbers and shapes of which no more than their type is known."""

from __future__ import annotations

import re
from typing import Any, Final

import libcst as cst

from jitlint.absint.library.comparisons import compares
from jitlint.absint.library.registry import ANY, first, method
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import Conversion
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.python.operations import shown
from jitlint.absint.values.domain import BOOL, INT, STR, Const, Static, Tuple, Value
from jitlint.absint.values.heap import ListObject
from jitlint.absint.values.lattice import type_name

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
def _text_method(
    it: Interpreter, text: Const | Static, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    if isinstance(text, Const) and name in _FOLDED and not args.keywords:
        folded = _fold(text.value, name, args)
        if folded is not None:
            return folded
    return _RESULTS.get(name, STR)


def _fold(text: str, name: str, args: Arguments) -> Value | None:
    values: list[Any] = [value.value for value in args.positional if isinstance(value, Const)]
    if len(values) != len(args.positional):
        return None
    try:
        return Const(getattr(text, name)(*values))
    except (TypeError, ValueError):
        return None


@method("str", "split", "rsplit", "splitlines")
def _split(
    it: Interpreter, text: Const | Static, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    return it.allocate(node, ListObject(None, STR))


@method("str", "join")
def _join(
    it: Interpreter, text: Const | Static, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    return shown(it, *args.positional)


@method("str", "format")
def _format(
    it: Interpreter, text: Const | Static, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``"{:.2f}".format(x)`` asks the tracer to format itself."""
    position = 0
    for match in re.finditer(_FIELD, text.value) if isinstance(text, Const) else ():
        field, conversion, spec = match.groups()
        if field.isdigit():
            value = args.get(int(field), "")
        elif field:
            value = args.keywords.get(field.split(".")[0].split("[")[0])
        else:
            value = args.get(position, "")
            position += 1
        if value is None or conversion or not spec or spec == ":":
            continue
        traced = sure_array(value)
        if traced is not None:
            said = "format specification"
            it.emit(Conversion, node, traced, exceptions=("TypeError",), callee=said)
            return STR
    return shown(it, *args.positional, *args.keywords.values())


@method("shape", ANY)
def _shape_method(
    it: Interpreter, shape: Static, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    traced = sure_array(first(args))
    if traced is not None:
        compares(it, node, traced, f".{name}()")
    return INT


@method("int", ANY)
@method("float", ANY)
@method("bool", ANY)
def _number_method(
    it: Interpreter, number: Const | Static, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    if name.startswith("is_"):
        return BOOL
    return Static("int" if type_name(number) == "int" else None)
