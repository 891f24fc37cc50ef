"""JIT902: which suppression comments of a file silence nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import PurePath

from jitlint.diagnostics import Diagnostic, Location
from jitlint.filters.suppression_fixes import removal
from jitlint.foundation.digests import blake2b
from jitlint.foundation.phrases import joined
from jitlint.foundation.records import Record
from jitlint.rules.codes import CODES, UNFINISHED, UNUSED_SUPPRESSION
from jitlint.source.suppression import Kind, Suppression, Suppressions

_PREFIX = "JIT"


def unused(
    filename: str,
    comments: Suppressions,
    found: Sequence[Diagnostic],
    enabled: Collection[str],
) -> Iterator[Diagnostic]:
    """Judge the comments of one file.

    Args:
      filename: the file.
      comments: its comments.
      found: everything the engine found in it, whatever its severity.
      enabled: the codes that this run looks for in this file.

    Yields:
      A JIT902 for each comment of which a part silences nothing; none in a file that an
      ``ignore-file`` silences, or may silence in a run with more rules.
    """
    if not comments.tokenized or any(item.code in UNFINISHED for item in found):
        return
    relevant = [item for item in found if item.code in enabled]
    idle_file = all(code in enabled for code in CODES) and not relevant
    if comments.whole_file and not idle_file:
        return
    occurrences: Counter[str] = Counter()
    for comment in comments.comments:
        if comment.kind is Kind.IGNORE_FILE:
            fault: _Fault | None = _Fault("no rule reports anything in this file")
        else:
            of_file = comment.kind is Kind.NOQA_FILE
            here = [i.code for i in relevant if of_file or _concerns(comment, comments, i)]
            fault = _fault(comment, here, enabled)
        if fault is not None:
            occurrences[comment.text] += 1
            yield _diagnostic(filename, comments, comment, fault, occurrences[comment.text])


class _Fault(Record):
    """What is wrong with a comment.

    Args:
      said: in words.
      idle: of the codes that it names those that could go.
    """

    said: str
    idle: Collection[str] = ()


def _concerns(comment: Suppression, comments: Suppressions, item: Diagnostic) -> bool:
    return comment in comments.at((item.noqa_row, item.location.row))


def _fault(comment: Suppression, here: Iterable[str], enabled: Collection[str]) -> _Fault | None:
    """What is wrong with a comment, None where it is needed or cannot be judged.

    Args:
      comment: of any kind but ``ignore-file``.
      here: the codes of the reports that it could silence.
      enabled: the codes that this run looks for in this file.
    """
    if comment.kind is Kind.UNKNOWN:
        return _Fault("expected `ignore[CODES]` or `ignore-file` after `# jitlint:`")
    if comment.prefixes is None:
        return None
    own = comment.kind is Kind.IGNORE
    if own and not comment.prefixes:
        return _Fault("it names no rule: expected a code such as JIT101 in the brackets")
    reported = tuple(here)
    idle: list[str] = []
    unknown: list[str] = []
    for prefix in dict.fromkeys(comment.prefixes):
        meant = [code for code in CODES if code.startswith(prefix)]
        if not prefix.startswith(_PREFIX) or not meant:
            # Another tool's code, or a newer jitlint's, may stand in a noqa, but not in our own.
            if own:
                unknown.append(prefix)
        elif UNUSED_SUPPRESSION.startswith(prefix):
            # Whether it is needed depends on the answer.
            continue
        elif all(code in enabled for code in meant) and not any(
            code.startswith(prefix) for code in reported
        ):
            idle.append(prefix)
    faults = []
    if idle:
        faults.append(f"{joined(idle)} {'is' if len(idle) == 1 else 'are'} not reported here")
    if unknown:
        faults.append(f"no rule has the code {' or '.join(unknown)}")
    return _Fault("; ".join(faults), (*idle, *unknown)) if faults else None


def _diagnostic(
    filename: str, comments: Suppressions, comment: Suppression, fault: _Fault, occurrence: int
) -> Diagnostic:
    from jitlint.rules.internal.unused_suppression import META

    name = PurePath(filename).name
    identity = "\0".join((UNUSED_SUPPRESSION, name, comment.text, str(occurrence)))
    return Diagnostic(
        code=UNUSED_SUPPRESSION,
        name=META.name,
        severity=META.severity,
        message=f"Unused suppression `{comment.text}`: {fault.said}.",
        help=META.help,
        filename=filename,
        location=Location(comment.row, comment.column),
        end_location=Location(comment.row, comment.column + len(comment.text)),
        function=None,
        trace=(),
        hazard=None,
        noqa_row=comments.rows_with(comment.row)[-1],
        fingerprint=blake2b(identity.encode(), digest_size=12).hexdigest(),
        fix=removal(comment, fault.idle),
    )
