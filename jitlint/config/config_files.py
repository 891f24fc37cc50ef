"""Configuration files as they are written: TOML with a table, TOML of its own, or INI."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from jitlint.usage_errors import UsageError

#: in each folder the first of these that speaks of jitlint holds
FILE_NAMES: Final = (".jitlint.toml", "jitlint.toml", "pyproject.toml", "setup.cfg")
#: those that are about nothing else, so that they need no table
_OWN_FILES: Final = frozenset(FILE_NAMES[:2])


def read_settings(path: Path, *, required: bool) -> dict[str, Any] | None:
    """The part of a file that is for jitlint, None where there is none.

    Args:
      path: the file.
      required: whether it is an error that there is no such file.

    Raises:
      UsageError: it cannot be read, or is not what its name says.
    """
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
    own = path.name in _OWN_FILES
    # Most project files say nothing of jitlint; they need no parsing, and may be broken.
    if text is None or not (own or required or "jitlint" in text):
        return None
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not valid TOML: {error}") from None
    if own or (required and table and "tool" not in table):
        return table
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
    if key in ("min-severity", "cache-dir", "extend"):
        return value.strip()
    if key == "jobs":
        return int(value) if value.strip().isdecimal() else value.strip()
    if key in ("docstring-examples", "respect-gitignore", "trust-tests"):
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
