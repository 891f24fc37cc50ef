"""What the interpretation of some code reads of a project, so that its results can be used again.

Code of one module is interpreted with what other modules define.  Wherever the interpreter takes
something from a module by a name it says so here; what it holds of a module after that came from
there, or from something that was taken down when it was computed.

Code of modules is run first, and what it makes is seen by all functions.  Which modules had a part
in that is a graph: an edge leads from a module to one whose content its own code's results rest on,
because that code read it, or because code of the other changed an object that it had made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jitlint.absint.values.heap import HeapObject, State
from jitlint.project.reading import Sink, into

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex

Within = AbstractContextManager[None]

_NOTHING: Final[Within] = nullcontext()


class Reads:
    """Takes nothing down: for an analysis whose parts are not used again.

    Args:
      world: the files of which the code that runs may know anything, a bit for each; -1 for all.

    Attributes:
      sink: where goes what is read of the index; None for nowhere.
    """

    sink: Sink | None = None

    def __init__(self, world: int = -1) -> None:
        self.world = world

    def read(self, module: ModuleIndex) -> None:
        """Something is taken from a module."""

    def looked_up(self, folder: Path | None, name: str, found: Path | None) -> None:
        """A module was looked for: by a script of this path, or by anybody."""

    def searched(self, word: str, modules: Iterable[ModuleIndex]) -> None:
        """Something was asked of all modules that hold a word; these do."""

    def of(
        self, it: Interpreter, module: ModuleIndex, what: object
    ) -> AbstractContextManager[None]:
        """Something is computed that is kept, and belongs to a module: it is taken from there."""
        return _NOTHING

    def changed(self, module: ModuleIndex) -> None:
        """Something that belongs to a module is changed by the code that runs."""


class ShareReads(Reads):
    """What the functions of one file read.

    Attributes:
      modules: the modules whose code made something that was taken.
      lookups: modules that were looked for, and the files that were found.
      words: words that all modules were searched for, and the files that hold them.
    """

    def __init__(self, world: int = -1) -> None:
        super().__init__(world)
        self.sink: Sink = set()
        self.modules: set[Path] = set()
        self.lookups: dict[tuple[Path | None, str], Path | None] = {}
        self.words: dict[str, tuple[Path, ...]] = {}

    def read(self, module: ModuleIndex) -> None:
        """Something is taken from a module."""
        self.modules.add(module.path)

    def looked_up(self, folder: Path | None, name: str, found: Path | None) -> None:
        """A module was looked for, from a folder or from anywhere."""
        self.lookups[folder, name] = found

    def searched(self, word: str, modules: Iterable[ModuleIndex]) -> None:
        """Something was asked of all modules that hold a word."""
        self.words[word] = tuple(module.path for module in modules)


class _Objects(State):
    """The objects of modules, with a list of those that were changed."""

    __slots__ = ("changes",)

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[int] = []

    def put(self, number: int, contents: HeapObject) -> None:
        self.changes.append(number)
        super().put(number, contents)

    def edit(self, number: int) -> Any:
        self.changes.append(number)
        return super().edit(number)

    def absorb(self, other: State) -> None:
        self.changes.extend(other.heap)
        super().absorb(other)


class ModuleReads(Reads):
    """What the code of modules reads, and in which order it is run.

    Args:
      it: runs that code, and has not begun.
    """

    def __init__(self, it: Interpreter) -> None:
        super().__init__()
        #: what each module's own code, and what that called, read of the index
        self.sinks: dict[Path, Sink] = {}
        #: what it looked for, and what was found
        self.lookups: dict[Path, dict[tuple[Path | None, str], Path | None]] = {}
        #: words that all modules were searched for, and the files that hold them
        self.words: dict[Path, dict[str, tuple[Path, ...]]] = {}
        self._objects = _Objects()
        self._objects.heap.update(it.module_state.heap)
        it.state = it.module_state = self._objects
        #: the modules whose content the results of a module's own code rest on
        self.edges: dict[Path, set[Path]] = {}
        #: by module, those whose code has changed what it made
        self.changers: dict[Path, set[Path]] = {}
        #: by module, what was run of it, and the step at which that began or ended
        self.schedule: dict[Path, list[tuple[int, str]]] = {}
        self._step = 0
        self._owners: list[Path] = []
        #: what each module's own code remembers of calls, from one of its statements to the next
        self._summaries: dict[Path, dict[Any, Any]] = {}
        self._made_by: dict[int, Path] = {}

    def read(self, module: ModuleIndex) -> None:
        """Something is taken from a module."""
        self._rests_on(module.path)

    def looked_up(self, folder: Path | None, name: str, found: Path | None) -> None:
        """A module was looked for."""
        if self._owners:
            self.lookups.setdefault(self._owners[-1], {})[folder, name] = found

    def searched(self, word: str, modules: Iterable[ModuleIndex]) -> None:
        """Something was asked of all modules that hold a word."""
        if self._owners:
            paths = tuple(module.path for module in modules)
            self.words.setdefault(self._owners[-1], {})[word] = paths

    def changed(self, module: ModuleIndex) -> None:
        """Something that belongs to a module is changed by the code that runs."""
        if self._owners:
            self._has_changed(module.path, self._owners[-1])

    def _has_changed(self, maker: Path, owner: Path) -> None:
        self.edges.setdefault(maker, set()).add(owner)
        self.changers.setdefault(maker, set()).add(owner)

    @contextmanager
    def _within(self, it: Interpreter, module: ModuleIndex, what: object) -> Iterator[None]:
        path = module.path
        self._rests_on(path)
        self._settle()
        self._log(path, f"begin {what}")
        # What is remembered of calls may rest on more than this module: it counts for one only,
        # and in none while something else waits for it that is not known yet.
        before = it.summaries, it.contexts, it.loaded, it.globals, it.makers
        outermost = not self._owners
        own = self._summaries.setdefault(path, {}) if outermost or self._owners == [path] else {}
        it.summaries, it.contexts, it.loaded, it.globals, it.makers = own, {}, set(), {}, {}
        self._owners.append(path)
        # What modules make must not depend on what these do not import.
        world, self.world = self.world, it.project.graph.below(path)
        unfinished = it.unfinished
        try:
            with into(self.sinks.setdefault(path, set())):
                yield
        finally:
            if outermost and it.unfinished != unfinished:
                self._summaries.pop(path, None)
            self._settle()
            self._owners.pop()
            self.world = world
            it.summaries, it.contexts, it.loaded, it.globals, it.makers = before
            self._log(path, f"end {what}")

    def of(
        self, it: Interpreter, module: ModuleIndex, what: object
    ) -> AbstractContextManager[None]:
        """Something is computed that is kept, and belongs to a module."""
        return self._within(it, module, what)

    def _rests_on(self, path: Path) -> None:
        if self._owners:
            self.edges.setdefault(self._owners[-1], set()).add(path)

    def _log(self, path: Path, what: str) -> None:
        self._step += 1
        self.schedule.setdefault(path, []).append((self._step, what))

    def _settle(self) -> None:
        """Say of the objects changed since the last time who made them, or changed them."""
        changes = self._objects.changes
        if not changes:
            return
        owner = self._owners[-1] if self._owners else None
        for number in dict.fromkeys(changes):
            maker = self._made_by.setdefault(number, owner) if owner is not None else None
            if maker is not None and maker != owner:
                assert owner is not None
                self._has_changed(maker, owner)
        changes.clear()

    def closure(self, path: Path) -> frozenset[Path]:
        """A module and all that the results of its code rest on."""
        seen = {path}
        waiting = [path]
        while waiting:
            for other in self.edges.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return frozenset(seen)

    def order(self, paths: Iterable[Path]) -> list[str]:
        """What was run of some modules, in the order in which it was."""
        found = [
            (step, f"{path}: {what}")
            for path in paths
            for step, what in self.schedule.get(path, ())
        ]
        return [line for _, line in sorted(found)]
