"""What is asked of a run of ``verify``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jitlint.cache.folder import CacheFolder
from jitlint.diagnostics import Diagnostic, TracedFunctionReport
from jitlint.sketches import SketchedFunction
from jitlint.source.document import Document
from jitlint.verify.recorded import Recording

DEFAULT_SECONDS = 60.0
DEFAULT_SEARCH_SECONDS = 20.0
DEFAULT_MEMORY_BYTES = 8 * 2**30


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to verify, and how.

    Args:
      root: the project's root.
      files: the project's files.
      reports: what ``check`` says and is to be verified.
      everything: all that ``check`` says, mild reports too.
      platforms: the names of backends, or kinds of them; None takes those that JAX sees.
      seconds: the time that one module may take on one backend.
      search_seconds: the time that inputs may be made up for one report.
      memory_bytes: the resident size that its process may reach.
      cases: a file with example calls.
      traced: the traced functions of the project.
      sketched: the functions with parameters of which the analysis knows something.
      programs: whether the verdicts are to hold the jaxprs, too.
      documents: the notebooks and the prose among the files with reports, by name.
      hold: whether the system is to hold what is run to its copy, where it can.
      also: modules to run although nothing is reported in them, to see what was missed.
      kept: where what was found is kept for later runs, and taken from; None if nowhere.
      recorded: run the tests that reach the reports, as a recording has them, and nothing else.
    """

    root: Path
    files: Sequence[Path]
    reports: Sequence[Diagnostic]
    everything: Sequence[Diagnostic]
    platforms: Sequence[str] | None = None
    seconds: float = DEFAULT_SECONDS
    search_seconds: float = DEFAULT_SEARCH_SECONDS
    memory_bytes: int = DEFAULT_MEMORY_BYTES
    cases: Path | None = None
    traced: Sequence[TracedFunctionReport] = ()
    sketched: Sequence[SketchedFunction] = ()
    programs: bool = False
    documents: Mapping[str, Document] = field(default_factory=dict)
    hold: bool = True
    also: Sequence[Path] = ()
    kept: CacheFolder | None = None
    recorded: Recording | None = None
