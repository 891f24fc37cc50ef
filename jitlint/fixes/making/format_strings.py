"""Texts with values in them, in any of Python's ways, as one format string and its values."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.syntax import dotted

if TYPE_CHECKING:
    from jitlint.fixes.making.draft import Draft

_TEXT_MAKERS: Final = frozenset("str repr ascii format join pformat array2string".split())
#: ``%-8.3f``: flags, width, precision, kind
_PERCENT: Final = re.compile(r"%([-+ 0#]*)(\d*)((?:\.\d+)?)([a-zA-Z%])")
_FLOATS: Final = frozenset("eEfFgG")


@dataclass(frozen=True)
class Field:
    """A value in a text.

    Args:
      node: the expression.
      conversion: ``r``, ``s``, ``a`` or nothing, which of a number may show more digits than ``s``.
      spec: how it is formatted.
    """

    node: cst.BaseExpression
    conversion: str = ""
    spec: str = ""

    @property
    def braces(self) -> str:
        """The field in a format string, without a name."""
        conversion = f"!{self.conversion}" if self.conversion else ""
        return f"{{{conversion}{f':{self.spec}' if self.spec else ''}}}"


#: literal text, and values between
Pieces = list[str | Field]


class NotUnderstoodError(Exception):
    """The text is made in a way that no format string has."""


def pieces_of(draft: Draft, node: cst.BaseExpression) -> Pieces:
    """Take a text apart; what is no text is a value by itself.

    Raises:
      NotUnderstoodError: it is made in a way that cannot be followed.
    """
    if isinstance(node, cst.SimpleString):
        return [_text_of(node)]
    if isinstance(node, cst.ConcatenatedString):
        return [*pieces_of(draft, node.left), *pieces_of(draft, node.right)]
    if isinstance(node, cst.FormattedString):
        return list(_formatted(draft, node))
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
        if isinstance(node.left, (cst.SimpleString, cst.ConcatenatedString)):
            return list(_percent(node.left, node.right))
        if isinstance(node.left, cst.FormattedString):
            raise NotUnderstoodError
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        text = node.func.value
        if node.func.attr.value == "format" and isinstance(
            text, (cst.SimpleString, cst.ConcatenatedString)
        ):
            return list(_format_call(text, node.args))
    return [Field(node, "s")]


def makes_text(node: cst.CSTNode) -> bool:
    """Whether a node makes a text of values, which it would do while tracing."""
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, cst.Modulo) and isinstance(node.left, cst.BaseString)
    if not isinstance(node, cst.Call):
        return isinstance(node, cst.FormattedString)
    name = node.func.attr.value if isinstance(node.func, cst.Attribute) else dotted(node.func)
    return name in _TEXT_MAKERS


def format_string(pieces: Sequence[str | Field], quote: str) -> str:
    """The literal of a format string."""
    text = "".join(
        piece.replace("{", "{{").replace("}", "}}") if isinstance(piece, str) else piece.braces
        for piece in pieces
    )
    written = [_written(character, quote) for character in text]
    return f"{quote}{''.join(written)}{quote}"


def _written(character: str, quote: str) -> str:
    if character in ("\\", quote):
        return f"\\{character}"
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def quote_of(node: cst.CSTNode) -> str | None:
    """The quote that the first literal in an expression is written with; None if it has none."""
    if isinstance(node, (cst.SimpleString, cst.FormattedString)):
        return (node.quote if isinstance(node, cst.SimpleString) else node.end)[0]
    if isinstance(node, (cst.ConcatenatedString, cst.BinaryOperation)):
        return quote_of(node.left)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return quote_of(node.func.value)
    return None


def _text_of(node: cst.BaseExpression) -> str:
    value = getattr(node, "evaluated_value", None)
    if not isinstance(value, str):
        raise NotUnderstoodError
    return value


def _formatted(draft: Draft, node: cst.FormattedString) -> Iterator[str | Field]:
    prefix = node.prefix.lower().replace("f", "")
    for part in node.parts:
        if isinstance(part, cst.FormattedStringText):
            if "\\N{" in part.value:
                raise NotUnderstoodError
            text = part.value.replace("{{", "{").replace("}}", "}")
            try:
                yield str(ast.literal_eval(f"{prefix}{node.end}{text}{node.end}"))
            except (SyntaxError, ValueError):
                raise NotUnderstoodError from None
        elif isinstance(part, cst.FormattedStringExpression):
            spec = "".join(_spec_texts(part.format_spec or ()))
            conversion = part.conversion or ""
            if part.equal is not None:
                # `{x = }` shows the text up to the value, blanks included.
                if not (part.equal.whitespace_before.empty and part.equal.whitespace_after.empty):
                    raise NotUnderstoodError
                yield f"{draft.text(part.expression)}="
                conversion = conversion or ("" if spec else "r")
            yield Field(part.expression, conversion, spec)


def _spec_texts(spec: Sequence[cst.BaseFormattedStringContent]) -> Iterator[str]:
    for piece in spec:
        if not isinstance(piece, cst.FormattedStringText):
            raise NotUnderstoodError
        yield piece.value


def _percent(text: cst.BaseExpression, values: cst.BaseExpression) -> Iterator[str | Field]:
    given = (
        [element.value for element in values.elements]
        if isinstance(values, cst.Tuple)
        else [values]
    )
    if isinstance(values, cst.Dict) or any(isinstance(it, cst.StarredElement) for it in given):
        raise NotUnderstoodError
    template, position = _text_of(text), 0
    waiting = iter(given)
    for match in _PERCENT.finditer(template):
        literal = template[position : match.start()]
        if "%" in literal:
            raise NotUnderstoodError
        yield literal
        position = match.end()
        flags, width, precision, kind = match.groups()
        if kind == "%" and not flags + width + precision:
            yield "%"
            continue
        value = next(waiting, None)
        if value is None:
            raise NotUnderstoodError
        if kind in ("s", "r") and not flags + width + precision:
            yield Field(value, kind)
        elif kind in _FLOATS and len(flags) <= 1 and flags != "#":
            yield Field(value, "", f"{flags.replace('-', '<')}{width}{precision}{kind}")
        elif kind in ("d", "i") and len(flags) <= 1 and flags != "#" and not precision:
            yield Field(value, "", f"{flags.replace('-', '<')}{width}d")
        else:
            raise NotUnderstoodError
    if next(waiting, None) is not None or "%" in template[position:]:
        raise NotUnderstoodError
    yield template[position:]


def _format_call(text: cst.BaseExpression, args: Sequence[cst.Arg]) -> Iterator[str | Field]:
    if any(arg.star for arg in args):
        raise NotUnderstoodError
    positional = [arg.value for arg in args if arg.keyword is None]
    named = {arg.keyword.value: arg.value for arg in args if arg.keyword is not None}
    used: list[cst.BaseExpression] = []
    try:
        parts = list(string.Formatter().parse(_text_of(text)))
    except ValueError:
        raise NotUnderstoodError from None
    automatic = 0
    for literal, name, spec, conversion in parts:
        if literal:
            yield literal
        if name is None:
            continue
        if not name:
            name, automatic = str(automatic), automatic + 1
        number = int(name) if name.isdecimal() else None
        value = named.get(name)
        if number is not None and number < len(positional):
            value = positional[number]
        if value is None or "{" in (spec or ""):
            raise NotUnderstoodError
        if value in used and not isinstance(value, cst.Name):
            raise NotUnderstoodError
        used.append(value)
        yield Field(value, conversion or "", spec or "")
    if len({id(value) for value in used}) != len(positional) + len(named):
        # What is not shown is evaluated all the same.
        raise NotUnderstoodError
