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
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from jitlint.foundation.rows import words_of
from jitlint.project.import_targets import ImportTarget
from jitlint.project.members import Members, note_member
from jitlint.project.products import Products, products_of, statement_count
from jitlint.project.reading import Subject, into, note, told
from jitlint.project.returned import Returned, returned_by
from jitlint.project.stores import rebound_locals, stepped_attributes
from jitlint.project.walks import (
    FunctionNode,
    asked_of_self,
    dotted,
    mentions,
    names_bound,
    push_children,
    self_assignments,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jitlint.project.index import ModuleIndex

_AFTER_DOT = re.compile(r"\.(\w+)")
_BEFORE_PARENTHESIS = re.compile(r"\b(\w+)\(")
#: a word that begins a loop
LOOPS: Final = re.compile(r"\b(?:for|while)\b")
_DECORATING = re.compile(r"@\s*(\w+)")


#: the row of an ``if``, and whether its test holds there
Way = tuple[int, bool]


@dataclass(eq=False)
class Unit(Subject):
    """A statement whose syntax tree is built as a whole.

    ``first`` and ``last`` are rows (from 1, inclusive) and include decorators; ``indent`` tells
    that the statement stands inside a class or a compound statement. ``tree`` is for the index
    alone: others ask for ``node``, which is a reading. ``label`` is what a statement binds or
    does, empty for functions and classes; ``number`` counts the units of one title in their order:
    a new statement changes the keys of few others. ``within`` is the unit whose code makes the
    class that this one belongs to, if it is not listed by its module. ``started`` tells that it
    runs only where the file itself is started: under ``if __name__ == "__main__"``. ``ways`` are
    the ways of the ``if``s around it, outermost first. ``certain`` tells that it runs whenever its
    module does.
    """

    module: ModuleIndex
    tree: ast.stmt = field(repr=False)
    qualname: str
    first: int
    last: int
    indented: bool
    cls: ClassDefinition | None = None
    label: str = ""
    number: int = 0
    within: Unit | None = None
    started: bool = False
    ways: tuple[Way, ...] = ()
    certain: bool = False
    _facts: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from the other units of its file."""
        return "unit", self.title, self.number

    @property
    def title(self) -> str:
        """Its qualified name, for a statement that of what it stands in and its label."""
        return f"{self.qualname}:{self.label}" if self.label else self.qualname

    @property
    def form(self) -> tuple[str, int, str, bool, bool]:
        """What a list of units says of it: which it is, and what kind of statement."""
        kind = type(self.tree).__name__
        return self.title, self.number, kind, not self.certain, self.decorated

    @property
    def node(self) -> ast.stmt:
        """The statement in the tree of the index."""
        self.note_body()
        return self.tree

    def note_body(self) -> None:
        """Say that the code of the unit is looked at."""
        note(self, "body")

    @property
    def stands_for(self) -> Subject:
        """What is listed by the module in the place of the unit, if it is not itself."""
        if self.within is not None:
            return self.within
        # The header of a class comes with the whole of its tree.
        return self.cls if isinstance(self.tree, ast.ClassDef) and self.cls is not None else self

    @told
    def decorators(self) -> list[ast.expr]:
        """What stands above the function or class that the unit defines."""
        return list(getattr(self.tree, "decorator_list", ()))

    @told
    def body(self) -> str:
        """The code of the unit as it counts, and where it begins on a row that it shares."""
        return f"{self.cut or ''}{self.module.plain.normal(self.code, self.first)}"

    def begins_above(self, other: Unit) -> bool:
        """Whether it begins above another unit of its module."""
        return self._beside(other)[0]

    def runs_without(self, other: Unit) -> bool:
        """Whether it stands in another branch of an ``if`` than another unit of its module."""
        return self._beside(other)[1]

    def _beside(self, other: Unit) -> tuple[bool, bool]:
        _, title, number = other.key
        note(self, "beside", title, str(number))
        ways = dict(self.ways)
        parted = any(row in ways and ways[row] is not way for row, way in other.ways)
        return self.first < other.first, parted

    def beside(self, title: str, number: str) -> tuple[bool, bool] | None:
        """The answers to both, for the unit of a title and number; None if there is none now."""
        other = self.module.unit_of(("unit", title, int(number)))
        return None if other is None else self._beside(other)

    def sides(self, name: str) -> tuple[int, ...]:
        """On which side of its first row the bindings of a name of its module stand, in order.

        Returns:
          For each -1 if it begins above, 0 if it begins there, 1 if it begins below.
        """
        note(self, "sides", name)
        with into(None):
            firsts = [binding.unit.first for binding in self.module.bound(name)]
        return tuple((first > self.first) - (first < self.first) for first in firsts)

    @property
    def is_function(self) -> bool:
        """Whether the unit is a function or method definition."""
        return isinstance(self.tree, FunctionNode)

    @property
    def is_import(self) -> bool:
        """Whether the unit is an import statement."""
        return isinstance(self.tree, (ast.Import, ast.ImportFrom))

    @property
    def is_class(self) -> bool:
        """Whether the unit is a class statement."""
        return isinstance(self.tree, ast.ClassDef)

    @property
    def name(self) -> str:
        """The name of the function or class that the unit defines."""
        return self.qualname.rpartition(".")[2]

    @property
    def decorated(self) -> bool:
        """Whether the unit defines a function or class that has decorators."""
        return bool(getattr(self.tree, "decorator_list", ()))

    @told
    def products(self) -> Products:
        """What the function that the unit defines hands out."""
        return products_of(self.tree)

    @told
    def returned(self) -> Returned:
        """The containers that the function that the unit defines makes and returns."""
        return returned_by(self.tree)

    @told
    def statements(self) -> int:
        """How many statements the function that the unit defines runs."""
        return statement_count(self.tree)

    @told
    def mentions(self) -> frozenset[str]:
        """Every maximal dotted name in the unit."""
        return frozenset(mentions(self.tree))

    @told
    def calls(self) -> tuple[str, ...]:
        """The dotted names of what the unit calls, with all that is nested in it."""
        called = (dotted(node.func) for node in walk(self.tree) if isinstance(node, ast.Call))
        return tuple(name for name in called if name is not None)

    @told
    def outer_calls(self) -> tuple[str, ...]:
        """Those of them that begin with no name that the unit binds within itself."""
        return tuple(n for n in self.calls if n.partition(".")[0] not in self.own_names)

    @told
    def own_names(self) -> frozenset[str]:
        """The names that the functions of the unit bind: parameters, variables, functions."""
        return names_bound(self.tree)

    def is_deeper_than(self, levels: int) -> bool:
        """Whether the tree of the unit has more levels: ``x + x + x`` has one for each operator."""
        stack: list[ast.AST] = [self.tree]
        for _ in range(levels):
            below: list[ast.AST] = []
            for node in stack:
                push_children(node, below)
            stack = below
        return bool(stack)

    @told
    def rebound(self) -> frozenset[str]:
        """The variables of the unit's functions that functions in them bind again."""
        return rebound_locals(self.code)

    @told
    def stepped(self) -> frozenset[str]:
        """The attributes of ``self`` that the unit changes by what they were."""
        return stepped_attributes(self.code)

    @told
    def words(self) -> frozenset[str]:
        """Every identifier that occurs anywhere in the code of the unit, and numbers."""
        return words_of(self.code)

    @told
    def words_after_dots(self) -> frozenset[str]:
        """The words that follow a dot in the text: every attribute is among them."""
        return frozenset(_AFTER_DOT.findall(self.code))

    @told
    def words_called(self) -> frozenset[str]:
        """The words that a parenthesis follows."""
        return frozenset(_BEFORE_PARENTHESIS.findall(self.code))

    @told
    def words_decorating(self) -> frozenset[str]:
        """The words that follow an ``@``."""
        return frozenset(_DECORATING.findall(self.code))

    @property
    def text(self) -> str:
        """All of its code."""
        self.note_body()
        return self.code

    @cached_property
    def code(self) -> str:
        """Its text without comments: whole rows, but for what shares them."""
        return self._within(self.module.plain.rows)

    @cached_property
    def source(self) -> str:
        """The same as the user wrote it, for those who parse it."""
        return self._within(self.module.source_rows)

    @told
    def whole_source(self) -> str:
        """The same, for those who look at comments, which note that."""
        return self.source

    def _within(self, every: list[str]) -> str:
        rows = every[self.first - 1 : self.last]
        if not rows:
            return ""
        if ";" in rows[-1] and not hasattr(self.tree, "body"):
            rows[-1] = rows[-1].encode()[: self.tree.end_col_offset].decode(errors="ignore")
        return "".join([rows[0][self.cut :], *rows[1:]])

    @cached_property
    def cut(self) -> int:
        """Code points before the unit on its first row, if it shares it: ``try: x = f()``."""
        row = self.module.source_rows[self.first - 1]
        before = row.encode()[: self.tree.col_offset].decode(errors="ignore")
        return len(before) if before.strip() and self.first == self.tree.lineno else 0


@dataclass(eq=False)
class ClassDefinition(Subject):
    """A class at module level or nested in another class.

    Args:
      number: counts the classes of one qualified name in their order.
      within: the unit whose code makes the class, if its module does not list it.
    """

    name: str
    qualname: str
    tree: ast.ClassDef = field(repr=False)
    module: ModuleIndex
    number: int = 0
    within: Unit | None = None
    listed: ClassMembers = field(default_factory=lambda: ClassMembers(), repr=False)
    _facts: dict[Any, Any] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from the other classes of its file."""
        return "class", self.qualname, self.number

    @property
    def stands_for(self) -> Subject:
        """What is listed by the module in the place of the class, if it is not itself."""
        return self.within or self

    @told
    def body(self) -> str:
        """All code of the class as it counts."""
        first, last = self.rows
        return self.module.plain.normal("".join(self.module.plain.rows[first - 1 : last]), first)

    @told
    def whole_source(self) -> str:
        """The same with its comments."""
        first, last = self.rows
        return "".join(self.module.source_rows[first - 1 : last])

    @property
    def rows(self) -> tuple[int, int]:
        """Its first and last row, decorators included."""
        tree = self.tree
        first = min([tree.lineno, *(each.lineno for each in tree.decorator_list)])
        return first, tree.end_lineno or tree.lineno

    @told
    def header(self) -> list[ast.AST]:
        """What it is derived from and made with."""
        return [*self.tree.bases, *self.tree.keywords, *self.tree.decorator_list]

    @property
    def bases(self) -> list[ast.expr]:
        """The expressions of its bases."""
        note(self, "header")
        return self.tree.bases

    @property
    def keywords(self) -> list[ast.keyword]:
        """The keywords in its header."""
        note(self, "header")
        return self.tree.keywords

    @property
    def decorators(self) -> list[ast.expr]:
        """The expressions of its decorators."""
        note(self, "header")
        return self.tree.decorator_list

    @property
    def node(self) -> ast.ClassDef:
        """The whole of its definition in the tree of the index."""
        note(self, "body")
        return self.tree

    @cached_property
    def methods(self) -> Members[list[Unit]]:
        """The functions in its body, by name."""
        return Members(self, "member", "every_method", self.listed.methods)

    @cached_property
    def classes(self) -> Members[ClassDefinition]:
        """The classes in its body, by name."""
        return Members(self, "member", "every_class", self.listed.classes)

    @cached_property
    def attributes(self) -> Members[Unit]:
        """The names that assignments in its body bind, with the unit that does."""
        return Members(self, "member", "every_attribute", self.listed.attributes)

    def member(self, name: str) -> tuple[list[Unit] | None, ClassDefinition | None, Unit | None]:
        """What its body binds to a name: functions, a class, the last assignment."""
        own = self.listed
        return own.methods.get(name), own.classes.get(name), own.attributes.get(name)

    def special_member(self) -> dict[str, object]:
        """What its body binds to names that begin as Python's own hooks do."""
        bound = chain(self.listed.methods, self.listed.attributes, self.listed.classes)
        return {name: self.member(name) for name in sorted({*bound}) if name[:2] == "__"}

    def every_method(self) -> dict[str, list[Unit]]:
        """Which functions there are in its body, in their order."""
        return self.listed.methods

    def every_class(self) -> dict[str, ClassDefinition]:
        """Which classes there are in its body, in their order."""
        return self.listed.classes

    def every_attribute(self) -> dict[str, Unit]:
        """Which names assignments in its body bind, in their order."""
        return self.listed.attributes

    @property
    def statements(self) -> list[Unit]:
        """The other statements of its body."""
        note(self, "every_statement")
        return self.listed.statements

    @told
    def every_statement(self) -> list[Unit]:
        """Which other statements there are in its body, in their order."""
        return self.listed.statements

    def binds(self, name: str) -> bool:
        """Whether the class body binds a name."""
        note_member(self, "member", name)
        own = self.listed
        return name in own.methods or name in own.attributes or name in own.classes

    @property
    def bound(self) -> Iterable[str]:
        """The names that the class body binds."""
        return chain(self.methods, self.attributes, self.classes)

    @property
    def names(self) -> frozenset[str]:
        """The attributes of its instances that the class itself binds; for the index."""
        own = self.listed
        return frozenset[str]().union(own.methods, own.attributes, own.classes, self._assigned)

    def named_of(self, *names: str) -> frozenset[str]:
        """Those of some names that the class itself binds as attributes of its instances."""
        note(self, "named_of", *names)
        return self.names.intersection(names)

    @told
    def asked_attributes(self) -> dict[str, set[str]]:
        """Attributes of ``self`` that methods ask for something: name → what they ask for."""
        units = chain.from_iterable(self.listed.methods.values())
        return asked_of_self(chain.from_iterable(sorted(unit.mentions) for unit in units))

    @cached_property
    def assigned_attributes(self) -> Members[set[str]]:
        """Attributes of ``self`` assigned in methods: name → the methods that assign it."""
        return Members(self, "assigned", "every_assigned", self._assigned)

    def assigned(self, name: str) -> set[str] | None:
        """The methods that assign an attribute of ``self``."""
        return self._assigned.get(name)

    def special_assigned(self) -> dict[str, set[str]]:
        """The same for all names that begin as Python's own hooks do."""
        return {name: its for name, its in self._assigned.items() if name[:2] == "__"}

    def every_assigned(self) -> dict[str, set[str]]:
        """Which attributes of ``self`` are assigned in methods, and in which."""
        return self._assigned

    @cached_property
    def _assigned(self) -> dict[str, set[str]]:
        assigned: dict[str, set[str]] = {}
        for name, units in self.listed.methods.items():
            for unit in units:
                for attribute in self_assignments(unit.tree):
                    assigned.setdefault(attribute, set()).add(name)
        return assigned


class ClassMembers(Struct):
    """What stands in the body of a class.

    Args:
      methods: functions, by name.
      statements: the other statements.
      classes: nested classes.
      attributes: names bound by assignments, with the unit that binds them.
    """

    methods: dict[str, list[Unit]] = msgspec.field(default_factory=dict)
    statements: list[Unit] = msgspec.field(default_factory=list)
    classes: dict[str, ClassDefinition] = msgspec.field(default_factory=dict)
    attributes: dict[str, Unit] = msgspec.field(default_factory=dict)


class Binding(Struct, frozen=True):
    """One way in which a module-level name gets its value."""

    unit: Unit
    target: ImportTarget | None = None
    cls: ClassDefinition | None = None
