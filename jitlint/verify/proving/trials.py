"""The verdicts on fixes: what runs with and without them have shown.

Runs in a child process only.
"""

from __future__ import annotations

import difflib
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitlint.verify.driving.devices import choose_backend
from jitlint.verify.driving.modules import copied
from jitlint.verify.proving.comparison import difference, same_text
from jitlint.verify.proving.job import (
    AS_IT_IS,
    AS_MEASURED,
    WITH_NUMPY,
    WITHOUT_JIT,
    Example,
    ProofJob,
    Texts,
    Trial,
)
from jitlint.verify.proving.variations import VARIATIONS
from jitlint.verify.proving.verdicts import CHANGES, NOT_RUN, PROVEN, verdict
from jitlint.verify.proving.versions import Outcome, Versions
from jitlint.verify.recording.real_jax import real_jax

#: how long one run of a program may take, from its import on
_RUN_SECONDS = 20.0
#: how the programs that fixed ones are held against are run
_ORACLES = {
    WITHOUT_JIT: "the original without jit",
    WITH_NUMPY: "the original on NumPy's arrays",
    AS_IT_IS: "the original under jit",
    AS_MEASURED: "the original under jit",
}


@dataclass(frozen=True)
class _Run:
    """One thing to run: an example, with some values, against something."""

    example: int
    variation: str
    against: str


class Trials:
    """Tries the fixes of a job.

    Args:
      job: what to do.
      emit: sends a verdict to the parent.
    """

    def __init__(self, job: ProofJob, emit: Callable[[dict[str, Any]], None]) -> None:
        self._job = job
        self._emit = emit
        self._deadline = time.monotonic() + job.seconds
        changed = {name for name, _ in job.together}
        changed |= {name for trial in job.trials for name, _ in trial.alone}
        self._versions = Versions(job.copy, job.original, sorted(changed), self._seconds_left)
        self._texts = {name: Path(name).read_text(encoding="utf-8") for name in changed}
        self._examples: list[Example] = []
        self._known: dict[tuple[object, ...], Outcome] = {}

    def run(self) -> None:
        """Try all fixes, and send the verdict on each."""
        for trial in self._job.trials:
            self._emit({"fix": trial.number, "found": self._try(trial)})

    def _seconds_left(self) -> float:
        return self._deadline - time.monotonic()

    # -- one fix ----------------------------------------------------------------------------------

    def _try(self, trial: Trial) -> dict[str, Any]:
        backend, oracle = self._job.platform, _ORACLES[trial.against]
        reasons: dict[str, None] = {}
        same = compared = 0
        for run in self._runs(trial):
            if self._seconds_left() < 0:
                reasons["the time was up"] = None
                break
            before = self._original(run)
            if before.error is not None:
                reasons[f"{oracle} raises {before.error}"] = None
                continue
            if not self._reached(trial, before):
                reasons["the examples do not come to its place"] = None
                continue
            values = f"with values {run.variation}" if run.variation != "as they are" else ""
            why, blocked = self._held_against(trial, run, before)
            if why is not None:
                words = " ".join(filter(None, [f"{oracle} gives something else", values]))
                evidence = {"difference": why, "values": run.variation, "against": trial.against}
                return verdict(backend, CHANGES, f"{words}: {why}", **evidence)
            if blocked is not None:
                reasons[blocked] = None
                continue
            same += 1
            compared += _size(before)
        if same and compared:
            times = "1 run" if same == 1 else f"{same} runs"
            words = f"gives what {oracle} gives, in {times}"
            shown = {"runs": same, "compared": compared, "against": trial.against}
            return verdict(backend, PROVEN, words, **shown)
        if same:
            reasons["nothing is returned or printed that could be compared"] = None
        summary = next(iter(reasons), "no call is known that comes to its place")
        return verdict(backend, NOT_RUN, summary, reasons=[*reasons])

    def _runs(self, trial: Trial) -> Iterator[_Run]:
        for example in trial.examples:
            if example not in self._examples:
                self._examples.append(example)
            number = self._examples.index(example)
            for variation in VARIATIONS:
                run = _Run(number, variation, trial.against)
                yield run
                if not self._original(run).can_vary:
                    break

    def _reached(self, trial: Trial, outcome: Outcome) -> bool:
        first, last = trial.rows
        return any((trial.filename, row) in outcome.rows for row in range(first, last + 1))

    def _held_against(
        self, trial: Trial, run: _Run, before: Outcome
    ) -> tuple[str | None, str | None]:
        """How the fixed program differs because of this fix, or why that cannot be said."""
        after = self._fixed(run, "together", self._job.together)
        if after.error is None:
            why = _difference(before, after, run.against)
            if why is None:
                return None, _unshown(before, after, run.against)
        elif (blocked := self._blocked(trial, after)) is not None:
            return None, blocked
        else:
            why = f"the fixed program raises {after.error}"
        # Other fixes were made, too: without jit, each can be seen by itself.
        if len(self._job.trials) > 1 and run.against in (WITHOUT_JIT, WITH_NUMPY):
            alone = self._alone(trial, run)
            innocent = alone.error is None and _difference(before, alone, run.against) is None
            if innocent and self._somebody_else(trial, run, before):
                return None, self._behind(trial, run, after)
        return why, None

    def _behind(self, trial: Trial, run: _Run, after: Outcome) -> str | None:
        """Why a fix cannot be judged beside others that change the result; None if it is right."""
        others = self._made(("others", trial.number, run), trial.others, run, against=WITHOUT_JIT)
        run_both = after.error is None and others.error is None
        if run_both and _difference(others, after, WITHOUT_JIT) is None:
            return None
        return "another fix changes the result; without jit this one does not"

    def _blocked(self, trial: Trial, after: Outcome) -> str | None:
        """Why a fixed program fails that is not at fault; None if it may be."""
        if after.error == "it takes too long":
            return "the fixed program takes too long"
        for filename, row in after.places[:1]:
            for name, first, last in self._job.left:
                if name == filename and first <= row <= last:
                    return f"what is reported in row {row} of the fixed file still raises"
        if after.of_jax and after.places and not self._is_changed(trial, *after.places[0]):
            row = after.places[0][1]
            return f"row {row} of the fixed file, which it leaves alone, raises {after.error}"
        return None

    def _is_changed(self, trial: Trial, filename: str, row: int) -> bool:
        """Whether a row of the file with all fixes is one that this fix has made."""
        together = dict(self._job.together).get(filename)
        alone = dict(trial.alone).get(filename)
        if together is None or alone is None:
            return False
        lines = together.splitlines()
        own = _new_lines(self._texts[filename], alone)
        return row <= len(lines) and lines[row - 1] in own

    def _somebody_else(self, trial: Trial, run: _Run, before: Outcome) -> bool:
        """Whether another fix alone changes what a run without jit gives."""
        for other in self._job.trials:
            if other.number == trial.number or not self._reached(other, before):
                continue
            alone = self._alone(other, run)
            if alone.error is not None or _difference(before, alone, run.against) is not None:
                return True
        return False

    # -- runs, each made once ---------------------------------------------------------------------

    def _original(self, run: _Run) -> Outcome:
        return self._made(("original", run), (), run, against=run.against)

    def _fixed(self, run: _Run, name: object, texts: Texts) -> Outcome:
        # How often it runs, and what of it is compared, depends on what it is held against.
        against = run.against if run.against in (AS_IT_IS, AS_MEASURED) else None
        return self._made((name, run), texts, run, against=against)

    def _alone(self, trial: Trial, run: _Run) -> Outcome:
        """The program with this fix only, without jit."""
        return self._made(("alone", trial.number, run), trial.alone, run, against=WITHOUT_JIT)

    def _made(
        self, key: tuple[object, ...], texts: Texts, run: _Run, *, against: str | None
    ) -> Outcome:
        if key not in self._known:
            self._known[key] = self._versions.run(
                texts,
                self._examples[run.example],
                run.variation,
                against=against,
                seconds=_RUN_SECONDS,
            )
        return self._known[key]


def _difference(before: Outcome, after: Outcome, against: str) -> str | None:
    """How two runs differ in what they give, print and leave in their arguments."""
    assert before.results is not None and after.results is not None
    assert before.arguments is not None and after.arguments is not None
    why = difference(before.results, after.results)
    if why is not None:
        return why
    if not same_text(before.text, after.text, measured=against == AS_MEASURED):
        return f"it printed {before.text!r}, and now {after.text!r}"
    if against != WITH_NUMPY:
        why = difference(before.arguments, after.arguments)
    return None if why is None else f"an argument is left otherwise: {why}"


def _unshown(before: Outcome, after: Outcome, against: str) -> str | None:
    """Why equal results do not show that the fix does what it is for; None if they do."""
    if against == AS_IT_IS and after.compilations >= before.compilations:
        return f"these calls compile {after.compilations} programs with it and without it"
    if against == AS_MEASURED and after.waits <= before.waits:
        return "nothing more is waited for in these calls"
    return None


def _size(outcome: Outcome) -> int:
    """How much a run gives that can be compared."""
    results = 0 if outcome.results is None else outcome.results.size
    arguments = 0 if outcome.arguments is None else outcome.arguments.size
    return results + arguments + len(outcome.text.splitlines())


def _new_lines(before: str, after: str) -> set[str]:
    """The lines that a text has more than another."""
    lines, new = before.splitlines(), after.splitlines()
    matcher = difflib.SequenceMatcher(None, lines, new, autojunk=False)
    return {
        line
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag != "equal"
        for line in new[start:end]
    }


def prove(job: ProofJob, emit: Callable[[dict[str, Any]], None]) -> None:
    """Try the fixes of a job in this process, which must be a child made for it."""
    jax = real_jax()
    choose_backend(jax, job.platform, job.cache)
    # A file may change twice within what the clock of a file system tells apart.
    sys.dont_write_bytecode = True
    sys.path[:] = [*job.paths, *(copied(path, job.original, job.copy) for path in sys.path)]
    sys.argv = [job.filename]
    names = [f"{device.platform}: {device.device_kind}" for device in jax.devices(job.platform)]
    emit({"jax": jax.__version__, "devices": names})
    Trials(job, emit).run()
    emit({"done": True})
