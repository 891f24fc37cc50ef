"""Labels that are still found, and reports that are new, where programs are written otherwise.

python -m benchmarks.refactorings [--only WORD] [--show] [PROGRAM ...]
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import libcst as cst

from benchmarks.refactorings import calls, definitions, loops  # noqa: F401 - they fill the list
from benchmarks.refactorings.kinds import REFACTORINGS, Refactoring
from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Severity
from jitlint.foundation.certainty import GUESSED
from tools import score
from tools.labels.comments import Label, program_files, read_labels

#: how many rows above its label a report may stand where code was put above it
_ABOVE = 6


#: a label by code, tag and how many alike there are before
LabelKey = tuple[str, str, int]


class Found(NamedTuple):
    """What a text says and what is reported in it.

    Args:
      labels: whether each label is found.
      others: the reports that no label asks for, by code, with their rows.
    """

    labels: dict[LabelKey, bool]
    others: list[tuple[str, int]]


class Outcome(NamedTuple):
    """What came of one refactoring of one program."""

    refactoring: str
    program: str
    kept: tuple[str, ...]
    lost: tuple[tuple[str, int], ...]
    extra: tuple[tuple[str, int], ...]


def found_in(text: str, *, above: int = 0) -> Found:
    """Lint a text as a project of its own.

    Args:
      text: the text.
      above: how many rows above its label a report may stand.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        path = root / "module.py"
        path.write_text(text, encoding="utf-8")
        found = analyze(root=root, targets=[root], options=AnalysisOptions()).diagnostics
    reported = Counter(
        (one.code, one.location.row)
        for one in found
        if one.severity >= Severity.WARNING or one.certainty == GUESSED
    )
    labels: dict[LabelKey, bool] = {}
    for key, label in _labels(text):
        rows = (label.row - back for back in range(above + 1))
        there = next((row for row in rows if reported[label.code, row]), None)
        if there is not None:
            reported[label.code, there] -= 1
        labels[key] = there is not None
    return Found(labels, sorted(reported.elements()))


def outcomes(program: Path, kinds: Iterable[Refactoring]) -> Iterator[Outcome]:
    """What comes of a program of one file, written in some ways."""
    text = program.read_text(encoding="utf-8")
    before = found_in(text)
    due = [key for key, there in before.labels.items() if there]
    row_of = {key: label.row for key, label in _labels(text)}
    module = cst.parse_module(text)
    name = program.relative_to(score.ROOT).as_posix()
    for kind in kinds:
        written = kind.rewrite(module).code
        if written == text:
            continue
        after = found_in(written, above=_ABOVE if kind.hoists else 0)
        lost = tuple((key[0], row_of[key]) for key in due if not after.labels.get(key))
        more = Counter(code for code, _ in after.others) - Counter(c for c, _ in before.others)
        extra = tuple(one for one in after.others if one[0] in more)
        kept = tuple(key[0] for key in due if after.labels.get(key))
        yield Outcome(kind.name, name, kept, lost, extra)


def _labels(text: str) -> Iterator[tuple[LabelKey, Label]]:
    count = Counter[tuple[str, str]]()
    for label in read_labels(text):
        yield (label.code, label.tag, count[label.code, label.tag]), label
        count[label.code, label.tag] += 1


def _all(job: tuple[Path, list[str]]) -> list[Outcome]:
    program, names = job
    return list(outcomes(program, [REFACTORINGS[name] for name in names]))


def _programs() -> list[Path]:
    found = score.fixture_modules()
    for family in score.FAMILIES:
        for program in family.programs():
            files = list(program_files(program))
            if len(files) == 1 and files[0].suffix == ".py":
                found += files
    return found


def main() -> None:
    """Print what comes of all programs."""
    parser = argparse.ArgumentParser(prog="benchmarks.refactorings", description=__doc__)
    parser.add_argument("programs", nargs="*", type=Path, metavar="PROGRAM")
    parser.add_argument("--only", default="", metavar="WORD", help="of the refactorings")
    parser.add_argument("--show", action="store_true", help="each label that is lost, each report")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    names = [name for name in REFACTORINGS if options.only in name]
    programs = [each.resolve() for each in options.programs] or _programs()
    found: list[Outcome] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for some in pool.map(_all, [(each, names) for each in programs], chunksize=4):
            found += some
    for name in names:
        mine = [one for one in found if one.refactoring == name]
        kept = sum(len(one.kept) for one in mine)
        lost = sum(len(one.lost) for one in mine)
        extra = sum(len(one.extra) for one in mine)
        codes = Counter(code for one in mine for code, _ in one.lost)
        more = Counter(code for one in mine for code, _ in one.extra)
        print(f"{name:28} {len(mine):4} programs  {kept}/{kept + lost} kept, {extra} more")
        print("    lost:", dict(codes.most_common()), " more:", dict(more.most_common()))
        if options.show:
            for one in mine:
                if one.lost or one.extra:
                    print(f"      {one.program}: lost {one.lost} more {one.extra}")


if __name__ == "__main__":
    main()
