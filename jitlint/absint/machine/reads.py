"""What the interpretation of some code reads of a project, so that its results can be used again.

Code of one module is interpreted with what other modules define.  Wherever the interpreter takes
something from a module by a name it says so here; what it holds of a module after that came from
there, or from something that was taken down when it was computed.

Code of modules is run first, and what it makes is seen by all functions.  Which modules had a part
in that is a graph: an edge leads from a module to one whose content its own code's results rest on,
because that code read it, or because code of the other changed an object that it had made.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jitlint.absint.values.heap import HeapObject, Slot, State
from jitlint.absint.values.traversal import lies_elsewhere, parts_of, reachable
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

    def searched(
        self, word: str, modules: Iterable[ModuleIndex], owner: Path | None = None
    ) -> None:
        """Something was asked of modules that hold a word; these do.

        Args:
          word: the word.
          modules: those of them that may be there.
          owner: the module whose own code asks of what it can lead to.
        """

    def of(
        self, it: Interpreter, module: ModuleIndex, what: object
    ) -> AbstractContextManager[None]:
        """Something is computed that is kept, and belongs to a module: it is taken from there."""
        return _NOTHING

    def changed(self, module: ModuleIndex) -> None:
        """Something that belongs to a module is changed by the code that runs."""

    def used_up(self) -> None:
        """The starting point has used up its steps."""

    def finish(self) -> None:
        """All code was run that this is about."""


class ShareReads(Reads):
    """What the functions of one file read.

    Attributes:
      modules: the modules whose code made something that was taken.
      lookups: modules that were looked for, and the files that were found.
      words: words that modules were searched for, those that a module can lead to or those that
        the functions may have to do with, and the files that hold them.
    """

    def __init__(self, world: int = -1) -> None:
        super().__init__(world)
        self.sink: Sink = set()
        self.modules: set[Path] = set()
        self.lookups: dict[tuple[Path | None, str], Path | None] = {}
        self.words: dict[tuple[Path | None, str], tuple[Path, ...]] = {}

    def read(self, module: ModuleIndex) -> None:
        """Something is taken from a module."""
        self.modules.add(module.path)

    def looked_up(self, folder: Path | None, name: str, found: Path | None) -> None:
        """A module was looked for, from a folder or from anywhere."""
        self.lookups[folder, name] = found

    def searched(
        self, word: str, modules: Iterable[ModuleIndex], owner: Path | None = None
    ) -> None:
        """Something was asked of all modules that hold a word."""
        self.words[owner, word] = tuple(module.path for module in modules)


class _Compartments:
    """What code of each module has to itself: what it remembers of calls, and what detectors know.

    Attributes:
      owners: the modules whose code runs, the innermost last.
    """

    def __init__(self) -> None:
        self.owners: list[Path] = []
        #: what each module's own code remembers of calls, from one of its statements to the next
        self._summaries: dict[Path, dict[Any, Any]] = {}
        #: what detectors knew when a module's own code was left
        self._left: dict[Path, dict[int, Slot]] = {}

    @contextmanager
    def entered(self, it: Interpreter, path: Path) -> Iterator[None]:
        """Run code of a module.

        What is remembered of calls may rest on more than this module: it counts for one only, and
        in none while something else waits for it that is not known yet.
        """
        reads = it.reads
        before = it.summaries, it.contexts, it.loaded, it.globals, it.makers
        outermost = not self.owners
        own = self._summaries.setdefault(path, {}) if outermost or self.owners == [path] else {}
        it.summaries, it.contexts, it.loaded, it.globals, it.makers = own, {}, set(), {}, {}
        self.owners.append(path)
        # What modules make must not depend on what these do not import.
        world, reads.world = reads.world, it.project.graph.below(path)
        unfinished = it.unfinished
        try:
            yield
        finally:
            if outermost and it.unfinished != unfinished:
                self._summaries.pop(path, None)
            self.owners.pop()
            reads.world = world
            it.summaries, it.contexts, it.loaded, it.globals, it.makers = before

    def forget(self) -> None:
        """Let go of all of it: no more code of modules will be run."""
        self._summaries.clear()
        self._left.clear()

    def slots(self, it: Interpreter, path: Path) -> Within:
        """Run it on what detectors may know there; asked before the module is entered."""
        if self.owners[-1:] == [path]:
            return _NOTHING
        return it.slots_apart(self._left.setdefault(path, {}))


class ProgramReads(Reads):
    """What the code of a program reads: of a file that nothing imports, which runs by itself.

    Args:
      share: takes down what the part reads that the code belongs to.
    """

    def __init__(self, share: Reads) -> None:
        super().__init__(share.world)
        self.sink = share.sink
        self._share = share
        self._compartments = _Compartments()

    def read(self, module: ModuleIndex) -> None:
        """Something is taken from a module."""
        self._share.read(module)

    def looked_up(self, folder: Path | None, name: str, found: Path | None) -> None:
        """A module was looked for."""
        self._share.looked_up(folder, name, found)

    def searched(
        self, word: str, modules: Iterable[ModuleIndex], owner: Path | None = None
    ) -> None:
        """Something was asked of modules that hold a word."""
        owners = self._compartments.owners
        self._share.searched(word, modules, owners[-1] if owners else owner)

    def finish(self) -> None:
        """All code of the program was run."""
        self._compartments.forget()

    @contextmanager
    def of(self, it: Interpreter, module: ModuleIndex, what: object) -> Iterator[None]:
        """Something is computed that is kept, and belongs to a module."""
        slots = self._compartments.slots(it, module.path)
        with self._compartments.entered(it, module.path), slots:
            yield


class _Objects(State):
    """The objects of modules.

    Attributes:
      before: what those were that have changed since that was last asked; None for new ones.
    """

    __slots__ = ("before",)

    def __init__(self) -> None:
        super().__init__()
        self.before: dict[int, HeapObject | None] = {}

    def put(self, number: int, contents: HeapObject) -> None:
        self.before.setdefault(number, self.heap.get(number))
        super().put(number, contents)

    def share(self, number: int, contents: HeapObject) -> None:
        self.before.setdefault(number, self.heap.get(number))
        super().share(number, contents)

    def edit(self, number: int) -> Any:
        self.before.setdefault(number, self.heap.get(number))
        return super().edit(number)

    def absorb(self, other: State) -> None:
        for number in other.heap:
            self.before.setdefault(number, self.heap.get(number))
        super().absorb(other)

    def settled(self) -> dict[int, HeapObject | None]:
        """What has changed since this was last asked, and what it was."""
        before, self.before = self.before, {}
        # What is owned would be changed in place.
        self._owned -= before.keys()
        return before


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
        self._it = it
        self._objects = _Objects()
        self._objects.heap.update(it.module_state.heap)
        it.state = it.module_state = self._objects
        #: the modules whose content the results of a module's own code rest on
        self.edges: dict[Path, set[Path]] = {}
        #: by module, those whose code has changed what it made
        self.changers: dict[Path, set[Path]] = {}
        #: by module, what was run of it, and the step at which that began or ended
        self.schedule: dict[Path, list[tuple[int, str]]] = {}
        #: the modules whose own code was too much to be run
        self.exhausted: set[Path] = set()
        self._step = 0
        self._compartments = _Compartments()
        self._owners = self._compartments.owners
        #: who made each object, and who first said each thing that a detector knows
        self._made_by: dict[Hashable, Path] = {}
        #: what detectors knew when it was last settled who has changed what
        self._slots: dict[int, Mapping[Hashable, object]] = {}
        #: by object, those that have changed it, and are not who made it
        self._changed: dict[int, set[Path]] = {}

    def read(self, module: ModuleIndex) -> None:
        """Something is taken from a module."""
        self._rests_on(module.path)

    def looked_up(self, folder: Path | None, name: str, found: Path | None) -> None:
        """A module was looked for."""
        if self._owners:
            self.lookups.setdefault(self._owners[-1], {})[folder, name] = found

    def searched(
        self, word: str, modules: Iterable[ModuleIndex], owner: Path | None = None
    ) -> None:
        """Something was asked of modules that hold a word."""
        if self._owners:
            paths = tuple(module.path for module in modules)
            self.words.setdefault(self._owners[-1], {})[word] = paths

    def changed(self, module: ModuleIndex) -> None:
        """Something that belongs to a module is changed by the code that runs."""
        if self._owners:
            self._has_changed(module.path, self._owners[-1])

    def used_up(self) -> None:
        """The module that is run has used up its steps.

        What it runs of other modules is not run to its end, either, and how far that comes hangs on
        what was run before it.  It is run again when somebody needs it, but what it has changed
        until then stays.
        """
        for path in self._owners[:1]:
            self.exhausted.add(path)
        for path in self._owners[1:]:
            self.edges.setdefault(path, set()).add(self._owners[0])

    def _has_changed(self, maker: Path, owner: Path) -> None:
        self.edges.setdefault(maker, set()).add(owner)
        self.changers.setdefault(maker, set()).add(owner)

    @contextmanager
    def _within(self, it: Interpreter, module: ModuleIndex, what: object) -> Iterator[None]:
        path = module.path
        self._rests_on(path)
        self._settle()
        self._log(path, f"begin {what}")
        outermost = not self._owners
        slots = self._compartments.slots(it, path)
        with self._compartments.entered(it, path):
            try:
                with into(self.sinks.setdefault(path, set())), slots:
                    yield
            finally:
                self._settle()
                if it.finishing and not outermost:
                    # By its own budget or by that of what led here: both rest on what was run
                    # before.
                    self.edges.setdefault(path, set()).add(self._owners[0])
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
        """Say of what was changed since the last time who made it, or changed it."""
        owner = self._owners[-1] if self._owners else None
        for number, before in self._objects.settled().items():
            contents = self._objects.heap[number]
            if isinstance(contents, Slot):
                self._settle_slot(number, contents.by_subject(), owner)
                continue
            maker = None if owner is None else self._made_by.setdefault(number, owner)
            if maker != owner and (before != contents or lies_elsewhere(before, contents)):
                assert owner is not None
                self._changed.setdefault(number, set()).add(owner)

    def _settle_slot(self, number: int, now: Mapping[Hashable, object], owner: Path | None) -> None:
        """Say the same of each thing that a detector knows by itself."""
        before = self._slots.get(number, {})
        self._slots[number] = now
        if owner is None:
            return
        gone = before.keys() - now.keys()
        new = [key for key, known in now.items() if key not in before or before[key] != known]
        for key in (*gone, *new):
            maker = self._made_by.setdefault((number, key), owner)
            if maker != owner:
                self._has_changed(maker, owner)

    def finish(self) -> None:
        """All code of modules was run: what was changed counts if anybody can still come by it.

        What calls have left behind gets the same numbers in each of them, whoever calls.
        """
        self._compartments.forget()
        it, heap = self._it, self._objects.heap
        held = [value for values in it.unit_values.values() for value in values.values()]
        for key, known in it.facts.items():
            if isinstance(key, tuple) and key[0] == "unit":
                held += known.values()
        for number in (*it.standing, *it.defaults):
            held += parts_of(heap.get(number))
        kept = reachable(held, heap) | it.standing | it.defaults.keys()
        for number, owners in self._changed.items():
            for owner in owners if number in kept else ():
                self._has_changed(self._made_by[number], owner)
        self._changed.clear()

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
