"""An analysis in parts: one for the code of all modules, then one for the functions of each file.

Every part sees the objects that modules made, and nothing of what another part remembers, so its
results depend on nothing but what it reads.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jitlint.absint.detectors.compilation import JitUses, Making, Verdict, emit
from jitlint.absint.machine.reads import ModuleReads, Reads, ShareReads
from jitlint.absint.values.heap import State
from jitlint.tracing.places import Name, PlaceNames
from jitlint.tracing.shared_uses import SharedUses, export
from jitlint.tracing.sharing import Identity, Progress, Share, Use, use_of

if TYPE_CHECKING:
    from jitlint.absint.machine.events import Event
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import Unit
    from jitlint.tracing.discovery import Discovery


#: names the place of an event, and says what happens there
EventKey = tuple[Name, str]


def fork(it: Interpreter) -> Interpreter:
    """An interpreter that goes on from what modules made, and leaves the first one as it is.

    What both parse is parsed once, and a function is the same function to both.
    """
    other = copy.copy(it)
    base = State(dict(it.module_state.heap))
    other.state = other.module_state = base
    other.events, other.entries, other.unsupported = {}, {}, {}
    # A function may be traced in the state in which it was made.
    other.pending = {
        made: State(dict(state.heap), dict(state.assumed), base)
        for made, state in it.pending.items()
    }
    other.made_under = dict(it.made_under)
    other.called = set()
    other.nested, other.summaries, other.contexts, other.globals = {}, {}, {}, {}
    other.loaded = set()
    other.exhausted = False
    other.stack = []
    other.unit_values = dict(it.unit_values)
    other.unit_running, other.resolving = set(), set()
    other.class_cache = {
        key: list(value) if isinstance(value, list) else value
        for key, value in it.class_cache.items()
    }
    other.made_in = dict(it.made_in)
    other.pushes, other.balanced = {}, set()
    other.defaults = dict(it.defaults)
    other.lifetimes = dict(it.lifetimes)
    other._observations = {JitUses: it.observations(JitUses).forked()}
    return other


class Part:
    """One part, interpreted in this process.

    Args:
      discovery: runs it.
      names: gives places their names.
    """

    def __init__(self, discovery: Discovery, names: PlaceNames) -> None:
        self._discovery = discovery
        self.interpreter = discovery.interpreter
        self._names = names
        self._share = Share(discovery, names)
        self._seen: dict[Any, Event] = {}
        self._makings: dict[Name, Making] | None = None

    def new_events(self) -> list[tuple[EventKey, Event]]:
        """Events, with what names them, that are new since this was last asked."""
        found = []
        for key, event in self.interpreter.events.items():
            if self._seen.get(key) is not event:
                self._seen[key] = event
                found.append(((self._names.of_place(event.place), type(event).__name__), event))
        return found

    def uses(self) -> SharedUses:
        """What was seen of jitted functions."""
        return export(self.interpreter, self._names)

    def judge(self, place: Name, verdict: Verdict) -> None:
        """Record the event of a verdict on a place that this part has seen."""
        if self._makings is None:
            self._makings = {
                self._names.of_place(making.place): making
                for making in self.interpreter.observations(JitUses).makings.values()
            }
        emit(self.interpreter, self._makings[place], verdict)


class FilePart(Part):
    """What starts in one file.

    Args:
      discovery: the analysis; its interpreter has run the code of modules.
      names: gives places their names.
      units: the starting points.
    """

    def __init__(self, discovery: Discovery, names: PlaceNames, units: Sequence[Unit]) -> None:
        own = copy.copy(discovery)
        own.interpreter = fork(discovery.interpreter)
        super().__init__(own, names)
        self._units = units
        self._known = len(self.interpreter.pending)
        self.reads = ShareReads()
        self.interpreter.reads = self.reads

    def run(self, progress: Callable[[], None]) -> Progress:
        """Interpret the starting points."""
        with listening(self._discovery, self.reads):
            for unit in self._units:
                self.reads.touch(unit.module)
                self._discovery.run_units([unit])
                progress()
        return self._progress()

    def trace(self, identities: Iterable[Identity]) -> Progress:
        """Trace transformed functions that nobody has called, in this order."""
        with listening(self._discovery, self.reads):
            self._share.trace(identities, ())
        return self._progress()

    def _progress(self) -> Progress:
        return Progress(self._share.made_since(self._known), self._share.progress().called)


class ModulePart(Part):
    """The code of all modules, which every other part rests on.

    Args:
      discovery: the analysis, not yet run.
      names: gives places their names.
    """

    def __init__(self, discovery: Discovery, names: PlaceNames) -> None:
        super().__init__(discovery, names)
        self.reads = ModuleReads(self.interpreter)
        self.interpreter.reads = self.reads

    def run(self, progress: Callable[[int, int], None] | None = None) -> Progress:
        """Run it."""
        discovery, it = self._discovery, self.interpreter
        with listening(discovery, self.reads):
            for unit in discovery.units[: discovery.module_level]:
                with self.reads.of(it, unit.module, (unit.first, unit.qualname, "root")):
                    discovery.run_units([unit], progress)
        return self._share.progress()


@contextmanager
def listening(discovery: Discovery, reads: Reads) -> Iterator[None]:
    """Take down which modules are looked for."""
    project = discovery.project
    project.on_look = reads.looked
    try:
        yield
    finally:
        project.on_look = None


def effective(identities: Iterable[Identity], called: set[Use]) -> list[Identity]:
    """Those that nobody has called yet."""
    return [identity for identity in identities if use_of(identity) not in called]
