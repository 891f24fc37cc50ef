"""From paths to an analysis: discovery, one call of the engine, and what could not be done."""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from jitlint.cache.folder import FOLDER_NAME, VARIABLE, CacheFolder, PartFolder, digest
from jitlint.cache.runs import RunCache, RunResult
from jitlint.cache.stamps import Witness
from jitlint.config import Config, find_config, load_config
from jitlint.diagnostics import (
    Diagnostic,
    Location,
    Severity,
    TracedFunctionReport,
    TraceStep,
)
from jitlint.errors import UsageError
from jitlint.source import discovery
from jitlint.source.documents import (
    DecodeFailure,
    Document,
    decode,
    is_document,
    read_document,
    split_lines,
)

if TYPE_CHECKING:
    from jitlint.analysis.engine import Analysis, AnalysisOptions

T = TypeVar("T")

STDIN_NAME = "<stdin>"
#: the code of what could not be done, for reasons that may be gone the next time
_UNDONE = "JIT900"
# Trees are walked by recursion with some ten frames for each level of nesting;
# generated code nests by the hundred.  The stack is reserved, not used, and leaves some 50 KB for
# a frame, parsers in native code included.
_FRAMES = 10_000
_STACK_BYTES = 512 * 1024 * 1024


class Analyze(Protocol):
    """The engine, as the runner calls it."""

    def __call__(
        self,
        root: Path,
        targets: Sequence[Path],
        *,
        options: AnalysisOptions,
        overlays: Mapping[Path, str],
        exclude: Callable[[Path], bool],
        progress: Callable[[int, int], None] | None,
    ) -> Analysis:
        """See ``jitlint.analysis.engine.analyze``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asked to be analysed.

    Args:
      paths: files and folders.
      files: report on exactly these; the paths then only say which project they belong to.
      stdin: the bytes of standard input, analysed instead of ``paths``.
      stdin_name: the name they go by.
      documents: what stands for files by their absolute paths, saved or not.
      config_file: use this configuration instead of the nearest.
      isolated: use no configuration at all.
      exclude: patterns instead of those of the configuration; None keeps them.
      extend_exclude: patterns besides.
      force_exclude: leave out what is excluded even where a path names it.
      prefilter: False parses every file, also those without a trace of JAX.
      docstring_examples: lint examples in docstrings too; None leaves it to the configuration.
      jobs: the most processes that share the work.
      cache: keep results, and use those of earlier runs.
      cache_folder: where, instead of in the usual place.
    """

    paths: tuple[Path, ...] = ()
    files: tuple[Path, ...] | None = None
    stdin: bytes | None = None
    stdin_name: str | None = None
    documents: Mapping[Path, Document] = field(default_factory=dict)
    config_file: Path | None = None
    isolated: bool = False
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    prefilter: bool = True
    docstring_examples: bool | None = None
    jobs: int = 1
    cache: bool = False
    cache_folder: Path | None = None


@dataclass(frozen=True)
class Plan:
    """What a request comes to before anything is analysed.

    Args:
      config: the configuration that holds.
      root: the project root.
      exclude: tells which paths of the project are left out.
      targets: the files to report on.
      overlays: texts that stand for files.
      failures: one line for each thing that cannot be done.
      early: reports on input that cannot be analysed at all.
      documents: those among the overlays whose text is not all that they hold.
    """

    config: Config
    root: Path
    exclude: discovery.Excluder
    targets: Sequence[Path]
    overlays: Mapping[Path, str]
    failures: Sequence[str]
    early: Sequence[Diagnostic]
    documents: Mapping[Path, Document]


@dataclass(frozen=True)
class Run:
    """What came of a request.

    Args:
      config: the configuration that held.
      diagnostics: everything found in the targets, unfiltered, sorted.
      targets: the files that were analysed.
      failures: one line for each thing that could not be done.
      sources: the texts of the targets, read when asked for.
      root: the project root.
      commented: the targets that hold a comment for jitlint.
      analysis: the engine's own result, None where nothing was left to analyse.
      remarks: what is worth a word to the user, but no failure.
    """

    config: Config
    diagnostics: Sequence[Diagnostic]
    targets: Sequence[Path]
    failures: Sequence[str]
    sources: SourceTexts
    root: Path
    commented: Sequence[Path] = ()
    analysis: Analysis | None = None
    remarks: Sequence[str] = ()

    @property
    def traced(self) -> Sequence[TracedFunctionReport]:
        """Every traced function of the targets, located when asked for."""
        analysis = self.analysis
        if analysis is None:
            return ()
        return self.sources.located_functions(_with_deep_stack(lambda: analysis.traced))


@dataclass
class SourceTexts:
    """The texts of linted files for renderers and suppressions, each read once.

    Args:
      overlays: texts that stand in for files.
      early: documents that stand in for files, and know where their texts come from.
    """

    overlays: Mapping[Path, str]
    early: Mapping[Path, Document] = field(default_factory=dict)
    _documents: dict[str, Document | None] = field(default_factory=dict)

    def text(self, filename: str) -> str | None:
        """The Python of a file, None where it cannot be read or decoded."""
        document = self._document(filename)
        return None if document is None else document.text

    def written(self, item: Diagnostic) -> Sequence[str] | None:
        """The lines that a located report's rows refer to: of its cell, or of the whole file."""
        document = self._document(item.filename)
        return None if document is None else document.written(item.cell)

    def located(self, reports: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Reports with their places in the files, where the engine saw only the Python of them."""
        return sorted((self._located(item) for item in reports), key=lambda item: item.sort_key)

    def located_functions(
        self, found: Sequence[TracedFunctionReport]
    ) -> Sequence[TracedFunctionReport]:
        """As :meth:`located`, for traced functions."""
        return [self._located_function(item) for item in found]

    def _located(self, item: Diagnostic) -> Diagnostic:
        trace = self._located_steps(item.trace)
        document = self._origins(item.filename)
        if document is None:
            return item if trace is item.trace else replace(item, trace=trace)
        cell, row, column = document.origin(item.location.row, item.location.column)
        _, end_row, end_column = document.origin(item.end_location.row, item.end_location.column)
        _, noqa_row, _ = document.origin(item.noqa_row, 1)
        return replace(
            item,
            cell=cell,
            location=Location(row, column),
            end_location=Location(end_row, end_column),
            noqa_row=noqa_row,
            trace=trace,
        )

    def _located_function(self, item: TracedFunctionReport) -> TracedFunctionReport:
        trace = self._located_steps(item.trace)
        document = self._origins(item.filename)
        if document is None:
            return item if trace is item.trace else replace(item, trace=trace)
        cell, row, _ = document.origin(item.row, 1)
        return replace(item, cell=cell, row=row, trace=trace)

    def _located_steps(self, steps: tuple[TraceStep, ...]) -> tuple[TraceStep, ...]:
        if not any(self._may_have_origins(step.filename) for step in steps):
            return steps
        found = []
        for step in steps:
            document = self._origins(step.filename)
            if document is None:
                found.append(step)
                continue
            cell, row, column = document.origin(step.row, step.column)
            found.append(replace(step, cell=cell, row=row, column=column))
        return tuple(found)

    def _origins(self, filename: str) -> Document | None:
        """The document of a file whose Python stands elsewhere than in the text that was linted."""
        document = self._document(filename) if self._may_have_origins(filename) else None
        return document if document is not None and document.origins else None

    def _may_have_origins(self, filename: str) -> bool:
        path = Path(filename)
        return path in self.early or is_document(path)

    def _document(self, filename: str) -> Document | None:
        """The document of a file, None where it cannot be read or decoded."""
        if filename not in self._documents:
            self._documents[filename] = self._read(Path(filename))
        return self._documents[filename]

    def lines(self, filename: str) -> Sequence[str] | None:
        """The lines of a file, None where it cannot be read or decoded."""
        text = self.text(filename)
        return None if text is None else split_lines(text)

    def _read(self, path: Path) -> Document | None:
        early = self.early.get(path)
        if early is not None:
            return early
        overlay = self.overlays.get(path)
        if overlay is not None:
            return Document(path, overlay)
        try:
            document = read_document(path)
        except OSError:
            return None
        return None if isinstance(document, DecodeFailure) else document


def read_config(request: Request) -> Config:
    """The configuration that holds for a request.

    Raises:
      UsageError: the configuration is wrong.
    """
    start = discovery.common_folder(_anchors(request))
    if request.isolated:
        return Config(base=start)
    if request.config_file is not None:
        return load_config(discovery.absolute_path(request.config_file))
    return find_config(start)


@dataclass(frozen=True)
class _Outline:
    """What is known of a request before any folder is listed."""

    config: Config
    root: Path
    exclude: discovery.Excluder


def _outline(request: Request) -> _Outline:
    _check_paths(request.paths)
    config = read_config(request)
    return _Outline(config, discovery.project_root(_anchors(request)), _excluder(request, config))


def make_plan(request: Request) -> Plan:
    """Find the files and the configuration that a request is about.

    Args:
      request: what to analyse.

    Returns:
      What would be analysed, and how.

    Raises:
      UsageError: a path or the configuration is wrong.
    """
    return _plan(request, _outline(request))


def _plan(request: Request, outline: _Outline, witness: Witness | None = None) -> Plan:
    config, root, exclude = outline.config, outline.root, outline.exclude
    refuse = _refuser(root, exclude) if request.force_exclude else None
    failures: list[str] = []
    documents = dict(request.documents)
    overlays = {path: document.text for path, document in documents.items()}
    early: list[Diagnostic] = []
    targets: list[Path] = []
    if request.stdin is not None:
        path = _stdin_path(request)
        document = decode(request.stdin, path)
        if refuse is not None and refuse(path):
            pass
        elif isinstance(document, DecodeFailure):
            early.append(_decode_report(document))
        else:
            overlays[document.path] = document.text
            documents[document.path] = document
            early += [_decode_report(failure) for failure in document.broken]
            targets.append(document.path)
    else:

        def unlistable(error: OSError) -> None:
            failures.append(f"cannot list {error.filename}: {error.strerror}")

        asked = request.paths if request.files is None else request.files
        named = [path for path in asked if refuse is None or not refuse(path)]
        listed = None if witness is None else witness.listing
        for path in discovery.find_targets(named, exclude, unlistable, listed):
            reason = None if path in overlays else _unreadable(path)
            if reason is None:
                targets.append(path)
                early += _broken(documents.get(path))
            else:
                failures.append(f"cannot read {path}: {reason}")
    if _wants_examples(request, config):
        for document in _with_examples(targets, documents):
            documents[document.path] = document
            overlays[document.path] = document.text
    return Plan(config, root, exclude, targets, overlays, failures, early, documents)


def run(
    request: Request,
    *,
    progress: Callable[[int, int], None] | None = None,
    analyze: Analyze | None = None,
) -> Run:
    """Analyse what was asked for.

    Args:
      request: what to analyse.
      progress: is told how many files of how many are done.
      analyze: the engine; tests put another in its place.

    Returns:
      What was found, and what could not be done.

    Raises:
      UsageError: nothing was analysed, because a path or the configuration is wrong.
    """
    outline = _outline(request)
    if not request.cache or analyze is not None:
        return _analyse(request, _plan(request, outline), progress, analyze)
    place, named = cache_place(outline.config, request.cache_folder, outline.root)
    folder = CacheFolder(place)
    # What an editor holds is in no file, so no file can tell whether it has changed.
    held = request.stdin is not None or bool(request.documents)
    if held or _wants_examples(request, outline.config):
        parts = _Keeping(folder, writable=not held)
        return _analyse(request, _plan(request, outline), progress, None, parts)
    cache = RunCache(folder, _identity(request, outline))
    known = _known(request, outline, cache)
    if known is not None:
        return known
    # Several processes are asked the same at once, by flake8 for one: one of them does the work.
    # Making the folder now leaves the times of those alone that are about to be listed.
    with folder.locked(digest(str(outline.root))) as another:
        known = _known(request, outline, cache) if another else None
        if known is not None:
            return known
        witness = Witness()
        plan = _plan(request, outline, witness)
        result = _analyse(request, plan, progress, None, _Keeping(folder, witness))
        if not result.failures and not any(item.code == _UNDONE for item in result.diagnostics):
            cache.keep(RunResult(result.targets, result.diagnostics, result.commented), witness)
            folder.prune()
    if named and folder.failure is not None:
        remark = f"cannot keep results in {folder.path}: {folder.failure}"
        return replace(result, remarks=(remark,))
    return result


def _known(request: Request, outline: _Outline, cache: RunCache) -> Run | None:
    """What came of the same request before, if it would be the same today."""
    known = cache.find(lambda witness: _look(request, outline, witness))
    if known is None:
        return None
    return Run(
        outline.config,
        known.diagnostics,
        known.targets,
        (),
        SourceTexts({}),
        outline.root,
        known.commented,
    )


@dataclass(frozen=True)
class _Keeping:
    """Where results are kept, and what takes down what they rest on."""

    folder: CacheFolder
    witness: Witness | None = None
    writable: bool = True

    def parts(self, plan: Plan) -> PartFolder:
        """The parts of the analysis of a plan."""
        config = plan.config
        context = [
            str(plan.root),
            list(map(str, config.src)),
            {name: [row.argument, row.static] for name, row in config.traced_callables.items()},
        ]
        return PartFolder(self.folder, json.dumps(context, sort_keys=True), self.writable)


def _analyse(
    request: Request,
    plan: Plan,
    progress: Callable[[int, int], None] | None,
    analyze: Analyze | None,
    keeping: _Keeping | None = None,
) -> Run:
    """Have the engine do it."""
    config, targets, overlays = plan.config, plan.targets, plan.overlays
    failures = list(plan.failures)
    sources = SourceTexts(overlays, plan.documents)
    if not targets:
        return Run(config, plan.early, targets, failures, sources, plan.root)

    from jitlint.analysis import engine

    options = engine.AnalysisOptions(
        prefilter=request.prefilter,
        src=config.src,
        traced_callables=config.traced_callables,
        jobs=request.jobs,
    )
    run_engine = analyze or engine.analyze
    if keeping is not None:
        run_engine = partial(engine.analyze, witness=keeping.witness, cache=keeping.parts(plan))
    analysis = _with_deep_stack(
        lambda: run_engine(
            plan.root,
            targets,
            options=options,
            overlays=overlays,
            exclude=plan.exclude,
            progress=progress,
        )
    )
    failures += [
        f"cannot read {path}: it vanished during the run"
        for path in targets
        if path not in overlays and not os.path.lexists(path)
    ]
    diagnostics = sorted((*plan.early, *analysis.diagnostics), key=lambda item: item.sort_key)
    return Run(
        config,
        diagnostics,
        targets,
        failures,
        sources,
        plan.root,
        analysis.commented,
        analysis,
    )


def _wants_examples(request: Request, config: Config) -> bool:
    """Whether examples in docstrings are linted too."""
    wanted = request.docstring_examples
    return config.docstring_examples if wanted is None else wanted


def cache_place(config: Config, chosen: Path | None, root: Path) -> tuple[Path, bool]:
    """Where results are kept.

    Args:
      config: the configuration.
      chosen: what the command line says.
      root: the project root.

    Returns:
      The folder, and whether the user named it.
    """
    variable = os.environ.get(VARIABLE)
    named = chosen or (Path(variable) if variable else config.cache_dir)
    return (root / FOLDER_NAME, False) if named is None else (discovery.absolute_path(named), True)


def _identity(request: Request, outline: _Outline) -> Sequence[object]:
    """All that decides what a run reads and how it looks at that, but for what it reads."""
    config = outline.config
    files = None if request.files is None else list(map(_absolute, request.files))
    return [
        str(outline.root),
        list(map(_absolute, request.paths)),
        files,
        # What is excluded on the command line is relative to the current folder.
        str(Path.cwd()) if request.exclude or request.extend_exclude else None,
        request.exclude,
        request.extend_exclude,
        request.force_exclude,
        request.prefilter,
        str(config.base),
        config.exclude,
        config.extend_exclude,
        list(map(str, config.src)),
        {name: [row.argument, row.static] for name, row in config.traced_callables.items()},
    ]


def _absolute(path: Path) -> str:
    return str(discovery.absolute_path(path))


def files_of(request: Request) -> Sequence[Path]:
    """Every file that a run reads, and where its configuration may stand.

    Raises:
      UsageError: a path or the configuration is wrong.
    """
    outline = _outline(request)
    start = discovery.common_folder(_anchors(request))
    settings = [
        folder / name
        for folder in (start, *start.parents)
        for name in ("pyproject.toml", "setup.cfg")
    ]
    if request.config_file is not None:
        settings.append(discovery.absolute_path(request.config_file))
    return [*settings, *_look(request, outline, Witness())[1]]


def _look(
    request: Request, outline: _Outline, witness: Witness
) -> tuple[Sequence[Path], Sequence[Path]]:
    """The targets of a request, and everything that an analysis would read."""
    plan = _plan(request, outline, witness)
    files = discovery.project_files(plan.root, plan.targets, (), plan.exclude, witness.listing)
    return plan.targets, files


def _with_deep_stack(call: Callable[[], T]) -> T:
    """Call a function where recursion may go deep: in a thread with a stack of its own size.

    Args:
      call: the function; what it raises is raised here.

    Returns:
      Its result.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def target() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    frames = sys.getrecursionlimit()
    previous = threading.stack_size()
    try:
        sys.setrecursionlimit(max(frames, _FRAMES))
        threading.stack_size(_STACK_BYTES)
        # A daemon, so that an interrupt of the main thread ends the process.
        thread = threading.Thread(target=target, name="jitlint", daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
        sys.setrecursionlimit(frames)
    if errors:
        raise errors[0]
    return results[0]


def _anchors(request: Request) -> tuple[Path, ...]:
    """The paths that decide which project and configuration a request is about."""
    if request.stdin is None:
        return request.paths
    # The named file need not exist, but its folder should.
    folder = _stdin_path(request).parent
    return (folder if folder.is_dir() else Path.cwd(),)


def _stdin_path(request: Request) -> Path:
    return discovery.absolute_path(Path(request.stdin_name or STDIN_NAME))


def _check_paths(paths: Sequence[Path]) -> None:
    """Stop before anything is linted when a path does not exist.

    Raises:
      UsageError: naming every missing path.
    """
    missing = [str(path) for path in paths if not os.path.lexists(path)]
    if missing:
        raise UsageError(
            f"no such file or folder: {', '.join(missing)} (expected existing files or folders, "
            "or - for standard input)"
        )


def _excluder(request: Request, config: Config) -> discovery.Excluder:
    """Combine the exclusions of the configuration and the command line, each with its own base."""
    extended = discovery.make_excluder(config.extend_exclude, config.base)
    if request.exclude is not None:
        main = discovery.make_excluder((*request.exclude, *request.extend_exclude), Path.cwd())
        return lambda path: main(path) or extended(path)
    patterns = discovery.DEFAULT_EXCLUDES if config.exclude is None else config.exclude
    configured = discovery.make_excluder((*patterns, *config.extend_exclude), config.base)
    if not request.extend_exclude:
        return configured
    added = discovery.make_excluder(request.extend_exclude, Path.cwd())
    return lambda path: configured(path) or added(path)


def _refuser(root: Path, exclude: discovery.Excluder) -> discovery.Excluder:
    """The test that ``--force-exclude`` puts to every path that was named.

    Args:
      root: the project root; what it and its parents are called excludes nothing.
      exclude: the test that the walk puts to each folder on its way down.

    Returns:
      A function of a path; true where the path or a folder above it, up to the root, is excluded.
    """
    marked = any((root / marker).exists() for marker in discovery.ROOT_MARKERS)
    top = root if marked else Path.cwd()

    def refuse(path: Path) -> bool:
        absolute = discovery.absolute_path(path)
        if not absolute.is_relative_to(top):
            return exclude(absolute)
        inner = absolute.relative_to(top).parts
        return any(exclude(top.joinpath(*inner[:depth])) for depth in range(1, len(inner) + 1))

    return refuse


def _unreadable(path: Path) -> str | None:
    """Why a target cannot be read, as far as can be told without opening it."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return error.strerror or str(error)
    if not stat.S_ISREG(mode):
        return "not a regular file"
    return None if os.access(path, os.R_OK) else "permission denied"


def _broken(document: Document | None) -> list[Diagnostic]:
    """Reports on the parts of a document that are no Python, where it is about JAX at all."""
    if document is None or not document.broken:
        return []
    from jitlint.tracing.selection import has_marker

    concerned = not is_document(document.path) or has_marker(document.text)
    return [_decode_report(item) for item in document.broken] if concerned else []


def _with_examples(
    targets: Sequence[Path], documents: Mapping[Path, Document]
) -> Iterator[Document]:
    """Yield the targets that have examples in docstrings, with those behind them."""
    from jitlint.source.docstrings import with_examples

    for path in targets:
        document: Document | DecodeFailure | None = documents.get(path)
        if is_document(path):
            continue
        if document is None:
            with suppress(OSError):
                document = read_document(path)
        if isinstance(document, Document):
            extended = with_examples(document)
            if extended is not document:
                yield extended


def _decode_report(failure: DecodeFailure) -> Diagnostic:
    """Standard input that is no Python text, as the JIT901 or JIT903 that a file would get."""
    from jitlint.rules.registry import find

    code = "JIT903" if failure.newer else "JIT901"
    rule = find(code)
    place = Location(failure.row, failure.column)
    return Diagnostic(
        code=code,
        name="syntax-error" if rule is None else rule.name,
        severity=Severity.WARNING if failure.newer else Severity.ERROR,
        message=failure.message,
        help=None if rule is None else rule.help,
        filename=str(failure.path),
        location=place,
        end_location=Location(failure.row, failure.column + 1),
        function=None,
        trace=(),
        hazard=None,
        noqa_row=failure.row,
        fingerprint="",
    )
