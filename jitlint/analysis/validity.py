"""Whether what is known of a part from an earlier run still holds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.reads import ModuleReads
from jitlint.analysis.records import PartRecord
from jitlint.cache.folder import digest
from jitlint.project.units import Unit


class Foundations:
    """What the results of parts rest on, as it is in this run.

    Args:
      it: has run the code of modules.
      reads: what that code read.
      units: the selected units.
    """

    def __init__(self, it: Interpreter, reads: ModuleReads, units: Iterable[Unit]) -> None:
        self._project = it.project
        self._modules = it.modules
        self._reads = reads
        self._selected: dict[Path, list[tuple[int, int, str]]] = {}
        for unit in units:
            where = (unit.first, unit.node.col_offset, unit.qualname)
            self._selected.setdefault(unit.module.path, []).append(where)
        self._digests: dict[Path, str] = {}
        self._signatures: dict[Path, str] = {}
        self._shared: dict[frozenset[Path], str] = {}
        self._words: dict[tuple[str, int], tuple[Path, ...]] = {}
        self._files = set(self._project.files)
        self._whole = repr((sorted(it.rows.items()), it.limits))
        # Where the code of modules was too much to be run, what was left out hangs on all of it.
        if it.exhausted:
            paths = sorted(reads.schedule)
            self._whole += digest(*map(self._digest, paths), *reads.order(paths))

    def holds(self, path: Path, record: PartRecord) -> bool:
        """Whether what starts in a file would read what it read when it was interpreted."""
        world = self._project.graph.around(path)
        return (
            all(self.signature(path) == known for path, known in record.modules.items())
            and all(
                self._project.locate(name, folder) == found
                for (folder, name), found in record.lookups.items()
            )
            and all(self._with_word(word, world) == paths for word, paths in record.words.items())
        )

    def signature(self, path: Path) -> str:
        """A name for what is taken from a module: its content, and what its own code makes."""
        known = self._signatures.get(path)
        if known is None:
            closure = self._reads.closure(path)
            known = self._shared.get(closure)
            if known is None:
                paths = sorted(closure)
                known = digest(
                    self._whole,
                    *map(str, paths),
                    *map(self._digest, paths),
                    *self._reads.order(paths),
                )
                self._shared[closure] = known
            self._signatures[path] = known
        return known

    def _digest(self, path: Path) -> str:
        """A name for the content of a module, and for what starts in it."""
        known = self._digests.get(path)
        if known is None:
            if path not in self._files:
                return ""
            text = self._project.text(path)
            module = self._project.module_at(path)
            known = digest(
                text if isinstance(text, str) else repr(text),
                "" if module is None else f"{module.name} {module.package} {module.is_package}",
                repr(sorted(self._selected.get(path, ()))),
            )
            self._digests[path] = known
        return known

    def _with_word(self, word: str, world: int) -> tuple[Path, ...]:
        known = self._words.get((word, world))
        if known is None:
            has = self._project.graph.has
            known = tuple(
                module.path
                for module in self._modules
                if word in module.words and has(world, module.path)
            )
            self._words[word, world] = known
        return known
