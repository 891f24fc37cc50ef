"""Whether what is known of a part from an earlier run holds, and where its code stands now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec.structs import replace

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.reads import ModuleReads
from jitlint.analysis.parts.records import PartRecord
from jitlint.analysis.parts.reports import Report
from jitlint.cache.folder import digest
from jitlint.diagnostics import Diagnostic
from jitlint.recall.layouts import Layouts, Moves, UnknownRowError, left_alone, moved
from jitlint.recall.readings import CHOSEN, Fingerprints, Question


class Foundations:
    """What the results of parts rest on, as it is in this run.

    Args:
      it: has run the code of modules.
      reads: what that code read.
      fingerprints: of what the index says.
      starts: of what starts in each file.
    """

    def __init__(
        self,
        it: Interpreter,
        reads: ModuleReads,
        fingerprints: Fingerprints,
        starts: Callable[[Path], str],
    ) -> None:
        self._project = it.project
        self._modules = it.modules
        self._reads = reads
        self._fingerprints = fingerprints
        self._starts = starts
        self._signatures: dict[Path, str] = {}
        self._shared: dict[frozenset[Path], str] = {}
        self._own: dict[Path, str] = {}
        self._words: dict[tuple[str, int], tuple[str, ...]] = {}
        self._sources: dict[str, str] = {}
        #: where names lead, by the name and the folder
        self._found: dict[tuple[str, str | None], str | None] = {}
        self._whole = repr((sorted(it.rows.items()), it.limits))

    def holds(self, path: Path, record: PartRecord) -> bool:
        """Whether what starts in a file would read what it read when it was interpreted."""
        world = self._project.graph.around(path)
        return (
            record.starts == self._starts(path)
            and all(
                self.found(name, folder) == found
                for (folder, name), found in record.lookups.items()
            )
            and self.unparsed(record.lookups.values()) == record.unparsed
            and all(
                self.signature(Path(module)) == known for module, known in record.modules.items()
            )
            and all(
                self._with_word(word, world if owner is None else self._below(owner)) == paths
                for (owner, word), paths in record.words.items()
            )
            and all(
                self._fingerprints.answer(file, asked) == known
                for file, answers in record.readings.items()
                for asked, known in self._to_ask(record, file, answers)
            )
        )

    def _to_ask(
        self, record: PartRecord, file: str, answers: Mapping[Question, str]
    ) -> Iterable[tuple[Question, str]]:
        """What must be asked of a file; of one that has not changed, what others say of it."""
        if record.sources.get(file) != self.source(file):
            return answers.items()
        return [(asked, known) for asked, known in answers.items() if asked[3] == CHOSEN]

    def found(self, name: str, folder: str | None) -> str | None:
        """The file that an import of a name finds in a folder, or anywhere."""
        known = self._found.get((name, folder), "")
        if known == "":
            path = self._project.locate(name, None if folder is None else Path(folder))
            known = self._found[name, folder] = None if path is None else str(path)
        return known

    def unparsed(self, paths: Iterable[str | None]) -> frozenset[str]:
        """Those of some files that cannot be parsed."""
        found = {path for path in paths if path is not None}
        return frozenset(p for p in found if self._project.module_at(Path(p)) is None)

    def signature(self, path: Path) -> str:
        """A name for all that the results of a module's own code rest on."""
        known = self._signatures.get(path)
        if known is None:
            closure = self._reads.closure(path)
            known = self._shared.get(closure)
            if known is None:
                paths = sorted(closure)
                known = digest(self._whole, *map(self._own_code, paths), *self._reads.order(paths))
                self._shared[closure] = known
            self._signatures[path] = known
        return known

    def source(self, path: str) -> str:
        """A name for the source of a file, comments and all, and for what the module is called."""
        known = self._sources.get(path)
        if known is None:
            text = self._project.text(Path(path))
            names = self._project.names_of(Path(path))
            content = text if isinstance(text, str) else repr(text)
            known = self._sources[path] = digest(content, *names)
        return known

    def moved(self, record: PartRecord, layouts: Layouts) -> PartRecord | None:
        """A record that holds, with the rows that its code has now; None if they cannot be told."""
        moves: Moves = {
            path: layouts.moves(self._project, path, known)
            for path, known in record.sources.items()
            if self.source(path) != known
        }
        if not moves:
            return record
        try:
            segments = tuple(
                replace(each, reports=_moved_reports(each.reports, moves))
                for each in record.segments
            )
            verdicts = {
                key: _moved_reports(reports, moves) for key, reports in record.verdicts.items()
            }
            unsupported = {
                (path, moves[path][row] if path in moves else row): said
                for (path, row), said in record.unsupported.items()
            }
        except (KeyError, UnknownRowError):
            return None
        return replace(
            record,
            segments=segments,
            verdicts=verdicts,
            unsupported=unsupported,
        )

    def outdated(self, record: PartRecord, layouts: Layouts) -> PartRecord:
        """A record that may not hold any more: its reports on code that stands as it did."""
        moves: Moves = {
            path: layouts.moves(self._project, path, known, changed=True)
            for path, known in record.sources.items()
            if self.source(path) != known
        }
        segments = [
            replace(each, reports=_reports_left(each.reports, moves)) for each in record.segments
        ]
        verdicts = {key: _reports_left(found, moves) for key, found in record.verdicts.items()}
        return replace(record, segments=tuple(segments), verdicts=verdicts, unsupported={})

    def _own_code(self, path: Path) -> str:
        """A name for what the code of one module has read."""
        known = self._own.get(path)
        if known is None:
            reads = self._reads
            lookups = reads.lookups.get(path, {})
            answers = self._fingerprints.of(reads.sinks.get(path, set()))
            said = [
                repr(sorted((file, sorted(asked.items())) for file, asked in answers.items())),
                repr(
                    sorted((str(folder), name, str(at)) for (folder, name), at in lookups.items())
                ),
                repr(
                    sorted(self.unparsed(None if p is None else str(p) for p in lookups.values()))
                ),
                repr(sorted((w, *map(str, p)) for w, p in reads.words.get(path, {}).items())),
            ]
            known = self._own[path] = digest(str(path), *said)
        return known

    def _below(self, path: str) -> int:
        """What a file can lead to; nothing if it is gone."""
        graph = self._project.graph
        return graph.below(Path(path)) if graph.bit(Path(path)) else 0

    def _with_word(self, word: str, world: int) -> tuple[str, ...]:
        known = self._words.get((word, world))
        if known is None:
            has = self._project.graph.has
            known = tuple(
                str(module.path)
                for module in self._modules
                if module.has_word(word) and has(world, module.path)
            )
            self._words[word, world] = known
        return known


def _reports_left(reports: Iterable[Report], moves: Moves) -> tuple[Report, ...]:
    """Those of some reports that are on code which stands as it did."""

    def left(item: Diagnostic) -> Diagnostic | None:
        return left_alone(item, lambda part: moves.get(part.filename))

    found = []
    for report in reports:
        items = [there for item in report.diagnostics if (there := left(item)) is not None]
        if items:
            found.append(replace(report, diagnostics=tuple(items)))
    return tuple(found)


def _moved_reports(reports: Iterable[Report], moves: Moves) -> tuple[Report, ...]:
    """Reports with the rows that their code has now.

    Raises:
      UnknownRowError: nobody knows where a row went.
    """
    return tuple(
        replace(report, diagnostics=tuple(moved(each, moves) for each in report.diagnostics))
        for report in reports
    )
