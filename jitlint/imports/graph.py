"""Who may import whom: what can bear on a file, and what has nothing to do with it.

A file can lead to what it imports, directly or not, and to nothing else.  What may be in one
process with it is all that those can import which can lead to it.  Both are told from texts alone,
before anything is parsed, and rather too much than too little: a word in a comment may join files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from jitlint.foundation.interruption import checkpoint
from jitlint.foundation.rows import words_of
from jitlint.imports.closures import Closure, below_groups, groups_of
from jitlint.imports.test_files import is_test_file
from jitlint.source.layout import Layout
from jitlint.source.open_names import Fillers, open_names, registering_names

#: what all statements have in common: most of a text has nothing to do with it
_WORD: Final = re.compile(r"import(?!\w)")
#: the statement around the word, which may stand behind others on its row
_STATEMENT: Final = re.compile(
    r"""(?:\bfrom(?:[ \t]|\\\n)*(?P<base>[\w.]+)(?:[ \t]|\\\n)*)?\bimport\b
        (?P<names>(?:[ \t]|\\\n)*\((?:[^()\#]|\#[^\n]*)*\)|(?:[^\n\#;\\]|\\\n)*)""",
    re.VERBOSE,
)
#: a call that imports what a text names
_CALL: Final = re.compile(
    r"""import(?:_module|__)\(\s*(?:name\s*=\s*)?["'](?P<called>\.*\w[\w.]*)["']"""
)
_COMMENT: Final = re.compile(r"#[^\n]*")
_NAME: Final = re.compile(r"(?:^|[(,])[\s\\]*(\w[\w.]*)([\s\\]+as\b)?")


class Import(NamedTuple):
    """A module that a text may import.

    Args:
      name: its dotted name, behind dots if that is relative.
      base: the module that it is a name of if it is no module itself; empty if it has to be one.
      binds: whether the packages that it leads through are bound: ``import a.b`` gives a text
        ``a``.
    """

    name: str
    base: str = ""
    binds: bool = False


def imports_of(text: str) -> list[Import]:
    """What a text may import, code or the code of a notebook; and perhaps some more."""
    found = {Import(call["called"], binds=True): None for call in _CALL.finditer(text)}
    for statement in _statements(text):
        base, written = statement.group("base", "names")
        names = _NAME.findall(_COMMENT.sub("", written))
        if base is None:
            found.update((Import(name, binds=not renamed), None) for name, renamed in names)
            continue
        # A module of a package, perhaps of one without `__init__.py`.
        inner = base if base.endswith(".") else f"{base}."
        found.update((Import(inner + name, base), None) for name, _ in names)
        if not names:
            found[Import(base)] = None
    return list(found)


def _statements(text: str) -> Iterator[re.Match[str]]:
    """The statements of a text that import something."""
    done = 0
    for word in _WORD.finditer(text):
        if word.start() < done:
            continue
        begin = text.rfind("\n", 0, word.start()) + 1
        while text[max(begin - 2, 0) : begin] == "\\\n":
            begin = text.rfind("\n", 0, begin - 1) + 1
        statement = _STATEMENT.search(text, max(begin, done), word.end())
        if statement is None:
            continue
        # Only now it is known where it begins; it may end on another row.
        statement = _STATEMENT.match(text, statement.start())
        assert statement is not None
        done = statement.end()
        yield statement


class Edges(NamedTuple):
    """What all files of a project say of each other, by their numbers.

    Args:
      leads: for each file what it leads to by itself.
      imports: and besides what is imported where it is.
      open: what modules leave open for others, by name, with the methods of classes.
      loaded: the files of which the code runs where others run: these import them, or leave open
        what only that code fills in.  Classes that do so are found without it.
    """

    leads: list[set[int]]
    imports: list[set[int]]
    open: dict[str, list[frozenset[str]]]
    loaded: set[int]


class ImportGraph:
    """Which files of a project may import which; sets of files are numbers with a bit for each.

    A file leads to what its text can name.  The packages around that are imported with it: their
    code runs in the same process, but nothing of them is at hand.

    Args:
      files: every Python file.
      text: the text of a file; anything else where there is none.
      layout: tells which file a name stands for.
    """

    def __init__(
        self, files: Sequence[Path], text: Callable[[Path], object], layout: Layout
    ) -> None:
        self.files = files
        self._text = text
        self._layout = layout
        self.numbers = {path: number for number, path in enumerate(files)}
        self._bound: dict[tuple[Path, str], bool] = {}
        #: the parts of the name of the package that a file is in
        self._packages: dict[Path, list[str]] = {}
        self._children: dict[Path, dict[str, tuple[Path | None, Path | None]]] = {}
        #: the words of each file, and what it leaves open
        self._words: dict[Path, frozenset[str]] = {}
        self._opened: dict[Path, dict[str, frozenset[str]]] = {}
        for path in files:
            self._add_child(path)

    def _add_child(self, path: Path) -> None:
        """Note what attribute of which package a file is; folders above it may be packages too."""
        if path.suffix != ".py":
            return
        folder = path.parent
        if path.name != "__init__.py":
            file, below = self._children.setdefault(folder, {}).get(path.stem, (None, None))
            self._children[folder][path.stem] = path, below
        while folder != folder.parent:
            siblings = self._children.setdefault(folder.parent, {})
            file, below = siblings.get(folder.name, (None, None))
            if below is not None:
                return
            siblings[folder.name] = file, folder
            folder = folder.parent

    # -- questions ------------------------------------------------------------------------------

    def below(self, path: Path) -> int:
        """A file and all that it can lead to."""
        return self._below.below[self._below.group[self.numbers[path]]]

    def above(self, path: Path) -> int:
        """A file and all that can lead to it."""
        return self._above[self._below.group[self.numbers[path]]]

    def around(self, path: Path) -> int:
        """All that may be in one process with a file."""
        order, around = self._around
        return around[order.group[self.numbers[path]]]

    def is_program(self, path: Path) -> bool:
        """Whether no other file runs the code of a file: it runs where somebody starts it."""
        return self.numbers[path] not in self.edges.loaded

    def has(self, some: int, path: Path) -> bool:
        """Whether a file is one of some."""
        number = self.numbers.get(path)
        return number is not None and bool(some >> number & 1)

    def bit(self, path: Path) -> int:
        """The set of one file; of none if it is no file of the project."""
        number = self.numbers.get(path)
        return 0 if number is None else 1 << number

    def those(self, some: int) -> list[Path]:
        """The files of a set, in order."""
        found = []
        while some:
            lowest = some & -some
            found.append(self.files[lowest.bit_length() - 1])
            some ^= lowest
        return found

    def components(self) -> list[list[Path]]:
        """The files in sets of which no two have anything to do with each other."""
        above = list(range(len(self.files)))

        def top(number: int) -> int:
            while above[number] != number:
                above[number] = number = above[above[number]]
            return number

        for number, imported in enumerate(self._imports):
            for other in imported:
                above[top(other)] = top(number)
        found: dict[int, list[Path]] = {}
        for number, path in enumerate(self.files):
            found.setdefault(top(number), []).append(path)
        return list(found.values())

    # -- the graph ------------------------------------------------------------------------------

    @cached_property
    def edges(self) -> Edges:
        """What all files say of each other; whoever knows that may set it."""
        leads, imports = [], []
        for path in self.files:
            checkpoint()
            named, besides = self._imported(path)
            leads.append({self.numbers[each] for each in named if each in self.numbers})
            imports.append({self.numbers[each] for each in besides if each in self.numbers})
        loaded = set[int]()
        for number, both in enumerate(zip(leads, imports, strict=True)):
            loaded.update(*(some - {number} for some in both))
        #: by what is left open, and the methods of a class, the files that leave it so
        keepers: dict[str, dict[frozenset[str], int]] = {}
        for number, path in enumerate(self.files):
            checkpoint()
            for name, declared in self._opened_by(path).items():
                files = keepers.setdefault(name, {})
                files[declared] = files.get(declared, 0) | 1 << number
        if keepers:
            groups = groups_of(leads)
            # What is imported comes first, and with it the base classes of base classes.
            for group, some in zip(groups, below_groups(groups, leads), strict=True):
                for number in group:
                    if self._fill_in(number, keepers, some, leads):
                        loaded.add(number)
        every = [one | other for one, other in zip(leads, imports, strict=True)]
        return Edges(leads, every, {name: [*kept] for name, kept in keepers.items()}, loaded)

    def said(self, path: Path, left_open: Mapping[str, Sequence[frozenset[str]]]) -> object:
        """All that the text of a file has to do with the edges of a graph, as plain data.

        Args:
          path: the file.
          left_open: what modules leave open, as the edges have it.
        """
        checkpoint()
        text = self._text(path)
        if not isinstance(text, str):
            return None
        words = self._words_of(path)
        waiting = sorted(words & left_open.keys())
        filling = Fillers(text) if any(any(left_open[name]) for name in waiting) else None
        registering = registering_names(text) if waiting else set()
        fills = [
            sorted(filling.of(name, declared).items())
            if declared and filling is not None
            else name in registering
            for name in waiting
            for declared in left_open[name]
        ]
        opened = sorted(
            (name, sorted(declared)) for name, declared in self._opened_by(path).items()
        )
        # Of a package it is asked in many ways whether it may bind a name.
        whole = text if path.name == "__init__.py" else ""
        return imports_of(text), opened, sorted(words & self._module_names), waiting, fills, whole

    def _words_of(self, path: Path) -> frozenset[str]:
        """The words of the text of a file."""
        known = self._words.get(path)
        if known is None:
            text = self._text(path)
            known = self._words[path] = words_of(text) if isinstance(text, str) else frozenset()
        return known

    def _opened_by(self, path: Path) -> Mapping[str, frozenset[str]]:
        """What the text of a file leaves open for others."""
        known = self._opened.get(path)
        if known is None:
            text = self._text(path)
            known = self._opened[path] = open_names(text) if isinstance(text, str) else {}
        return known

    @cached_property
    def _module_names(self) -> frozenset[str]:
        """What modules are called as attributes of their packages."""
        return frozenset().union(*(siblings.keys() for siblings in self._children.values()))

    @property
    def _leads(self) -> list[set[int]]:
        return self.edges.leads

    @property
    def _imports(self) -> list[set[int]]:
        return self.edges.imports

    def _fill_in(
        self,
        number: int,
        keepers: dict[str, dict[frozenset[str], int]],
        below: int,
        edges: list[set[int]],
    ) -> bool:
        """Let modules lead to a file that fills in what they leave open.

        Args:
          number: of the file.
          keepers: by what is left open, and the methods of a class, the files that leave it so.
          below: what the file leads to.
          edges: of all files.

        Returns:
          Whether the code of the file does so, and not only a class of it.
        """
        text = self._text(self.files[number])
        waiting = sorted(self._words_of(self.files[number]) & keepers.keys())
        if not waiting or not isinstance(text, str):
            return False
        registers = False
        filling: Fillers | None = None
        registering: set[str] | None = None
        for name in waiting:
            checkpoint()
            for declared, files in [*keepers[name].items()]:
                kept = files & below
                if not kept:
                    continue
                classes: dict[str, bool] = {}
                if declared:
                    filling = filling or Fillers(text)
                    classes = filling.of(name, declared)
                    fills = any(classes.values())
                else:
                    if registering is None:
                        registering = registering_names(text)
                    fills = name in registering
                if fills:
                    for keeper in self.those(kept & ~(1 << number)):
                        edges[self.numbers[keeper]].add(number)
                        registers = registers or not declared
                for cls in classes:
                    # What derives from it in its turn fills in the same.
                    own = keepers.setdefault(cls, {})
                    if kept & ~own.get(declared, 0):
                        own[declared] = own.get(declared, 0) | kept
                        waiting.append(cls)
        return registers

    def _imported(self, path: Path) -> tuple[set[Path | None], set[Path | None]]:
        """What a file names, and what else is imported with it."""
        named: set[Path | None] = set()
        besides: set[Path | None] = set()
        for other in self._with_it(path):
            # What pytest takes hands things to the tests.
            (named if other.stem == "conftest" else besides).add(other)
        text = self._text(path)
        if isinstance(text, str) and "import" in text:
            folder = path.parent  # one object, for its hash is kept
            for each in imports_of(text):
                self._find(path, folder, each, named, besides)
            packages = {each.parent for each in named if each and each.name == "__init__.py"}
            if packages:
                words = self._words_of(path)
                for folder in packages:
                    named.update(self._attributes(folder, words))
        return named, besides

    def _with_it(self, path: Path) -> Iterator[Path]:
        """What is imported with a file, whatever it says: its packages, and what pytest takes."""
        is_test = is_test_file(path) or path.stem == "conftest"
        for folder in path.parents:
            if folder / "__init__.py" in self.numbers and path.suffix == ".py":
                yield folder / "__init__.py"
            elif not is_test:
                return
            if is_test and folder / "conftest.py" in self.numbers:
                yield folder / "conftest.py"

    def _find(
        self,
        path: Path,
        folder: Path,
        each: Import,
        named: set[Path | None],
        besides: set[Path | None],
    ) -> None:
        """Add what an import finds to what a file names, and the packages around that."""
        parts = self._absolute(path, each.name)
        prefixes = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
        located = [self._layout.locate(prefix, folder) for prefix in prefixes]
        (named if each.binds else besides).update(located)
        if not located:
            return
        named.add(located[-1])
        if each.base:
            base = ".".join(self._absolute(path, each.base))
            holder = self._layout.locate(base, folder) if base else None
            if located[-1] is None or self._may_bind(holder, parts[-1]):
                named.add(holder)

    def _absolute(self, path: Path, name: str) -> list[str]:
        """The parts of the full name that a file means by one."""
        stem = name.lstrip(".")
        parts = stem.split(".") if stem else []
        level = len(name) - len(stem)
        if not level:
            return parts
        package = self._packages.get(path)
        if package is None:
            names = self._layout.package_of(path).split(".")
            package = self._packages[path] = list(filter(None, names))
        return package[: max(len(package) - (level - 1), 0)] + parts

    def _may_bind(self, package: Path | None, name: str) -> bool:
        """Whether a package may have something else under the name of one of its modules."""
        if package is None or package.name != "__init__.py":
            return package is not None
        key = package, name
        known = self._bound.get(key)
        if known is None:
            text = self._text(package)
            known = self._bound[key] = isinstance(text, str) and self._binds(package, text, name)
        return known

    def _binds(self, package: Path, text: str, name: str) -> bool:
        written = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
        renamed = re.compile(rf"(?<![\w.])(?!{re.escape(name)}\b)\w+\s+as\s+{re.escape(name)}\b")
        if written.search(text) is None:
            return "*" in text and any(not _NAME.search(s["names"]) for s in _statements(text))
        if renamed.search(text) is not None:
            return True
        rest = []
        end = 0
        for statement in _statements(text):
            base = statement["base"]
            if base is None:
                continue
            if not _NAME.search(statement["names"]):
                # By a star.
                return True
            own = ".".join(self._absolute(package, base))
            if self._layout.locate(own, package.parent) == package:
                rest.append(text[end : statement.start()])
                end = statement.end()
        return written.search("\n".join((*rest, text[end:]))) is not None

    def _attributes(self, folder: Path, words: frozenset[str]) -> Iterator[Path]:
        """The modules of a package that a text can write as attributes: it has their names."""
        children = self._children.get(folder, {})
        for name in children.keys() & words:
            file, below = children[name]
            if file is not None:
                yield file
            if below is not None:
                if below / "__init__.py" in self.numbers:
                    yield below / "__init__.py"
                yield from self._attributes(below, words)

    @cached_property
    def _below(self) -> Closure:
        return Closure(self._leads)

    @cached_property
    def _above(self) -> list[int]:
        order = self._below
        return order.from_importers([sum(1 << n for n in group) for group in order.groups])

    @cached_property
    def _around(self) -> tuple[Closure, list[int]]:
        order = Closure(self._imports)
        return order, order.from_importers(order.below)
