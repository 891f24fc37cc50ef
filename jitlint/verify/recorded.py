"""Which tests reach which reports, as a run of the project's own tests took it down.

``pytest --jitlint-verify=FILE.json`` writes such a file, ``jitlint verify --recorded`` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jitlint.usage_errors import UsageError

_VERSION = 1


@dataclass(frozen=True)
class Call:
    """A call that ran a reported line under a trace.

    Args:
      test: the test, as pytest names it, relative to the folder of the recording.
      arguments: what the function was called with, as it is shown.
    """

    test: str
    arguments: str


@dataclass
class Recording:
    """What the tests of a project reach.

    Args:
      folder: the folder that the names of tests are relative to.
      calls: the calls of each report, by its fingerprint.
    """

    folder: Path
    calls: dict[str, list[Call]] = field(default_factory=dict)

    def add(self, calls: Mapping[str, Iterable[Call]]) -> None:
        """Take over calls from another process, each once."""
        for fingerprint, found in calls.items():
            known = self.calls.setdefault(fingerprint, [])
            known += [call for call in found if call not in known]

    def tests_of(self, fingerprint: str) -> list[tuple[str, str]]:
        """The tests that reach a report, by file and the name in it."""
        names = (call.test.partition("::") for call in self.calls.get(fingerprint, ()))
        return [(str(self.folder / file), inner) for file, _, inner in names]

    def to_json(self) -> dict[str, Any]:
        """The recording as a JSON object."""
        return {
            "version": _VERSION,
            "folder": str(self.folder),
            "reports": {
                fingerprint: [{"test": call.test, "arguments": call.arguments} for call in calls]
                for fingerprint, calls in sorted(self.calls.items())
            },
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Recording:
        """The inverse of ``to_json``.

        Raises:
          LookupError, TypeError, ValueError: it is something else.
        """
        if values["version"] != _VERSION:
            raise ValueError(f"version {values['version']}")
        found = cls(Path(values["folder"]))
        for fingerprint, calls in values["reports"].items():
            found.calls[fingerprint] = [Call(one["test"], one["arguments"]) for one in calls]
        return found


def read(path: Path) -> Recording:
    """Read a recording.

    Args:
      path: its file.

    Raises:
      UsageError: there is none, or it is something else.
    """
    try:
        return Recording.from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"--recorded: {path}: {error.strerror}") from None
    except (LookupError, TypeError, ValueError, AttributeError):
        raise UsageError(
            f"--recorded: {path} is not what 'pytest --jitlint-verify=FILE.json' writes"
        ) from None
