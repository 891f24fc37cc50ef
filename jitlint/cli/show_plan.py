"""``jitlint check --show-settings`` and ``--show-files``: what a run would do."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jitlint.config.configuration import Config
from jitlint.config.rule_selection import EVERY_RULE
from jitlint.filters.diagnostic_filter import Select
from jitlint.run.caching import cache_place
from jitlint.run.execution import processes
from jitlint.run.plan import Plan
from jitlint.run.request import Request
from jitlint.source.file_discovery import DEFAULT_EXCLUDES, absolute_path


def render_files(plan: Plan, output_format: str) -> Iterator[str]:
    """Yield the files that would be linted, as lines or as a JSON list."""
    names = sorted(str(path) for path in plan.targets)
    yield from json.dumps(names, indent=2).splitlines() if output_format == "json" else names


def render_settings(
    request: Request, plan: Plan, select: Select, arguments: argparse.Namespace
) -> Iterator[str]:
    """Yield what holds for the first path, as TOML or as a JSON object.

    Args:
      request: what was asked for.
      plan: the configurations and the project.
      select: the rules that would be reported under a configuration.
      arguments: the parsed command line.

    Yields:
      Lines, without their ends.
    """
    settings = _settings(request, plan, select, arguments)
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


def _settings(
    request: Request, plan: Plan, select: Select, arguments: argparse.Namespace
) -> dict[str, Any]:
    path = absolute_path((*request.paths, request.stdin_path)[0])
    config = plan.configs.of_folder(path) if path.is_dir() else plan.configs.of(path)
    selection = select(config)
    whole = plan.config()
    said = {file: None for other in plan.configs.read for file in other.files if _interprets(other)}
    return {
        "settings-of": str(path),
        "configuration-file": None if config.path is None else str(config.path),
        "extended-files": [str(file) for file in config.files[1:]],
        "project-root": str(plan.root),
        "rules": sorted(selection.enabled),
        "min-severity": selection.min_severity.label,
        "trust-tests": config.trust_tests,
        "rules-shown-at-any-severity": sorted(selection.named & selection.enabled),
        "exclude": list(_exclude(config, arguments)),
        "extend-exclude": [*config.extend_exclude, *arguments.extend_exclude],
        "force-exclude": arguments.force_exclude,
        "respect-gitignore": (
            config.respect_gitignore
            if arguments.respect_gitignore is None
            else arguments.respect_gitignore
        ),
        # These hold for the whole analysis, and may come from several files.
        "interpreted-by": [str(file) for file in said],
        "src": [str(folder) for folder in whole.src],
        "prefilter": arguments.prefilter,
        "docstring-examples": (
            config.docstring_examples
            if arguments.docstring_examples is None
            else arguments.docstring_examples
        ),
        "jobs": processes(request, plan.configs.main),
        "cache": arguments.cache,
        "cache-dir": str(cache_place(plan.configs.main, arguments.cache_dir, plan.root)[0]),
        "output-format": arguments.output_format,
        "output-file": None if arguments.output_file is None else str(arguments.output_file),
        "fixable": list((EVERY_RULE,) if config.fixable is None else config.fixable),
        "unfixable": list(config.unfixable),
        "extend-safe-fixes": list(config.extend_safe_fixes),
        "extend-unsafe-fixes": list(config.extend_unsafe_fixes),
        "unsafe-fixes": arguments.unsafe_fixes,
        "fail-on": arguments.fail_on,
        "exit-zero": arguments.exit_zero,
        "per-file-ignores": {
            pattern: list(codes) for pattern, codes in config.per_file_ignores.items()
        },
        "traced-callables": {
            name: {"argument": entry.argument}
            | ({} if entry.static is None else {"static": entry.static})
            for name, entry in whole.traced_callables.items()
        },
        "assume-traced": {pattern: list(static) for pattern, static in whole.assume_traced.items()},
    }


def _interprets(config: Config) -> bool:
    """Whether a configuration says how code is understood."""
    return bool(config.src or config.traced_callables or config.assume_traced)


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
