"""Units of source as syntax trees, built when first needed, and the functions found in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import libcst as cst

from jitlint.absint.code.endings import always_raises
from jitlint.absint.code.syntax import (
    SyntaxTree,
    UnsupportedSyntaxError,
    children,
    parents_in,
    walk_own,
)
from jitlint.foundation.interruption import checkpoint
from jitlint.foundation.records import Record
from jitlint.project.index import ModuleIndex
from jitlint.project.memory import Trees
from jitlint.project.reading import REMARKS, Memo, note
from jitlint.project.units import ClassDefinition, Unit
from jitlint.project.walks import positional_names

_Subject = TypeVar("_Subject")
_Fact = TypeVar("_Fact")


class ParsedUnit:
    """The nodes of one unit.

    Args:
      unit: the unit.
      trees: lends what an earlier analysis made of the same text.

    Raises:
      UnsupportedSyntaxError: if libcst does not know its syntax.
    """

    __slots__ = ("_memo", "_parents", "_tree", "statement", "unit")

    def __init__(self, unit: Unit, trees: Trees | None = None) -> None:
        self.unit = unit
        self._memo = Memo()
        self._parents: dict[int, cst.CSTNode] | None = None
        tree: SyntaxTree | None = None if trees is None else trees.take(unit.source, unit.indented)
        if tree is None:
            tree = SyntaxTree(unit)
            if trees is not None:
                trees.add(unit.source, unit.indented, tree)
        self._tree = tree
        self.statement = tree.statement

    def position(self, node: cst.CSTNode) -> tuple[int, int, int, int]:
        """(row, column, end row, end column) in the file, columns from 1 in code points."""
        row, column, end_row, end_column = self._tree.span(node)
        rows, columns = self._tree.shift(self.unit)
        first = self.unit.first
        return (
            row + rows,
            column + 1 + (columns if row + rows == first else 0),
            end_row + rows,
            end_column + 1 + (columns if end_row + rows == first else 0),
        )

    def source(self, node: cst.CSTNode) -> str:
        """The user's own text of an expression, without comments."""
        return self._tree.source(node)

    def written(self, node: cst.CSTNode) -> str:
        """The same with the comments that stand in it, which is noted of the unit."""
        note(self.unit, REMARKS)
        return self._tree.written(node)

    def fact(self, rule: Callable[[_Subject], _Fact], subject: _Subject) -> _Fact:
        """What a function of the syntax says of a node or function of this unit, asked once."""
        return self.answer((rule, subject), lambda: rule(subject))

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes that a node of this unit stands in, the innermost first."""
        if self._parents is None:
            self._parents = parents_in(self._roots())
        around = self._parents.get(id(node))
        while around is not None:
            yield around
            around = self._parents.get(id(around))

    def holds(self, around: cst.CSTNode, node: cst.CSTNode) -> bool:
        """Whether a node of this unit stands within another, or is it."""
        return around is node or any(outer is around for outer in self.above(node))

    def _roots(self) -> Sequence[cst.CSTNode]:
        return (self.statement,)

    def dismantle(self) -> None:
        """Let go of what was found out."""
        self._memo = Memo()
        self._parents = None

    def answer(self, question: tuple[object, ...], find: Callable[[], _Fact]) -> _Fact:
        """What is found for a question whose answer hangs on nothing but this unit, asked once."""
        return self._memo.ask(question, find)


class QuotedCode(ParsedUnit):
    """Statements that stand in a string, which a unit runs: all of them are where that happens.

    Args:
      around: the unit.
      node: what runs them.
      text: the statements.

    Raises:
      cst.ParserSyntaxError: if they are none.
    """

    __slots__ = ("_around", "_module", "_node", "statements")

    def __init__(self, around: ParsedUnit, node: cst.CSTNode, text: str) -> None:
        self.unit, self.statement, self._tree = around.unit, around.statement, around._tree
        self._memo = Memo()
        self._parents = None
        self._around = around
        self._node = node
        self._module = cst.parse_module(text)
        self.statements = self._module.body

    def _roots(self) -> Sequence[cst.CSTNode]:
        return self.statements

    def position(self, node: cst.CSTNode) -> tuple[int, int, int, int]:
        """Where the string is run."""
        return self._around.position(self._node)

    def source(self, node: cst.CSTNode) -> str:
        """What the string says."""
        return self._module.code_for_node(node).strip()

    def written(self, node: cst.CSTNode) -> str:
        """The same: a comment in a string is code of the file."""
        return self.source(node)


class Place(Record):
    """A node of a parsed unit; becomes rows and columns only if it is reported."""

    parsed: ParsedUnit
    node: cst.CSTNode

    def position(self) -> tuple[int, int, int, int]:
        """(row, column, end row, end column) in the file."""
        return self.parsed.position(self.node)

    def text(self) -> str:
        """The user's text on one line, shortened in the middle when long."""
        text = " ".join(self.parsed.source(self.node).split())
        return text if len(text) <= 60 else f"{text[:36]} ... {text[-18:]}"


class Parameter(Record):
    """A parameter of a function.

    Its kind is ``positional``, ``positional-only``, ``keyword``, ``*`` or ``**``.  What its
    annotation says is in ``modules.annotations``.
    """

    name: str
    kind: str
    default: cst.BaseExpression | None
    annotated: bool


class Signature(Record):
    """Which calls a function takes, by the names of its parameters.

    Args:
      plain: those that are given by position, in order.
      named: those that may be given by name.
      needed: those that must be given, unless they got a default when the function was made.
      takes_more: whether any more may be given by position.
      takes_other_names: whether any more may be given by name.
    """

    plain: tuple[str, ...]
    named: frozenset[str]
    needed: frozenset[str]
    takes_more: bool
    takes_other_names: bool


class Code:
    """A function body: a unit of the index, a nested function or a lambda.

    Args:
      parsed: the unit it stands in; None until :meth:`load` for functions of the index.
      node: its definition; likewise.
    """

    __slots__ = (
        "_bound",
        "_free",
        "_own",
        "_signature",
        "_statements",
        "cls",
        "is_async",
        "is_generator",
        "module",
        "name",
        "node",
        "parameters",
        "parsed",
        "qualname",
        "unit",
    )

    def __init__(
        self,
        unit: Unit,
        name: str,
        qualname: str,
        parsed: ParsedUnit | None,
        node: cst.FunctionDef | cst.Lambda | None,
        cls: ClassDefinition | None = None,
    ) -> None:
        self.unit = unit
        self.module: ModuleIndex = unit.module
        self.name = name
        self.qualname = qualname
        self.parsed = parsed
        self.node = node
        self.cls = cls
        self.parameters: tuple[Parameter, ...] = ()
        self.is_generator = False
        self.is_async = False
        self._own: tuple[cst.CSTNode, ...] | None = None
        self._free: tuple[str, ...] | None = None
        self._bound: frozenset[str] | None = None
        self._signature: Signature | None = None
        self._statements: int | None = None
        if node is not None:
            self._describe()

    def _describe(self) -> None:
        assert self.node is not None
        self.parameters = tuple(parameters_of(self.node))
        self._signature = None
        if type(self.node) is cst.FunctionDef:
            self.is_async = self.node.asynchronous is not None
            self.is_generator = self._may_yield() and any(
                type(inner) is cst.Yield for inner in self.own_nodes
            )

    def _may_yield(self) -> bool:
        return "yield" in self.unit.code

    def adopt(self, parsed: ParsedUnit, node: cst.FunctionDef) -> None:
        """Attach the tree of a function known from the index."""
        self.parsed = parsed
        self.node = node
        self._describe()

    @property
    def parameter_names(self) -> list[str]:
        """The names of its parameters, in their order; before it is parsed, those by position."""
        if self.node is None:
            return positional_names(self.unit.node)
        return [parameter.name for parameter in self.parameters]

    @property
    def signature(self) -> Signature:
        """Which calls it takes."""
        if self._signature is None:
            single = [p for p in self.parameters if p.kind not in ("*", "**")]
            kinds = {p.kind for p in self.parameters}
            self._signature = Signature(
                plain=tuple([p.name for p in single if p.kind != "keyword"]),
                named=frozenset(p.name for p in single if p.kind != "positional-only"),
                needed=frozenset(p.name for p in single if p.default is None),
                takes_more="*" in kinds,
                takes_other_names="**" in kinds,
            )
        return self._signature

    @property
    def is_unit(self) -> bool:
        """Whether it is the function that its unit defines, and none within another."""
        return self.unit.is_function and self.qualname == self.unit.qualname

    @property
    def statements(self) -> int:
        """How many statements it runs: those of a function of the index are known unparsed."""
        if self.qualname == self.unit.qualname:
            return self.unit.statements
        if self._statements is None:
            small = (isinstance(node, cst.BaseSmallStatement) for node in self.own_nodes)
            self._statements = sum(small) or 1
        return self._statements

    @property
    def own_nodes(self) -> tuple[cst.CSTNode, ...]:
        """All nodes of the body, without the bodies of functions and classes nested in it."""
        if self._own is None:
            assert self.node is not None
            self._own = tuple(walk_own(self.node.body))
        return self._own

    @property
    def only_raises(self) -> bool:
        """Whether the function plainly does nothing but raise: whatever it is given."""
        node = self.node
        if type(node) is not cst.FunctionDef or any(type(n) is cst.Return for n in self.own_nodes):
            return False
        return always_raises(node.body.body)

    @property
    def bound_names(self) -> frozenset[str]:
        """Names that are local to the function."""
        if self._bound is None:
            assert self.node is not None
            bound = {parameter.name for parameter in self.parameters}
            outer: set[str] = set()
            for node in self.own_nodes:
                if type(node) in (cst.Global, cst.Nonlocal):
                    outer.update(item.name.value for item in node.names)  # type: ignore[attr-defined]
                bound.update(bindings_of(node))
            self._bound = frozenset(bound - outer)
        return self._bound

    @property
    def free_names(self) -> tuple[str, ...]:
        """Names that the function or one nested in it may take from outside, sorted.

        Names that an assignment makes local are among them: telling them apart would cost another
        walk, and an enclosing frame seldom has a variable of the same name.
        """
        if self._free is None:
            assert self.node is not None
            own = {parameter.name for parameter in self.parameters}
            names = {node.value for node in _walk_scope(self.node) if type(node) is cst.Name}
            self._free = tuple(sorted(names - own))
        return self._free


def parameters_of(node: cst.FunctionDef | cst.Lambda) -> Iterator[Parameter]:
    """The parameters of a definition, in the order in which they are written."""
    params = node.params

    def make(param: cst.Param, kind: str) -> Parameter:
        return Parameter(param.name.value, kind, param.default, param.annotation is not None)

    for param in params.posonly_params:
        yield make(param, "positional-only")
    for param in params.params:
        yield make(param, "positional")
    if type(params.star_arg) is cst.Param:
        yield make(params.star_arg, "*")
    for param in params.kwonly_params:
        yield make(param, "keyword")
    if params.star_kwarg is not None:
        yield make(params.star_kwarg, "**")


def _walk_scope(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A whole tree; attribute names and keywords are not names of the scope."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        kind = type(current)
        if kind is cst.Attribute or kind is cst.Arg:
            stack.append(current.value)  # type: ignore[attr-defined]
        else:
            stack.extend(children(current))


def bindings_of(node: cst.CSTNode) -> Iterator[str]:
    """The names that a node binds by itself, in the scope that it stands in."""
    kind = type(node)
    if kind in (cst.FunctionDef, cst.ClassDef):
        yield node.name.value  # type: ignore[attr-defined]
    elif kind in (cst.AssignTarget, cst.NamedExpr, cst.AnnAssign, cst.AugAssign, cst.For):
        yield from target_names(node.target)  # type: ignore[attr-defined]
    elif kind is cst.AsName:
        yield from target_names(node.name)  # type: ignore[attr-defined]
    elif kind is cst.ImportAlias:
        assert type(node) is cst.ImportAlias
        if node.asname is None:
            top: Any = node.name
            while type(top) is cst.Attribute:
                top = top.value
            yield top.value
    elif kind in (cst.MatchAs, cst.MatchStar, cst.MatchMapping):
        name = node.rest if kind is cst.MatchMapping else node.name  # type: ignore[attr-defined]
        if name is not None:
            yield name.value


def target_names(target: cst.CSTNode) -> Iterator[str]:
    """The plain names that an assignment target binds."""
    if type(target) is cst.Name:
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from target_names(element.value)
    elif type(target) is cst.StarredElement:
        yield from target_names(target.value)


class CodeStore:
    """All code of one analysis: one ParsedUnit a unit, one Code a function.

    Args:
      trees: lends what an earlier analysis parsed.
    """

    def __init__(self, trees: Trees | None = None) -> None:
        self._trees = trees
        self._parsed: dict[int, ParsedUnit] = {}
        self._refused: dict[int, UnsupportedSyntaxError] = {}
        self._units: dict[int, Code] = {}
        self._nested: dict[int, Code] = {}

    def parse(self, unit: Unit) -> ParsedUnit:
        """The tree of a unit.

        Raises:
          UnsupportedSyntaxError: if libcst cannot parse it.
        """
        unit.note_body()
        return self._parse(unit)

    def head_of(self, unit: Unit) -> tuple[ParsedUnit, cst.FunctionDef]:
        """The tree of a function of which only what stands above it is looked at.

        Whoever loads the function says that he has looked at the rest.

        Raises:
          UnsupportedSyntaxError: if libcst cannot parse it.
        """
        note(unit, "decorators")
        parsed = self._parse(unit)
        assert isinstance(parsed.statement, cst.FunctionDef)
        return parsed, parsed.statement

    def _parse(self, unit: Unit) -> ParsedUnit:
        parsed = self._parsed.get(id(unit))
        if parsed is None:
            if id(unit) in self._refused:
                raise self._refused[id(unit)].with_traceback(None)
            checkpoint()
            try:
                parsed = self._parsed[id(unit)] = ParsedUnit(unit, self._trees)
            except UnsupportedSyntaxError as error:
                self._refused[id(unit)] = error
                raise
        return parsed

    def dismantle(self) -> None:
        """Let go of what was found out of the trees, of which much refers to itself."""
        for parsed in self._parsed.values():
            parsed.dismantle()

    def parsed_units(self) -> Iterator[Unit]:
        """The units that became trees."""
        return (parsed.unit for parsed in self._parsed.values())

    def of_unit(self, unit: Unit) -> Code:
        """The function that a unit defines, not yet parsed."""
        code = self._units.get(id(unit))
        if code is None:
            code = Code(unit, unit.name, unit.qualname, None, None, unit.cls)
            self._units[id(unit)] = code
        return code

    def load(self, code: Code) -> Code:
        """Parse a function of the index on first use.

        Raises:
          UnsupportedSyntaxError: if libcst cannot parse it.
        """
        code.unit.note_body()
        if code.node is None:
            parsed = self.parse(code.unit)
            node = parsed.statement
            assert isinstance(node, cst.FunctionDef)
            code.adopt(parsed, node)
            self._nested[id(node)] = code
        return code

    def of_node(self, node: cst.FunctionDef | cst.Lambda, parsed: ParsedUnit, outer: str) -> Code:
        """The function of a nested definition or lambda."""
        code = self._nested.get(id(node))
        if code is None:
            name = node.name.value if type(node) is cst.FunctionDef else "<lambda>"
            qualname = f"{outer}.{name}" if outer else name
            code = Code(parsed.unit, name, qualname, parsed, node)
            self._nested[id(node)] = code
        return code
