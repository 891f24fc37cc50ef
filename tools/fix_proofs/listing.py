"""Which labelled places of the fixtures and test programs a fix removes, and how that is run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from jitlint.config.configuration import Config
from jitlint.config.rule_selection import Layer, Selection
from jitlint.diagnostics import Severity
from jitlint.fixes import making
from jitlint.fixes.making.registry import FIXERS
from jitlint.fixes.rounds import Fixing, Outcome, fix_all
from jitlint.run.request import Request
from jitlint.run.runner import run
from tools import score
from tools.fix_proofs import running
from tools.labels.comments import read_labels

_FIXED = frozenset(FIXERS)


def _says_safe(name: str) -> bool:
    """Whether what makes a fix ever calls one safe."""
    path = Path(making.__file__).with_name(f"{name}.py")
    return "Applicability.SAFE" in path.read_text(encoding="utf-8")


#: the codes of which some are fixed safely
_FIXED_SAFELY = frozenset(code for code, modules in FIXERS.items() if any(map(_says_safe, modules)))
#: labels whose fix is proven by NumPy's arrays
_STORES = frozenset({"JIT205"})


def select(config: Config) -> Selection:
    """All rules, infos too."""
    return config.selection(Layer(None, (), ()), Severity.INFO)


def outcome_of(path: Path, *, unsafe: bool = False) -> Outcome:
    """Fix a file or folder, without writing."""
    request = Request(paths=(path,), isolated=True)
    fixing = Fixing(request, select, unsafe, lambda _: True)
    return fix_all(fixing, run(request))


def changed_elsewhere(outcome: Outcome) -> Iterator[str]:
    """The rows that are others than before, though no fix is about them.

    Args:
      outcome: of fixing.
    """
    for path, (text, _) in outcome.texts.items():
        for fixed in (it[path] for it in outcome.rounds if path in it):
            touched = {
                row
                for edit in fixed.edits
                for row in range(edit.location.row, edit.end_location.row + 1)
            }
            old, new = text.splitlines(), fixed.text.splitlines()
            for kind, start, end, low, high in SequenceMatcher(None, old, new, False).get_opcodes():
                rows = range(start + 1, end + 1)
                if kind == "insert":
                    # Where equal rows follow, it may be said to be in front of any of them.
                    rows = range(start + 1, start + 2 + high - low)
                    if touched.isdisjoint(rows):
                        yield f"{path.name}:{start + 1}"
                elif kind != "equal":
                    yield from (f"{path.name}:{row}" for row in rows if row not in touched)
            text = fixed.text


def listed(folder: Path, *, unsafe: bool = False) -> Iterator[dict[str, Any]]:
    """The cases of all places that are fixed in our own programs.

    Args:
      folder: where the programs go, as they were and fixed.
      unsafe: whether the unsafe fixes are made, too.
    """
    for number, module in enumerate(score.fixture_modules()):
        source = folder / f"source{number}"
        source.mkdir()
        shutil.copy(module, source)
        cases = score.fixture_cases(module)
        yield from _cases_of(source, folder / f"fixture{number}", cases, unsafe=unsafe)
    for family in score.FAMILIES:
        for program in family.programs():
            if program.is_dir() and family.cases(program).is_file():
                inside = folder / family.root.parent.name / program.name
                yield from _cases_of(program, inside, family.cases(program), unsafe=unsafe)


def _cases_of(
    program: Path, inside: Path, cases: Path, *, unsafe: bool
) -> Iterator[dict[str, Any]]:
    """Fix a copy of a program, and list the labelled places that are fixed in the first round."""
    labels = [it for path in program.rglob("*.py") for it in read_labels(path.read_text("utf-8"))]
    fixed = _FIXED if unsafe else _FIXED_SAFELY
    if fixed.isdisjoint(label.code for label in labels):
        return
    # By its own name: it may be a package.
    old, new = inside / "old" / program.name, inside / "new" / program.name
    shutil.copytree(program, old)
    shutil.copytree(program, new)
    outcome = outcome_of(new, unsafe=unsafe)
    if not outcome.texts:
        return
    for path, (_, text) in outcome.texts.items():
        path.write_text(text, encoding="utf-8")
    elsewhere = list(changed_elsewhere(outcome))
    gone = {
        (Path(item.filename).name, item.location.row, item.code): item.fix for item in outcome.fixed
    }
    left = [
        (item.filename, item.location.row, item.code)
        for item in outcome.run.diagnostics
        if item.severity is Severity.ERROR
    ]
    for path in sorted(old.rglob("*.py")):
        for label in read_labels(path.read_text(encoding="utf-8")):
            fix = gone.get((path.name, label.row, label.code))
            if fix is not None:
                yield {
                    "old": str(old),
                    "new": str(new),
                    "original": str(program.resolve()),
                    "left": left,
                    "elsewhere": elsewhere,
                    "cases": str(cases.resolve()),
                    "tag": label.tag,
                    "code": label.code,
                    "numpy": label.code in _STORES,
                    "applicability": fix.applicability.value,
                    "place": f"{program.name}/{path.name}:{label.row}",
                }


def verdicts(items: Sequence[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """What running says of each case, in a child process for all of them.

    Args:
      items: the cases, as :func:`listed` gives them.
      folder: for a file, and to run in.
    """
    listing = folder / "listing.json"
    found: list[dict[str, Any]] = []
    while len(found) < len(items):
        listing.write_text(json.dumps(items[len(found) :]), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, running.__file__, str(listing)],
            env={**os.environ, "PYTHONPATH": str(score.ROOT), "JAX_PLATFORMS": "cpu"},
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        found += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode and len(found) < len(items):
            # This case has ended the process: it crashes, or never comes to its end.
            why = (done.stderr.strip().splitlines() or ["?"])[0]
            found.append({**items[len(found)], "verdict": "fails", "why": why[:300]})
    return found
