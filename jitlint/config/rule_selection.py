"""Which rules are selected, by codes and prefixes, and from which severity on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from jitlint.diagnostics import Diagnostic, Severity
from jitlint.foundation.phrases import did_you_mean
from jitlint.foundation.records import Record
from jitlint.rules.codes import ALL, CODES, CODES_BY_NAME, INTERNAL_ERROR, UNFINISHED

#: the prefix of all codes
EVERY_RULE: Final = "JIT"
_CODE_LENGTH = len("JIT101")


def check_codes(values: Iterable[str]) -> tuple[str, ...]:
    """Check codes, prefixes and names against the rules that exist.

    Args:
      values: as the user wrote them, in any case; ``ALL`` stands for every rule.

    Returns:
      The codes and prefixes, in upper case.

    Raises:
      ValueError: one of them selects no rule; the message lists the codes.
    """
    return tuple(map(_checked, values))


def _checked(value: str) -> str:
    word = value.strip()
    upper = word.upper()
    if upper == ALL:
        return EVERY_RULE
    if upper.startswith(EVERY_RULE) and any(code.startswith(upper) for code in CODES):
        return upper
    code = CODES_BY_NAME.get(word.lower())
    if code is None:
        hint = did_you_mean(word.lower(), CODES_BY_NAME)
        raise ValueError(
            f"unknown rule code {value!r}{hint} (expected {ALL}, a rule's name, a prefix such as "
            f"JIT1, or one of {', '.join(CODES)})"
        )
    return code


class Layer(Record):
    """One source of choices: the configuration file, or the command line.

    Args:
      select: begins anew with these; None keeps what the layer below chose.
      extend_select: adds these.
      ignore: takes these away.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


class Selection(Record):
    """The rules that are shown.

    Args:
      enabled: their codes.
      named: codes that were selected in full; their infos are shown too.
      min_severity: the mildest severity shown of other rules.
    """

    enabled: frozenset[str]
    named: frozenset[str] = frozenset()
    min_severity: Severity = Severity.WARNING

    def shows(self, diagnostic: Diagnostic) -> bool:
        """Whether a report passes by its rule and severity."""
        code = diagnostic.code
        if code == INTERNAL_ERROR:
            return True
        if code not in self.enabled:
            return False
        return diagnostic.severity >= self.min_severity or code in self.named


def select_rules(
    codes: Sequence[str], layers: Sequence[Layer], min_severity: Severity
) -> Selection:
    """Decide which rules are shown.

    All rules are enabled at first.  Each layer changes what the one below it chose; within a layer
    the longer, more exact prefix wins, and ``ignore`` wins over ``select`` of the same length.

    Args:
      codes: of all rules.
      layers: checked choices, the strongest last.
      min_severity: the mildest severity shown.

    Returns:
      The selection.
    """
    enabled = set(codes)
    named: set[str] = set()
    for layer in layers:
        chosen = (*(layer.select or ()), *layer.extend_select)
        if layer.select is not None:
            # Asking for some rules only does not hide that a file was not linted.
            enabled = {code for code in enabled if code in UNFINISHED}
        for code in codes:
            gained = _match_length(code, chosen)
            lost = _match_length(code, layer.ignore)
            if gained > lost:
                enabled.add(code)
            elif lost:
                enabled.discard(code)
        named |= {code for code in chosen if len(code) == _CODE_LENGTH}
    return Selection(frozenset(enabled), frozenset(named), min_severity)


def _match_length(code: str, prefixes: Iterable[str]) -> int:
    """The length of the longest prefix of ``code`` among the prefixes; 0 for none."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)
