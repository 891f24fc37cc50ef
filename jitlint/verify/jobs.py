"""From a plan to jobs: what the children are asked to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitlint.diagnostics import Diagnostic, Location
from jitlint.verify.case_files import cases_of
from jitlint.verify.containment.inventory import take_inventory
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.modules import module_of
from jitlint.verify.plan import Plan
from jitlint.verify.recording.records import Report


@dataclass(frozen=True)
class KeptInventory:
    """What of a project is copied, in a file that all its jobs share.

    Args:
      base: the folder that the copy stands for.
      path: the file.
      note: what was left out; None if nothing was.
    """

    base: str
    path: Path
    note: str | None


def keep_inventory(plan: Plan, path: Path) -> KeptInventory:
    """List what of a project is copied, and keep the list in a file.

    Args:
      plan: what to verify of the project.
      path: the file.
    """
    near = dict.fromkeys([*(Path(report.filename) for report in plan.reports), *plan.also])
    cases = [] if plan.cases is None else [plan.cases.resolve()]
    inventory = take_inventory(plan.root, [*near, *cases], near)
    inventory.write(path)
    return KeptInventory(inventory.base, path, inventory.note())


def jobs_of(
    plan: Plan, platform: str, folder: Path, first: int, inventory: KeptInventory
) -> Iterator[Job]:
    """The jobs of a project on one backend: a module each.

    Args:
      plan: what to verify.
      platform: the backend.
      folder: for temporary files.
      first: the number of the first report.
      inventory: what of the project is copied.
    """
    by_file: dict[str, list[int]] = {}
    for number, diagnostic in enumerate(plan.reports, first):
        by_file.setdefault(diagnostic.filename, []).append(number)
    beside = {name: cases_of(Path(name), plan.root) for name in by_file}
    beside |= {str(path): cases_of(path, plan.root) for path in plan.also}
    for path in plan.also:
        # Example calls are run with the module that they belong to.
        if path not in beside.values():
            by_file.setdefault(str(path), [])
    files = [str(path) for path in plan.files]
    reports = [_report(plan, number, item) for number, item in enumerate(plan.reports, first)]
    everything = [
        (
            d.filename,
            _row(plan, d.filename, d.cell, d.location.row),
            _row(plan, d.filename, d.cell, d.end_location.row),
        )
        for d in plan.everything
    ]
    for filename, numbers in by_file.items():
        name, roots = module_of(Path(filename), plan.root)
        document = plan.documents.get(filename)
        yield Job(
            filename=filename,
            name=name,
            paths=[str(path) for path in roots],
            files=files,
            reports=reports,
            own=frozenset(numbers),
            everything=everything,
            traced=traced_functions(plan),
            statics={
                t.qualname: [n for n, k in t.parameters.items() if k == "static"]
                for t in plan.traced
                if t.filename == filename
            },
            sketches=_sketches(plan, filename, numbers, reports, first),
            platform=platform,
            seconds=plan.seconds,
            search_seconds=plan.search_seconds,
            memory_bytes=plan.memory_bytes,
            cases=[
                str(path.resolve()) for path in (plan.cases, beside[filename]) if path is not None
            ],
            cache=str(folder / f"compiled-{platform}"),
            programs=plan.programs,
            audit=bool(plan.also),
            jobs=frozenset(by_file),
            root=str(plan.root),
            # As in Jupyter, a notebook reads what lies beside it.
            folder=str(plan.root if document is None else Path(filename).parent),
            program=None if document is None else document.text,
            cells=[] if document is None else [o.cell or 0 for o in document.origins or ()],
            original=inventory.base,
            inventory=str(inventory.path),
            recorded=_recorded(plan, numbers, first),
        )


def _sketches(
    plan: Plan, filename: str, numbers: Iterable[int], reports: Sequence[Report], first: int
) -> list[tuple[str, str, dict[str, list[Any]]]]:
    """What is known of the functions of a module, and of those that lead to its reports."""
    wanted = {filename}
    for number in numbers:
        wanted.update(name for name, _ in reports[number - first].chain)
    return [
        (
            function.filename,
            function.qualname,
            {name: [one.to_json() for one in some] for name, some in function.parameters.items()},
        )
        for function in plan.sketched
        if function.filename in wanted
    ]


def _recorded(plan: Plan, numbers: Iterable[int], first: int) -> list[tuple[str, str]] | None:
    """The tests that reach some reports, each once; None where all is tried that there is."""
    if plan.recorded is None:
        return None
    tests = [
        test
        for number in numbers
        for test in plan.recorded.tests_of(plan.reports[number - first].fingerprint)
    ]
    return list(dict.fromkeys(tests))


def traced_functions(plan: Plan) -> list[tuple[str, int]]:
    """Where the traced functions stand, but for those that are one expression."""
    return [
        (t.filename, _row(plan, t.filename, t.cell, t.row))
        for t in plan.traced
        if not t.qualname.endswith("<lambda>")
    ]


def _row(plan: Plan, filename: str, cell: int | None, row: int) -> int:
    """A row of a file as one of the Python that is run."""
    return _place(plan, filename, cell, Location(row, 1))[0]


def _place(plan: Plan, filename: str, cell: int | None, where: Location) -> tuple[int, int]:
    document = plan.documents.get(filename)
    if document is None:
        return where.row, where.column
    return document.place(cell, where.row, where.column)


def _report(plan: Plan, number: int, diagnostic: Diagnostic) -> Report:
    filename, cell = diagnostic.filename, diagnostic.cell
    hazard = diagnostic.hazard
    return Report(
        number,
        diagnostic.code,
        "" if hazard is None else hazard.kind,
        () if hazard is None else tuple(hazard.exceptions),
        filename,
        (
            *_place(plan, filename, cell, diagnostic.location),
            *_place(plan, filename, cell, diagnostic.end_location),
        ),
        diagnostic.function,
        tuple((s.filename, _row(plan, s.filename, s.cell, s.row)) for s in diagnostic.trace),
    )
