"""``jitlint check --show-settings`` and ``--show-files``: what a run would do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jitlint.config.configuration import Config
from jitlint.config.rule_selection import Selection
from jitlint.run.caching import cache_place
from jitlint.run.plan import Plan
from jitlint.source.file_discovery import DEFAULT_EXCLUDES


def render_files(plan: Plan, output_format: str) -> Iterator[str]:
    """Yield the files that would be linted, as lines or as a JSON list."""
    names = sorted(str(path) for path in plan.targets)
    yield from json.dumps(names, indent=2).splitlines() if output_format == "json" else names


def render_settings(
    plan: Plan, selection: Selection, arguments: argparse.Namespace
) -> Iterator[str]:
    """Yield what the options and the configuration come to, as TOML or as a JSON object.

    Args:
      plan: the configuration and the project.
      selection: the rules that would be reported.
      arguments: the parsed command line.

    Yields:
      Lines, without their ends.
    """
    settings = _settings(plan, selection, arguments)
    if arguments.output_format == "json":
        yield from json.dumps(settings, indent=2).splitlines()
        return
    tables = {}
    for key, value in settings.items():
        if isinstance(value, Mapping):
            tables[key] = value
        elif value is None:
            yield f"# no {key}"
        else:
            yield f"{key} = {_toml(value)}"
    for key, table in tables.items():
        yield ""
        yield f"[{key}]"
        for name, value in table.items():
            yield f"{_toml(name)} = {_toml(value)}"


def _settings(plan: Plan, selection: Selection, arguments: argparse.Namespace) -> dict[str, Any]:
    config = plan.config
    return {
        "configuration-file": None if config.path is None else str(config.path),
        "project-root": str(plan.root),
        "rules": sorted(selection.enabled),
        "min-severity": selection.min_severity.label,
        "rules-shown-at-any-severity": sorted(selection.named & selection.enabled),
        "exclude": list(_exclude(config, arguments)),
        "extend-exclude": [*config.extend_exclude, *arguments.extend_exclude],
        "force-exclude": arguments.force_exclude,
        "src": [str(folder) for folder in config.src],
        "prefilter": arguments.prefilter,
        "docstring-examples": (
            config.docstring_examples
            if arguments.docstring_examples is None
            else arguments.docstring_examples
        ),
        "jobs": arguments.jobs,
        "cache": arguments.cache,
        "cache-dir": str(cache_place(config, arguments.cache_dir, plan.root)[0]),
        "output-format": arguments.output_format,
        "output-file": None if arguments.output_file is None else str(arguments.output_file),
        "fail-on": arguments.fail_on,
        "exit-zero": arguments.exit_zero,
        "per-file-ignores": {
            pattern: list(codes) for pattern, codes in config.per_file_ignores.items()
        },
        "traced-callables": {
            name: {"argument": entry.argument}
            | ({} if entry.static is None else {"static": entry.static})
            for name, entry in config.traced_callables.items()
        },
        "assume-traced": {
            pattern: list(static) for pattern, static in config.assume_traced.items()
        },
    }


def _exclude(config: Config, arguments: argparse.Namespace) -> tuple[str, ...]:
    if arguments.exclude is not None:
        return tuple(arguments.exclude)
    return DEFAULT_EXCLUDES if config.exclude is None else config.exclude


def _toml(value: Any) -> str:
    """A value as TOML; a string as JSON writes it is one."""
    if isinstance(value, list):
        return f"[{', '.join(_toml(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_toml(item)}' for name, item in value.items())} }}"
    if isinstance(value, Path):
        value = str(value)
    return json.dumps(value)
