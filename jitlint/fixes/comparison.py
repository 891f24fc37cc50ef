"""What fixes have done to the reports: which are gone, and which have come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from jitlint.diagnostics import Diagnostic
from jitlint.fixes.application import Fixed
from jitlint.run.execution import Run

#: names a fix: its file, rule and what its report stands for
_Key = tuple[str, str, str]


@dataclass(frozen=True)
class TakenBack:
    """A fix that was taken back.

    Args:
      report: whose fix it is, at its place when it was tried.
      reason: why, as the rest of a sentence about the fix.
    """

    report: Diagnostic
    reason: str


class Comparison:
    """The reports before and after some fixes.

    Args:
      before: the run over the old texts.
      after: that over the new ones.
      tried: the texts with their fixes.
    """

    def __init__(self, before: Run, after: Run, tried: Mapping[Path, Fixed]) -> None:
        self._tried = tried
        self._after = after.diagnostics
        #: what is known of before, by file and code: the places where it is now
        self._places: set[tuple[str, str, int, int]] = set()
        keys: list[_Key] = []
        fixes = {id(report) for fixed in tried.values() for report in fixed.reports}
        fixed_keys = {report.lasting_key for fixed in tried.values() for report in fixed.reports}
        for item in before.diagnostics:
            if id(item) in fixes or item.lasting_key in fixed_keys:
                continue
            keys.append(item.lasting_key)
            fixed = tried.get(Path(item.filename))
            where = (item.location,) if fixed is None else fixed.moved(item.location)
            self._places |= {(item.filename, item.code, p.row, p.column) for p in where}
        self._keys = set(keys)

    def not_removed(self) -> Iterable[TakenBack]:
        """The fixes that leave their reports.

        One of the same kind about something else, which has a fix of its own, was behind it: of
        ``jnp.zeros((rows, columns))`` one is made static after the other.
        """
        for fixed in self._tried.values():
            for report in fixed.reports:
                start, end = fixed.extent(report)
                left = (
                    item
                    for item in self._after
                    if item.filename == report.filename
                    and item.code == report.code
                    and start <= item.location <= end
                    and (item.message == report.message or item.fix is None)
                    and not self._is_known(item)
                )
                item = next(left, None)
                if item is not None:
                    yield TakenBack(report, f"it leaves {report.code} in row {item.location.row}")

    def brought(self) -> list[Diagnostic]:
        """The reports that were not there before, and weigh as much as a fix that was made."""
        mildest = min(
            (report.severity for fixed in self._tried.values() for report in fixed.reports),
            default=None,
        )
        if mildest is None:
            return []
        return [
            item
            for item in self._after
            if item.severity >= mildest
            and not self._is_known(item)
            and item.lasting_key not in self._keys
            and self.suspects(item)
        ]

    def suspects(self, new: Diagnostic) -> list[Diagnostic]:
        """The fixes that may have brought a report: the nearest, as far as can be told.

        Of these only such count as weigh no more.  What no fix is near to has come of none.
        """
        reports = [report for fixed in self._tried.values() for report in fixed.reports]
        files = {step.filename for step in new.trace} | {new.filename}
        for near in (
            lambda it: it.filename == new.filename and it.function == new.function,
            lambda it: it.filename == new.filename,
            lambda it: it.filename in files,
        ):
            found = [report for report in reports if near(report)]
            if found:
                return [report for report in found if report.severity <= new.severity]
        return []

    def blame(self, fix: Diagnostic, new: Diagnostic) -> TakenBack:
        """A fix that is taken back for a report, in words that tell new code from old code."""
        fixed = self._tried.get(Path(new.filename))
        written = fixed is not None and fix in fixed.reports and fixed.writes(fix, new.location)
        verb = "brings" if written else "uncovers"
        words = f"{new.code} in row {new.location.row}: {new.message}".rstrip(".")
        return TakenBack(fix, f"it {verb} {words}")

    def _is_known(self, item: Diagnostic) -> bool:
        place = item.location
        return (item.filename, item.code, place.row, place.column) in self._places
