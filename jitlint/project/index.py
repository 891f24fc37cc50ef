"""The index of one module: what it defines, imports and mentions.

Built with ``ast``, and only down to class bodies: function bodies are looked at on demand.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from jitlint.foundation.rows import rows_of
from jitlint.project.contents import Contents
from jitlint.project.plain_code import PlainCode
from jitlint.project.reading import REMARKS, Subject, into, note, sink, told, written_pattern
from jitlint.project.stores import rebound_names, stored_attributes, stored_items
from jitlint.project.units import Binding, ClassDefinition, Unit
from jitlint.project.walks import (
    dotted,
)
from jitlint.source.document import NOTEBOOK_SUFFIXES

_FROM = re.compile(
    r"\bfrom[ \t]+(?P<dots>\.*)[ \t]*(?P<module>[\w.]*)[ \t]+import\b"
    r"(?P<names>[ \t]*\([^)]*\)|[^\n]*)"
)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+(?P<names>[^\n]*)", re.MULTILINE)
_DOTTED = re.compile(r"[^\W\d][\w.]*")
_WORD = re.compile(r"\w+")


class Parsed(Struct, frozen=True):
    """The tree of a file, and the rows of statements that are not in it, with the reasons."""

    tree: ast.Module
    left_out: Sequence[tuple[int, str]] = ()


#: more than there are units of one name, or classes in a function
_LOCAL: Final = 1_000


class ModuleIndex(Subject):
    r"""What one module defines and imports.

    Args:
      name: dotted module name.
      path: its file.
      text: its source with ``\n`` line ends; kept as ``source``.
      parsed: what was made of it.
      is_package: whether the file is an ``__init__.py``.
      package: the package that relative imports start from; as the name says if None.
      plain: the text as it counts; found out if None.
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
        plain: PlainCode | None = None,
    ) -> None:
        self.name = name
        self.path = path
        self.source = text
        self.is_package = is_package
        if package is None:
            package = name if is_package else name.rpartition(".")[0]
        #: the package that relative imports start from
        self.package = package
        #: the text as it counts
        self.plain = plain or PlainCode(text)
        self._facts: dict[Any, Any] = {}
        #: classes that functions make, by their rows
        self._local: dict[int, ClassDefinition] = {}
        self._local_units: list[Unit] = []
        #: statements that are not indexed: their rows, with the reasons
        self.left_out = parsed.left_out
        listed = Contents.of(self, parsed.tree)
        self._units, self._bindings = listed.units, listed.bindings
        self._classes, self._every_class = listed.classes, listed.every_class
        self._star_imports = listed.star_imports

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from the other subjects of its file: there is one."""
        return "module", "", 0

    @property
    def form(self) -> str:
        """What an answer that names the module says of it."""
        return str(self.path)

    @property
    def called(self) -> tuple[str, str, bool]:
        """By which name it is imported, and from where its own relative imports start."""
        return self.name, self.package, self.is_package

    @property
    def is_notebook(self) -> bool:
        """Whether it is the code of a notebook, which nothing can import."""
        return self.path.suffix.lower() in NOTEBOOK_SUFFIXES

    @cached_property
    def subjects(self) -> Mapping[tuple[str, str, int], Subject]:
        """Everything that something may be asked of, by its key."""
        every: list[Subject] = [self, *self._units, *self._every_class]
        return {subject.key: subject for subject in every}

    # -- the text ---------------------------------------------------------------------------------

    @cached_property
    def source_rows(self) -> list[str]:
        r"""The rows with their line ends (split at ``\n`` only, as the parsers do)."""
        return rows_of(self.source)

    @property
    def lines(self) -> list[str]:
        """All rows as the user wrote them, comments included."""
        note(self, REMARKS)
        return self.source_rows

    def written(self, first: int, last: int) -> list[str]:
        """Some rows as the user wrote them, comments included.

        Args:
          first: the first of them.
          last: the last one.
        """
        row = first
        while row <= last:
            unit = self.unit_at(row)
            note(self if unit is None else unit, REMARKS)
            row = last + 1 if unit is None else unit.last + 1
        return self.source_rows[first - 1 : last]

    def note_gap(self, row: int) -> None:
        """Say that the beginning of a row was taken for the end of what stands above it."""
        above, below = self.unit_at(row - 1), self.unit_at(row)
        # A remark may come between two units without touching either.
        note(self if below is None or above is not below else below, REMARKS)

    @told
    def heads(self) -> int:
        """How many rows of comments the file begins with."""
        rows = self.source_rows
        return next((at for at, row in enumerate(rows) if not row.startswith("#")), len(rows))

    @told
    def whole_source(self) -> str:
        """The text as the user wrote it."""
        return self.source

    @property
    def code(self) -> str:
        """The text without comments; its rows are those of the source."""
        return self.plain.text

    @property
    def text(self) -> str:
        """All of its code."""
        note(self, "body")
        return self.plain.text

    @told
    def body(self) -> str:
        """All code of the module as it counts."""
        return self.plain.normal(self.plain.text, 1)

    def rows_with(self, text: str) -> list[str]:
        """The rows that hold a piece of text, without comments."""
        note(self, "rows_with", text)
        return [row for row in self.plain.rows if text in row]

    @told
    def imported(self) -> tuple[str, ...]:
        """The dotted names that it may import anywhere, in functions too, and perhaps some more."""
        found: dict[str, None] = {}
        text = self.plain.text
        for match in _FROM.finditer(text):
            level = len(match["dots"])
            source = self.absolute(match["module"] or None, level)
            found[source] = None
            found.update((f"{source}.{name}", None) for name in _WORD.findall(match["names"]))
        for match in _IMPORT.finditer(text):
            found.update(dict.fromkeys(_DOTTED.findall(match["names"])))
        return tuple(filter(None, found))

    @told
    def words(self) -> frozenset[str]:
        """Every identifier that occurs anywhere in the code and its texts, and numbers."""
        return self.plain.words

    @cached_property
    def _words(self) -> frozenset[str]:
        found: frozenset[str] = self.words
        return found

    def has_word(self, word: str) -> bool:
        """Whether an identifier occurs."""
        note(self, "has_word", word)
        known = self.__dict__.get("_words")
        if known is None:
            with into(None):
                known = self._words
        return word in known

    def has_any(self, words: Collection[str]) -> bool:
        """Whether one of some identifiers occurs."""
        with into(None):
            found = not self._words.isdisjoint(words)
        for word in words if sink() is not None else ():
            note(self, "has_word", word)
        return found

    @told
    def rebound(self) -> frozenset[str]:
        """The module-level names that functions of the module bind again."""
        return rebound_names(self.plain.text)

    def rebinds(self, name: str) -> bool:
        """Whether a function of the module binds a module-level name again."""
        note(self, "rebinds", name)
        with into(None):
            return name in self.rebound

    @told
    def attribute_stores(self) -> dict[str, set[str]]:
        """Attributes that the module sets, each with what of: not those of a plain ``self``."""
        return stored_attributes(self.plain.text)

    def stores_of(self, name: str) -> set[str]:
        """What the module sets an attribute of, but for a plain ``self``."""
        note(self, "stores_of", name)
        with into(None):
            found: set[str] = self.attribute_stores.get(name, set())
        return found

    @told
    def key_stores(self) -> frozenset[tuple[str, str]]:
        """What functions set items of, with the ``repr`` of the key, empty if it is not written."""
        return stored_items(self.plain.text)

    # -- what it lists ----------------------------------------------------------------------------

    @property
    def units(self) -> list[Unit]:
        """Its units, in their order."""
        note(self, "every_unit")
        return self._units

    @told
    def every_unit(self) -> list[Unit]:
        """Which units there are, in their order."""
        return self._units

    @property
    def bindings(self) -> dict[str, list[Binding]]:
        """How the names of the module get their values."""
        note(self, "every_binding")
        return self._bindings

    @told
    def every_binding(self) -> dict[str, list[Binding]]:
        """How all its names get their values."""
        return self._bindings

    def bound(self, name: str) -> list[Binding]:
        """How a name gets its value; empty if the module does not bind it."""
        note(self, "bound", name)
        return self._bindings.get(name, [])

    def binds(self, name: str) -> bool:
        """Whether the module binds a name."""
        note(self, "binds", name)
        return name in self._bindings

    @property
    def classes(self) -> dict[str, ClassDefinition]:
        """Its classes, by name."""
        note(self, "every_class")
        return self._classes

    @told
    def every_class(self) -> dict[str, ClassDefinition]:
        """Which classes there are."""
        return self._classes

    @property
    def star_imports(self) -> list[str]:
        """The modules from which it imports all that they export."""
        note(self, "every_star")
        return self._star_imports

    @told
    def every_star(self) -> list[str]:
        """The modules from which it imports all that they export."""
        return self._star_imports

    @told
    def calls_on(self) -> dict[str, list[ast.Call]]:
        """Calls that stand alone in the module, by the name that is their first argument."""
        found: dict[str, list[ast.Call]] = {}
        for unit in self._units:
            node = unit.tree
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and node.value.args:
                name = dotted(node.value.args[0])
                if name is not None:
                    found.setdefault(name, []).append(node.value)
        return found

    def calls_with(self, name: str) -> list[ast.Call]:
        """Calls that stand alone in the module and have a name as their first argument."""
        note(self, "calls_with", name)
        with into(None):
            found: list[ast.Call] = self.calls_on.get(name, [])
        return found

    @told
    def definers(self) -> dict[str, list[ClassDefinition]]:
        """The classes by the attributes that they bind, those in other classes too."""
        found: dict[str, list[ClassDefinition]] = {}
        waiting = list(self._classes.values())
        while waiting:
            cls = waiting.pop()
            waiting.extend(cls.classes.values())
            for name in cls.names:
                found.setdefault(name, []).append(cls)
        return found

    def defining(self, name: str) -> list[ClassDefinition]:
        """The classes that bind an attribute."""
        note(self, "defining", name)
        with into(None):
            found: list[ClassDefinition] = self.definers.get(name, [])
        return found

    def units_with(self, name: str) -> list[Unit]:
        """The units in which a name or dotted name is written, code or not."""
        note(self, "units_with", name)
        found: list[Unit] = []
        text = self.plain.text
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

    def units_finding(
        self, name: str, pattern: str | re.Pattern[str], flags: str = "0"
    ) -> list[Unit]:
        """Those of them in whose code a regular expression is found."""
        written, chosen = written_pattern(pattern, flags)
        note(self, "units_finding", name, written, chosen)
        with into(None):
            return [unit for unit in self.units_with(name) if unit.finds(written, chosen)]

    @cached_property
    def _extents(self) -> tuple[list[int], list[int]]:
        """Where the rows of each unit begin and end in the text, in the order of ``_starts``."""
        offsets = [0, *accumulate(map(len, self.plain.rows))]
        last = len(offsets) - 1
        units = self._starts
        starts = [offsets[min(unit.first - 1, last)] for unit in units]
        return starts, [offsets[min(unit.last, last)] for unit in units]

    @cached_property
    def layout(self) -> dict[tuple[str, str, int], list[int]]:
        """The rows that count of each unit, and of the header of each class, by their keys."""
        counting = self.plain.counting
        found = {unit.key: counting(unit.first, unit.last) for unit in self._units}
        for cls in self._every_class:
            first, last = cls.rows
            body = cls.tree.body[0]
            inner = min([body.lineno, *(d.lineno for d in getattr(body, "decorator_list", ()))])
            found[cls.key] = counting(first, min(inner - 1, last))
        return found

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
        for unit in self._units:
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
        return sorted(self._units, key=lambda unit: unit.first)

    def local_class(self, unit: Unit, row: int, qualname: str) -> ClassDefinition | None:
        """The class whose definition a function has in a row; its methods are not listed."""
        unit.note_body()
        known = self._local.get(row)
        if known is None:
            nodes = [node for node in ast.walk(unit.tree) if isinstance(node, ast.ClassDef)]
            place = next((place for place, node in enumerate(nodes) if node.lineno == row), None)
            if place is not None:
                node = nodes[place]
                within = unit.within or unit
                known = ClassDefinition(node.name, qualname, node, self, within=within)
                self._local[row] = known
                # The names of such classes tell no statements of a module apart.
                alike = [each for each in self._units if each.qualname == unit.qualname]
                number = unit.number if unit not in alike else alike.index(unit)
                base = _LOCAL * ((number + 1) * _LOCAL + place + 1)
                self._local_units.extend(Contents.of_local(known, base).units)
        return known

    def unit_of(self, key: tuple[str, str, int]) -> Unit | None:
        """The unit of a key, those of classes that functions make among them."""
        found = self.subjects.get(key)
        if isinstance(found, Unit):
            return found
        return next((unit for unit in self._local_units if unit.key == key), None)


def _in_word(character: str) -> bool:
    return character == "_" or character.isalnum()
