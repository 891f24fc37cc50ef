"""The command line: what can be asked, and the exit code that answers.

0 is no reports, 1 is reports, 2 is that something could not be done.  Only what a command needs is
imported when it runs.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from jitlint import __version__
from jitlint.errors import UsageError
from jitlint.output.registry import FORMATS

if TYPE_CHECKING:
    from jitlint.rules.meta import RuleMeta
    from jitlint.runner import Request, Run
    from jitlint.selection import Filter, Layer

OK, FOUND, FAILED = 0, 1, 2
_INTERRUPTED = 130

_EXIT_CODES = """\
exit codes:
  0  no reports (or --exit-zero)
  1  reports
  2  something could not be done: a wrong option, path, code or configuration (then nothing is
     linted), an unreadable file, or an internal error (then everything else is)
"""
_SUPPRESSION = """\
silencing one place:
  # noqa: JIT101                     as for flake8; JIT1 means the family, no code means all
  # jitlint: ignore[JIT101] reason   the same for jitlint alone
  # jitlint: ignore-file             the whole file
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run jitlint.

    Args:
      argv: the arguments; those of the process by default.

    Returns:
      The exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character gets its escape, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    try:
        return _dispatch(sys.argv[1:] if argv is None else argv)
    except UsageError as error:
        _tell(f"error: {error}")
        return FAILED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has seen enough.  Python would complain while closing stdout.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception:
        import traceback

        traceback.print_exc()
        _tell("internal error: please report this traceback, with the code that caused it")
        return FAILED


def _dispatch(argv: Sequence[str]) -> int:
    parser, commands = _build_parser()
    arguments, rest = parser.parse_known_args(argv)
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return FAILED
    command = commands[arguments.command]
    _take_rest(command, arguments, rest)
    if arguments.command == "check":
        return _check(arguments)
    if arguments.command == "traced":
        return _traced(arguments)
    if arguments.command == "explain":
        return _explain(arguments)
    return _rules(arguments)


def _take_rest(
    command: argparse.ArgumentParser, arguments: argparse.Namespace, rest: Sequence[str]
) -> None:
    """Accept paths that follow options, which argparse leaves over; refuse all else.

    Raises:
      UsageError: naming an unknown option and those that exist.
    """
    unknown = [word for word in rest if word.startswith("-") or not hasattr(arguments, "paths")]
    if not unknown:
        if rest:
            arguments.paths = [*arguments.paths, *(Path(word) for word in rest)]
        return
    options = sorted(
        option
        for action in command._actions
        for option in action.option_strings
        if option.startswith("--")
    )
    name = unknown[0].split("=")[0]
    close = difflib.get_close_matches(name, options, n=1)
    hint = f", did you mean {close[0]}?" if close else ""
    kind = "option" if name.startswith("-") else "argument"
    raise UsageError(f"unknown {kind} {name}{hint} (expected one of {', '.join(options)})")


def _build_parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    parser = _Parser(
        prog="jitlint",
        description="Find Python that JAX cannot trace, before it runs.",
        epilog="'jitlint COMMAND --help' says more about a command.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"jitlint {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def add(name: str, summary: str, epilog: str | None = None) -> argparse.ArgumentParser:
        return subparsers.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    check = add("check", "lint files and folders", f"{_EXIT_CODES}\n{_SUPPRESSION}")
    _add_input_options(check)
    _add_selection_options(check)
    _add_output_options(check, FORMATS)
    check.add_argument(
        "--exit-zero", action="store_true", help="exit with 0 also when there are reports"
    )
    traced = add("traced", "list the functions that JAX will trace, and why")
    _add_input_options(traced)
    _add_output_options(traced, ("full", "json"))
    explain = add("explain", "show a rule's page: what happens, why, an example and its cure")
    explain.add_argument("rule", metavar="RULE", help="a code (JIT101) or a name")
    rules = add("rules", "list the rules")
    rules.add_argument(
        "--output-format", choices=("full", "json"), default="full", help="default: full"
    )
    commands = {"check": check, "traced": traced, "explain": explain, "rules": rules}
    return parser, commands


def _add_input_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to read")
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        type=Path,
        help="files and folders (default: the current folder); - reads standard input",
    )
    group.add_argument(
        "--stdin-filename", metavar="NAME", help="the name that standard input goes by"
    )
    group.add_argument(
        "--exclude",
        metavar="PATTERNS",
        type=_comma_list,
        action="extend",
        help="files and folders to leave out, instead of the default and configured ones",
    )
    group.add_argument(
        "--extend-exclude",
        metavar="PATTERNS",
        type=_comma_list,
        action="extend",
        default=[],
        help="files and folders to leave out besides",
    )
    group.add_argument(
        "--no-prefilter",
        dest="prefilter",
        action="store_false",
        help="parse every file, also those that do not mention JAX",
    )
    configuration = parser.add_argument_group("configuration").add_mutually_exclusive_group()
    configuration.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="read this file instead of the nearest pyproject.toml or setup.cfg",
    )
    configuration.add_argument("--isolated", action="store_true", help="read no configuration file")


def _add_selection_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to report")
    for name, text in (
        ("--select", "codes or prefixes to report, such as JIT1,JIT105 (default: all)"),
        ("--extend-select", "codes or prefixes to report besides"),
        ("--ignore", "codes or prefixes not to report"),
    ):
        group.add_argument(name, metavar="CODES", type=_comma_list, action="extend", help=text)
    group.add_argument(
        "--min-severity",
        choices=("info", "warning", "error"),
        help="the mildest severity to report (default: warning); a code that is selected in full "
        "is reported even when it is an info",
    )


def _add_output_options(parser: argparse.ArgumentParser, formats: Iterable[str]) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "--output-format", choices=tuple(formats), default="full", help="default: full"
    )
    group.add_argument(
        "--output-file", metavar="FILE", type=Path, help="write there instead of to stdout"
    )
    group.add_argument("--quiet", "-q", action="store_true", help="no summary and no progress bar")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="default: auto, which colours terminals and respects NO_COLOR",
    )


def _comma_list(value: str) -> list[str]:
    return [item.strip() for item in value.split(",") if item.strip()]


def _check(arguments: argparse.Namespace) -> int:
    from jitlint.output.registry import render
    from jitlint.output.report import Report
    from jitlint.selection import INTERNAL_ERROR

    request = _request(arguments)
    layer = _command_line_layer(arguments)
    run = _run(request, arguments)
    shown = _filter(run, layer, arguments.min_severity).apply(run.diagnostics)
    nothing_linted = not run.targets and not shown
    lines = render(
        arguments.output_format,
        Report(
            diagnostics=shown,
            lines_of=run.sources.lines,
            folder=Path.cwd(),
            color=_uses_color(arguments),
            summary=not arguments.quiet and not nothing_linted,
            failures=len(run.failures),
        ),
    )
    _write(lines, arguments.output_file)
    if run.failures or any(item.code == INTERNAL_ERROR for item in shown):
        return FAILED
    return FOUND if shown and not arguments.exit_zero else OK


def _traced(arguments: argparse.Namespace) -> int:
    run = _run(_request(arguments), arguments)
    if arguments.output_format == "json":
        from jitlint.output.json_format import render_objects

        _write(render_objects(item.to_json() for item in run.traced), arguments.output_file)
    else:
        from jitlint.output.colors import Painter
        from jitlint.output.traced import render

        summary = not arguments.quiet and bool(run.targets)
        lines = render(run.traced, Path.cwd(), Painter(_uses_color(arguments)), summary=summary)
        _write(lines, arguments.output_file)
    return FAILED if run.failures else OK


def _explain(arguments: argparse.Namespace) -> int:
    from jitlint.rules.docs import page
    from jitlint.rules.registry import all_rules, find

    rule = find(arguments.rule) or find(arguments.rule.upper()) or find(arguments.rule.lower())
    if rule is None:
        known = all_rules()
        close = difflib.get_close_matches(arguments.rule, [rule.name for rule in known], n=1)
        hint = f", did you mean {close[0]}?" if close else ""
        codes = ", ".join(rule.code for rule in known)
        raise UsageError(
            f"unknown rule {arguments.rule!r}{hint} (expected a rule's name, or one of {codes})"
        )
    _write(page(rule).splitlines(), None)
    return OK


def _rules(arguments: argparse.Namespace) -> int:
    from jitlint.rules.registry import all_rules

    rules = all_rules()
    if arguments.output_format == "json":
        from jitlint.output.json_format import render_objects

        _write(render_objects(_rule_object(rule) for rule in rules), None)
        return OK
    width = max((len(rule.name) for rule in rules), default=0)
    _write(
        (
            f"{rule.code}  {rule.severity.label:<7}  {rule.name:<{width}}  {rule.summary}"
            for rule in rules
        ),
        None,
    )
    return OK


def _rule_object(rule: RuleMeta) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.label,
        "summary": rule.summary,
        "help": rule.help,
        "hazard": None if rule.hazard is None else rule.hazard.to_json(),
        "since": rule.since,
    }


def _uses_color(arguments: argparse.Namespace) -> bool:
    """Whether to colour; a file is no terminal, so only when told to."""
    from jitlint.output.colors import wants_color

    if arguments.output_file is not None:
        return bool(arguments.color == "always")
    return wants_color(arguments.color, sys.stdout)


def _request(arguments: argparse.Namespace) -> Request:
    """What the input options ask for.

    Raises:
      UsageError: they contradict each other.
    """
    from jitlint.runner import Request

    paths = tuple(arguments.paths) or (Path(),)
    stdin: bytes | None = None
    if Path("-") in paths:
        if len(paths) > 1:
            raise UsageError("- (standard input) cannot be combined with other paths")
        paths = ()
        stdin = sys.stdin.buffer.read()
    elif arguments.stdin_filename is not None:
        raise UsageError("--stdin-filename is only of use with the path -")
    return Request(
        paths=paths,
        stdin=stdin,
        stdin_name=arguments.stdin_filename,
        config_file=arguments.config,
        isolated=arguments.isolated,
        exclude=None if arguments.exclude is None else tuple(arguments.exclude),
        extend_exclude=tuple(arguments.extend_exclude),
        prefilter=arguments.prefilter,
    )


def _run(request: Request, arguments: argparse.Namespace) -> Run:
    """Analyse, with a progress bar, and tell what could not be done."""
    from jitlint.output.progress import ProgressBar
    from jitlint.runner import run

    with ProgressBar(sys.stderr, enabled=not arguments.quiet) as bar:
        result = run(request, progress=bar.update)
    for failure in result.failures:
        _tell(f"error: {failure}")
    if not result.targets and not result.failures and not result.diagnostics:
        names = ", ".join(str(path) for path in request.paths)
        _tell(f"warning: no Python files found under {names}")
    return result


def _command_line_layer(arguments: argparse.Namespace) -> Layer:
    from jitlint.selection import Layer, check_codes

    checked = {}
    for name in ("select", "extend_select", "ignore"):
        values = getattr(arguments, name)
        try:
            checked[name] = None if values is None else check_codes(values)
        except ValueError as error:
            raise UsageError(f"--{name.replace('_', '-')}: {error}") from None
    return Layer(checked["select"], checked["extend_select"] or (), checked["ignore"] or ())


def _filter(run: Run, layer: Layer, min_severity: str | None) -> Filter:
    from jitlint.diagnostics import Severity
    from jitlint.selection import Filter, Layer, known_codes, select_rules

    config = run.config
    severity = config.min_severity if min_severity is None else Severity.from_label(min_severity)
    configured = Layer(config.select, config.extend_select, config.ignore)
    selection = select_rules(known_codes(), [configured, layer], severity)
    return Filter(selection, config.per_file_ignores, config.base, run.sources.text)


def _write(lines: Iterable[str], path: Path | None) -> None:
    """Write to a file or to standard output.

    Raises:
      UsageError: the file cannot be written.
    """
    if path is None:
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
        return
    try:
        with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def _tell(message: str) -> None:
    """Say something about the run, as against about the code: on stderr, one line."""
    from jitlint.output.report import printable

    sys.stderr.write(f"jitlint: {' '.join(printable(part) for part in message.splitlines())}\n")
