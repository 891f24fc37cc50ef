"""How many true reports `jitlint verify` confirms without hand-written inputs.

::

    python -m benchmarks.verification [PROGRAM ...] [--fixtures] [--family NAME] [--json FILE]

Every labelled program (by default those in tests/programs; with ``--family inputs`` those in
tests/inputs; with ``--fixtures`` the fixtures as well) is copied by itself, so that no hand-written
cases lie beside it, then linted and verified.
The labels say which reports are true.  Two groups are counted apart: reports in functions that
the project itself calls, or whose parameters have annotations that tell what to pass; and all
others.  The exit code is 1 when a share falls below its bar, or an innocent place is confirmed.
"""

from __future__ import annotations

import argparse
import ast
import json
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Diagnostic, Severity
from jitlint.verify.plan import Plan
from jitlint.verify.session import verify_all
from tools import score
from tools.labels.comments import read_program_labels

KNOWN, UNKNOWN = "a call or annotations", "neither"
BARS = {KNOWN: 0.95, UNKNOWN: 0.70}
_PLAIN_HINTS = ("Array", "int", "float", "bool", "Float[", "Int[", "ndarray", "tuple", "dict")


@dataclass(frozen=True)
class Case:
    """A report, with what its program says of it.

    Args:
      program: the program's name.
      true: whether the line is labelled with the report's code.
      group: ``KNOWN`` or ``UNKNOWN``.
    """

    program: str
    true: bool
    group: str


class Project:
    """Which functions of a program are called from where it starts, by name.

    Args:
      files: its Python files.
    """

    def __init__(self, files: Sequence[Path]) -> None:
        self._functions: dict[str, list[ast.FunctionDef]] = {}
        self._spans: dict[str, list[ast.FunctionDef]] = {}
        reached: set[str] = set()
        self._aliases: dict[str, set[str]] = {}
        for path in files:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    self._functions.setdefault(node.name, []).append(node)
                    self._spans.setdefault(str(path), []).append(node)
                elif isinstance(node, ast.Assign):
                    for target in node.targets:
                        for name in _names(target):
                            self._aliases.setdefault(name, set()).update(_names(node.value))
            reached |= set(_started(tree))
        todo = list(reached)
        while todo:
            name = todo.pop()
            found = set(self._aliases.get(name, ()))
            for function in self._functions.get(name, ()):
                found |= _called(function)
            todo += found - reached
            reached |= found
        self._reached = reached

    def group(self, report: Diagnostic) -> str:
        """Whether inputs for a report can be known."""
        places = [(step.filename, step.row) for step in report.trace]
        places.append((report.filename, report.location.row))
        for filename, row in places:
            for function in self._spans.get(filename, ()):
                first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
                if not first <= row <= (function.end_lineno or first):
                    continue
                if function.name in self._reached or _annotated(function):
                    return KNOWN
        outside = not any(
            f.lineno <= report.location.row <= (f.end_lineno or 0)
            for f in self._spans.get(report.filename, ())
        )
        return KNOWN if outside else UNKNOWN


def _names(node: ast.AST) -> set[str]:
    return {
        n.attr if isinstance(n, ast.Attribute) else n.id
        for n in ast.walk(node)
        if isinstance(n, ast.Attribute | ast.Name)
    }


def _called(node: ast.AST) -> set[str]:
    """The names that a body uses; a call of a class runs what makes its instances."""
    found = _names(node)
    return found | ({"__init__", "__call__", "setup"} if found else set())


def _started(tree: ast.Module) -> Iterator[str]:
    """The names that are used as a module is run, and by its tests."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.startswith("test"):
                yield from _called(node)
        elif isinstance(node, ast.ClassDef):
            if node.name.startswith("Test"):
                yield from _called(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call) and not _is_transform(inner):
                    yield from _names(inner.func)
        else:
            yield from _names(node)


def _is_transform(call: ast.Call) -> bool:
    """Whether a call wraps a function, and does not run it."""
    return bool(_names(call.func) & {"jit", "pjit", "vmap", "pmap", "grad", "partial", "jax"})


def _annotated(function: ast.FunctionDef) -> bool:
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    needed = [a for a in arguments if a.arg not in ("self", "cls")]
    return bool(needed) and all(
        a.annotation is not None and any(h in ast.unparse(a.annotation) for h in _PLAIN_HINTS)
        for a in needed
    )


def prepare(program: Path, folder: Path) -> tuple[Plan, list[Case]]:
    """Copy a program, lint it, and say which of its reports are true.

    Args:
      program: a module or a folder of modules.
      folder: where the copy goes.
    """
    # Both names may be those of packages.
    root = folder / program.parent.name / program.stem
    if program.is_dir():
        shutil.copytree(program, root)
    else:
        root.mkdir(parents=True)
        shutil.copy(program, root)
    files = sorted(root.rglob("*.py"))
    found = analyze(root=root, targets=[root], options=AnalysisOptions(listing=True))
    reports = [
        d
        for d in found.diagnostics
        if d.severity >= Severity.WARNING and d.filename.endswith(".py") and d.code[3] != "9"
    ]
    due = Counter(
        (str(path), label.row, label.code)
        for path, labels in read_program_labels(root).items()
        for label in labels
    )
    project = Project(files)
    cases = [
        Case(
            program.name,
            bool(due[report.filename, report.location.row, report.code]),
            project.group(report),
        )
        for report in reports
    ]
    return Plan(
        root=root,
        files=files,
        reports=reports,
        everything=found.diagnostics,
        platforms=["cpu"],
        traced=found.traced,
        sketched=found.sketched,
    ), cases


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify the programs and print the two shares.

    Args:
      arguments: the command line without the program's name.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("programs", nargs="*", help="names; by default all")
    parser.add_argument("--fixtures", action="store_true", help="the fixtures as well")
    families = {family.root.name: family for family in score.FAMILIES}
    parser.add_argument("--family", choices=families, default=score.BLIND.root.name)
    parser.add_argument("--json", type=Path, help="write every verdict to this file")
    options = parser.parse_args(arguments)
    chosen = [
        *families[options.family].programs(),
        *(score.fixture_modules() if options.fixtures else ()),
    ]
    if options.programs:
        chosen = [p for p in chosen if p.stem in options.programs]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        prepared = [prepare(program, Path(scratch).resolve()) for program in chosen]
        verified = verify_all([plan for plan, _ in prepared])
    cases = [case for _, found in prepared for case in found]
    seconds = time.monotonic() - start
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = tell(cases, verified.reports)
    sys.stdout.write(f"missed: {len(verified.missed)}; failures: {len(verified.failures)}\n")
    for missed in verified.missed:
        place = f"{missed['filename']}:{missed['location']['row']}"
        sys.stdout.write(f"  missed {place} {missed['summary']}\n")
    for failure in verified.failures:
        sys.stdout.write(f"  {failure}\n")
    cpu = spent.ru_utime + spent.ru_stime
    sys.stdout.write(f"{seconds:.0f} s, {cpu:.0f} s of CPU in children; ")
    sys.stdout.write(f"at most {verified.peak_bytes / 2**20:.0f} MiB in one\n")
    if options.json is not None:
        options.json.write_text(json.dumps(verified.to_json(), indent=1), encoding="utf-8")
    return code


def tell(cases: Sequence[Case], reports: Sequence[dict[str, Any]]) -> int:
    """Print what was confirmed in each group, and every report that was not.

    Args:
      cases: what the programs say of the reports.
      reports: the reports with their verdicts.

    Returns:
      1 when a bar is missed.
    """
    code = 0
    counts: dict[str, Counter[str]] = {group: Counter() for group in BARS}
    for case, report in zip(cases, reports, strict=True):
        verdict: dict[str, Any] = next(iter(report["verdicts"]), {"verdict": "none"})
        word = verdict["verdict"]
        place = f"{case.program} {Path(report['filename']).name}:{report['location']['row']}"
        if case.true:
            counts[case.group][word] += 1
        if (word == "confirmed") != case.true:
            kind = "unproven" if case.true else "INNOCENT"
            summary = verdict.get("evidence", {}).get("summary", "")[:90]
            line = f"{kind} {place} {report['code']} ({case.group}) {word}: {summary}"
            sys.stdout.write(f"{line}\n")
            code = code if case.true else 1
    for group, found in counts.items():
        total = sum(found.values())
        share = found["confirmed"] / total if total else 1.0
        code = code if share >= BARS[group] else 1
        listed = ", ".join(f"{n} {word}" for word, n in found.most_common())
        sys.stdout.write(f"{group}: {share:.1%} of {total} ({listed or 'none'})\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
