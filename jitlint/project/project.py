"""The project: its files, which module each of them is, and what an imported name stands for."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from pathlib import Path
from typing import Final

from msgspec import Struct

from jitlint.foundation.interruption import checkpoint
from jitlint.imports.graph import ImportGraph
from jitlint.project.exports import exported
from jitlint.project.file_texts import FileText
from jitlint.project.index import ModuleIndex, Parsed
from jitlint.project.memory import Memory
from jitlint.project.plain_code import PlainCode
from jitlint.project.units import Binding
from jitlint.project.unmarked import within_reach
from jitlint.source.document import is_document
from jitlint.source.layout import Layout


class ParseFailure(Struct, frozen=True):
    """A file that could not be read or parsed, with the place where known.

    ``kind`` is ``syntax`` (JIT901), ``unsupported`` (JIT903: another parser may accept it) or
    ``unreadable``.
    """

    path: Path
    kind: str
    message: str
    row: int = 1
    column: int = 1


_TOO_DEEP: Final = "too deeply nested for Python's parser"

#: reads a file; gives its text with ``\n`` line ends, or says why it cannot
Reader = Callable[[Path], "str | ParseFailure"]


class Project:
    """All Python files under a root, parsed when first asked for.

    Args:
      root: the project root.
      files: every Python file of the project, targets included.
      read: gives the text of a file.
      src: further import roots, as configured.
      memory: what an earlier analysis remembered.
    """

    def __init__(
        self,
        root: Path,
        files: Iterable[Path],
        read: Reader,
        *,
        src: Iterable[Path] = (),
        memory: Memory | None = None,
    ) -> None:
        self.memory = memory or Memory()
        self.root = root
        self.files = list(files)
        self._read = read
        self._src = list(src)
        #: the folders in which absolute imports start
        self.import_roots = [*self._src, root, root / "src"]
        self._layout = Layout(self.files, self.import_roots)
        self._modules: dict[Path, ModuleIndex | ParseFailure] = {}
        #: what was found by a name, for the module that imports it: from its folder, the file, and
        #: its index
        self._found: dict[
            tuple[ModuleIndex | None, str], tuple[Path | None, Path | None, ModuleIndex | None]
        ] = {}
        self._texts: dict[Path, str | ParseFailure] = {}
        self._plain: dict[Path, PlainCode] = {}
        self._file_texts: dict[Path, FileText] = {}
        self.failures: dict[Path, list[ParseFailure]] = {}
        #: the files of whose texts Python's compiler need not be asked again
        self.compiled: set[Path] = set()
        #: is told of each module that is looked for: from which folder, by which name, what was
        #: found
        self.on_look: Callable[[Path | None, str, Path | None], None] | None = None

    @cached_property
    def graph(self) -> ImportGraph:
        """Which files may import which."""
        return ImportGraph(self.files, self.code, self._layout)

    def within_reach(self, start: Iterable[Path]) -> Project:
        """The project without what some of its files, and what they import, do not import."""
        files = within_reach(self.files, start, self.text, self.locate)
        return Project(self.root, files, self.text, src=self._src, memory=self.memory)

    def text(self, path: Path) -> str | ParseFailure:
        """The text of a file, read once."""
        text = self._texts.get(path)
        if text is None:
            checkpoint()
            text = self._texts[path] = self._read(path)
            if isinstance(text, ParseFailure):
                self.failures[path] = [text]
        return text

    def code(self, path: Path) -> str | ParseFailure:
        """The text of a file without its comments: all that may count of it."""
        text = self.text(path)
        return text if isinstance(text, ParseFailure) else self.plain(path, text).text

    def plain(self, path: Path, text: str) -> PlainCode:
        """The code of a file that holds a text."""
        known = self._plain.get(path)
        if known is None:
            before = self.memory.modules.get(path)
            same = before is not None and before.source == text
            known = self._plain[path] = before.plain if before and same else PlainCode(text)
        return known

    def file_text(self, path: Path) -> FileText | None:
        """The text of a file as something that is asked; None where it cannot be read."""
        known = self._file_texts.get(path)
        if known is None:
            text = self.text(path)
            if isinstance(text, ParseFailure):
                return None
            known = self._file_texts[path] = FileText(path, text, self.plain(path, text))
        return known

    def module_at(self, path: Path) -> ModuleIndex | None:
        """The index of a file, None when it cannot be parsed (see ``failures``)."""
        found = self._modules.get(path)
        if found is None:
            checkpoint()
            found = self._modules[path] = self._index(path)
            if isinstance(found, ParseFailure):
                self.failures[path] = [found]
            elif found.left_out:
                self.failures[path] = [
                    ParseFailure(path, "unsupported", message, row)
                    for row, message in found.left_out
                ]
        return found if isinstance(found, ModuleIndex) else None

    @property
    def indexed(self) -> Collection[Path]:
        """The files that were parsed so far."""
        return self._modules.keys()

    @property
    def parsed(self) -> int:
        """How many files were parsed so far."""
        return len(self._modules)

    def _index(self, path: Path) -> ModuleIndex | ParseFailure:
        text = self.text(path)
        if isinstance(text, ParseFailure):
            return text
        name, package = self._layout.name_of(path), self._layout.package_of(path)
        known = self.memory.modules.get(path)
        if known is not None and (known.name, known.package, known.source) == (name, package, text):
            return known
        parsed = parse(path, text, compiled=path in self.compiled)
        if isinstance(parsed, ParseFailure):
            return parsed
        self.compiled.add(path)
        is_package = path.name == "__init__.py"
        plain = self.plain(path, text)
        module = ModuleIndex(
            name, path, text, parsed, is_package=is_package, package=package, plain=plain
        )
        self.memory.keep(module)
        return module

    def find_module(self, name: str, importer: ModuleIndex | None = None) -> ModuleIndex | None:
        """The module of the project that ``import name`` finds, None if it is not ours.

        Args:
          name: the dotted name.
          importer: the module that imports it; only what that can lead to is found.  None for a
            module of any folder.
        """
        known = self._found.get((importer, name))
        if known is None:
            # Once for each module: a folder is slow to name, and to compare.
            folder = None if importer is None else importer.path.parent
            path = self._layout.locate(name, folder)
            reached = path is not None and (importer is None or self.leads_to(importer.path, path))
            module = self.module_at(path) if reached and path is not None else None
            known = self._found[importer, name] = folder, path, module
        folder, path, module = known
        if self.on_look is not None:
            self.on_look(folder, name, path)
        return module

    def locates(self, name: str, importer: ModuleIndex) -> bool:
        """Whether there is a file of a module by a name, also one that nothing leads to."""
        self.find_module(name, importer)
        _, path, _ = self._found[importer, name]
        return path is not None

    def leads_to(self, path: Path, other: Path) -> bool:
        """Whether a file may import another, directly or not; it does if it is that file."""
        return path == other or self.graph.has(self.graph.below(path), other)

    def package_around(self, module: ModuleIndex) -> ModuleIndex | None:
        """The outermost package that a module belongs to, which is imported before it is."""
        path = self.locate(module.name.partition(".")[0], module.path.parent)
        if path is None or path.name != "__init__.py" or path.parent not in module.path.parents:
            return None
        return self.module_at(path)

    def locate(self, name: str, folder: Path | None = None) -> Path | None:
        """The file that ``import name`` finds, anywhere or in a module of a folder."""
        return self._layout.locate(name, folder)

    def names_of(self, path: Path) -> tuple[str, ...]:
        """Every dotted name by which Python may know a file."""
        return self._layout.names_of(path)

    def has_module(self, name: str, importer: ModuleIndex) -> bool:
        """Whether a module can import one of the project by a name, even one that is broken."""
        # What is found is read: whether its syntax is checked must not depend on who keeps that.
        self.find_module(name, importer)
        _, path, _ = self._found[importer, name]
        return path is not None and self.leads_to(importer.path, path)

    def bindings(self, module: ModuleIndex, name: str) -> list[Binding]:
        """How a module-level name is bound; star imports are followed."""
        found = module.bound(name)
        if found:
            return found
        return self._starred(module, name, {module.path}) if module.star_imports else []

    def _starred(self, module: ModuleIndex, name: str, visited: set[Path]) -> list[Binding]:
        """How a name is bound in the modules that a module imports with a star."""
        # What is imported last is in force.
        for source in reversed(module.star_imports):
            other = self.find_module(source, module)
            if other is None or other.path in visited or not self._exports(other, name):
                continue
            visited.add(other.path)
            found = other.bound(name) or self._starred(other, name, visited)
            if found and not all(self._comes_back(binding, name, visited) for binding in found):
                return found
        return []

    def _comes_back(self, binding: Binding, name: str, visited: set[Path]) -> bool:
        """Whether a name was imported from the module that takes it with a star.

        ``from .models import *`` in a package of which ``models`` imports ``Base``: it got what the
        package had before.
        """
        target = binding.target
        if target is None or target.name != name:
            return False
        source = self.find_module(target.module, binding.unit.module)
        return source is not None and source.path in visited

    def _exports(self, module: ModuleIndex, name: str) -> bool:
        """Whether a star import takes a name from a module that has it."""
        names = module.fact(exported)
        return not name.startswith("_") if names is None else name in names


def parse(path: Path, text: str, *, compiled: bool = False) -> Parsed | ParseFailure:
    """Parse a module, telling wrong syntax from syntax that only libcst knows.

    The compiler is asked as well, which refuses more, but for documents: what stands in a cell may
    only run there, such as ``await`` outside of functions.  Nothing is ever executed.

    Args:
      path: the file.
      text: what it holds.
      compiled: whether the compiler is known to take that.

    Returns:
      The tree, without what is too new for this Python to index; or why there is none.
    """
    try:
        with warnings.catch_warnings():
            # Invalid escapes in the linted code are not our user's business here.
            warnings.simplefilter("ignore")
            try:
                parsed = Parsed(ast.parse(text))
            except SyntaxError:
                from jitlint.project import newer_syntax

                found = newer_syntax.parse(text)
                if found is None:
                    raise
                parsed = found
            except (RecursionError, MemoryError):
                # libcst's parser might take all the memory there is.
                return ParseFailure(path, "unsupported", _TOO_DEEP)
            if not compiled and not is_document(path):
                compile(parsed.tree, str(path), "exec", dont_inherit=True)
            return parsed
    except SyntaxError as error:
        message, row = error.msg or "invalid syntax", error.lineno or 1
        return ParseFailure(path, "syntax", message, row, max(error.offset or 1, 1))
    except (RecursionError, MemoryError):
        return ParseFailure(path, "syntax", _TOO_DEEP)
    except ValueError as error:
        return ParseFailure(path, "syntax", str(error))
