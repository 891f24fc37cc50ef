"""``jitlint verify --fixes``: each fix shown to leave the program what it was, or not to.

The parent's side; what is run is run in children, by ``jitlint.verify.proving``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitlint.diagnostics import Applicability, Diagnostic
from jitlint.fixes.application import Fixed, fixable_together
from jitlint.fixes.rounds import Outcome
from jitlint.verify.conversation import Conversation, Progress
from jitlint.verify.driving.modules import module_of
from jitlint.verify.driving.verdicts import Verified
from jitlint.verify.jobs import KeptInventory, keep_inventory
from jitlint.verify.plan import Plan
from jitlint.verify.proving.job import (
    AS_IT_IS,
    AS_MEASURED,
    WITH_NUMPY,
    WITHOUT_JIT,
    Example,
    ProofJob,
    Trial,
)
from jitlint.verify.proving.verdicts import NOT_RUN, verdict
from jitlint.verify.session import ended_by_signals, processors

#: what a fixed program is held against, by the hazard; else it is the original without jit
_AGAINST = {"recompiles": AS_IT_IS, "mismeasured": AS_MEASURED}
#: stores into elements: NumPy's arrays say what was meant
_STORES = frozenset({"JIT205"})


@dataclass(frozen=True)
class Fixes:
    """The fixes of a project, and what they make of it together.

    Args:
      reports: those that have one, with their numbers.
      texts: the text of each file that is linted as it stands.
      outcome: what becomes of the project when all of them are made.
    """

    reports: Sequence[tuple[int, Diagnostic]]
    texts: Mapping[str, str]
    outcome: Outcome


def is_tried(report: Diagnostic) -> bool:
    """Whether a report has a fix that can be made, and so be tried."""
    fix = report.fix
    return fix is not None and fix.applicability is not Applicability.DISPLAY_ONLY


def prove_fixes(
    plan: Plan, fixes: Fixes, verified: Verified, progress: Progress | None = None
) -> None:
    """Try fixes, and put the verdicts beside those of their reports.

    Args:
      plan: what was verified.
      fixes: those to be tried.
      verified: what came of it; each report with a fix gets ``fix_verdicts``.
      progress: told of each file.
    """
    platforms = list(
        dict.fromkeys(v["backend"] for report in verified.reports for v in report["verdicts"])
    )
    found: dict[tuple[int, str], dict[str, Any]] = {}
    temporary = tempfile.TemporaryDirectory(prefix="jitlint-verify-", ignore_cleanup_errors=True)
    with ended_by_signals(), temporary as scratch:
        folder = Path(scratch).resolve()
        inventory = keep_inventory(plan, folder / "project.json")
        jobs = [
            job
            for platform in platforms
            for job in _jobs(plan, fixes, verified, platform, folder, inventory, found)
        ]
        if jobs:
            talk = _Proofs(verified, found, len(jobs), progress, hold=plan.hold)
            talk.run(jobs, folder, processors())
    for number, _ in fixes.reports:
        verified.reports[number]["fix_verdicts"] = [
            found[number, platform] for platform in platforms
        ]


def _jobs(
    plan: Plan,
    fixes: Fixes,
    verified: Verified,
    platform: str,
    folder: Path,
    inventory: KeptInventory,
    found: dict[tuple[int, str], dict[str, Any]],
) -> Iterator[ProofJob]:
    """The jobs of one backend, a file each; of fixes that cannot be tried it is said why."""
    back = {item.report.lasting_key: item.reason for item in fixes.outcome.taken_back}
    gone = {item.lasting_key for item in fixes.outcome.fixed}
    trials: dict[str, list[Trial]] = {}
    for number, report in fixes.reports:
        text = fixes.texts.get(report.filename)
        examples = _examples(verified.reports[number], platform)
        why = None
        if text is None:
            why = "it is no module of its own"
        elif report.lasting_key in back:
            why = f"it was taken back: {back[report.lasting_key]}"
        elif report.lasting_key not in gone:
            why = "it does not go together with the other fixes"
        elif not examples:
            why = "no call is known that comes to its place"
        if why is not None or text is None:
            found[number, platform] = verdict(platform, NOT_RUN, str(why))
            continue
        trial = Trial(
            number=number,
            against=_against(report),
            filename=report.filename,
            rows=(report.location.row, report.end_location.row),
            examples=examples,
            alone=[(report.filename, Fixed(text, [report]).text)],
            others=_others(fixes, report),
        )
        trials.setdefault(report.filename, []).append(trial)
    together = [(str(path), after) for path, (_, after) in fixes.outcome.texts.items()]
    left = [
        (item.filename, item.location.row, item.end_location.row)
        for item in fixes.outcome.run.diagnostics
        if item.cell is None
    ]
    for filename, own in trials.items():
        _, roots = module_of(Path(filename), plan.root)
        yield ProofJob(
            filename=filename,
            trials=own,
            together=together,
            left=left,
            paths=[str(path) for path in roots],
            platform=platform,
            seconds=plan.seconds,
            memory_bytes=plan.memory_bytes,
            cache=str(folder / f"compiled-{platform}"),
            root=str(plan.root),
            folder=str(plan.root),
            original=inventory.base,
            inventory=str(inventory.path),
        )


def _others(fixes: Fixes, report: Diagnostic) -> list[tuple[str, str]]:
    """The files with all fixes but one."""
    found = []
    for filename, text in fixes.texts.items():
        left = [it for _, it in fixes.reports if it.filename == filename and it is not report]
        found.append((filename, Fixed(text, fixable_together(left)).text))
    return found


def _against(report: Diagnostic) -> str:
    """What says what a fixed program has to give."""
    if report.code in _STORES:
        return WITH_NUMPY
    kind = "" if report.hazard is None else report.hazard.kind
    return _AGAINST.get(kind, WITHOUT_JIT)


def _examples(report: Mapping[str, Any], platform: str) -> list[Example]:
    """The runs that came to a report, as far as they can be written down."""
    return [
        Example(again["imports"], [call for call in again["calls"] if call])
        for found in report["verdicts"]
        if found["backend"] == platform
        and (again := found["evidence"].get("reproducer")) is not None
    ]


class _Proofs(Conversation[ProofJob]):
    """Has fixes tried.

    Args:
      result: where what goes wrong is told.
      found: where the verdicts go, by report and backend.
      total: how many jobs there are.
      progress: told of each job that starts.
      hold: whether the system is to hold the jobs to their copies.
    """

    def __init__(
        self,
        result: Verified,
        found: dict[tuple[int, str], dict[str, Any]],
        total: int,
        progress: Progress | None,
        *,
        hold: bool,
    ) -> None:
        super().__init__(result, total, progress, hold=hold)
        self._found = found

    def take(self, values: Mapping[str, Any], job: ProofJob, state: dict[str, Any]) -> None:
        """Take in a verdict."""
        if "fix" in values:
            self._found[values["fix"], job.platform] = values["found"]

    def finish(self, job: ProofJob, reason: str, ending: Mapping[str, Any], state: Any) -> None:
        """Say of the fixes that a job has not come to why that is."""
        for trial in job.trials:
            if (trial.number, job.platform) not in self._found:
                words = reason or "nothing was said of it"
                self._found[trial.number, job.platform] = verdict(job.platform, NOT_RUN, words)
