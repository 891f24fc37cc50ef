"""The index of one module: what it defines, imports and mentions.

Built with ``ast``, and only down to class bodies: function
bodies are looked at on demand.  A *unit* is the grain at which syntax trees are built later and
the interpreter starts: a module-level function, a method, or another statement of a module or class
body.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path

from jitlint.project.products import Products, products_of, statement_count
from jitlint.project.rows import rows_of, words_of
from jitlint.project.stores import rebound_names, stored_attributes, stored_items
from jitlint.project.walks import (
    DEFINITIONS,
    FunctionNode,
    asked_of_self,
    blocks_of,
    bound_names,
    dotted,
    mentions,
    push_children,
    self_assignments,
    walk,
)

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
class Parsed:
    """The tree of a file, and the rows of statements that are not in it, with the reasons."""

    tree: ast.Module
    left_out: Sequence[tuple[int, str]] = ()


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


class ModuleIndex:
    r"""What one module defines and imports.

    Args:
      name: dotted module name.
      path: its file.
      text: its source with ``\n`` line ends.
      parsed: what was made of it.
      is_package: whether the file is an ``__init__.py``.
    """

    def __init__(
        self, name: str, path: Path, text: str, parsed: Parsed, *, is_package: bool
    ) -> None:
        self.name = name
        self.path = path
        self.text = text
        self.is_package = is_package
        self.units: list[Unit] = []
        self.bindings: dict[str, list[Binding]] = {}
        self.classes: dict[str, ClassDefinition] = {}
        self.star_imports: list[str] = []
        #: classes that functions make, by their rows
        self._local: dict[int, ClassDefinition] = {}
        #: statements that are not indexed: their rows, with the reasons
        self.left_out = parsed.left_out
        self._collect(parsed.tree.body, indented=False)

    @cached_property
    def lines(self) -> list[str]:
        r"""The rows with their line ends (split at ``\n`` only, as the parsers do)."""
        return rows_of(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every identifier that occurs anywhere in the text, and numbers."""
        return words_of(self.text)

    @cached_property
    def rebound(self) -> frozenset[str]:
        """The module-level names that functions of the module bind again."""
        return rebound_names(self.text)

    @cached_property
    def attribute_stores(self) -> dict[str, set[str]]:
        """Attributes that the module sets, each with what of: not those of a plain ``self``."""
        return stored_attributes(self.text)

    @cached_property
    def key_stores(self) -> frozenset[tuple[str, str]]:
        """What functions set items of, with the ``repr`` of the key, empty if it is not written."""
        return stored_items(self.text)

    @cached_property
    def calls_on(self) -> dict[str, list[ast.Call]]:
        """Calls that stand alone in the module, by the name that is their first argument."""
        found: dict[str, list[ast.Call]] = {}
        for unit in self.units:
            node = unit.node
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args:
                name = dotted(node.value.args[0])
                if name is not None:
                    found.setdefault(name, []).append(node.value)
        return found

    @cached_property
    def definers(self) -> dict[str, list[ClassDefinition]]:
        """The classes by the attributes that they bind, those in other classes too."""
        found: dict[str, list[ClassDefinition]] = {}
        waiting = list(self.classes.values())
        while waiting:
            cls = waiting.pop()
            waiting.extend(cls.classes.values())
            for name in cls.names:
                found.setdefault(name, []).append(cls)
        return found

    def units_with(self, name: str) -> list[Unit]:
        """The units in which a name or dotted name is written, code or not."""
        found: list[Unit] = []
        text = self.text
        find = text.find
        starts, ends = self._extents
        length = len(name.partition(".")[0])
        start = find(name)
        while start >= 0:
            end = start + length
            if not (start and _in_word(text[start - 1])) and not _in_word(text[end : end + 1]):
                index = bisect_right(starts, start) - 1
                if index >= 0 and start < ends[index]:
                    # Several start on one row where a semicolon joins them.
                    row = self._starts[index].first
                    found.extend(self._on_row[row])
                    end = ends[index]
            start = find(name, end)
        return found

    @cached_property
    def _extents(self) -> tuple[list[int], list[int]]:
        """Where the rows of each unit begin and end in the text, in the order of ``_starts``."""
        offsets = [0, *accumulate(map(len, self.lines))]
        last = len(offsets) - 1
        units = self._starts
        starts = [offsets[min(unit.first - 1, last)] for unit in units]
        return starts, [offsets[min(unit.last, last)] for unit in units]

    @cached_property
    def package(self) -> str:
        """The package that relative imports start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    def absolute(self, module: str | None, level: int) -> str:
        """The absolute name of an imported module."""
        if level == 0:
            return module or ""
        package = self.package.split(".") if self.package else []
        keep = len(package) - (level - 1)
        base = package[: max(keep, 0)]
        return ".".join([*base, *([module] if module else [])])

    @cached_property
    def _on_row(self) -> dict[int, list[Unit]]:
        found: dict[int, list[Unit]] = {}
        for unit in self.units:
            found.setdefault(unit.first, []).append(unit)
        return found

    def unit_at(self, row: int) -> Unit | None:
        """The unit that holds a row, None between units."""
        starts = self._starts
        low, high = 0, len(starts)
        while low < high:
            middle = (low + high) // 2
            if starts[middle].first <= row:
                low = middle + 1
            else:
                high = middle
        if low and starts[low - 1].last >= row:
            return starts[low - 1]
        return None

    @cached_property
    def _starts(self) -> list[Unit]:
        return sorted(self.units, key=lambda unit: unit.first)

    def _bind(self, name: str, binding: Binding) -> None:
        self.bindings.setdefault(name, []).append(binding)

    def local_class(self, unit: Unit, row: int, qualname: str) -> ClassDefinition | None:
        """The class whose definition a function has in a row; its methods are not listed."""
        known = self._local.get(row)
        if known is None:
            nodes = (node for node in walk(unit.node) if isinstance(node, ast.ClassDef))
            node = next((node for node in nodes if node.lineno == row), None)
            if node is not None:
                known = self._local[row] = ClassDefinition(node.name, qualname, node, self)
                listed = len(self.units)
                self._class_body(known, node.body)
                del self.units[listed:]
        return known

    def _unit(
        self, node: ast.stmt, qualname: str, indented: bool, cls: ClassDefinition | None = None
    ) -> Unit:
        first = node.lineno
        if isinstance(node, DEFINITIONS):
            for decorator in node.decorator_list:
                first = min(first, decorator.lineno)
        unit = Unit(self, node, qualname, first, node.end_lineno or first, indented, cls)
        self.units.append(unit)
        return unit

    def _collect(self, body: list[ast.stmt], *, indented: bool) -> None:
        for node in body:
            if isinstance(node, FunctionNode):
                unit = self._unit(node, node.name, indented)
                self._bind(node.name, Binding(unit))
            elif isinstance(node, ast.ClassDef):
                cls = self._class(node, node.name, indented)
                self.classes.setdefault(node.name, cls)
            elif isinstance(node, ast.Import):
                unit = self._unit(node, "", indented)
                for name, target in import_targets(node, self):
                    self._bind(name, Binding(unit, target=target))
            elif isinstance(node, ast.ImportFrom):
                unit = self._unit(node, "", indented)
                for name, target in import_targets(node, self):
                    if name == "*":
                        self.star_imports.append(target.module)
                    else:
                        self._bind(name, Binding(unit, target=target))
            elif isinstance(node, (ast.If, ast.Try, ast.With, ast.TryStar)):
                # Definitions under `if TYPE_CHECKING`, `try: import` and the like.
                if _defines(node):
                    for block in self._live_blocks(node):
                        self._collect(block, indented=True)
                else:
                    self._statement(node, indented)
            else:
                self._statement(node, indented)

    def _live_blocks(self, node: ast.stmt) -> Iterator[list[ast.stmt]]:
        """The blocks of a compound statement, without what a constant test switches off."""
        if isinstance(node, ast.If):
            test = node.test
            if isinstance(test, ast.Name):
                bound = self.bindings.get(test.id, [])
                setting = bound[0].unit.node if len(bound) == 1 else None
                if isinstance(setting, ast.Assign) and isinstance(setting.value, ast.Constant):
                    test = setting.value
            if node.orelse and dotted(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
                # What runs; without an `else`, what annotations mean.
                yield node.orelse
                return
            if isinstance(test, ast.Constant) and isinstance(test.value, bool):
                yield from [node.body] if test.value else [node.orelse]
                return
        yield from blocks_of(node)

    def _statement(self, node: ast.stmt, indented: bool) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        unit = self._unit(node, "", indented)
        for name in bound_names(node):
            self._bind(name, Binding(unit))

    def _class(self, node: ast.ClassDef, qualname: str, indented: bool) -> ClassDefinition:
        cls = ClassDefinition(node.name, qualname, node, self)
        if "." not in qualname:
            header = Unit(self, node, qualname, node.lineno, node.lineno, indented, cls)
            self._bind(node.name, Binding(header, cls=cls))
        self._class_body(cls, node.body)
        return cls

    def _class_body(self, cls: ClassDefinition, body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, FunctionNode):
                unit = self._unit(node, f"{cls.qualname}.{node.name}", True, cls)
                cls.methods.setdefault(node.name, []).append(unit)
            elif isinstance(node, ast.ClassDef):
                cls.classes[node.name] = self._class(node, f"{cls.qualname}.{node.name}", True)
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                for block in blocks_of(node):
                    self._class_body(cls, block)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            elif not isinstance(node, ast.Pass):
                unit = self._unit(node, cls.qualname, True, cls)
                cls.statements.append(unit)
                for name in bound_names(node):
                    cls.attributes[name] = unit


def import_targets(
    node: ast.Import | ast.ImportFrom, module: ModuleIndex
) -> Iterator[tuple[str, ImportTarget]]:
    """The names that an import statement binds, with what they stand for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                yield alias.asname, ImportTarget(alias.name)
            else:
                top = alias.name.partition(".")[0]
                yield top, ImportTarget(top)
        return
    source = module.absolute(node.module, node.level)
    for alias in node.names:
        yield alias.asname or alias.name, ImportTarget(source, alias.name)


def _defines(node: ast.stmt) -> bool:
    """Whether a compound statement of a module body defines or imports something.

    What a ``with`` only assigns is found in the statement as a whole, which also says under what.
    """
    wanted: tuple[type[ast.stmt], ...] = (*DEFINITIONS, ast.Import, ast.ImportFrom)
    if not isinstance(node, ast.With):
        wanted = (*wanted, ast.Assign)
    return any(
        isinstance(inner, wanted)
        or (isinstance(inner, (ast.If, ast.Try, ast.With)) and _defines(inner))
        for block in blocks_of(node)
        for inner in block
    )


def _in_word(character: str) -> bool:
    return character == "_" or character.isalnum()
