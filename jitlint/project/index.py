"""The index of one module: what it defines, imports and mentions.

Built with ``ast``, and only down to class bodies: function bodies are looked at on demand.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from jitlint.project.fallbacks import runs_with_jax
from jitlint.project.rows import rows_of, words_of
from jitlint.project.stores import rebound_names, stored_attributes, stored_items
from jitlint.project.units import Binding, ClassDefinition, ImportTarget, Unit
from jitlint.project.walks import (
    DEFINITIONS,
    FunctionNode,
    blocks_of,
    bound_names,
    dotted,
    walk,
)

_FROM = re.compile(
    r"\bfrom[ \t]+(?P<dots>\.*)[ \t]*(?P<module>[\w.]*)[ \t]+import\b"
    r"(?P<names>[ \t]*\([^)]*\)|[^\n]*)"
)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+(?P<names>[^\n]*)", re.MULTILINE)
_DOTTED = re.compile(r"[^\W\d][\w.]*")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Parsed:
    """The tree of a file, and the rows of statements that are not in it, with the reasons."""

    tree: ast.Module
    left_out: Sequence[tuple[int, str]] = ()


class ModuleIndex:
    r"""What one module defines and imports.

    Args:
      name: dotted module name.
      path: its file.
      text: its source with ``\n`` line ends.
      parsed: what was made of it.
      is_package: whether the file is an ``__init__.py``.
      package: the package that relative imports start from; as the name says if None.
    """

    def __init__(
        self,
        name: str,
        path: Path,
        text: str,
        parsed: Parsed,
        *,
        is_package: bool,
        package: str | None = None,
    ) -> None:
        self.name = name
        self.path = path
        self.text = text
        self.is_package = is_package
        if package is None:
            package = name if is_package else name.rpartition(".")[0]
        #: the package that relative imports start from
        self.package = package
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
    def imported(self) -> tuple[str, ...]:
        """The dotted names that it may import anywhere, in functions too, and perhaps some more."""
        found: dict[str, None] = {}
        for match in _FROM.finditer(self.text):
            level = len(match["dots"])
            source = self.absolute(match["module"] or None, level)
            found[source] = None
            found.update((f"{source}.{name}", None) for name in _WORD.findall(match["names"]))
        for match in _IMPORT.finditer(self.text):
            found.update(dict.fromkeys(_DOTTED.findall(match["names"])))
        return tuple(filter(None, found))

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

    def _collect(
        self, body: list[ast.stmt], *, indented: bool, around: ast.stmt | None = None
    ) -> None:
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
                if _defines(node) or _is_elif(node, around):
                    for block in self._live_blocks(node):
                        self._collect(block, indented=True, around=node)
                else:
                    self._statement(node, indented)
            else:
                self._statement(node, indented)

    def _live_blocks(self, node: ast.stmt) -> Iterator[list[ast.stmt]]:
        """The blocks of a compound statement, without what a constant test switches off.

        Nor what only a missing JAX would switch on.
        """
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
        if isinstance(node, ast.Try) and runs_with_jax(node):
            yield from (node.body, node.orelse, node.finalbody)
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


def _is_elif(node: ast.stmt, around: ast.stmt | None) -> bool:
    """Whether a statement is the ``elif`` of the one around it: by itself it is no statement."""
    ifs = isinstance(node, ast.If) and isinstance(around, ast.If)
    return ifs and around is not None and node.col_offset == around.col_offset


def _in_word(character: str) -> bool:
    return character == "_" or character.isalnum()
