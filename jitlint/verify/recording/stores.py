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
      print: what was there before.
      again: reads what is there.
      changed: whether something else was there after a store.
    """

    print: object
    again: Callable[[], Any]
    changed: bool = False


class Stores:
    """The stores of reported places under the traces that run.

    Attributes:
      altered: the reports of which some trace of the job has left another value behind.
    """

    def __init__(self) -> None:
        self.altered: set[int] = set()
        self._slots: dict[tuple[int, int], _Slot] = {}

    def begin(self) -> None:
        """A run begins."""
        self._slots = {}

    def about_to_store(self, report: int, owner: Any, again: Callable[[], Any]) -> None:
        """A reported place is about to store into an object.

        Args:
          report: the number of the report.
          owner: the object.
          again: reads what the place changes: an item, an attribute, or all of the object.
        """
        key = report, id(owner)
        if key in self._slots:
            return
        self._slots[key] = _Slot(_print(_read(again)), again)

    def has_stored(self, report: int) -> None:
        """A reported place has stored."""
        for (number, _), slot in self._slots.items():
            if number == report and not slot.changed:
                slot.changed = not _is_as_before(slot)

    def settle(self, run: RunRecord) -> set[tuple[int, int]]:
        """Once no trace runs: see what is as it was; nothing of it is kept.

        Args:
          run: is told which reports that concerns.

        Returns:
          The reports and the identities of the objects that hold what they held before.
        """
        slots, self._slots = self._slots, {}
        same = {key for key, slot in slots.items() if _is_as_before(slot)}
        self.altered |= {report for report, _ in {*slots} - same}
        # What was there anyway says nothing: something else may have stored the same before.
        run.restored |= {key[0] for key in same if slots[key].changed} - self.altered
        return same


def _read(again: Callable[[], Any]) -> Any:
    try:
        return again()
    except Exception:
        return _MISSING


def _print(value: Any) -> object:
    return _TRACED if tracer_in(value, "")[1] is not None else fingerprint(value, SHALLOW)


def _is_as_before(slot: _Slot) -> bool:
    now = _print(_read(slot.again))
    # What a trace had put there is not what was there before.
    return now is not _TRACED if slot.print is _TRACED else now == slot.print
