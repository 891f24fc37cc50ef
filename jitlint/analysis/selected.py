"""What is selected of a project: as in an earlier run, where all that this rests on is alike."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from jitlint.analysis.inputs import Inputs
from jitlint.cache.folder import digest
from jitlint.jaxmodel.transforms import Transform
from jitlint.project.index import ModuleIndex
from jitlint.project.reading import Sink, into
from jitlint.project.units import Unit
from jitlint.recall.decoding import decoded
from jitlint.recall.kept_readings import Answers, KeptReadings
from jitlint.recall.readings import RunReadings
from jitlint.tracing.selection import Selection

if TYPE_CHECKING:
    from jitlint.cache.stores import Store
    from jitlint.recall.whole_runs import WholeRuns

_KIND = "selection"
#: a unit: its file, and its key
_Name = tuple[str, tuple[str, str, int]]


class Selected(Struct, frozen=True):
    """What is interpreted.

    Args:
      inputs: what is analysed.
      modules: the modules that are looked at, in order.
      units: the units that are starting points, by their identities.
      between: functions that lead from programs to those, by their identities.
      read: what was read for that; nothing where nobody keeps it.
    """

    inputs: Inputs
    modules: list[ModuleIndex]
    units: Mapping[int, Unit]
    between: Mapping[int, Unit]
    read: RunReadings

    @property
    def module_names(self) -> list[str]:
        """The files of the modules, in order."""
        return [str(module.path) for module in self.modules]

    @property
    def unit_names(self) -> list[_Name]:
        """What tells the units from others, in order."""
        return [(str(unit.module.path), unit.key) for unit in self.units.values()]

    @property
    def between_names(self) -> list[_Name]:
        """What tells the functions between from others, in order."""
        return [(str(unit.module.path), unit.key) for unit in self.between.values()]

    def is_followed(self, unit: object) -> bool:
        """Whether host code is followed into a function, however long it is."""
        return id(unit) in self.units or id(unit) in self.between

    @property
    def name(self) -> str:
        """A name for what is selected: another where anything else is, or in another order."""
        names = [*map(repr, self.unit_names), "", *map(repr, self.between_names)]
        return digest(*self.module_names, "", *names)


class _Record(Struct, frozen=True):
    """A selection; files by their paths as texts.

    Args:
      world: a digest of who leads to whom, where imports start, and the modules to begin with.
      sources: digests of the sources of all files that matter.
      modules: the modules that are looked at, in order.
      units: the units that were selected, in order.
      between: functions that lead from programs to those.
      read: what was read.
    """

    world: str
    sources: dict[str, str]
    modules: list[str]
    units: list[_Name]
    between: list[_Name]
    read: KeptReadings


def select(
    inputs: Inputs, rows: Mapping[str, Transform], store: Store | None, whole: WholeRuns | None
) -> Selected:
    """Select what is interpreted.

    Args:
      inputs: what is analysed.
      rows: the transforms that the project declares.
      store: knows what earlier runs have selected, and is told of this one; None to do without.
      whole: knows how the files of the project are now, where there is a store.
    """
    project = inputs.project
    if store is None or whole is None:
        found = Selection(project, inputs.files, inputs.modules, rows)
        return Selected(inputs, found.modules, found.units, found.between, RunReadings())
    began = [str(module.path) for module in inputs.modules]
    files = list(map(str, inputs.files))
    roots = map(str, project.import_roots)
    world = digest(repr(sorted(rows.items())), whole.edges, *roots, "", *began)
    # Files that have nothing to do with each other are selected from by themselves.
    key = digest(str(project.root), *files)
    known = decoded(store.read(_KIND, key), _Record)
    sources = {path: whole.sources[path] for path in files}
    before = {} if known is None else known.sources
    earlier = () if known is None else (known.read,)
    answers = Answers(project, earlier, lambda path: before.get(path) == sources.get(path))
    if known is not None and known.world == world and before.keys() == sources.keys():
        changed = [path for path, source in sources.items() if before[path] != source]
        if all(answers.holds(path, known.read) for path in changed):
            recalled = _recalled(inputs, known)
            if recalled is not None:
                return recalled
    sink: Sink = set()
    with into(sink):
        found = Selection(project, inputs.files, inputs.modules, rows)
    read = RunReadings(answers.fingerprints.of(sink), {*found.words})
    made = Selected(inputs, found.modules, found.units, found.between, read)
    if store.writable and not project.failures:
        kept = answers.keep(read, inputs.files)
        record = _Record(
            world, sources, made.module_names, made.unit_names, made.between_names, kept
        )
        store.write(_KIND, key, msgspec.msgpack.encode(record))
    return made


def _recalled(inputs: Inputs, known: _Record) -> Selected | None:
    """What an earlier run has selected; None where some of it is not there."""
    project = inputs.project
    modules = {name: project.module_at(Path(name)) for name in known.modules}
    units: dict[int, Unit] = {}
    between: dict[int, Unit] = {}
    for names, those in ((known.units, units), (known.between, between)):
        for name, key in names:
            module = modules.get(name)
            unit = None if module is None else module.unit_of(key)
            if unit is None:
                return None
            those[id(unit)] = unit
    there = [module for module in modules.values() if module is not None]
    if len(there) < len(modules):
        return None
    return Selected(
        inputs, there, units, between, RunReadings(known.read.readings, {*known.read.words})
    )
