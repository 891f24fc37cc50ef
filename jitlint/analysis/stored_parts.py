"""Records of parts in a folder, as JSON can say them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jitlint.absint.detectors.compilation.jit_sites import Kind
from jitlint.absint.detectors.compilation.jit_verdicts import Verdict
from jitlint.absint.events import (
    ArrayDeclaredStatic,
    ClearedCache,
    FreshControlFlow,
    JitInLoop,
    JitPerCall,
    VaryingShapeArgument,
    VaryingStaticArgument,
)
from jitlint.analysis.agenda import Identity, Progress
from jitlint.analysis.jit_uses import Seen, SharedUses, SiteFacts
from jitlint.analysis.places import Name
from jitlint.analysis.records import PartRecord, Segment
from jitlint.analysis.reports import Report
from jitlint.cache.encoding import decode, encode
from jitlint.cache.folder import PartFolder

_EVENTS = {
    event.__name__: event
    for event in (
        JitInLoop,
        JitPerCall,
        FreshControlFlow,
        ClearedCache,
        ArrayDeclaredStatic,
        VaryingStaticArgument,
        VaryingShapeArgument,
    )
}


class StoredParts:
    """The parts of one project in a folder.

    Args:
      folder: where they are kept.
    """

    def __init__(self, folder: PartFolder) -> None:
        self._folder = folder
        #: the files whose functions were interpreted in this run
        self.interpreted = folder.interpreted

    def find(self, path: Path) -> PartRecord | None:
        """What is known of a file, whether or not it still holds."""
        found = self._folder.read(path)
        try:
            return None if found is None else _Decoder(found).record()
        except (ValueError, TypeError, LookupError, AttributeError):
            return None

    def keep(self, path: Path, record: PartRecord) -> None:
        """Remember what came of a file."""
        if self._folder.writable:
            self._folder.write(path, _Encoder().record(record))


class _Encoder:
    """Makes JSON of a record; a name of a place is written once and then called by its number."""

    def __init__(self) -> None:
        self._names: dict[Name, int] = {}

    def record(self, record: PartRecord) -> dict[str, Any]:
        uses = record.uses
        return {
            "modules": {str(path): known for path, known in record.modules.items()},
            "lookups": [
                [_text(folder), name, _text(found)]
                for (folder, name), found in record.lookups.items()
            ],
            "words": {word: list(map(str, paths)) for word, paths in record.words.items()},
            "segments": [
                [
                    self._identities(segment.asked),
                    self._identities(segment.progress.made),
                    [[self._name(a), self._name(b)] for a, b in sorted(segment.progress.called)],
                    self._reports(segment.reports),
                ]
                for segment in record.segments
            ],
            "sites": [
                [
                    self._name(place),
                    *uses.sites[place],
                    facts.kind.value,
                    facts.in_loop,
                    facts.guarded,
                    self._name(facts.owner),
                    facts.method,
                    facts.qualname,
                    facts.in_test,
                    facts.depends,
                    self._name(facts.clears),
                    self._name(facts.holder),
                    facts.is_property,
                    facts.sized,
                ]
                for place, facts in uses.facts.items()
            ],
            "called_by": [
                [self._name(place), [self._name(caller) for caller in sorted(callers, key=str)]]
                for place, callers in uses.called_by.items()
            ],
            "kept": [self._name(place) for place in sorted(uses.kept)],
            "calls": [
                [self._name(callee), self._name(caller), self._name(place), *self._seen(known)]
                for (callee, (caller, place)), known in uses.calls.items()
            ],
            "method_calls": [
                [method, self._name(caller), self._name(place), *self._seen(known)]
                for (method, (caller, place)), known in uses.method_calls.items()
            ],
            "cached": [self._name(name) for name in sorted(uses.cached)],
            "traced": [self._name(name) for name in sorted(uses.traced)],
            "staged": [self._name(name) for name in sorted(uses.staged)],
            "passed": [self._name(place) for place in sorted(uses.passed)],
            "runs": [
                [self._name(around), self._name(made), repeats]
                for (around, made), repeats in uses.runs.items()
            ],
            "qualnames": [[self._name(name), text] for name, text in uses.qualnames.items()],
            "verdicts": [
                [
                    self._name(place),
                    [
                        verdict.event.__name__,
                        verdict.made,
                        verdict.caller,
                        verdict.calls,
                        verdict.in_test,
                        verdict.per_call,
                    ],
                    self._reports(reports),
                ]
                for (place, verdict), reports in record.verdicts.items()
            ],
            "unsupported": [
                [str(path), row, said] for (path, row), said in record.unsupported.items()
            ],
            "names": [list(name) for name in self._names],
        }

    def _name(self, name: Name | None) -> int:
        return -1 if name is None else self._names.setdefault(name, len(self._names))

    def _seen(self, known: Seen) -> list[Any]:
        return [*known[:-1], [self._name(name) for name in known.wraps]]

    def _identities(self, identities: Iterable[Identity]) -> list[list[Any]]:
        return [[self._name(a), transform, self._name(b)] for a, transform, b in identities]

    def _reports(self, reports: Iterable[Report]) -> list[list[Any]]:
        return [
            [
                self._name(report.key[0]),
                report.key[1],
                report.certain,
                report.traced,
                report.bound,
                [encode(item) for item in report.diagnostics],
            ]
            for report in reports
        ]


class _Decoder:
    """Undoes what :class:`_Encoder` did."""

    def __init__(self, found: Any) -> None:
        self._found = found
        self._names: list[Name | None] = [_checked(name) for name in found["names"]]
        # The number of what is no name.
        self._names.append(None)

    def record(self) -> PartRecord:
        """The record.

        Raises:
          ValueError, TypeError, LookupError, AttributeError: it is none.
        """
        found = self._found
        return PartRecord(
            {Path(name): str(known) for name, known in found["modules"].items()},
            {
                (_path(folder), str(name)): _path(target)
                for folder, name, target in found["lookups"]
            },
            {word: tuple(map(Path, paths)) for word, paths in found["words"].items()},
            tuple(
                Segment(
                    self._identities(asked),
                    Progress(
                        self._identities(made),
                        frozenset((self._name(a), self._name(b)) for a, b in called),
                    ),
                    self._reports(reports),
                )
                for asked, made, called, reports in found["segments"]
            ),
            self._uses(),
            {
                (self._name(place), _verdict(*verdict)): self._reports(reports)
                for place, verdict, reports in found["verdicts"]
            },
            {(Path(name), int(row)): str(said) for name, row, said in found["unsupported"]},
        )

    def _uses(self) -> SharedUses:
        found = self._found
        optional = self._names
        uses = SharedUses()
        for place, repeated, fresh, kind, in_loop, guarded, owner, *rest in found["sites"]:
            name = self._name(place)
            method, qualname, in_test, depends, clears, holder, is_property, sized = rest
            uses.sites[name] = (repeated, fresh)
            uses.facts[name] = SiteFacts(
                Kind(kind),
                in_loop,
                guarded,
                optional[owner],
                method,
                qualname,
                in_test,
                tuple(depends),
                optional[clears],
                optional[holder],
                is_property,
                tuple(sized),
            )
        for place, callers in found["called_by"]:
            uses.called_by[self._name(place)] = {optional[caller] for caller in callers}
        uses.kept = {self._name(place) for place in found["kept"]}
        uses.cached = {self._name(name) for name in found["cached"]}
        uses.traced = {self._name(name) for name in found["traced"]}
        uses.staged = {self._name(name) for name in found["staged"]}
        uses.passed = {self._name(place) for place in found["passed"]}
        uses.runs = {
            (self._name(around), self._name(made)): bool(repeats)
            for around, made, repeats in found["runs"]
        }
        for callee, caller, place, *seen in found["calls"]:
            key = (self._name(callee), (optional[caller], optional[place]))
            uses.calls[key] = self._seen(*seen)
        for method, caller, place, *seen in found["method_calls"]:
            site = (optional[caller], optional[place])
            uses.method_calls[method, site] = self._seen(*seen)
        uses.qualnames = {self._name(name): text for name, text in found["qualnames"]}
        return uses

    def _seen(self, *known: Any) -> Seen:
        loop, in_test, varies, sizes, repeats, wraps = known
        named = tuple(map(self._name, wraps))
        return Seen(loop, in_test, tuple(varies), tuple(sizes), repeats, named)

    def _name(self, number: int) -> Name:
        name = self._names[number]
        if name is None:
            raise ValueError("a name is missing")
        return name

    def _identities(self, rows: Any) -> tuple[Identity, ...]:
        return tuple((self._name(a), str(transform), self._name(b)) for a, transform, b in rows)

    def _reports(self, rows: Any) -> tuple[Report, ...]:
        return tuple(
            Report(
                (self._name(place), str(event)),
                bool(certain),
                bool(traced),
                bool(bound),
                tuple(map(decode, diagnostics)),
            )
            for place, event, certain, traced, bound, diagnostics in rows
        )


def _checked(row: Any) -> Name:
    path, first, column, qualname, number = row
    return str(path), int(first), int(column), str(qualname), int(number)


def _verdict(event: str, *details: Any) -> Verdict:
    made, caller, calls, in_test, per_call = details
    return Verdict(_EVENTS[event], made, caller, calls, in_test, per_call)


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
