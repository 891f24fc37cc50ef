"""Configuration: what one file says, and the files that it extends, checked at once.

A key or value that jitlint does not understand stops the run: a misspelt ``ignore`` that is
silently ignored costs more than it saves.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct, field

from jitlint.config.config_files import FILE_NAMES, read_settings
from jitlint.config.fix_selection import FixSelection
from jitlint.config.rule_selection import Layer, Selection, check_codes, select_rules
from jitlint.diagnostics import Severity
from jitlint.foundation.records import Record
from jitlint.rules.codes import CODES
from jitlint.usage_errors import UsageError

T = TypeVar("T")


class TracedCallable(Struct, frozen=True):
    """A project's own callable that traces a function passed to it.

    Args:
      argument: which argument is traced, by position from 0 or by keyword.
      static: the keyword that names static parameters, if there is one.
    """

    argument: int | str = 0
    static: str | None = None


class Config(Record, kw_only=True):
    """What a configuration file says; a field is None where it says nothing.

    Args:
      path: the file, None for the defaults.
      base: the folder that relative patterns and paths are relative to.
      extended: what it is based on, if anything; the other fields have that in them, but for the
        choices of rules.
      select: codes or prefixes to report, instead of all.
      ignore: codes or prefixes not to report.
      extend_select: codes or prefixes to report besides.
      per_file_ignores: pattern to the codes or prefixes not to report in the files it matches.
      exclude: patterns of files and folders left out, instead of the default ones.
      extend_exclude: patterns left out besides.
      respect_gitignore: whether what git ignores is left out.
      min_severity: the mildest severity that is shown.
      trust_tests: whether errors that the project's tests would run into are left out.
      src: folders that imports start from.
      cache_dir: the folder that keeps results.
      jobs: the most processes that share the work, instead of as many as can run at once.
      traced_callables: qualified name to what it traces.
      docstring_examples: whether examples in docstrings are linted too.
      assume_traced: patterns of functions that somebody else will jit, to their static parameters.
      fixable: codes or prefixes whose reports are fixed, instead of all.
      unfixable: codes or prefixes whose reports are not fixed.
      extend_safe_fixes: codes or prefixes whose unsafe fixes count as safe.
      extend_unsafe_fixes: codes or prefixes whose safe fixes count as unsafe.
    """

    path: Path | None = None
    base: Path = field(default_factory=Path.cwd)
    extended: Config | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    min_severity: Severity = Severity.WARNING
    trust_tests: bool = False
    src: tuple[Path, ...] = ()
    cache_dir: Path | None = None
    jobs: int | None = None
    traced_callables: Mapping[str, TracedCallable] = field(default_factory=dict)
    docstring_examples: bool = False
    assume_traced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fixable: tuple[str, ...] | None = None
    unfixable: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    extend_unsafe_fixes: tuple[str, ...] = ()

    @property
    def fixes(self) -> FixSelection:
        """Which fixes are offered, and how far they are trusted."""
        return FixSelection(
            fixable=self.fixable,
            unfixable=self.unfixable,
            safe=self.extend_safe_fixes,
            unsafe=self.extend_unsafe_fixes,
        )

    @property
    def layers(self) -> list[Layer]:
        """The choices of rules, those of the file itself last."""
        below = [] if self.extended is None else self.extended.layers
        return [*below, Layer(self.select, self.extend_select, self.ignore)]

    @property
    def files(self) -> list[Path]:
        """The file, and those that it is based on."""
        below = [] if self.extended is None else self.extended.files
        return below if self.path is None else [self.path, *below]

    def selection(self, stronger: Layer, min_severity: Severity | None) -> Selection:
        """The rules to show.

        Args:
          stronger: choices that weigh more than the file's: the command line's, an editor's.
          min_severity: the mildest severity to show, instead of the file's.
        """
        severity = self.min_severity if min_severity is None else min_severity
        return select_rules(CODES, [*self.layers, stronger], severity)


def config_in(folder: Path) -> Config | None:
    """What a folder's own files say of jitlint, None where they say nothing.

    The first of ``FILE_NAMES`` that has a part for jitlint holds; they are never merged.

    Raises:
      UsageError: a key or value is wrong.
    """
    for name in FILE_NAMES:
        path = folder / name
        settings = read_settings(path, required=False)
        if settings is not None:
            return _build(path, settings)
    return None


def load_config(path: Path) -> Config:
    """Read the configuration file that ``--config`` names.

    Args:
      path: a TOML file (with a ``[tool.jitlint]`` table, or about nothing else) or an INI file
        (with a ``[jitlint]`` section).

    Returns:
      The configuration.

    Raises:
      UsageError: the file cannot be read, has no such part, or a key or value is wrong.
    """
    settings = read_settings(path, required=True)
    if settings is None:
        raise UsageError(_no_part(path))
    return _build(path, settings)


def _no_part(path: Path) -> str:
    part = "[tool.jitlint] table" if path.suffix == ".toml" else "[jitlint] section"
    return f"{path}: no {part}"


def _build(path: Path, settings: Mapping[str, Any], extending: Sequence[Path] = ()) -> Config:
    """Check every key and value, and make the configuration.

    Args:
      path: the file.
      settings: what it says.
      extending: the files that are based on it.
    """
    values: dict[str, Any] = {}
    for key, value in settings.items():
        normal = key.replace("_", "-")
        parse = _KEYS.get(normal)
        if parse is None:
            raise UsageError(f"{path}: unknown key {key!r}: expected one of {', '.join(_KEYS)}")
        if normal.replace("-", "_") in values:
            raise UsageError(f"{path}: {normal}: given twice (expected once, with - or with _)")
        try:
            values[normal.replace("-", "_")] = parse(value)
        except ValueError as error:
            raise UsageError(f"{path}: {key}: {error}") from None
    base = path.parent
    if "src" in values:
        values["src"] = tuple(base / folder for folder in values["src"])
    if "cache_dir" in values:
        values["cache_dir"] = base / values["cache_dir"]
    if "assume_traced" in values:
        values["assume_traced"] = assumptions(values["assume_traced"], base)
    extend = values.pop("extend", None)
    if extend is None:
        return Config(path=path, base=base, **values)
    below = _extended(path, extend, (*extending, path))
    if "extend_exclude" in values:
        values["extend_exclude"] += _anchored(below, below.extend_exclude)
    return Config(path=path, base=base, extended=below, **{**_inherited(below), **values})


def _extended(path: Path, extend: str, extending: Sequence[Path]) -> Config:
    """The configuration that a file is based on.

    Args:
      path: the file.
      extend: the other one, as it is written there.
      extending: the file, behind those that are based on it.
    """
    other = Path(os.path.abspath(path.parent / Path(extend).expanduser()))  # noqa: PTH100 - no links
    if other in extending:
        circle = " -> ".join(map(str, (*extending[extending.index(other) :], other)))
        raise UsageError(f"{path}: extend: files that extend each other: {circle}")
    try:
        settings = read_settings(other, required=True)
    except UsageError as error:
        raise UsageError(f"{path}: extend: {error}") from None
    if settings is None:
        raise UsageError(f"{path}: extend: {_no_part(other)}")
    return _build(other, settings, extending)


def _inherited(below: Config) -> dict[str, Any]:
    """What another configuration gives to one that is based on it; choices of rules are layers."""
    exclude = below.exclude
    ignores = below.per_file_ignores
    return {
        "exclude": None if exclude is None else _anchored(below, exclude),
        "extend_exclude": _anchored(below, below.extend_exclude),
        "per_file_ignores": dict(zip(_anchored(below, ignores), ignores.values(), strict=True)),
        "respect_gitignore": below.respect_gitignore,
        "min_severity": below.min_severity,
        "trust_tests": below.trust_tests,
        "src": below.src,
        "cache_dir": below.cache_dir,
        "jobs": below.jobs,
        "traced_callables": below.traced_callables,
        "docstring_examples": below.docstring_examples,
        "assume_traced": below.assume_traced,
        "fixable": below.fixable,
        "unfixable": below.unfixable,
        "extend_safe_fixes": below.extend_safe_fixes,
        "extend_unsafe_fixes": below.extend_unsafe_fixes,
    }


def _anchored(config: Config, patterns: Iterable[str]) -> tuple[str, ...]:
    """Patterns that mean the same from everywhere: those of paths are relative to their file."""
    base = glob.escape(config.base.as_posix().rstrip("/"))
    return tuple(
        f"{base}/{pattern.removeprefix('./')}" if "/" in pattern.strip("/") else pattern
        for pattern in patterns
    )


def assumptions(patterns: Mapping[str, tuple[str, ...]], base: Path) -> dict[str, tuple[str, ...]]:
    """Patterns of functions, those of files as absolute ones.

    Args:
      patterns: of qualified names, or of files where they have a slash or end in ``.py``, to the
        static parameters.
      base: the folder that those of files are relative to.
    """
    return {
        str(base / pattern) if is_file_pattern(pattern) else pattern: static
        for pattern, static in patterns.items()
    }


def is_file_pattern(pattern: str) -> bool:
    """Whether a pattern of functions is one of files, not of qualified names."""
    return "/" in pattern or "\\" in pattern or pattern.endswith((".py", ".ipynb"))


def _strings(value: Any) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ValueError(f"expected a list of strings, got {value!r}")


def _string(value: Any) -> str:
    if isinstance(value, str) and value:
        return value
    raise ValueError(f"expected a string, got {value!r}")


def _codes(value: Any) -> tuple[str, ...]:
    return check_codes(_strings(value))


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"expected true or false, got {value!r}")
    return value


def _positive(value: Any) -> int:
    # bool is an int to isinstance, but no number of processes.
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"expected a number from 1, got {value!r}")
    return value


def _severity(value: Any) -> Severity:
    return Severity.from_label(value if isinstance(value, str) else repr(value))


def _table(value: Any, parse: Callable[[Any], T]) -> dict[str, T]:
    if not isinstance(value, dict):
        raise ValueError(f"expected a table, got {value!r}")
    return {str(key): parse(item) for key, item in value.items()}


def _per_file_ignores(value: Any) -> Mapping[str, tuple[str, ...]]:
    return _table(value, _codes)


def _traced_callables(value: Any) -> Mapping[str, TracedCallable]:
    table = _table(value, _traced_callable)
    for name in table:
        if not all(part.isidentifier() for part in name.split(".")):
            raise ValueError(f"{name!r}: expected a qualified name, such as 'mylib.compile.jit'")
    return table


def _traced_callable(value: Any) -> TracedCallable:
    legal = "expected {argument = position or keyword, static = keyword}"
    options = value if isinstance(value, dict) else {"argument": value}
    unknown: Sequence[str] = [name for name in options if name not in ("argument", "static")]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r}: {legal}")
    argument = options.get("argument", 0)
    static = options.get("static")
    # bool is an int to isinstance, but no position.
    if isinstance(argument, bool) or not isinstance(argument, int | str):
        raise ValueError(f"argument = {argument!r}: {legal}")
    if (isinstance(argument, int) and argument < 0) or argument == "":
        raise ValueError(f"argument = {argument!r}: {legal}")
    if static is not None and not (isinstance(static, str) and static.isidentifier()):
        raise ValueError(f"static = {static!r}: {legal}")
    return TracedCallable(argument, static)


def _assume_traced(value: Any) -> Mapping[str, tuple[str, ...]]:
    if isinstance(value, dict):
        table = _table(value, _strings)
    else:
        try:
            table = dict.fromkeys(_strings(value), ())
        except ValueError:
            raise ValueError(
                "expected a list of patterns, or a table from pattern to a list of static "
                f"parameters, got {value!r}"
            ) from None
    for pattern, names in table.items():
        if not pattern.strip():
            raise ValueError("an empty pattern: expected such as 'mylib.losses.*' or 'ops/*.py'")
        for name in names:
            if not name.isidentifier():
                raise ValueError(f"{pattern!r}: {name!r}: expected the name of a parameter")
    return table


_KEYS: Mapping[str, Callable[[Any], Any]] = {
    "extend": _string,
    "select": _codes,
    "ignore": _codes,
    "extend-select": _codes,
    "per-file-ignores": _per_file_ignores,
    "exclude": _strings,
    "extend-exclude": _strings,
    "respect-gitignore": _flag,
    "min-severity": _severity,
    "trust-tests": _flag,
    "src": _strings,
    "cache-dir": _string,
    "jobs": _positive,
    "traced-callables": _traced_callables,
    "docstring-examples": _flag,
    "assume-traced": _assume_traced,
    "fixable": _codes,
    "unfixable": _codes,
    "extend-safe-fixes": _codes,
    "extend-unsafe-fixes": _codes,
}
