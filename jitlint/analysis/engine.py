"""The entry: project in, diagnostics out.  Nothing of the project is run, or written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from jitlint.analysis.inputs import Inputs, Reader, has_comment, modules_to_index, target_files
from jitlint.analysis.options import AnalysisOptions
from jitlint.analysis.parts.listings import Listing
from jitlint.analysis.program_settings import as_programs_run
from jitlint.cache.memory import PartMemory
from jitlint.diagnostics import Diagnostic, OmissionReport, TracedFunctionReport, numbered
from jitlint.foundation.garbage_collection import no_collection
from jitlint.project.memory import Memory
from jitlint.project.project import Project
from jitlint.project.reading import Sink, into
from jitlint.rules.codes import INTERNAL_ERROR
from jitlint.sketches import SketchedFunction
from jitlint.source import file_discovery
from jitlint.source.settings_files import settings_files
from jitlint.tracing.markers import has_marker

if TYPE_CHECKING:
    from jitlint.analysis.selected import Selected
    from jitlint.cache.stamps import Witness
    from jitlint.cache.stores import Store
    from jitlint.recall.compiled_texts import CompiledTexts
    from jitlint.recall.whole_runs import WholeRuns

#: files below a folder that nothing marks as a project, such as a home folder, up to which all of
#: them are looked at; of more, only what the targets may import, and what imports them beside them
MOST_UNMARKED: Final = 2_000


@dataclass(frozen=True)
class Analysis:
    """What was found.

    Args:
      diagnostics: every report in the targets, sorted, unfiltered.
      parsed_files: how many files were parsed.
      parsed_share: bytes that became syntax trees, as a share of the bytes of the indexed files.
      commented: targets with a comment that jitlint judges, whether or not they were parsed.
      early: whether some reports are those of an earlier run, and may be outdated.
    """

    diagnostics: tuple[Diagnostic, ...]
    parsed_files: int
    parsed_share: float
    _list: Callable[[], Listing] = field(repr=False)
    commented: tuple[Path, ...] = ()
    _omit: Callable[[], tuple[OmissionReport, ...]] = field(repr=False, default=tuple)
    _dismantle: Callable[[], None] = field(repr=False, default=lambda: None)
    early: bool = False

    @classmethod
    def joined(cls, parts: Sequence[Analysis]) -> Analysis:
        """The analyses of several projects as one."""
        files = sum(part.parsed_files for part in parts)
        diagnostics = chain.from_iterable(part.diagnostics for part in parts)
        return cls(
            tuple(sorted(diagnostics, key=lambda item: item.sort_key)),
            files,
            sum(part.parsed_share * part.parsed_files for part in parts) / (files or 1),
            lambda: Listing.joined(part.listing for part in parts),
            tuple(chain.from_iterable(part.commented for part in parts)),
            lambda: tuple(chain.from_iterable(part.omissions for part in parts)),
            lambda: _each(part.dismantle for part in parts),
            any(part.early for part in parts),
        )

    @cached_property
    def listing(self) -> Listing:
        """The functions that run; located when first asked for.

        That takes another analysis where the options did not ask for them.
        """
        return self._list()

    @property
    def traced(self) -> tuple[TracedFunctionReport, ...]:
        """The functions that JAX will trace."""
        return self.listing.traced

    @property
    def sketched(self) -> tuple[SketchedFunction, ...]:
        """The functions with parameters of which something is known, for ``jitlint verify``."""
        return self.listing.sketched

    @cached_property
    def omissions(self) -> tuple[OmissionReport, ...]:
        """What was left out of the targets although JAX traces it; located when first asked for.

        Parts that earlier runs know have none to tell of unless the options ask for them.
        """
        return self._omit()

    def dismantle(self) -> None:
        """Let go of what was interpreted, which for the most part refers to itself.

        For processes that analyse often.  What was not asked for before cannot be had any more, but
        for the reports.
        """
        self._dismantle()


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
    cache: Store | None = None,
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
        It stands for a cache that is not given.
      witness: takes down what is read.
      cache: what earlier runs found out, and later ones shall know; None to do without.  It makes
        no difference to what is found.

    Returns:
      The reports and the traced functions of the targets.
    """
    options = options or AnalysisOptions()
    overlays = overlays or {}

    def analyze_again() -> Analysis:
        # Nobody listed the functions, or other processes and earlier runs have seen some of them.
        alone = replace(options, jobs=1, listing=True)
        return analyze(root, targets, options=alone, overlays=overlays, exclude=exclude)

    with no_collection():
        listed = None if witness is None else witness.listing
        files = file_discovery.project_files(root, targets, overlays, exclude, listed)
        settings = settings_files(root, exclude, listed)
        named = target_files(targets, files)
        read = Reader(overlays, witness)
        project = Project(root, files, read, src=options.src, memory=memory)
        if len(files) > max(MOST_UNMARKED, len(named)) and not file_discovery.is_marked(root):
            project = project.within_reach(named)
        project.memory.trees.begin()
        whole = compiled = None
        if cache is None and memory is not None:
            memory.parts = cache = memory.parts or PartMemory()
        if cache is not None:
            cache.begin(project.files)
            whole = _whole_runs(cache, project, named, options, map(read.settings, settings))
            # By now all texts are read.  What is broken in one is no part of it.
            anew = options.listing or options.omissions or bool(read.broken)
            known = None if anew else whole.find()
            if known is None:
                compiled = _recall(cache, project, whole)
                known = None if anew else whole.find_unread()
            if known is not None:
                if compiled is not None:
                    compiled.keep()
                return _known(known, project, named, lambda: analyze_again().listing)
        #: what is read beside the parts, which keep what they read by themselves
        sink: Sink | None = None if whole is None else set()
        beginning: Sink | None = None if whole is None else set()
        with into(beginning):
            inputs = list(_inputs(project, named, options))
        every = _selected(inputs, options, cache, whole)
        if whole is not None and compiled is not None:
            selected = [each.name for each in every]
            selecting = whole.read(beginning or set(), [each.read for each in every])
            known = None if anew else whole.find_selected(selected, selecting)
            if known is not None:
                compiled.keep()
                return _known(known, project, named, lambda: analyze_again().listing)
        with into(sink):
            if every:
                # The interpreter is not even imported where nothing mentions JAX.
                from jitlint.analysis.sharing import run

                outcomes = run(every, options, progress, cache, whole)
            else:
                outcomes = []
        if compiled is not None:
            compiled.keep()
        if witness is not None:
            # What a run rests on must not depend on what it finds.
            list(map(read.settings, settings))
        found = chain.from_iterable(outcome.diagnostics for outcome in outcomes)
        with into(sink):
            diagnostics = as_programs_run(list(found), project, settings, read)
        failed_to_read = bool(read.broken) or bool(project.failures)
        if failed_to_read:
            from jitlint.analysis.parts.failures import broken, failed

            failures = chain.from_iterable(project.failures.values())
            own = [*map(failed, failures), *map(broken, read.broken)]
            names = {str(path) for path in named}
            diagnostics += [item for item in own if item.filename in names]
        commented = tuple(sorted(path for path in named if has_comment(project, path)))
        if memory is not None:
            memory.trees.end()
        shown = numbered(diagnostics)
        internal = any(item.code == INTERNAL_ERROR for item in shown)
        early = any(outcome.early for outcome in outcomes)
        if whole is not None and not (failed_to_read or internal or early):
            read_on = [each.read for each in outcomes]
            whole.keep(shown, selected, selecting, sink or set(), read_on)
    texts = sum(len(module.text) for each in inputs for module in each.modules)

    def listing() -> Listing:
        listings = [outcome.listing for outcome in outcomes if outcome.listing is not None]
        if len(listings) == len(outcomes):
            with no_collection():
                return Listing.joined(listing() for listing in listings)
        return analyze_again().listing

    return Analysis(
        shown,
        project.parsed,
        sum(outcome.parsed for outcome in outcomes) / texts if texts else 0.0,
        listing,
        commented,
        lambda: tuple(sorted(chain.from_iterable(outcome.omissions() for outcome in outcomes))),
        lambda: _each(outcome.dismantle for outcome in outcomes),
        early,
    )


def _each(calls: Iterable[Callable[[], None]]) -> None:
    for call in calls:
        call()


def _whole_runs(
    cache: Store,
    project: Project,
    named: set[Path],
    options: AnalysisOptions,
    settings: Iterable[str],
) -> WholeRuns:
    """The analyses of the same files with the same choices."""
    from jitlint.recall.whole_runs import WholeRuns

    decides = replace(options, jobs=1, listing=False, omissions=False, early=False)
    choices = [repr(decides), *sorted(map(str, named))]
    return WholeRuns(cache, project, choices, settings, has_marker)


def _recall(cache: Store, project: Project, whole: WholeRuns) -> CompiledTexts:
    """Take from an earlier run the import graph, if it still is what it was, and what compiled."""
    from jitlint.recall.compiled_texts import CompiledTexts
    from jitlint.recall.import_graphs import recall

    sources = whole.sources
    recall(cache, project, sources)
    return CompiledTexts(cache, project, sources)


def _known(
    found: Sequence[Diagnostic], project: Project, named: set[Path], listing: Callable[[], Listing]
) -> Analysis:
    """An analysis of which all is known but the functions that run."""
    commented = tuple(sorted(path for path in named if has_comment(project, path)))
    return Analysis(tuple(found), project.parsed, 0.0, listing, commented)


def _inputs(project: Project, named: set[Path], options: AnalysisOptions) -> Iterator[Inputs]:
    """What is to be analysed: what can bear on the files to report on, if it knows JAX.

    Files that have nothing to do with each other are analysed by themselves.
    """
    graph = project.graph
    # What somebody assumes of functions may concern any of them.
    everything = bool(options.assume_traced)
    for component in [project.files] if everything else graph.components():
        wanted = named.intersection(component)
        if not wanted:
            continue
        above = around = 0
        for path in wanted:
            above |= graph.above(path)
            around |= graph.around(path)
        files = component if everything else graph.those(around)
        modules = modules_to_index(
            project,
            files,
            wanted,
            single=len(named) == 1,
            prefilter=options.prefilter,
            assumed=everything,
        )
        if modules:
            yield Inputs(project, files, set(graph.those(above)), modules, wanted)


def _selected(
    every: Sequence[Inputs], options: AnalysisOptions, cache: Store | None, whole: WholeRuns | None
) -> list[Selected]:
    """What is interpreted of each of some analyses."""
    if not every:
        return []
    from jitlint.analysis.selected import select

    return [select(inputs, options.transforms, cache, whole) for inputs in every]
