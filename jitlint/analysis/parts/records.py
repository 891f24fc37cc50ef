"""What earlier runs found out of the parts of a project.

A record holds only for as long as everything that it rests on is what it was.  It names units and
nodes by what an edit elsewhere leaves alone; the rows in its reports are those of the sources that
it names, and are moved to where the same code stands now.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from jitlint.absint.detectors.compilation.jit_verdicts import Verdict
from jitlint.analysis.parts.agenda import Identity, Progress
from jitlint.analysis.parts.jit_uses import SharedUses
from jitlint.analysis.parts.places import Name
from jitlint.analysis.parts.reports import LeftOut, Report
from jitlint.recall.readings import Question


class Segment(Struct, frozen=True):
    """What came of one thing that was asked of a part.

    Args:
      asked: transformed functions to be traced; none at first.
      progress: what the other parts need to know after that.
      reports: what was found.
      turn: when it was asked, in this run.
    """

    asked: tuple[Identity, ...]
    progress: Progress
    reports: tuple[Report, ...]
    turn: int = 0


class PartRecord(Struct, frozen=True):
    """A part as a whole; files by their paths as texts.

    Args:
      starts: a fingerprint of what starts in the file.
      modules: the modules whose code made something that was used, each with a fingerprint of all
        that this code rests on.
      readings: by file, what was read of it, with fingerprints of the answers.
      lookups: modules that were looked for, by the asking folder and the name, and what was found.
      unparsed: files that were found so and could not be parsed.
      words: words that modules were searched for, by the module whose code asked (None: functions
        of the file), and the files that hold them.
      sources: the files that were read, and those that reports name, each with a digest of its
        source.
      segments: what came of all that was asked.
      uses: what was seen of jitted functions.
      verdicts: reports on what is made again and again, by the place and what is wrong there.
      unsupported: places of syntax that libcst refuses, with what it says.
      steps: how many the interpreter took.
      omissions: what it left out.
    """

    starts: str
    modules: Mapping[str, str]
    readings: Mapping[str, Mapping[Question, str]]
    lookups: Mapping[tuple[str | None, str], str | None]
    unparsed: frozenset[str]
    words: Mapping[tuple[str | None, str], tuple[str, ...]]
    sources: Mapping[str, str]
    segments: tuple[Segment, ...]
    uses: SharedUses
    verdicts: Mapping[tuple[Name, Verdict], tuple[Report, ...]]
    unsupported: Mapping[tuple[str, int], str]
    steps: int
    omissions: tuple[LeftOut, ...]
