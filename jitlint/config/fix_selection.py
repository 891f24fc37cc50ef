"""Which fixes are offered, and how far those of a rule are trusted."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from jitlint.diagnostics import Applicability, Diagnostic
from jitlint.foundation.records import Record


class FixSelection(Record, kw_only=True):
    """What a configuration says of fixes; of several prefixes that fit a code the longest counts.

    Args:
      fixable: codes or prefixes of the rules whose reports are fixed; None for all.
      unfixable: of those whose reports are not.
      safe: of those whose unsafe fixes count as safe.
      unsafe: of those whose safe fixes count as unsafe.
    """

    fixable: tuple[str, ...] | None = None
    unfixable: tuple[str, ...] = ()
    safe: tuple[str, ...] = ()
    unsafe: tuple[str, ...] = ()

    def of(self, item: Diagnostic) -> Diagnostic:
        """A report with the fix that the configuration leaves it."""
        fix, code = item.fix, item.code
        if fix is None:
            return item
        fixable = _closeness(code, ("",) if self.fixable is None else self.fixable)
        if fixable <= _closeness(code, self.unfixable):
            return replace(item, fix=None)
        safe, unsafe = _closeness(code, self.safe), _closeness(code, self.unsafe)
        if fix.applicability is Applicability.UNSAFE and safe > unsafe:
            return replace(item, fix=replace(fix, applicability=Applicability.SAFE))
        if fix.applicability is Applicability.SAFE and unsafe > -1 and unsafe >= safe:
            return replace(item, fix=replace(fix, applicability=Applicability.UNSAFE))
        return item


def _closeness(code: str, prefixes: Iterable[str]) -> int:
    """The length of the longest prefix that fits a code, -1 where none does."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)
