"""One call of the engine, and what came of it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from jitlint.config.configuration import Config
from jitlint.config.nearest import Configurations
from jitlint.diagnostics import Diagnostic, OmissionReport, TracedFunctionReport
from jitlint.foundation.deep_stack import with_deep_stack
from jitlint.foundation.forks import processors
from jitlint.foundation.records import Record
from jitlint.run.plan import Plan
from jitlint.run.request import Request
from jitlint.run.source_texts import SourceTexts
from jitlint.sketches import SketchedFunction

if TYPE_CHECKING:
    from jitlint.analysis.engine import Analysis
    from jitlint.analysis.options import AnalysisOptions

#: is told how many files of how many are done
Progress = Callable[[int, int], None]


class Analyze(Protocol):
    """The engine, as a run calls it."""

    def __call__(
        self,
        root: Path,
        targets: Sequence[Path],
        *,
        options: AnalysisOptions,
        overlays: Mapping[Path, str],
        exclude: Callable[[Path], bool],
        progress: Progress | None,
    ) -> Analysis:
        """See ``jitlint.analysis.engine.analyze``."""


class Run(Record):
    """What came of a request.

    Args:
      configs: the configurations that held.
      diagnostics: everything found in the targets, unfiltered, sorted.
      targets: the files that were analysed.
      failures: one line for each thing that could not be done.
      sources: the texts of the targets, read when asked for.
      root: the project root.
      commented: the targets that hold a comment for jitlint.
      analysis: the engine's own result, None where nothing was left to analyse.
      remarks: what is worth a word to the user, but no failure.
    """

    configs: Configurations
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
        return self.sources.located_functions(with_deep_stack(lambda: analysis.traced))

    @property
    def sketched(self) -> Sequence[SketchedFunction]:
        """The functions with parameters of which something is known."""
        analysis = self.analysis
        return () if analysis is None else with_deep_stack(lambda: analysis.sketched)

    @property
    def omissions(self) -> Sequence[OmissionReport]:
        """What was left out of the targets although JAX traces it, if the request asked."""
        return (
            () if self.analysis is None else self.sources.located_omissions(self.analysis.omissions)
        )


def processes(request: Request, config: Config) -> int:
    """The most processes that share the work.

    Args:
      request: what to analyse.
      config: the configuration of its paths.
    """
    chosen = request.jobs or config.jobs
    if chosen is not None:
        return chosen
    # Other threads may hold locks that a child would wait for.
    return 1 if threading.active_count() > 1 else processors()


def execute(
    request: Request, plan: Plan, progress: Progress | None = None, analyze: Analyze | None = None
) -> Run:
    """Have the engine do what was planned.

    Args:
      request: what to analyse.
      plan: what that comes to.
      progress: is told how far the analysis is.
      analyze: the engine, None for the usual one that keeps nothing.

    Returns:
      What was found, and what could not be done.
    """
    configs, targets = plan.configs, plan.targets
    failures = list(plan.failures)
    sources = SourceTexts(plan.documents)
    if not targets:
        return Run(configs, plan.early, targets, failures, sources, plan.root)

    from jitlint.analysis import engine
    from jitlint.analysis.options import AnalysisOptions

    config = plan.config()
    options = AnalysisOptions(
        prefilter=request.prefilter,
        src=config.src,
        traced_callables=config.traced_callables,
        assume_traced=config.assume_traced,
        jobs=processes(request, configs.main),
        listing=request.listing,
        omissions=request.omissions,
        early=request.early,
    )
    run_engine = analyze or engine.analyze

    def in_files(done: int, of: int) -> None:
        """The engine counts what it interprets, of which a file may have hundreds, or none."""
        if progress is not None and of:
            progress(len(targets) * done // of, len(targets))

    analysis = with_deep_stack(
        lambda: run_engine(
            plan.root,
            targets,
            options=options,
            overlays={path: document.text for path, document in plan.documents.items()},
            exclude=plan.exclude,
            progress=None if progress is None else in_files,
        )
    )
    failures += [
        f"cannot read {path}: it vanished during the run"
        for path in targets
        if path not in plan.documents and not os.path.lexists(path)
    ]
    diagnostics = sorted((*plan.early, *analysis.diagnostics), key=lambda item: item.sort_key)
    commented = analysis.commented
    return Run(configs, diagnostics, targets, failures, sources, plan.root, commented, analysis)
