"""Configuration: the nearest ``[tool.jitlint]`` table or ``[jitlint]`` section, checked at once.

A key or value that jitlint does not understand stops the run: a misspelt ``ignore`` that is
silently ignored costs more than it saves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from jitlint.config.rule_selection import Layer, Selection, check_codes, select_rules
from jitlint.diagnostics import Severity
from jitlint.foundation.records import record
from jitlint.rules.codes import CODES
from jitlint.usage_errors import UsageError

T = TypeVar("T")

#: in each folder the first of these that speaks of jitlint holds
FILE_NAMES = ("pyproject.toml", "setup.cfg")


@dataclass(frozen=True, slots=True)
class TracedCallable:
    """A project's own callable that traces a function passed to it.

    Args:
      argument: which argument is traced, by position from 0 or by keyword.
      static: the keyword that names static parameters, if there is one.
    """

    argument: int | str = 0
    static: str | None = None


@record(kw_only=True)
class Config:
    """What a configuration file says; a field is None where it says nothing.

    Args:
      path: the file, None for the defaults.
      base: the folder that relative patterns and paths are relative to.
      select: codes or prefixes to report, instead of all.
      ignore: codes or prefixes not to report.
      extend_select: codes or prefixes to report besides.
      per_file_ignores: pattern to the codes or prefixes not to report in the files it matches.
      exclude: patterns of files and folders left out, instead of the default ones.
      extend_exclude: patterns left out besides.
      min_severity: the mildest severity that is shown.
      src: folders that imports start from.
      cache_dir: the folder that keeps results.
      traced_callables: qualified name to what it traces.
      docstring_examples: whether examples in docstrings are linted too.
      assume_traced: patterns of functions that somebody else will jit, to their static parameters.
    """

    path: Path | None = None
    base: Path = field(default_factory=Path.cwd)
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    min_severity: Severity = Severity.WARNING
    src: tuple[Path, ...] = ()
    cache_dir: Path | None = None
    traced_callables: Mapping[str, TracedCallable] = field(default_factory=dict)
    docstring_examples: bool = False
    assume_traced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def selection(self, stronger: Layer, min_severity: Severity | None) -> Selection:
        """The rules to show.

        Args:
          stronger: choices that weigh more than the file's: the command line's, an editor's.
          min_severity: the mildest severity to show, instead of the file's.
        """
        layers = [Layer(self.select, self.extend_select, self.ignore), stronger]
        return select_rules(
            CODES, layers, self.min_severity if min_severity is None else min_severity
        )


def find_config(start: Path) -> Config:
    """Read the nearest configuration.

    In each folder, from ``start`` upwards, ``pyproject.toml`` with a ``[tool.jitlint]`` table is
    taken, else ``setup.cfg`` with a ``[jitlint]`` section.  Files are never merged.

    Args:
      start: an existing folder.

    Returns:
      The configuration, or the defaults with ``base`` at ``start``.

    Raises:
      UsageError: a key or value is wrong.
    """
    for folder in (start, *start.parents):
        for name in FILE_NAMES:
            path = folder / name
            settings = _read(path, required=False)
            if settings is not None:
                return _build(path, settings)
    return Config(base=start)


def load_config(path: Path) -> Config:
    """Read the configuration file that ``--config`` names.

    Args:
      path: a TOML file (with a ``[tool.jitlint]`` table) or an INI file (with a ``[jitlint]``
        section).

    Returns:
      The configuration.

    Raises:
      UsageError: the file cannot be read, has no such part, or a key or value is wrong.
    """
    settings = _read(path, required=True)
    if settings is None:
        part = "[tool.jitlint] table" if path.suffix == ".toml" else "[jitlint] section"
        raise UsageError(f"{path}: no {part}")
    return _build(path, settings)


def _read(path: Path, *, required: bool) -> dict[str, Any] | None:
    """The part of a file that is for jitlint, None where there is none."""
    read = _read_toml if path.suffix == ".toml" else _read_cfg
    return read(path, required=required)


def _read_text(path: Path, required: bool) -> str | None:
    """The file's text; None where there is no file and none is required."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if not required:
            return None
        raise UsageError(f"{path}: no such configuration file") from None
    except (OSError, UnicodeDecodeError) as error:
        if not required and isinstance(error, IsADirectoryError | NotADirectoryError):
            return None
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{path}: cannot read the configuration: {reason}") from None


def _read_toml(path: Path, *, required: bool) -> dict[str, Any] | None:
    text = _read_text(path, required)
    # Most project files say nothing of jitlint; they need no parsing, and may be broken.
    if text is None or "jitlint" not in text:
        return None
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not valid TOML: {error}") from None
    tool = table.get("tool")
    settings = tool.get("jitlint") if isinstance(tool, dict) else None
    if settings is None:
        return None
    if not isinstance(settings, dict):
        raise UsageError(f"{path}: tool.jitlint: expected a table")
    return settings


def _read_cfg(path: Path, *, required: bool) -> dict[str, Any] | None:
    text = _read_text(path, required)
    if text is None or "[jitlint]" not in text:
        return None
    import configparser

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text, path.name)
    except configparser.Error as error:
        reason = str(error).splitlines()[0]
        raise UsageError(f"{path}: not a valid configuration file: {reason}") from None
    if not parser.has_section("jitlint"):
        return None
    return {key: _from_cfg(path, key, value) for key, value in parser.items("jitlint")}


def _from_cfg(path: Path, key: str, value: str) -> Any:
    """Give an INI value the shape that the same key has in TOML."""
    key = key.replace("_", "-")
    if key in ("min-severity", "cache-dir"):
        return value.strip()
    if key == "docstring-examples":
        word = value.strip()
        return {"true": True, "false": False}.get(word.lower(), word)
    if key == "assume-traced" and ":" in value:
        return {name: _words(names) for name, names in _pairs(path, key, value, ":")}
    if key == "per-file-ignores":
        return {name: _words(codes) for name, codes in _pairs(path, key, value, ":")}
    if key == "traced-callables":
        return {
            name: dict(_argument_words(path, key, options))
            for name, options in _pairs(path, key, value, ":")
        }
    return _words(value)


def _words(value: str) -> list[str]:
    return [word for word in re.split(r"[,\s]+", value.strip()) if word]


def _pairs(path: Path, key: str, value: str, separator: str) -> list[tuple[str, str]]:
    pairs = []
    for line in value.strip().splitlines():
        name, found, rest = line.rpartition(separator)
        if not found:
            raise UsageError(f"{path}: {key}: expected 'name{separator} value', got {line!r}")
        pairs.append((name.strip(), rest))
    return pairs


def _argument_words(path: Path, key: str, options: str) -> list[tuple[str, Any]]:
    """``argument=0 static=static_argnums`` as the TOML table it stands for."""
    pairs: list[tuple[str, Any]] = []
    for word in _words(options):
        name, found, option = word.partition("=")
        if not found:
            raise UsageError(f"{path}: {key}: expected 'argument=... static=...', got {word!r}")
        pairs.append((name, int(option) if option.isdecimal() else option))
    return pairs


def _build(path: Path, settings: Mapping[str, Any]) -> Config:
    """Check every key and value, and make the configuration."""
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
    return Config(path=path, base=base, **values)


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
    "select": _codes,
    "ignore": _codes,
    "extend-select": _codes,
    "per-file-ignores": _per_file_ignores,
    "exclude": _strings,
    "extend-exclude": _strings,
    "min-severity": _severity,
    "src": _strings,
    "cache-dir": _string,
    "traced-callables": _traced_callables,
    "docstring-examples": _flag,
    "assume-traced": _assume_traced,
}
