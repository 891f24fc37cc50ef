"""``--changed-since REV``: the lines changed since a git revision, and what touches them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jitlint.diagnostics import Diagnostic
from jitlint.rules.codes import INTERNAL_ERROR
from jitlint.usage_errors import UsageError

_HUNK = re.compile(rb"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb'\\([0-7]{3}|["\\abtnvfr])')
_ESCAPED = dict(zip(b'"\\abtnvfr', b'"\\\a\b\t\n\v\f\r', strict=True))
#: Nothing of the user's is run: no hooks, no programs that the repository names for its files.
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
_DIFF = (
    *(
        "diff",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--no-renames",
        "--text",
        "--unified=0",
    ),
    *("--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules", "--inter-hunk-context=0"),
)


@dataclass(frozen=True)
class ChangedLines:
    """The lines that differ from a revision, in files as they are now.

    Args:
      rows: for each file, by its name without symbolic links, the changed rows.
      new: files that git does not know yet; all their lines are new.
    """

    rows: dict[str, tuple[range, ...]]
    new: frozenset[str]

    def touches(self, item: Diagnostic) -> bool:
        """Whether a report, or a step that leads to it, stands on a changed line.

        A decorator that is added makes lines hostile that did not change themselves, so the steps
        count as well.
        """
        last = max(item.end_location.row - (item.end_location.column == 1), item.location.row)
        if self._changed(item.filename, item.cell, item.location.row, last):
            return True
        return any(
            self._changed(step.filename, step.cell, step.row, step.row) for step in item.trace
        )

    def _changed(self, filename: str, cell: int | None, first: int, last: int) -> bool:
        name = os.path.realpath(filename)
        if name in self.new:
            return True
        if cell is not None:
            # A row of a cell is no row of the file.
            return bool(self.rows.get(name))
        return any(rows.start <= last and first < rows.stop for rows in self.rows.get(name, ()))


def changed_since(revision: str, folder: Path) -> ChangedLines:
    """Ask git what changed, committed or not.

    Args:
      revision: anything that git takes for a commit.
      folder: a folder of the repository.

    Returns:
      The changed lines.

    Raises:
      UsageError: there is no git, no repository or no such revision.
    """
    top = Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel").rstrip(b"\r\n")))
    name = f"{revision}^{{commit}}"
    commit = _git(
        folder, "rev-parse", "--verify", "--quiet", "--end-of-options", name, missing=revision
    )
    diff = _git(top, *_DIFF, commit.decode("ascii").strip(), "--")
    others = _git(top, "ls-files", "--others", "--exclude-standard", "-z")

    def real(name: bytes) -> str:
        return os.path.realpath(top / os.fsdecode(name))

    new = frozenset(real(name) for name in others.split(b"\0") if name)
    return ChangedLines(_parse(diff, real), new)


def _git(folder: Path, *arguments: str, missing: str | None = None) -> bytes:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *_SAFE, *arguments],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise UsageError(f"--changed-since: cannot run git: {error.strerror}") from None
    if done.returncode == 0:
        return done.stdout
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if missing is not None and not said:
        raise UsageError(
            f"--changed-since: unknown revision {missing!r} (expected a commit, branch or tag)"
        )
    reason = said[0] if said else f"git {arguments[0]} failed"
    raise UsageError(f"--changed-since: {reason}")


def _parse(diff: bytes, real: Callable[[bytes], str]) -> dict[str, tuple[range, ...]]:
    """The rows of the new side of each hunk, by file."""
    found: dict[str, list[range]] = {}
    rows: list[range] | None = None
    removed = added = 0
    for line in diff.split(b"\n"):
        if removed or added:
            # The text of a hunk may look like anything.
            if line.startswith(b"-"):
                removed -= 1
            elif line.startswith(b"+"):
                added -= 1
            continue
        if line.startswith(b"diff --git "):
            rows = None
        elif line.startswith(b"+++ "):
            name = _unquoted(line[4:])
            rows = found.setdefault(real(name[2:]), []) if name.startswith(b"b/") else None
        elif match := _HUNK.match(line):
            count = 1 if match[2] is None else int(match[2])
            removed, added = _old_count(line), count
            if rows is not None and count:
                rows.append(range(int(match[1]), int(match[1]) + count))
    return {name: tuple(ranges) for name, ranges in found.items()}


def _old_count(hunk: bytes) -> int:
    old = hunk.split(b" ")[1]
    return int(old.partition(b",")[2] or 1)


def _unquoted(name: bytes) -> bytes:
    """A file's name as git writes it: with a tab behind it, or in quotes and with escapes."""
    name = name.removesuffix(b"\t")
    if not name.startswith(b'"'):
        return name

    def byte(match: re.Match[bytes]) -> bytes:
        escape = match[1]
        return bytes([int(escape, 8) if len(escape) == 3 else _ESCAPED[escape[0]]])

    return _ESCAPE.sub(byte, name[1:-1])


def on_changed_lines(reports: Sequence[Diagnostic], changed: ChangedLines) -> list[Diagnostic]:
    """The reports that touch changed lines; what jitlint could not do is always kept."""
    return [item for item in reports if item.code == INTERNAL_ERROR or changed.touches(item)]
