"""The pipeline: project in, diagnostics out.  Nothing is written, nothing of the project is run."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jitlint.diagnostics import (
    Diagnostic,
    Location,
    Severity,
    TracedFunctionReport,
    TraceStep,
)
from jitlint.foundation.digests import blake2b
from jitlint.foundation.garbage_collection import no_collection
from jitlint.project.index import ModuleIndex
from jitlint.project.memory import Memory
from jitlint.project.project import ParseFailure, Project
from jitlint.source import file_discovery as discovery
from jitlint.source import suppression
from jitlint.source.decoding import decode
from jitlint.source.document import DecodeFailure, is_document, is_prose

if TYPE_CHECKING:
    from jitlint.absint.machine.events import Event
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.cache.folder import PartFolder
    from jitlint.cache.parts import PartMemory
    from jitlint.cache.stamps import Witness
    from jitlint.tracing.discovery import Discovery

#: steps of an explanation that are shown; the transform and the last ones matter most
_TRACE_LENGTH = 8


@dataclass(frozen=True)
class AnalysisOptions:
    """What the caller may choose.

    Args:
      prefilter: look only at files that mention JAX or are reached; False parses every target.
      src: further import roots.
      traced_callables: a project's own transforms, from the configuration.
      budget_scale: multiplies every budget of the interpreter.
      everything: interpret every function, not only the selected ones (to measure the selection).
      jobs: how many processes share the work, if there is enough of it and the platform can fork.
    """

    prefilter: bool = True
    src: tuple[Path, ...] = ()
    traced_callables: Mapping[str, Any] = field(default_factory=dict)
    budget_scale: int = 1
    everything: bool = False
    jobs: int = 1


@dataclass(frozen=True)
class Analysis:
    """What was found.

    Args:
      diagnostics: every report in the targets, sorted, unfiltered.
      parsed_files: how many files were parsed.
      parsed_share: bytes that became syntax trees, as a share of the bytes of the indexed files.
      commented: targets with a comment that jitlint judges, whether or not they were parsed.
    """

    diagnostics: tuple[Diagnostic, ...]
    parsed_files: int
    parsed_share: float
    _trace: Callable[[], tuple[TracedFunctionReport, ...]] = field(repr=False)
    commented: tuple[Path, ...] = ()

    @cached_property
    def traced(self) -> tuple[TracedFunctionReport, ...]:
        """The functions that JAX will trace; located when first asked for."""
        return self._trace()


def analyze(
    root: Path,
    targets: Sequence[Path],
    *,
    options: AnalysisOptions | None = None,
    overlays: Mapping[Path, str] | None = None,
    exclude: Callable[[Path], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
    memory: Memory | None = None,
    witness: Witness | None = None,
    cache: PartFolder | PartMemory | None = None,
) -> Analysis:
    """Analyse a project and report on the targets.

    Args:
      root: the project root; everything under it informs the analysis.
      targets: files or folders to report on.
      options: choices.
      overlays: texts that stand for files, saved or not.
      exclude: tells which paths of the project are left out.
      progress: told how many of how many starting points are done.
      memory: what an earlier analysis remembered, and the next one will; one analysis at a time.
      witness: takes down what is read.
      cache: what earlier runs found out, and later ones shall know; None to do without.

    Returns:
      The reports and the traced functions of the targets.
    """
    options = options or AnalysisOptions()
    overlays = overlays or {}
    with no_collection():
        listed = None if witness is None else witness.listing
        files = discovery.project_files(root, targets, overlays, exclude, listed)
        named = _target_files(targets, files)
        read = _Reader(overlays, witness)
        project = Project(root, files, read, src=options.src, memory=memory)
        project.memory.trees.begin()
        modules = _modules(project, files, named, options)
        run = EventReports(project, named)
        if modules:
            run.interpret(modules, options, progress, cache)
        run.report_failures()
        for failure in read.broken:
            run.report_broken(failure)
        commented = tuple(sorted(path for path in named if _has_comment(project, path)))
        if memory is not None:
            memory.trees.end()
    texts = sum(len(module.text) for module in modules)

    def traced() -> tuple[TracedFunctionReport, ...]:
        if run.discovery is None:
            # Other processes have seen the rest.
            alone = replace(options, jobs=1)
            return analyze(root, targets, options=alone, overlays=overlays, exclude=exclude).traced
        return run.traced()

    return Analysis(
        numbered(run.diagnostics),
        project.parsed,
        sum(run.parsed.values()) / texts if texts else 0.0,
        traced,
        commented,
    )


def numbered(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort reports and finish their fingerprints.

    Args:
      diagnostics: reports whose fingerprint is what equal places share.

    Returns:
      The reports; those that share a fingerprint are told apart by their order in the file.
    """
    occurrences: Counter[tuple[str, str]] = Counter()
    found = []
    for diagnostic in sorted(diagnostics, key=lambda d: d.sort_key):
        base = diagnostic.fingerprint
        # For each file by itself: scripts of one name must not depend on which of them is linted.
        occurrences[diagnostic.filename, base] += 1
        text = f"{base}\0{occurrences[diagnostic.filename, base]}"
        digest = blake2b(text.encode(), digest_size=12)
        found.append(replace(diagnostic, fingerprint=digest.hexdigest()))
    return tuple(found)


def _target_files(targets: Sequence[Path], files: Sequence[Path]) -> set[Path]:
    folders = [target for target in targets if target.is_dir()]
    named = {target for target in targets if not target.is_dir()}
    for path in files:
        if any(path.is_relative_to(folder) for folder in folders):
            named.add(path)
    return named


class _Reader:
    """Reads the files of a project.

    Args:
      overlays: texts that stand for files.
      witness: takes down what is read.
    """

    def __init__(self, overlays: Mapping[Path, str], witness: Witness | None = None) -> None:
        self._overlays = overlays
        self._bytes = Path.read_bytes if witness is None else witness.read
        #: parts of notebooks that are no Python
        self.broken: list[DecodeFailure] = []

    def __call__(self, path: Path) -> str | ParseFailure:
        from jitlint.tracing.selection import has_marker

        text = self._overlays.get(path)
        if text is None:
            try:
                data = self._bytes(path)
            except OSError as error:
                return ParseFailure(path, "unreadable", error.strerror or str(error))
            if is_prose(path) and not has_marker(data.decode("utf-8", "replace")):
                # Nothing imports it, so nothing reaches it; most prose is not about JAX.
                return ""
            document = decode(data, path)
            if isinstance(document, DecodeFailure):
                return ParseFailure(path, "syntax", document.message, document.row, document.column)
            text = document.text
            # As with a module that does not mention JAX, what is wrong in it is not our business.
            if document.broken and has_marker(text):
                self.broken.extend(document.broken)
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _has_comment(project: Project, path: Path) -> bool:
    text = project.text(path)
    return isinstance(text, str) and suppression.may_name_rules(text)


def _modules(
    project: Project, files: Sequence[Path], named: set[Path], options: AnalysisOptions
) -> list[ModuleIndex]:
    from jitlint.tracing.selection import has_marker

    single = len(named) == 1
    if single or not options.prefilter:
        # What stands in a cell may only run there: `await` and `return` outside of functions.
        project.strict = {path for path in named if not is_document(path)}
    marked = []
    packages = []
    for path in files:
        text = project.text(path)
        if not isinstance(text, str):
            continue
        if has_marker(text) or (path in named and (single or not options.prefilter)):
            marked.append(path)
        elif path.name == "__init__.py" and "import" in text:
            # What a package exports leads from one marked module to another.
            packages.append(path)
    wanted = [*marked, *packages] if marked else []
    found = (project.module_at(path) for path in wanted)
    return [module for module in found if module is not None]


class EventReports:
    """One analysis: collects diagnostics for the targets; their fingerprints are not numbered yet.

    Args:
      project: the project.
      named: the targets.
    """

    def __init__(self, project: Project, named: set[Path]) -> None:
        self.project = project
        self.named = named
        self.diagnostics: list[Diagnostic] = []
        #: what saw every event itself, None before the run and if other processes took part
        self.discovery: Discovery | None = None
        #: how much of each unit that was parsed
        self.parsed: dict[Any, int] = {}

    def interpret(
        self,
        modules: list[ModuleIndex],
        options: AnalysisOptions,
        progress: Callable[[int, int], None] | None,
        cache: PartFolder | PartMemory | None = None,
    ) -> None:
        """Run the interpreter and report on what it saw.

        Args:
          modules: where starting points may be.
          options: what the caller chose.
          progress: told how many of how many starting points are done.
          cache: what earlier runs found out, and later ones shall know.
        """
        from jitlint.absint.machine.limits import Limits
        from jitlint.jaxmodel.transforms import configured
        from jitlint.tracing.discovery import Discovery

        found = Discovery(
            self.project,
            modules,
            Limits().scaled(options.budget_scale),
            everything=options.everything,
            rows={
                name: configured(name, entry.argument, entry.static)
                for name, entry in options.traced_callables.items()
            },
            on_failure=self.internal_error,
        )
        if cache is not None:
            from jitlint.incremental import run_in_parts

            run_in_parts(found, self, cache, options.jobs, progress)
            return
        if options.jobs > 1:
            from jitlint.parallel import share_out

            if share_out(found, self, options.jobs, progress):
                return
        it = found.run(progress)
        self.discovery = found
        for path, error in it.unsupported.items():
            self.report_unsupported(path, str(error), error.row)
        for event in it.events.values():
            self.diagnostics.extend(self.judged(event))
        self.parsed = parsed_sizes(it)

    def traced(self) -> tuple[TracedFunctionReport, ...]:
        """The traced functions of the targets, each once for a transform, sorted."""
        found: dict[tuple[str, int, str], TracedFunctionReport] = {}
        with no_collection():
            for entry in self.discovery.interpreter.entries.values() if self.discovery else ():
                if entry.code.module.path not in self.named:
                    continue
                report = self._traced(entry)
                found.setdefault((report.filename, report.row, report.transform), report)
        return tuple(found[key] for key in sorted(found))

    def _traced(self, entry: Any) -> TracedFunctionReport:
        path = entry.code.module.path
        from jitlint.absint.code.functions import Place

        place = Place(entry.code.parsed, entry.code.node)
        return TracedFunctionReport(
            str(path),
            place.position()[0],
            entry.code.qualname,
            entry.transform,
            dict(entry.parameters),
            self._steps(entry.chain, None),
        )

    # -- events to diagnostics --------------------------------------------------------------------

    def judged(self, event: Event) -> list[Diagnostic]:
        """What the rules have to say about an event, if it is in one of the targets."""
        from jitlint.rules.registry import rules_for

        module = event.place.parsed.unit.module
        found: list[Diagnostic] = []
        if module.path not in self.named:
            return found
        kind: type = type(event)  # mypy takes the class of a class with __hash__ for unhashable
        for rule in rules_for(kind):
            finding = rule.check(event)
            if finding is None:
                continue
            row, column, end_row, end_column = _span(event.place)
            function = event.function or None
            source = " ".join(event.place.parsed.source(event.place.node).split())[:400]
            found.append(
                Diagnostic(
                    code=finding.meta.code,
                    name=finding.meta.name,
                    severity=finding.severity,
                    message=finding.message,
                    help=finding.help,
                    filename=str(module.path),
                    location=Location(row, column),
                    end_location=Location(end_row, end_column),
                    function=function,
                    trace=self._steps(*event.chain),
                    hazard=finding.hazard,
                    noqa_row=_header_end(module.path, self.project, row),
                    fingerprint="\0".join((finding.meta.code, module.name, function or "", source)),
                )
            )
        return found

    def _steps(self, chain: Any, origin: Any) -> tuple[TraceStep, ...]:
        steps = [(s.place, s.note) for s in chain.steps()] if chain is not None else []
        # What host code did before the first transform explains nothing.
        first = next((i for i, (_, note) in enumerate(steps) if note.startswith("traced by")), 0)
        steps = steps[first:]
        origins: list[tuple[Any, str]] = []
        while origin is not None and len(origins) < 4:
            origins.append((origin.place, origin.note))
            origin = origin.previous
        steps.extend(reversed(origins))
        if len(steps) > _TRACE_LENGTH:
            steps = steps[:2] + steps[-(_TRACE_LENGTH - 2) :]
        found: list[TraceStep] = []
        for place, note in steps:
            row, column = _span(place)[:2]
            step = TraceStep(str(place.parsed.unit.module.path), row, column, note)
            if not found or found[-1] != step:
                found.append(step)
        return tuple(found)

    # -- what could not be done -------------------------------------------------------------------

    def report_failures(self) -> None:
        """Reports for targets that could not be read or parsed."""
        for path, failure in self.project.failures.items():
            code = {"syntax": "JIT901", "unsupported": "JIT903"}.get(failure.kind, "JIT900")
            self._own(path, code, failure.message, failure.row, failure.column)

    def report_broken(self, failure: DecodeFailure) -> None:
        """Report a cell of a notebook that is no Python; there may be several."""
        where = (failure.row, failure.column)
        code = "JIT903" if failure.newer else "JIT901"
        self._own(failure.path, code, failure.message, *where, again=True)

    def report_unsupported(self, path: Path, message: str, row: int) -> None:
        """Report syntax that libcst does not know."""
        self._own(path, "JIT903", message, row, 1)

    def internal_error(self, unit: Any, error: Exception) -> None:
        """Report that the interpretation of a unit failed."""
        import os

        if os.environ.get("JITLINT_STRICT"):
            raise error
        message = f"jitlint failed on `{unit.qualname or 'this statement'}`: "
        message += f"{type(error).__name__}: {error}"
        self._own(unit.module.path, "JIT900", message, unit.first, 1)

    def _own(
        self, path: Path, code: str, message: str, row: int, column: int, *, again: bool = False
    ) -> None:
        if path not in self.named:
            return
        from jitlint.rules.registry import find

        meta = find(code)
        assert meta is not None
        if not again and any(
            d.filename == str(path) and d.code == code == "JIT901" for d in self.diagnostics
        ):
            return
        place = Location(row, column)
        self.diagnostics.append(
            Diagnostic(
                code=code,
                name=meta.name,
                severity=meta.severity if code != "JIT903" else Severity.WARNING,
                message=message,
                help=meta.help,
                filename=str(path),
                location=place,
                end_location=Location(row, column + 1),
                function=None,
                trace=(),
                hazard=None,
                noqa_row=row,
                fingerprint="\0".join((code, path.name, "", message)),
            )
        )


def parsed_sizes(it: Interpreter) -> dict[Any, int]:
    """How long each unit is that became a syntax tree; the keys are the same in every process."""
    return {
        (str(unit.module.path), unit.first, unit.node.col_offset): len(unit.text)
        for unit in (parsed.unit for parsed in it.store._parsed.values())
    }


def _span(place: Any) -> tuple[int, int, int, int]:
    """Rows and columns of a place; of a ``try`` only its first word."""
    import libcst as cst

    row, column, end_row, end_column = place.position()
    if isinstance(place.node, (cst.Try, cst.TryStar)):
        return row, column, row, column + len("try")
    if isinstance(place.node, cst.FunctionDef):
        row, column, _, _ = place.parsed.position(place.node.name)
        return row, column, row, column + len(place.node.name.value)
    return row, column, end_row, end_column


def _header_end(path: Path, project: Project, row: int) -> int:
    """The last row of the header of the statement that holds a row."""
    module = project.module_at(path)
    unit = None if module is None else module.unit_at(row)
    if module is None or unit is None:
        return row
    start = unit.first
    for node in ast.walk(unit.node):
        # Decorators, handlers and cases have logical lines of their own.
        if isinstance(node, ast.match_case):
            first = node.pattern.lineno
        elif isinstance(node, (ast.stmt, ast.ExceptHandler)):
            first = node.lineno
        else:
            continue
        decorators = getattr(node, "decorator_list", ())
        starts = [first, *(decorator.lineno for decorator in decorators)]
        start = max(start, *(number for number in starts if number <= row), 0)
    return max(row, suppression.logical_end(module.lines, start))
