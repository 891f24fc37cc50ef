"""What the editor's own configuration says, beside the project's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitlint.config.configuration import Config
from jitlint.config.rule_selection import Layer, Selection, check_codes
from jitlint.diagnostics import Severity

SECTION = "jitlint"


@dataclass(frozen=True, slots=True)
class Settings:
    """The editor's choices; they weigh more than the project's, as command-line options do.

    Args:
      select: codes or prefixes to report, instead of all.
      extend_select: codes or prefixes to report besides.
      ignore: codes or prefixes not to report.
      min_severity: the mildest severity that is shown; None leaves it to the project.
      configuration: a configuration file to read instead of the project's.
      lint_on_change: whether unsaved text is linted; otherwise only what is opened and saved.
      workspace_diagnostics: whether all files are reported on, to clients that ask for that.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_severity: Severity | None = None
    configuration: Path | None = None
    lint_on_change: bool = True
    workspace_diagnostics: bool = False

    def selection(self, config: Config) -> Selection:
        """The rules to show in a project.

        Args:
          config: the project's own.

        Returns:
          The selection.
        """
        ours = Layer(self.select, self.extend_select, self.ignore)
        return config.selection(ours, self.min_severity)


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with the settings that a client sent; those parts are left out.

    Args:
      wrong: one line for each value that is.
      unknown: one line for each key that means nothing to us, but may to an extension.
    """

    wrong: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def read_settings(value: Any, base: Path) -> tuple[Settings, Faults]:
    """Read what a client sent.

    Args:
      value: the ``jitlint`` section: an object, or nothing.
      base: the folder that a relative path is relative to.

    Returns:
      The settings, and what is wrong with them.
    """
    if value is None:
        return Settings(), Faults()
    if not isinstance(value, Mapping):
        return Settings(), Faults((f"settings: expected an object, got {value!r}",))
    chosen: dict[str, Any] = {}
    wrong: list[str] = []
    unknown: list[str] = []
    for key, option in value.items():
        name = _NAMES.get(_plain(key))
        if name is None:
            legal = ", ".join(_SPELLINGS)
            unknown.append(f"settings: unknown key {key!r} (expected one of {legal})")
        elif option is not None:
            try:
                chosen[name] = _READERS[name](option, base)
            except ValueError as error:
                wrong.append(f"settings: {key}: {error}")
    return Settings(**chosen), Faults(tuple(wrong), tuple(unknown))


def _plain(key: object) -> str:
    """A key without what the spellings ``extendSelect`` and ``extend-select`` differ in."""
    return str(key).replace("-", "").replace("_", "").lower()


def _codes(value: Any, base: Path) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"expected a list of codes, got {value!r}")
    return check_codes(value)


def _severity(value: Any, base: Path) -> Severity:
    return Severity.from_label(value if isinstance(value, str) else repr(value))


def _path(value: Any, base: Path) -> Path | None:
    if not isinstance(value, str):
        raise ValueError(f"expected a path, got {value!r}")
    return base / Path(value).expanduser() if value else None


def _flag(value: Any, base: Path) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {value!r}")
    return value


_READERS: Mapping[str, Callable[[Any, Path], Any]] = {
    "select": _codes,
    "extend_select": _codes,
    "ignore": _codes,
    "min_severity": _severity,
    "configuration": _path,
    "lint_on_change": _flag,
    "workspace_diagnostics": _flag,
}
_NAMES = {_plain(name): name for name in _READERS}
_SPELLINGS = (
    "select",
    "extendSelect",
    "ignore",
    "minSeverity",
    "configuration",
    "lintOnChange",
    "workspaceDiagnostics",
)
