"""What traces store into, and whether they have put it back by their end.

Runs in a child process only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jitlint.verify.recording.frozen import SHALLOW, fingerprint
from jitlint.verify.recording.records import RunRecord
from jitlint.verify.recording.tracers import tracer_in

#: stand for what an object lacks, and for what a trace has put there before
_MISSING, _TRACED = "missing", "traced"


@dataclass(slots=True)
class _Slot:
    """What a place stores into.

    Args:
      first: what was there before anything was stored into it by the trace that runs.
      before: what was there before the last store of the place.
      again: reads what is there.
      changed: whether something else was there after a store.
    """

    first: object
    before: object
    again: Callable[[], Any]
    changed: bool = False


class Stores:
    """The stores of reported places under the traces that run.

    Attributes:
      altered: the reports of which some trace of the job has left another value behind.
    """

    def __init__(self) -> None:
        self.altered: set[int] = set()
        self._first: dict[tuple[int, str], object] = {}
        self._slots: dict[tuple[int, int, str], _Slot] = {}

    def begin(self) -> None:
        """A run begins."""
        self._first, self._slots = {}, {}

    def about_to_store(
        self, report: int, owner: Any, again: Callable[[], Any], name: str = ""
    ) -> None:
        """A reported place is about to store into an object.

        Args:
          report: the number of the report.
          owner: the object.
          again: reads what the place changes.
          name: of the attribute or item that it changes; empty for all of the object.
        """
        before = _print(_read(again))
        first = self._first.setdefault((id(owner), name), before)
        slot = self._slots.setdefault((report, id(owner), name), _Slot(first, before, again))
        slot.before = before

    def has_stored(self, report: int) -> bool:
        """A reported place has stored; whether that has changed something."""
        slots = [slot for (number, _, _), slot in self._slots.items() if number == report]
        # One traced value in place of another is a change.
        changed = [
            slot
            for slot in slots
            if slot.before is _TRACED or _print(_read(slot.again)) != slot.before
        ]
        for slot in changed:
            slot.changed = True
        return bool(changed)

    def settle(self, run: RunRecord) -> set[tuple[int, int]]:
        """Once no trace runs: see what is as it was; nothing of it is kept.

        Args:
          run: is told which reports that concerns.

        Returns:
          The reports and the identities of the objects that hold what they held before.
        """
        slots, self._first, self._slots = self._slots, {}, {}
        same = {key for key, slot in slots.items() if _is(slot, slot.first)}
        self.altered |= {report for report, _, _ in {*slots} - same}
        # What was there anyway says nothing: something else may have stored the same before.
        run.restored |= {key[0] for key in same if slots[key].changed} - self.altered
        return {(report, owner) for report, owner, _ in same}


def _read(again: Callable[[], Any]) -> Any:
    try:
        return again()
    except Exception:
        return _MISSING


def _print(value: Any) -> object:
    return _TRACED if tracer_in(value, "")[1] is not None else fingerprint(value, SHALLOW)


def _is(slot: _Slot, before: object) -> bool:
    """Whether a slot holds what it held before; what a trace had put there is not that."""
    now = _print(_read(slot.again))
    return now is not _TRACED if before is _TRACED else now == before
