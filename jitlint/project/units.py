"""The pieces of a module that its index lists: units, classes, imports, bindings.

A *unit* is the grain at which syntax trees are built later and the interpreter starts: a
module-level function, a method, or another statement of a module or class body.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from jitlint.project.products import Products, products_of, statement_count
from jitlint.project.returned import Returned, returned_by
from jitlint.project.stores import rebound_locals
from jitlint.project.walks import (
    FunctionNode,
    asked_of_self,
    dotted,
    mentions,
    push_children,
    self_assignments,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jitlint.project.index import ModuleIndex

_AFTER_DOT = re.compile(r"\.(\w+)")
_BEFORE_PARENTHESIS = re.compile(r"\b(\w+)\(")
_DECORATING = re.compile(r"@\s*(\w+)")


@dataclass(eq=False)
class Unit:
    """A statement whose syntax tree is built as a whole.

    ``first`` and ``last`` are rows (from 1, inclusive) and include decorators; ``indent`` tells
    that the statement stands inside a class or a compound statement.
    """

    module: ModuleIndex
    node: ast.stmt
    qualname: str
    first: int
    last: int
    indented: bool
    cls: ClassDefinition | None = None

    @property
    def is_function(self) -> bool:
        """Whether the unit is a function or method definition."""
        return isinstance(self.node, FunctionNode)

    @property
    def name(self) -> str:
        """The name of the function or class that the unit defines."""
        return self.qualname.rpartition(".")[2]

    @property
    def decorated(self) -> bool:
        """Whether the unit defines a function or class that has decorators."""
        return bool(getattr(self.node, "decorator_list", ()))

    @cached_property
    def products(self) -> Products:
        """What the function that the unit defines hands out."""
        return products_of(self.node)

    @cached_property
    def returned(self) -> Returned:
        """The containers that the function that the unit defines makes and returns."""
        return returned_by(self.node)

    @cached_property
    def statements(self) -> int:
        """How many statements the function that the unit defines runs."""
        return statement_count(self.node)

    @cached_property
    def mentions(self) -> frozenset[str]:
        """Every maximal dotted name in the unit."""
        return frozenset(mentions(self.node))

    @cached_property
    def calls(self) -> tuple[str, ...]:
        """The dotted names of what the unit calls, with all that is nested in it."""
        called = (dotted(node.func) for node in walk(self.node) if isinstance(node, ast.Call))
        return tuple(name for name in called if name is not None)

    def is_deeper_than(self, levels: int) -> bool:
        """Whether the tree of the unit has more levels: ``x + x + x`` has one for each operator."""
        stack: list[ast.AST] = [self.node]
        for _ in range(levels):
            below: list[ast.AST] = []
            for node in stack:
                push_children(node, below)
            stack = below
        return bool(stack)

    @cached_property
    def rebound(self) -> frozenset[str]:
        """The variables of the unit's functions that functions in them bind again."""
        return rebound_locals(self.text)

    @cached_property
    def words_after_dots(self) -> frozenset[str]:
        """The words that follow a dot in the text: every attribute is among them."""
        return frozenset(_AFTER_DOT.findall(self.text))

    @cached_property
    def words_called(self) -> frozenset[str]:
        """The words that a parenthesis follows."""
        return frozenset(_BEFORE_PARENTHESIS.findall(self.text))

    @cached_property
    def words_decorating(self) -> frozenset[str]:
        """The words that follow an ``@``."""
        return frozenset(_DECORATING.findall(self.text))

    @cached_property
    def text(self) -> str:
        """The source of the unit: whole rows, without other statements that share them."""
        rows = self.module.lines[self.first - 1 : self.last]
        if not rows:
            return ""
        if ";" in rows[-1] and not hasattr(self.node, "body"):
            rows[-1] = rows[-1].encode()[: self.node.end_col_offset].decode(errors="ignore")
        return "".join([rows[0][self.cut :], *rows[1:]])

    @cached_property
    def cut(self) -> int:
        """Code points before the unit on its first row, if it shares it: ``try: x = f()``."""
        row = self.module.lines[self.first - 1]
        before = row.encode()[: self.node.col_offset].decode(errors="ignore")
        return len(before) if before.strip() and self.first == self.node.lineno else 0


@dataclass(slots=True, eq=False)
class ClassDefinition:
    """A class at module level or nested in another class."""

    name: str
    qualname: str
    node: ast.ClassDef
    module: ModuleIndex
    methods: dict[str, list[Unit]] = field(default_factory=dict)
    statements: list[Unit] = field(default_factory=list)
    classes: dict[str, ClassDefinition] = field(default_factory=dict)
    #: names bound in the class body by assignments, with the unit that binds them
    attributes: dict[str, Unit] = field(default_factory=dict)
    _assigned: dict[str, set[str]] | None = None
    _names: frozenset[str] | None = None
    _asked: dict[str, set[str]] | None = None

    def binds(self, name: str) -> bool:
        """Whether the class body binds a name."""
        return name in self.methods or name in self.attributes or name in self.classes

    @property
    def bound(self) -> Iterable[str]:
        """The names that the class body binds."""
        return chain(self.methods, self.attributes, self.classes)

    @property
    def names(self) -> frozenset[str]:
        """The attributes of its instances that the class itself binds."""
        if self._names is None:
            bound = (self.methods, self.attributes, self.classes, self.assigned_attributes)
            self._names = frozenset().union(*bound)
        return self._names

    @property
    def asked_attributes(self) -> dict[str, set[str]]:
        """Attributes of ``self`` that methods ask for something: name → what they ask for."""
        if self._asked is None:
            units = chain.from_iterable(self.methods.values())
            self._asked = asked_of_self(chain.from_iterable(unit.mentions for unit in units))
        return self._asked

    @property
    def assigned_attributes(self) -> dict[str, set[str]]:
        """Attributes of ``self`` assigned in methods: name → the methods that assign it."""
        if self._assigned is None:
            assigned: dict[str, set[str]] = {}
            for name, units in self.methods.items():
                for unit in units:
                    for attribute in self_assignments(unit.node):
                        assigned.setdefault(attribute, set()).add(name)
            self._assigned = assigned
        return self._assigned


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """What an imported name stands for: ``module`` or, with ``name``, an attribute of it."""

    module: str
    name: str | None = None

    @property
    def qualified(self) -> str:
        """The dotted name."""
        return self.module if self.name is None else f"{self.module}.{self.name}"


@dataclass(frozen=True, slots=True)
class Binding:
    """One way in which a module-level name gets its value."""

    unit: Unit
    target: ImportTarget | None = None
    cls: ClassDefinition | None = None
