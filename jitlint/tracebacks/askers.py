"""Which parts of a statement ask a traced value for something, and which rule each belongs to.

Only for errors at lines that ``check`` says nothing of, or whose file is not here: the statement
alone tells `if` from `while` and `np.sin(x)` from `float(x)`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_BUILTINS = {
    **dict.fromkeys(("any", "all", "min", "max", "sorted", "filter"), "JIT110"),
    **dict.fromkeys(("bool", "int", "float", "complex", "round", "format"), "JIT105"),
    **dict.fromkeys(("range", "slice", "hex", "bin", "chr"), "JIT107"),
    **dict.fromkeys(("set", "frozenset", "hash", "dict"), "JIT111"),
}
_METHODS = {
    **dict.fromkeys(("item", "tolist", "tobytes"), "JIT105"),
    **dict.fromkeys(("index", "count", "remove", "sort"), "JIT110"),
}
_HOST = frozenset({"np", "numpy", "onp", "scipy", "sp"})
_MATH = frozenset({"math", "cmath", "operator", "statistics"})
_JAX = frozenset({"jnp", "jax", "lax", "jsp", "random", "jrandom", "jr", "nn", "jnn", "hk", "eqx"})
# Rules of calls whose result may be meant rather than the call.
_RESULTS = frozenset({"JIT106", "JIT108", "JIT109"})
_SIZED = frozenset(
    "nonzero flatnonzero argwhere where unique unique_values unique_counts unique_inverse "
    "unique_all union1d intersect1d setdiff1d setxor1d compress extract bincount repeat delete "
    "segment_sum segment_max segment_min segment_prod roots trim_zeros".split()
)


@dataclass(frozen=True, slots=True)
class Asker:
    """A place that may ask for a value.

    Args:
      code: the rule that speaks of it.
      span: its first and last row and column, in offsets: row, column, end row, end column.
    """

    code: str
    span: tuple[int, int, int, int]


def statement_at(tree: ast.Module, row: int) -> ast.stmt | None:
    """The innermost statement whose header or text holds a row."""
    best: ast.stmt | None = None
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or not node.lineno <= row <= (node.end_lineno or row):
            continue
        if best is None or node.lineno >= best.lineno:
            best = node
    return best


def statement_of(line: str) -> ast.stmt | None:
    """The statement that a line begins, with what is missing made up; None where that fails."""
    text = line.strip()
    if text.startswith("elif"):
        text = text[2:]
    if text.startswith("case "):
        # Its columns shift by nothing: the row is another.
        return _parsed(f"match _:\n {text}\n  pass")
    closed = _closed(text.rstrip(" :"))
    for attempt in (text, f"{text}\n pass", f"{closed}:\n pass", closed, f"async {text}\n pass"):
        statement = _parsed(attempt)
        if statement is not None:
            return statement
    return None


def _parsed(text: str) -> ast.stmt | None:
    try:
        return ast.parse(text).body[0]
    except (SyntaxError, ValueError, IndexError):
        return None


def _closed(text: str) -> str:
    """A text with the brackets that it leaves open."""
    pairs = {"(": ")", "[": "]", "{": "}"}
    missing: list[str] = []
    for character in text:
        if character in pairs:
            missing.append(pairs[character])
        elif missing and character == missing[-1]:
            missing.pop()
    return text.rstrip(" ,") + "".join(reversed(missing))


def askers(statement: ast.stmt) -> list[Asker]:
    """The places of a statement's header that may ask for a value, in the order of the text."""
    found: list[Asker] = []
    for node in _header(statement):
        found += _askers(node, _condition_code(statement, node))
    return sorted(found, key=lambda asker: asker.span[:2])


def _header(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement itself, not of the statements inside it."""
    for name, value in ast.iter_fields(statement):
        if name in ("body", "orelse", "finalbody", "handlers"):
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.match_case):
                yield item.pattern
                if item.guard is not None:
                    yield item.guard
            elif isinstance(item, ast.AST):
                yield item


def _condition_code(statement: ast.stmt, node: ast.AST) -> str | None:
    """The rule of a statement that asks for the truth of an expression in its header."""
    if isinstance(statement, ast.If) and node is statement.test:
        return "JIT101"
    if isinstance(statement, ast.While) and node is statement.test:
        return "JIT102"
    if isinstance(statement, ast.Assert) and node is statement.test:
        return "JIT103"
    return "JIT101" if isinstance(statement, ast.Match) else None


def _askers(node: ast.AST, condition: str | None) -> Iterator[Asker]:
    """The places in an expression.

    Args:
      node: the expression.
      condition: the rule of what asks for its truth, None where nothing does.
    """
    for code in dict.fromkeys(_own_codes(node, condition)):
        yield Asker(code, _span(node))
    for child, inner in _parts(node, condition):
        yield from _askers(child, inner)


def _own_codes(node: ast.AST, condition: str | None) -> Iterator[str]:
    """The rules that an expression itself may fall under; the kind of error tells them apart."""
    if isinstance(node, ast.Call):
        known = _call_code(node)
        if known is not None and known not in _RESULTS:
            yield known
            return
        if condition is not None:
            # It is far likelier that the result is asked for its truth.
            yield condition
        elif known is not None:
            yield known
        if known is None:
            # Perhaps of a cached function, or of a method of a dict or a set.
            yield "JIT111"
        return
    if isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
        yield from ("JIT110", "JIT111")
        return
    if isinstance(node, ast.BoolOp):
        return
    if condition is not None and isinstance(node, ast.expr | ast.pattern):
        yield condition
    if isinstance(node, ast.Compare) and len(node.ops) > 1 and condition is None:
        yield "JIT104"
    if isinstance(node, ast.Subscript):
        yield from ("JIT107", "JIT109", "JIT111")
    if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
        yield "JIT105"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_text(node.left):
        yield "JIT105"
    if isinstance(node, ast.Set | ast.Dict | ast.SetComp | ast.DictComp):
        yield "JIT111"


def _parts(node: ast.AST, condition: str | None) -> Iterator[tuple[ast.AST, str | None]]:
    """What is inside an expression, with the rule of what asks for its truth."""
    if isinstance(node, ast.BoolOp):
        for position, value in enumerate(node.values):
            last = position == len(node.values) - 1
            yield value, condition or (None if last else "JIT104")
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand, condition or "JIT104"
        return
    if isinstance(node, ast.IfExp):
        yield node.test, "JIT101"
        yield node.body, condition
        yield node.orelse, condition
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.comprehension):
            yield child.iter, None
            yield from ((test, "JIT101") for test in child.ifs)
        else:
            yield child, None


def _call_code(node: ast.Call) -> str | None:
    function = node.func
    if isinstance(function, ast.Name):
        return _BUILTINS.get(function.id)
    if not isinstance(function, ast.Attribute):
        return None
    head: ast.expr = function
    while isinstance(head, ast.Attribute):
        head = head.value
    first = head.id if isinstance(head, ast.Name) else ""
    if first in _HOST:
        return "JIT106"
    if first in _MATH:
        return "JIT105"
    if first in ("bisect", "heapq"):
        return "JIT110"
    if first in _JAX:
        return "JIT109" if function.attr in _SIZED else "JIT108"
    if isinstance(function.value, ast.Constant) and function.attr == "format":
        return "JIT105"
    return _METHODS.get(function.attr)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _span(node: ast.AST) -> tuple[int, int, int, int]:
    row = getattr(node, "lineno", 0)
    column = getattr(node, "col_offset", 0)
    return (
        row,
        column,
        getattr(node, "end_lineno", None) or row,
        getattr(node, "end_col_offset", None) or column,
    )


def choose(
    found: Sequence[Asker], codes: Sequence[str], marked: tuple[int, int, int] | None
) -> list[str]:
    """The rules that the places of a statement speak for, the likeliest first.

    Args:
      found: the places.
      codes: the rules that can be meant, the likeliest first.
      marked: the row and the offsets of what carets stand under, None without carets.
    """
    possible = [asker for asker in found if asker.code in codes]
    if marked is not None:
        row, start, end = marked
        here = [
            asker
            for asker in possible
            if asker.span[0] <= row <= asker.span[2]
            and (asker.span[0] < row or asker.span[1] < end)
            and (asker.span[2] > row or asker.span[3] > start)
        ]
        exact = [a for a in here if (a.span[0], a.span[1], a.span[3]) == (row, start, end)]
        possible = exact or here or possible
    return sorted({asker.code for asker in possible}, key=list(codes).index)
