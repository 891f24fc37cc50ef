"""Whether a version is ready to be released.

``python -m tools.release VERSION`` ends with 1 and says what is missing: the version must be that
of the package and of the extension for VS Code, and the changelog must name it with a date and have
something to say of it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from jitlint import __version__

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = ROOT / "CHANGELOG.md"
EXTENSION = ROOT / "editors" / "vscode"
_HEAD = re.compile(r"^## (?P<version>\S+) \((?P<date>[^)]*)\)$", re.MULTILINE)


def missing(version: str, versions: Mapping[str, str], changelog: str) -> list[str]:
    """What keeps a version from being released.

    Args:
      version: the version.
      versions: the version that each part of the project says it has.
      changelog: the changelog's text.
    """
    found = [
        f"{part} is version {other}, not {version}"
        for part, other in versions.items()
        if other != version
    ]
    heads = list(_HEAD.finditer(changelog))
    named = [head for head in heads if head["version"] == version]
    if not named:
        return [*found, f"the changelog has no head '## {version} (YYYY-MM-DD)'"]
    (head, *_) = named
    try:
        date.fromisoformat(head["date"])
    except ValueError:
        found.append(f"the changelog dates {version} '{head['date']}', not YYYY-MM-DD")
    end = min((other.start() for other in heads if other.start() > head.end()), default=None)
    if not changelog[head.end() : end].strip():
        found.append(f"the changelog says nothing of {version}")
    return found


def all_versions() -> dict[str, str]:
    """The version of each part of the project."""
    found = {"the package": __version__}
    for name in ("package.json", "package-lock.json"):
        path = EXTENSION / name
        found[path.relative_to(ROOT).as_posix()] = json.loads(path.read_text("utf-8"))["version"]
    return found


def main(version: str) -> int:
    """Say what is missing; the exit code."""
    found = missing(version, all_versions(), CHANGELOG.read_text(encoding="utf-8"))
    for line in found:
        print(f"not ready: {line}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
