"""The functions that were seen to run."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from jitlint.diagnostics import TracedFunctionReport
from jitlint.sketches import SketchedFunction


class Listing(Struct, frozen=True):
    """The functions that run.

    Args:
      traced: those that JAX traces, of the targets, each once.
      sketched: those with parameters of which something is known, each once.
    """

    traced: tuple[TracedFunctionReport, ...]
    sketched: tuple[SketchedFunction, ...]

    @classmethod
    def joined(cls, listings: Iterable[Listing]) -> Listing:
        """The functions of several parts of a project, or of several projects, by file."""
        traced: list[TracedFunctionReport] = []
        sketched: list[SketchedFunction] = []
        for listing in listings:
            traced += listing.traced
            sketched += listing.sketched
        traced.sort(key=lambda item: item.filename)
        return cls(tuple(traced), tuple(sketched))
