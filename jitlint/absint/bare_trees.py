"""Syntax trees made from the ``ast`` trees that the index has anyway.

``libcst.parse_module`` costs ten times what ``ast.parse`` costs, most of it for whitespace, commas
and checks that an analysis never looks at; making its nodes without those from ``ast`` nodes costs
less than ``ast.parse`` itself.  Such a tree cannot print itself; what a node says is cut out of the
text, at the position ``ast`` gives.

Where ``ast`` has lost what libcst keeps, the tree has what ``ast`` knows: strings that stand side
by side are one string, with the value of all, and there are no positions in formatted strings.
Syntax that has no rule here raises :class:`UnknownSyntaxError`; the caller then lets libcst parse
the whole unit.  A test compares these trees with libcst's own, node by node and position by
position, over everything that is at hand.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from jitlint.absint import cst
from jitlint.absint.cst.walking import children
from jitlint.foundation.records import record

if TYPE_CHECKING:
    from jitlint.project.index import Unit

#: what stands before the name of a function or class
_HEADER = re.compile(r"(?:async\s+)?(?:def|class)\s+")
#: row and column, end row and end column: rows from 1, columns from 0 in code points
Span = tuple[int, int, int, int]


class Located(Protocol):
    """A node of ``ast`` with a position; columns count bytes."""

    @property
    def lineno(self) -> int:
        """Row of the first character, from 1."""

    @property
    def col_offset(self) -> int:
        """Bytes before it on its row."""

    @property
    def end_lineno(self) -> int | None:
        """Row of the last character."""

    @property
    def end_col_offset(self) -> int | None:
        """Bytes up to and with it on its row."""


class UnknownSyntaxError(Exception):
    """``ast`` gave a node that has no rule here."""


class UnsupportedSyntaxError(Exception):
    """libcst cannot parse what ``ast`` could."""

    def __init__(self, unit: Unit, message: str, row: int) -> None:
        super().__init__(message)
        self.unit = unit
        self.row = row


class BareTree:
    """The statements of one unit.

    Args:
      nodes: the statements as ``ast`` has them.
      lines: the rows of the file, with their line ends.

    Raises:
      UnknownSyntaxError: there is syntax in it that only libcst knows, if anyone does.
    """

    __slots__ = ("_lines", "statements")

    def __init__(self, nodes: list[ast.stmt], lines: Sequence[str]) -> None:
        self._lines = lines
        self.statements: Sequence[cst.BaseStatement] = _statements(self, nodes)

    def span(self, node: cst.CSTNode) -> Span | None:
        """Where a node is; None for nodes that ``ast`` has no position for."""
        made_of = getattr(node, "made_of", None)
        if made_of is None:
            return None
        span = self.span_of(made_of)
        if type(node) is not cst.Name or isinstance(made_of, (ast.Name, ast.Constant)):
            return span
        row, column, end_row, end_column = span
        width = len(node.value)
        if isinstance(made_of, ast.Attribute):
            return end_row, end_column - width, end_row, end_column
        header = _HEADER.match(self._lines[row - 1], column)
        start = column if header is None else header.end()
        found = self.cut(row, start, row, start + width)
        return (row, start, row, start + width) if found == node.value else None

    def span_of(self, node: Located) -> Span:
        """Where an ``ast`` node is, in code points."""
        row, column = node.lineno, node.col_offset
        end_row, end_column = node.end_lineno or row, node.end_col_offset or column
        return row, self._column(row, column), end_row, self._column(end_row, end_column)

    def _column(self, row: int, column: int) -> int:
        """A column of bytes in code points."""
        line = self._lines[row - 1]
        return column if line.isascii() else len(line.encode()[:column].decode())

    def cut(self, row: int, column: int, end_row: int, end_column: int) -> str:
        """The text of a span."""
        lines = self._lines
        if row == end_row:
            return lines[row - 1][column:end_column]
        inner = lines[row : end_row - 1]
        return "".join([lines[row - 1][column:], *inner, lines[end_row - 1][:end_column]])

    def text(self, node: Located) -> str:
        """The text of an ``ast`` node."""
        row = node.lineno
        if row == node.end_lineno:
            line = self._lines[row - 1]
            if line.isascii():
                return line[node.col_offset : node.end_col_offset]
        return self.cut(*self.span_of(node))

    def starts_with(self, node: Located, word: str) -> bool:
        """Whether the text of an ``ast`` node begins with a word."""
        row = node.lineno
        return self._lines[row - 1].startswith(word, self._column(row, node.col_offset))

    def begins_row(self, node: Located) -> bool:
        """Whether there is nothing but indentation before an ``ast`` node on its row."""
        before = self._lines[node.lineno - 1].encode()[: node.col_offset]
        return not before or before.isspace()


# -- making nodes ---------------------------------------------------------------------------------

_Expression = Callable[[BareTree, Any], Any]
_EXPRESSIONS: dict[type[ast.AST], _Expression] = {}
_STATEMENTS: dict[type[ast.AST], _Expression] = {}
_PATTERNS: dict[type[ast.AST], _Expression] = {}
_Rule = TypeVar("_Rule", bound=_Expression)


def _rule(
    table: dict[type[ast.AST], _Expression], *kinds: type[ast.AST]
) -> Callable[[_Rule], _Rule]:
    def register(rule: _Rule) -> _Rule:
        table.update(dict.fromkeys(kinds, rule))
        return rule

    return register


def _expression(tree: BareTree, node: ast.AST) -> Any:
    rule = _EXPRESSIONS.get(type(node))
    if rule is None:
        raise UnknownSyntaxError(f"{type(node).__name__} is not known here")
    made = rule(tree, node)
    made.made_of = node
    return made


def _optional(tree: BareTree, node: ast.AST | None) -> Any:
    return None if node is None else _expression(tree, node)


@_rule(_EXPRESSIONS, ast.Name)
def _name(tree: BareTree, node: ast.Name) -> cst.Name:
    return cst.Name(node.id)


def _named(name: str, node: ast.AST) -> cst.Name:
    """A name that is a part of a node of ``ast``, which tells where it is."""
    made = cst.Name(name)
    made.made_of = node
    return made


@_rule(_EXPRESSIONS, ast.Attribute)
def _attribute(tree: BareTree, node: ast.Attribute) -> cst.Attribute:
    return cst.Attribute(_expression(tree, node.value), _named(node.attr, node))


def _dotted(name: str) -> cst.Name | cst.Attribute:
    first, *rest = name.split(".")
    made: cst.Name | cst.Attribute = cst.Name(first)
    for part in rest:
        made = cst.Attribute(value=made, attr=cst.Name(part))
    return made


# -- literals -------------------------------------------------------------------------------------

_SINGLETONS: Mapping[Any, str] = {None: "None", True: "True", False: "False"}
_NUMBERS: Mapping[type, Callable[[str], cst.BaseExpression]] = {
    int: cst.Integer,
    float: cst.Float,
    complex: cst.Imaginary,
}


@_rule(_EXPRESSIONS, ast.Constant)
def _constant(tree: BareTree, node: ast.Constant) -> Any:
    value = node.value
    kind = type(value)
    made: Any
    if kind is str or kind is bytes:
        text = tree.text(node)
        made = cst.SimpleString(text if _is_one_string(text) else repr(value))
    elif kind in _NUMBERS:
        made = _NUMBERS[kind](tree.text(node))
    elif value is ...:
        made = cst.Ellipsis()
    else:
        made = cst.Name(_SINGLETONS[value])
    return made


def _is_one_string(text: str) -> bool:
    """Whether a string literal is surely one token, and not several that stand side by side."""
    quote = text[-1]
    if text[-3:] == quote * 3:
        return text.count(quote * 3) == 2 and text.lstrip("rRbBuUfF")[:3] == quote * 3
    return text.count(quote) == 2 and text.lstrip("rRbBuUfF")[0] == quote


@_rule(_EXPRESSIONS, ast.JoinedStr)
def _joined(tree: BareTree, node: ast.JoinedStr) -> cst.BaseExpression:
    parts = _string_parts(tree, node.values)
    # Before Python 3.12 the positions in such a string are wrong; after it, nobody asks for most.
    stack: list[cst.CSTNode] = list(parts)
    while stack:
        inner = stack.pop()
        inner.made_of = None
        stack.extend(children(inner))
    return cst.FormattedString(parts)


def _string_parts(
    tree: BareTree, nodes: Iterable[ast.expr]
) -> tuple[cst.BaseFormattedStringContent, ...]:
    found: list[cst.BaseFormattedStringContent] = []
    for node in nodes:
        if isinstance(node, ast.FormattedValue):
            spec = node.format_spec
            part = cst.FormattedStringExpression(
                expression=_expression(tree, node.value),
                conversion=chr(node.conversion) if node.conversion > 0 else None,
                format_spec=(
                    _string_parts(tree, spec.values) if isinstance(spec, ast.JoinedStr) else None
                ),
            )
            found.append(part)
        else:
            assert isinstance(node, ast.Constant)
            found.append(cst.FormattedStringText(str(node.value)))
    return tuple(found)


# -- displays -------------------------------------------------------------------------------------


def _elements(tree: BareTree, nodes: list[ast.expr]) -> tuple[cst.BaseElement, ...]:
    found: list[Any] = []
    for node in nodes:
        made: Any
        if type(node) is ast.Starred:
            made = cst.StarredElement(value=_expression(tree, node.value))
            made.made_of = node
        else:
            made = cst.Element(_expression(tree, node))
        found.append(made)
    return tuple(found)


_DISPLAYS: Mapping[type[ast.AST], Callable[[Sequence[cst.BaseElement]], cst.BaseExpression]] = {
    ast.Tuple: cst.Tuple,
    ast.List: cst.List,
    ast.Set: cst.Set,
}


@_rule(_EXPRESSIONS, *_DISPLAYS)
def _display(tree: BareTree, node: Any) -> cst.BaseExpression:
    return _DISPLAYS[type(node)](_elements(tree, node.elts))


@_rule(_EXPRESSIONS, ast.Starred)
def _starred(tree: BareTree, node: ast.Starred) -> cst.StarredElement:
    return cst.StarredElement(value=_expression(tree, node.value))


@_rule(_EXPRESSIONS, ast.Dict)
def _dict(tree: BareTree, node: ast.Dict) -> cst.Dict:
    elements: list[cst.BaseDictElement] = []
    for key, item in zip(node.keys, node.values, strict=True):
        value = _expression(tree, item)
        if key is None:
            elements.append(cst.StarredDictElement(value=value))
        else:
            elements.append(cst.DictElement(key=_expression(tree, key), value=value))
    return cst.Dict(elements=tuple(elements))


_COMPREHENSIONS: Mapping[
    type[ast.AST], Callable[[cst.BaseExpression, cst.CompFor], cst.BaseExpression]
] = {
    ast.ListComp: cst.ListComp,
    ast.SetComp: cst.SetComp,
    ast.GeneratorExp: cst.GeneratorExp,
}


@_rule(_EXPRESSIONS, *_COMPREHENSIONS)
def _comprehension(tree: BareTree, node: Any) -> cst.BaseExpression:
    return _COMPREHENSIONS[type(node)](_expression(tree, node.elt), _for_in(tree, node.generators))


@_rule(_EXPRESSIONS, ast.DictComp)
def _dict_comprehension(tree: BareTree, node: ast.DictComp) -> cst.DictComp:
    if node.value is None:  # `{**each for each in dicts}`, newer than this module
        raise UnknownSyntaxError("a dict comprehension without values")
    return cst.DictComp(
        key=_expression(tree, node.key),
        value=_expression(tree, node.value),
        for_in=_for_in(tree, node.generators),
    )


def _for_in(tree: BareTree, generators: list[ast.comprehension]) -> cst.CompFor:
    made: cst.CompFor | None = None
    for each in reversed(generators):
        made = cst.CompFor(
            target=_expression(tree, each.target),
            iter=_expression(tree, each.iter),
            ifs=tuple(cst.CompIf(test=_expression(tree, test)) for test in each.ifs),
            inner_for_in=made,
            asynchronous=_asynchronous() if each.is_async else None,
        )
    assert made is not None
    return made


def _asynchronous() -> cst.Asynchronous:
    return cst.Asynchronous()


# -- operations -----------------------------------------------------------------------------------


def _operators(names: Mapping[type[ast.AST], type[cst.CSTNode]]) -> dict[type[ast.AST], Any]:
    """One node for each operator: what differs between two of them is trivia."""
    return {kind: operator() for kind, operator in names.items()}


_UNARY = _operators(
    {ast.USub: cst.Minus, ast.UAdd: cst.Plus, ast.Not: cst.Not, ast.Invert: cst.BitInvert}
)
_BINARY = _operators(
    {
        ast.Add: cst.Add,
        ast.Sub: cst.Subtract,
        ast.Mult: cst.Multiply,
        ast.Div: cst.Divide,
        ast.FloorDiv: cst.FloorDivide,
        ast.Mod: cst.Modulo,
        ast.Pow: cst.Power,
        ast.MatMult: cst.MatrixMultiply,
        ast.LShift: cst.LeftShift,
        ast.RShift: cst.RightShift,
        ast.BitOr: cst.BitOr,
        ast.BitXor: cst.BitXor,
        ast.BitAnd: cst.BitAnd,
    }
)
_AUGMENTED = _operators(
    {
        ast.Add: cst.AddAssign,
        ast.Sub: cst.SubtractAssign,
        ast.Mult: cst.MultiplyAssign,
        ast.Div: cst.DivideAssign,
        ast.FloorDiv: cst.FloorDivideAssign,
        ast.Mod: cst.ModuloAssign,
        ast.Pow: cst.PowerAssign,
        ast.MatMult: cst.MatrixMultiplyAssign,
        ast.LShift: cst.LeftShiftAssign,
        ast.RShift: cst.RightShiftAssign,
        ast.BitOr: cst.BitOrAssign,
        ast.BitXor: cst.BitXorAssign,
        ast.BitAnd: cst.BitAndAssign,
    }
)
_BOOLEAN = _operators({ast.And: cst.And, ast.Or: cst.Or})
_COMPARISONS = _operators(
    {
        ast.Eq: cst.Equal,
        ast.NotEq: cst.NotEqual,
        ast.Lt: cst.LessThan,
        ast.LtE: cst.LessThanEqual,
        ast.Gt: cst.GreaterThan,
        ast.GtE: cst.GreaterThanEqual,
        ast.Is: cst.Is,
        ast.IsNot: cst.IsNot,
        ast.In: cst.In,
        ast.NotIn: cst.NotIn,
    }
)


@_rule(_EXPRESSIONS, ast.UnaryOp)
def _unary(tree: BareTree, node: ast.UnaryOp) -> cst.UnaryOperation:
    return cst.UnaryOperation(
        operator=_UNARY[type(node.op)],
        expression=_expression(tree, node.operand),
    )


@_rule(_EXPRESSIONS, ast.BinOp)
def _binary(tree: BareTree, node: ast.BinOp) -> cst.BinaryOperation:
    return cst.BinaryOperation(
        left=_expression(tree, node.left),
        operator=_BINARY[type(node.op)],
        right=_expression(tree, node.right),
    )


@record()
class _Range:
    """Several operands of one ``and`` or ``or``, which ``ast`` keeps in one node."""

    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None


@_rule(_EXPRESSIONS, ast.BoolOp)
def _boolean(tree: BareTree, node: ast.BoolOp) -> Any:
    operator = _BOOLEAN[type(node.op)]
    made = _expression(tree, node.values[0])
    for value in node.values[1:]:
        made = cst.BooleanOperation(left=made, operator=operator, right=_expression(tree, value))
        if value is not node.values[-1]:
            # Where it ends in the text may be a parenthesis further; this is close enough for
            # what is shown of it, and its exact place is asked of libcst.
            first = node.lineno, node.col_offset
            made.made_of = _Range(*first, value.end_lineno, value.end_col_offset)
    return made


@_rule(_EXPRESSIONS, ast.Compare)
def _compare(tree: BareTree, node: ast.Compare) -> cst.Comparison:
    return cst.Comparison(
        left=_expression(tree, node.left),
        comparisons=tuple(
            cst.ComparisonTarget(
                operator=_COMPARISONS[type(operator)],
                comparator=_expression(tree, comparator),
            )
            for operator, comparator in zip(node.ops, node.comparators, strict=True)
        ),
    )


@_rule(_EXPRESSIONS, ast.IfExp)
def _conditional(tree: BareTree, node: ast.IfExp) -> cst.IfExp:
    return cst.IfExp(
        test=_expression(tree, node.test),
        body=_expression(tree, node.body),
        orelse=_expression(tree, node.orelse),
    )


@_rule(_EXPRESSIONS, ast.NamedExpr)
def _assigned(tree: BareTree, node: ast.NamedExpr) -> cst.NamedExpr:
    return cst.NamedExpr(target=_expression(tree, node.target), value=_expression(tree, node.value))


@_rule(_EXPRESSIONS, ast.Await)
def _await(tree: BareTree, node: ast.Await) -> cst.Await:
    return cst.Await(expression=_expression(tree, node.value))


@_rule(_EXPRESSIONS, ast.Yield)
def _yield(tree: BareTree, node: ast.Yield) -> cst.Yield:
    return cst.Yield(value=_optional(tree, node.value))


@_rule(_EXPRESSIONS, ast.YieldFrom)
def _yield_from(tree: BareTree, node: ast.YieldFrom) -> cst.Yield:
    item = cst.From(item=_expression(tree, node.value))
    return cst.Yield(value=item)


# -- calls, subscripts, lambdas -------------------------------------------------------------------


def _argument(tree: BareTree, value: ast.expr, keyword: str | None, star: str) -> cst.Arg:
    return cst.Arg(_expression(tree, value), None if keyword is None else cst.Name(keyword), star)


def _arguments(
    tree: BareTree, positional: list[ast.expr], keywords: list[ast.keyword]
) -> list[cst.Arg]:
    found = []
    starred = False
    for node in positional:
        if type(node) is ast.Starred:
            starred = True
            made = _argument(tree, node.value, None, "*")
        else:
            made = _argument(tree, node, None, "")
        made.made_of = node
        found.append(made)
    for keyword in keywords:
        made = _argument(tree, keyword.value, keyword.arg, "" if keyword.arg else "**")
        made.made_of = keyword
        found.append(made)
    if starred and keywords:
        # `f(a=1, *rest)`: only these can stand after a keyword.
        found.sort(key=lambda arg: (arg.made_of.lineno, arg.made_of.col_offset))
    return found


@_rule(_EXPRESSIONS, ast.Call)
def _call(tree: BareTree, node: ast.Call) -> cst.Call:
    func = _expression(tree, node.func)
    return cst.Call(func, tuple(_arguments(tree, node.args, node.keywords)))


@_rule(_EXPRESSIONS, ast.Subscript)
def _subscript(tree: BareTree, node: ast.Subscript) -> cst.Subscript:
    inner = node.slice
    several = type(inner) is ast.Tuple and bool(inner.elts) and not _is_enclosed(tree, inner)
    parts = inner.elts if several else [inner]  # type: ignore[attr-defined]
    comma = several and len(parts) == 1
    elements = tuple([cst.SubscriptElement(_slice(tree, part), comma) for part in parts])
    return cst.Subscript(_expression(tree, node.value), elements)


def _slice(tree: BareTree, node: ast.expr) -> cst.BaseSlice:
    made: cst.BaseSlice
    if type(node) is ast.Slice:
        made = cst.Slice(
            lower=_optional(tree, node.lower),
            upper=_optional(tree, node.upper),
            step=_optional(tree, node.step),
        )
        made.made_of = node
    elif type(node) is ast.Starred:
        made = cst.Index(value=_expression(tree, node.value), star="*")
    else:
        made = cst.Index(value=_expression(tree, node), star=None)
    return made


def _is_enclosed(tree: BareTree, node: Any) -> bool:
    """Whether the brackets around a sequence are its own: ``(a, b)`` and not ``(a), b``."""
    inner = node.patterns if isinstance(node, ast.MatchSequence) else node.elts
    text = tree.text(node)
    if text[0] not in "([":
        return False
    if not inner:
        return True
    first = inner[0]
    row, column, end_row, end_column = tree.span_of(first)
    before = tree.cut(*tree.span_of(node)[:2], row, column)
    last = tree.span_of(inner[1])[:2] if len(inner) > 1 else tree.span_of(node)[2:]
    after = tree.cut(end_row, end_column, *last)
    after, comma, _ = _without_comments(after).partition(",")
    # Without a comma it is a list of one element.
    return not comma or _count(_without_comments(before), "([") > _count(after, ")]")


def _without_comments(text: str) -> str:
    return "\n".join(line.partition("#")[0] for line in text.split("\n"))


def _count(text: str, characters: str) -> int:
    return sum(text.count(each) for each in characters)


@_rule(_EXPRESSIONS, ast.Lambda)
def _lambda(tree: BareTree, node: ast.Lambda) -> cst.Lambda:
    return cst.Lambda(params=_parameters(tree, node.args), body=_expression(tree, node.body))


def _parameter(tree: BareTree, node: ast.arg, default: ast.expr | None, star: str) -> cst.Param:
    annotation = _annotation(tree, node.annotation)
    made = cst.Param(_named(node.arg, node), annotation, _optional(tree, default), star)
    made.made_of = node
    return made


def _parameters(tree: BareTree, node: ast.arguments) -> cst.Parameters:
    positional = [*node.posonlyargs, *node.args]
    missing = len(positional) - len(node.defaults)
    defaults = [*([None] * missing), *node.defaults]
    made = [_parameter(tree, *each, "") for each in zip(positional, defaults, strict=True)]
    split = len(node.posonlyargs)
    star: cst.Param | cst.ParamStar | None = None
    if node.vararg is not None:
        star = _parameter(tree, node.vararg, None, "*")
    elif node.kwonlyargs:
        star = cst.ParamStar()
    return cst.Parameters(
        params=tuple(made[split:]),
        star_arg=star,
        kwonly_params=tuple(
            _parameter(tree, *each, "")
            for each in zip(node.kwonlyargs, node.kw_defaults, strict=True)
        ),
        star_kwarg=None if node.kwarg is None else _parameter(tree, node.kwarg, None, "**"),
        posonly_params=tuple(made[:split]),
    )


def _annotation(tree: BareTree, node: ast.expr | None) -> cst.Annotation | None:
    if node is None:
        return None
    return cst.Annotation(annotation=_expression(tree, node))


# -- statements -----------------------------------------------------------------------------------

_COMPOUND = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.TryStar,
    ast.Match,
)


def _statement(tree: BareTree, node: ast.stmt) -> Any:
    rule = _STATEMENTS.get(type(node))
    if rule is None:
        raise UnknownSyntaxError(f"{type(node).__name__} is not known here")
    made = rule(tree, node)
    made.made_of = node
    return made


def _statements(tree: BareTree, nodes: Iterable[ast.stmt]) -> tuple[cst.BaseStatement, ...]:
    found: list[Any] = []
    #: the last row of an open line of small statements
    open_row = -1
    line: list[Any] = []
    for node in nodes:
        if isinstance(node, _COMPOUND):
            open_row = -1
            found.append(_statement(tree, node))
            continue
        made = _statement(tree, node)
        if node.lineno == open_row:
            line.append(made)
            found[-1].body = tuple(line)
        else:
            line = [made]
            whole = cst.SimpleStatementLine((made,))
            whole.made_of = node
            found.append(whole)
        open_row = node.end_lineno or -1
    return tuple(found)


def _suite(tree: BareTree, nodes: list[ast.stmt]) -> cst.BaseSuite:
    first = nodes[0]
    if isinstance(first, _COMPOUND) or tree.begins_row(first):
        return cst.IndentedBlock(body=_statements(tree, nodes))
    small = tuple(_statement(tree, node) for node in nodes)
    return cst.SimpleStatementSuite(body=small)


@_rule(_STATEMENTS, ast.Expr)
def _expr(tree: BareTree, node: ast.Expr) -> cst.Expr:
    return cst.Expr(value=_expression(tree, node.value))


@_rule(_STATEMENTS, ast.Assign)
def _assign(tree: BareTree, node: ast.Assign) -> cst.Assign:
    targets = tuple([cst.AssignTarget(_expression(tree, each)) for each in node.targets])
    return cst.Assign(targets, _expression(tree, node.value))


@_rule(_STATEMENTS, ast.AnnAssign)
def _annotated(tree: BareTree, node: ast.AnnAssign) -> cst.AnnAssign:
    return cst.AnnAssign(
        target=_expression(tree, node.target),
        annotation=cst.Annotation(_expression(tree, node.annotation)),
        value=_optional(tree, node.value),
    )


@_rule(_STATEMENTS, ast.AugAssign)
def _augmented(tree: BareTree, node: ast.AugAssign) -> cst.AugAssign:
    return cst.AugAssign(
        target=_expression(tree, node.target),
        operator=_AUGMENTED[type(node.op)],
        value=_expression(tree, node.value),
    )


@_rule(_STATEMENTS, ast.Return)
def _return(tree: BareTree, node: ast.Return) -> cst.Return:
    return cst.Return(value=_optional(tree, node.value))


@_rule(_STATEMENTS, ast.Delete)
def _delete(tree: BareTree, node: ast.Delete) -> cst.Del:
    if len(node.targets) == 1:
        target = _expression(tree, node.targets[0])
    else:
        target = cst.Tuple(elements=_elements(tree, node.targets))
    return cst.Del(target=target)


@_rule(_STATEMENTS, ast.Raise)
def _raise(tree: BareTree, node: ast.Raise) -> cst.Raise:
    cause = None if node.cause is None else cst.From(item=_expression(tree, node.cause))
    return cst.Raise(exc=_optional(tree, node.exc), cause=cause)


@_rule(_STATEMENTS, ast.Assert)
def _assert(tree: BareTree, node: ast.Assert) -> cst.Assert:
    return cst.Assert(test=_expression(tree, node.test), msg=_optional(tree, node.msg))


_SCOPED: Mapping[type[ast.AST], Callable[[Sequence[cst.NameItem]], cst.BaseSmallStatement]] = {
    ast.Global: cst.Global,
    ast.Nonlocal: cst.Nonlocal,
}
_PLAIN: dict[type[ast.AST], type[cst.CSTNode]] = {
    ast.Pass: cst.Pass,
    ast.Break: cst.Break,
    ast.Continue: cst.Continue,
}


@_rule(_STATEMENTS, *_SCOPED)
def _scoped(tree: BareTree, node: Any) -> Any:
    names = tuple(cst.NameItem(name=cst.Name(name)) for name in node.names)
    return _SCOPED[type(node)](names)


@_rule(_STATEMENTS, *_PLAIN)
def _plain(tree: BareTree, node: ast.AST) -> Any:
    return _PLAIN[type(node)]()


def _aliases(nodes: list[ast.alias]) -> tuple[cst.ImportAlias, ...]:
    return tuple(
        cst.ImportAlias(
            name=_dotted(node.name),
            asname=_as_name(node.asname),
        )
        for node in nodes
    )


def _as_name(name: str | None) -> cst.AsName | None:
    return None if name is None else cst.AsName(name=cst.Name(name))


@_rule(_STATEMENTS, ast.Import)
def _import(tree: BareTree, node: ast.Import) -> cst.Import:
    return cst.Import(names=_aliases(node.names))


@_rule(_STATEMENTS, ast.ImportFrom)
def _import_from(tree: BareTree, node: ast.ImportFrom) -> cst.ImportFrom:
    everything = node.names[0].name == "*"
    return cst.ImportFrom(
        module=None if node.module is None else _dotted(node.module),
        names=cst.ImportStar() if everything else _aliases(node.names),
        relative=tuple(cst.Dot() for _ in range(node.level)),
    )


@_rule(_STATEMENTS, ast.FunctionDef, ast.AsyncFunctionDef)
def _function(tree: BareTree, node: ast.FunctionDef | ast.AsyncFunctionDef) -> cst.FunctionDef:
    _known(node)
    return cst.FunctionDef(
        name=_named(node.name, node),
        params=_parameters(tree, node.args),
        body=_suite(tree, node.body),
        decorators=_decorators(tree, node.decorator_list),
        returns=_annotation(tree, node.returns),
        asynchronous=_asynchronous() if isinstance(node, ast.AsyncFunctionDef) else None,
    )


def _decorators(tree: BareTree, nodes: list[ast.expr]) -> tuple[cst.Decorator, ...]:
    return tuple(cst.Decorator(decorator=_expression(tree, node)) for node in nodes)


@_rule(_STATEMENTS, ast.ClassDef)
def _class(tree: BareTree, node: ast.ClassDef) -> cst.ClassDef:
    _known(node)
    arguments = _arguments(tree, node.bases, node.keywords)
    return cst.ClassDef(
        name=_named(node.name, node),
        body=_suite(tree, node.body),
        bases=tuple(each for each in arguments if _is_base(each)),
        keywords=tuple(each for each in arguments if not _is_base(each)),
        decorators=_decorators(tree, node.decorator_list),
    )


def _is_base(argument: cst.Arg) -> bool:
    return argument.keyword is None and argument.star != "**"


def _known(node: Any) -> None:
    if getattr(node, "type_params", None):
        raise UnknownSyntaxError("type parameters")


@_rule(_STATEMENTS, ast.If)
def _if(tree: BareTree, node: ast.If) -> cst.If:
    orelse: Any = None
    if node.orelse:
        first = node.orelse[0]
        if type(first) is ast.If and tree.starts_with(first, "elif"):
            orelse = _statement(tree, first)
        else:
            orelse = _else(tree, node.orelse)
    return cst.If(test=_expression(tree, node.test), body=_suite(tree, node.body), orelse=orelse)


def _else(tree: BareTree, nodes: list[ast.stmt]) -> cst.Else | None:
    return cst.Else(body=_suite(tree, nodes)) if nodes else None


@_rule(_STATEMENTS, ast.For, ast.AsyncFor)
def _for(tree: BareTree, node: ast.For | ast.AsyncFor) -> cst.For:
    return cst.For(
        target=_expression(tree, node.target),
        iter=_expression(tree, node.iter),
        body=_suite(tree, node.body),
        orelse=_else(tree, node.orelse),
        asynchronous=_asynchronous() if isinstance(node, ast.AsyncFor) else None,
    )


@_rule(_STATEMENTS, ast.While)
def _while(tree: BareTree, node: ast.While) -> cst.While:
    return cst.While(
        test=_expression(tree, node.test),
        body=_suite(tree, node.body),
        orelse=_else(tree, node.orelse),
    )


@_rule(_STATEMENTS, ast.With, ast.AsyncWith)
def _with(tree: BareTree, node: ast.With | ast.AsyncWith) -> cst.With:
    items = []
    for each in node.items:
        target = each.optional_vars
        asname = None if target is None else cst.AsName(name=_expression(tree, target))
        items.append(cst.WithItem(item=_expression(tree, each.context_expr), asname=asname))
    return cst.With(
        items=tuple(items),
        body=_suite(tree, node.body),
        asynchronous=_asynchronous() if isinstance(node, ast.AsyncWith) else None,
    )


_TRIES: Mapping[type[ast.AST], tuple[Any, Any]] = {
    ast.Try: (cst.Try, cst.ExceptHandler),
    ast.TryStar: (cst.TryStar, cst.ExceptStarHandler),
}


@_rule(_STATEMENTS, *_TRIES)
def _try(tree: BareTree, node: ast.Try | ast.TryStar) -> cst.BaseCompoundStatement:
    kind, handler_kind = _TRIES[type(node)]
    handlers = []
    for each in node.handlers:
        handler = handler_kind(
            body=_suite(tree, each.body),
            type=_optional(tree, each.type),
            name=_as_name(each.name),
        )
        handler.made_of = each
        handlers.append(handler)
    final = node.finalbody
    made: cst.BaseCompoundStatement = kind(
        body=_suite(tree, node.body),
        handlers=tuple(handlers),
        orelse=_else(tree, node.orelse),
        finalbody=cst.Finally(body=_suite(tree, final)) if final else None,
    )
    return made


# -- match ----------------------------------------------------------------------------------------


@_rule(_STATEMENTS, ast.Match)
def _match(tree: BareTree, node: ast.Match) -> cst.Match:
    cases = tuple(
        cst.MatchCase(
            pattern=_pattern(tree, case.pattern),
            body=_suite(tree, case.body),
            guard=_optional(tree, case.guard),
        )
        for case in node.cases
    )
    return cst.Match(subject=_expression(tree, node.subject), cases=cases)


def _pattern(tree: BareTree, node: ast.pattern) -> Any:
    rule = _PATTERNS.get(type(node))
    if rule is None:
        raise UnknownSyntaxError(f"{type(node).__name__} is not known here")
    made = rule(tree, node)
    made.made_of = node
    return made


@_rule(_PATTERNS, ast.MatchValue)
def _match_value(tree: BareTree, node: ast.MatchValue) -> cst.MatchValue:
    return cst.MatchValue(value=_expression(tree, node.value))


@_rule(_PATTERNS, ast.MatchSingleton)
def _match_singleton(tree: BareTree, node: ast.MatchSingleton) -> cst.MatchSingleton:
    return cst.MatchSingleton(value=cst.Name(_SINGLETONS[node.value]))


@_rule(_PATTERNS, ast.MatchSequence)
def _match_sequence(tree: BareTree, node: ast.MatchSequence) -> cst.MatchSequence:
    # Without any brackets, too, libcst calls it a list.
    is_tuple = tree.starts_with(node, "(") and _is_enclosed(tree, node)
    patterns = []
    for each in node.patterns:
        made = _pattern(tree, each)
        if not isinstance(each, ast.MatchStar):
            made = cst.MatchSequenceElement(value=made)
        patterns.append(made)
    kind = cst.MatchTuple if is_tuple else cst.MatchList
    return kind(patterns=tuple(patterns))


@_rule(_PATTERNS, ast.MatchStar)
def _match_star(tree: BareTree, node: ast.MatchStar) -> cst.MatchStar:
    return cst.MatchStar(name=_optional_name(node.name))


def _optional_name(name: str | None) -> cst.Name | None:
    return None if name is None else cst.Name(name)


@_rule(_PATTERNS, ast.MatchMapping)
def _match_mapping(tree: BareTree, node: ast.MatchMapping) -> cst.MatchMapping:
    elements = tuple(
        cst.MatchMappingElement(key=_expression(tree, key), pattern=_pattern(tree, pattern))
        for key, pattern in zip(node.keys, node.patterns, strict=True)
    )
    return cst.MatchMapping(elements=elements, rest=_optional_name(node.rest))


@_rule(_PATTERNS, ast.MatchClass)
def _match_class(tree: BareTree, node: ast.MatchClass) -> cst.MatchClass:
    return cst.MatchClass(
        cls=_expression(tree, node.cls),
        patterns=tuple(
            cst.MatchSequenceElement(value=_pattern(tree, each)) for each in node.patterns
        ),
        kwds=tuple(
            cst.MatchKeywordElement(key=cst.Name(key), pattern=_pattern(tree, pattern))
            for key, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True)
        ),
    )


@_rule(_PATTERNS, ast.MatchAs)
def _match_as(tree: BareTree, node: ast.MatchAs) -> cst.MatchAs:
    pattern = None if node.pattern is None else _pattern(tree, node.pattern)
    return cst.MatchAs(pattern=pattern, name=_optional_name(node.name))


@_rule(_PATTERNS, ast.MatchOr)
def _match_or(tree: BareTree, node: ast.MatchOr) -> cst.MatchOr:
    patterns = tuple(cst.MatchOrElement(pattern=_pattern(tree, each)) for each in node.patterns)
    return cst.MatchOr(patterns=patterns)
