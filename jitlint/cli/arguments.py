"""The options of every command, and what is said about those that do not exist."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NoReturn

from jitlint import __version__
from jitlint.foundation.phrases import did_you_mean
from jitlint.output.formats import FORMATS
from jitlint.usage_errors import UsageError

_EXIT_CODES = """\
exit codes:
  0  no reports (or --exit-zero, or none that --fail-on counts)
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


_VERIFY_NOTES = """\
This runs the code it is given: its main blocks, its doctests, its tests, and its functions with
made-up inputs. Each module is run in a process of its own, on a copy of the project, with limits of
time and memory. What it tries to change elsewhere is refused and named (by the system where that
has Landlock, as Linux does from 5.13; else only what Python is asked to change); reading and the
network are open. 'jitlint check' runs nothing.

verdicts:
  confirmed     the harm was seen at that place
  refuted       the line ran under tracing, in a real call, and no harm came of it
  not reached   no input was found that reaches the line
  inconclusive  it ran but nothing is proven, or it could not be run; the reason is given

exit codes:
  0  no report is confirmed
  1  a report is confirmed (with --audit: one is refuted, or a fault was missed)
  2  something could not be done: a wrong option, path or configuration, JAX that is not installed,
     or reported code that could not be run (each is named)

example inputs, in the module, in --cases FILE, or in cases/loss.py for loss.py:
  __jitlint_cases__ = [lambda: step(params, batch)]
"""


_EXPLAIN_NOTES = """\
A traceback may come from Python, IPython or pytest; filtered by JAX or not, coloured, quoted or
indented, one or several, or be its last line only. Where the file that it names is on this machine,
'jitlint check' is asked about the line. Nothing is run.

exit codes:
  0  the page of the rule; or there is a rule for every error of the traceback
  1  the traceback has an error that no rule speaks of
  2  there is no such rule, no traceback in the text, or no such file
"""


#: an unset variable of a script, say, which pathlib would take for the current folder
_EMPTY_PATH: Final = "an empty path (expected a file or folder)"
#: other words for commands
_ALIASES: Final = {"rule": "explain"}
#: what may stand in the place of a command
_ABOUT_JITLINT: Final = frozenset({"-h", "--help", "-V", "--version"})


@cache
def _columns() -> int:
    """How wide help may be: as argparse has it, which loads all of ``shutil`` to know."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns) - 2
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns - 2  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):
        return 78


class _Help(argparse.HelpFormatter):
    """Help as wide as the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns())


class _CommandHelp(_Help, argparse.RawDescriptionHelpFormatter):
    """The same, with the lines of a description as they are."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def parse(argv: Sequence[str]) -> argparse.Namespace | None:
    """Read the arguments.

    Args:
      argv: the arguments, without the program's name.

    Returns:
      The values of all options, with the command's name in ``command``; None where no command was
      given, which prints the help.

    Raises:
      UsageError: an option or a value is wrong.
    """
    parser, commands = build_parser()
    if not argv:
        parser.print_help(sys.stderr)
        return None
    first = argv[0]
    if first not in commands and first not in _ALIASES and first not in _ABOUT_JITLINT:
        _refuse_misspelt(first, commands)
        argv = ["check", *argv]
    arguments, rest = parser.parse_known_args(argv)
    arguments.command = _ALIASES.get(arguments.command, arguments.command)
    _take_rest(commands[arguments.command], arguments, rest)
    return arguments


def _refuse_misspelt(first: str, commands: Iterable[str]) -> None:
    """Refuse a first word that is neither a command nor a path; what is a path is for ``check``.

    Raises:
      UsageError: naming the commands.
    """
    if first.startswith("-") or "/" in first or os.sep in first or "." in first:
        return
    if first and not os.path.lexists(first):
        hint = did_you_mean(first, [*commands, *_ALIASES])
        raise UsageError(
            f"{first!r} is neither a command nor a file or folder{hint} (expected a path, or one "
            f"of {', '.join(commands)})"
        )


def _take_rest(
    command: argparse.ArgumentParser, arguments: argparse.Namespace, rest: Sequence[str]
) -> None:
    """Accept paths that follow options, which argparse leaves over; refuse all else.

    Raises:
      UsageError: naming an unknown option and those that exist.
    """
    unknown = [word for word in rest if word.startswith("-") or not hasattr(arguments, "paths")]
    if not unknown:
        if "" in rest:
            command.error(f"argument PATH: {_EMPTY_PATH}")
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
    hint = did_you_mean(name, options)
    kind = "option" if name.startswith("-") else "argument"
    raise UsageError(f"unknown {kind} {name}{hint} (expected one of {', '.join(options)})")


def build_parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The parser of the whole command line, and that of each command."""
    parser = _Parser(
        prog="jitlint",
        description="Find Python that JAX cannot trace, before it runs.",
        epilog="'jitlint PATH' means 'jitlint check PATH'; 'jitlint COMMAND --help' says more of a "
        "command.",
        allow_abbrev=False,
        formatter_class=_Help,
    )
    parser.add_argument("--version", "-V", action="version", version=f"jitlint {__version__}")
    # Named, since argparse would work the name out by setting up what prints the help.
    subparsers = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", prog="jitlint"
    )

    def add(
        name: str, summary: str, epilog: str | None = None, aliases: Sequence[str] = ()
    ) -> argparse.ArgumentParser:
        return subparsers.add_parser(
            name,
            aliases=aliases,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=_CommandHelp,
        )

    check = add("check", "lint files and folders", f"{_EXIT_CODES}\n{_SUPPRESSION}")
    _add_input_options(check)
    _add_docstring_option(check)
    _add_selection_options(check)
    _add_new_only_options(check)
    _add_output_options(check, FORMATS)
    check.add_argument(
        "--jobs",
        "-j",
        metavar="N",
        type=_positive,
        default=1,
        help="the most processes that share the work (default: 1); fewer where there is little to "
        "do, one where the platform cannot fork",
    )
    _add_cache_options(check)
    _add_fix_options(check)
    _add_exit_options(check)
    _add_other_tasks(check)
    check.add_argument(
        "--verbose",
        "-v",
        action="store_true",
        help="say what of the traced code was not analysed, and why; results of earlier runs "
        "cannot tell, so they are not used",
    )
    traced = add("traced", "list the functions that JAX will trace, and why")
    _add_input_options(traced)
    _add_docstring_option(traced)
    _add_output_options(traced, ("full", "json"))
    verify = add(
        "verify",
        "RUN the code under real JAX, and say of each report whether it is true",
        _VERIFY_NOTES,
    )
    _add_input_options(verify, stdin=False)
    _add_selection_options(verify)
    _add_verify_options(verify)
    _add_output_options(verify, ("full", "json", "sarif", "github", "junit"))
    _add_cache_options(verify)
    explain = add(
        "explain",
        "show a rule's page, or what is behind a pasted JAX traceback",
        _EXPLAIN_NOTES,
        aliases=[alias for alias, name in _ALIASES.items() if name == "explain"],
    )
    explain.add_argument("rule", metavar="RULE", nargs="?", help="a code (JIT101) or a name")
    explain.add_argument(
        "--traceback",
        metavar="FILE",
        nargs="?",
        const=Path("-"),
        type=Path,
        help="a file that holds a traceback, in any form and with anything around it; - or nothing "
        "reads standard input",
    )
    _add_output_options(explain, ("full", "json"))
    rules = add("rules", "list the rules")
    rules.add_argument(
        "--output-format", choices=("full", "json"), default="full", help="default: full"
    )
    completion = add(
        "completion",
        "print what completes jitlint's words in a shell",
        "as in: jitlint completion bash > ~/.local/share/bash-completion/completions/jitlint",
    )
    completion.add_argument("shell", metavar="SHELL", choices=("bash", "zsh", "fish"))
    server = add("server", "run the language server on standard input and output")
    # Many editors pass it whatever the server; there is no other way to talk.
    server.add_argument("--stdio", action="store_true", help=argparse.SUPPRESS)
    commands = {
        "check": check,
        "traced": traced,
        "verify": verify,
        "explain": explain,
        "rules": rules,
        "completion": completion,
        "server": server,
    }
    return parser, commands


def _add_input_options(parser: argparse.ArgumentParser, *, stdin: bool = True) -> None:
    group = parser.add_argument_group("what to read")
    paths = "files and folders (default: the current folder)"
    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        type=_path,
        help=f"{paths}; - reads standard input" if stdin else paths,
    )
    if stdin:
        group.add_argument(
            "--stdin-filename", metavar="NAME", help="the name that standard input goes by"
        )
    else:
        parser.set_defaults(stdin_filename=None)
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
        "--force-exclude",
        action="store_true",
        help="leave out what is excluded even where a PATH names it",
    )
    group.add_argument(
        "--respect-gitignore",
        action=argparse.BooleanOptionalAction,
        # None, where it is not given, leaves it to the configuration.
        default=None,
        help="leave out what git ignores (default: yes)",
    )
    group.add_argument(
        "--no-prefilter",
        dest="prefilter",
        action="store_false",
        help="parse every file, also those that do not mention JAX",
    )
    group.add_argument(
        "--assume-traced",
        metavar="PATTERNS",
        type=_comma_list,
        action="extend",
        default=[],
        help="functions that somebody else will jit, by qualified name (mylib.losses.*) or file "
        "(src/mylib/ops/*.py), besides the configured ones",
    )
    configuration = parser.add_argument_group("configuration").add_mutually_exclusive_group()
    configuration.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="read this file instead of the nearest pyproject.toml or setup.cfg",
    )
    configuration.add_argument("--isolated", action="store_true", help="read no configuration file")


def _add_docstring_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--docstring-examples",
        action="store_true",
        # None, where it is not given, leaves it to the configuration.
        default=None,
        help="read the >>> examples in docstrings too",
    )


def _add_selection_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what to report")
    for name, text in (
        (
            "--select",
            "codes, prefixes or names to report, such as JIT1,JIT105, or ALL (default: ALL)",
        ),
        ("--extend-select", "codes, prefixes or names to report besides"),
        ("--ignore", "codes, prefixes or names not to report"),
    ):
        group.add_argument(name, metavar="CODES", type=_comma_list, action="extend", help=text)
    group.add_argument(
        "--min-severity",
        choices=("info", "warning", "error"),
        help="the mildest severity to report (default: warning); a code that is selected in full "
        "is reported even when it is an info",
    )


def _add_new_only_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("only what is new, or proven")
    group.add_argument(
        "--baseline",
        metavar="FILE",
        type=Path,
        help="do not report what this file holds, and take out of it what is gone",
    )
    group.add_argument(
        "--write-baseline",
        metavar="FILE",
        type=Path,
        help="write all of today's reports into this file, and report none of them",
    )
    group.add_argument(
        "--changed-since",
        metavar="REV",
        help="report only what touches lines changed since this git revision",
    )
    group.add_argument(
        "--verified",
        metavar="FILE",
        type=Path,
        help="do not report what was refuted when 'jitlint verify --output-format json' wrote "
        "this file",
    )


def _add_verify_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how to run")
    group.add_argument(
        "--platform",
        metavar="NAMES",
        type=_comma_list,
        help="backends by JAX's names, such as cpu,cuda,tpu; gpu means those of that kind "
        "(default: all that JAX sees)",
    )
    group.add_argument(
        "--cases",
        metavar="FILE",
        type=Path,
        help="a Python file with more example calls: a list __jitlint_cases__ of functions",
    )
    group.add_argument(
        "--timeout",
        metavar="SECONDS",
        type=float,
        default=60.0,
        help="the time that one module may take on one backend (default: 60)",
    )
    group.add_argument(
        "--memory-limit",
        metavar="GIB",
        type=float,
        default=8.0,
        help="the memory that a module and what it starts may hold (default: 8)",
    )
    group.add_argument(
        "--recorded",
        metavar="FILE.json",
        type=Path,
        help="run the tests that 'pytest --jitlint-verify=FILE.json' saw reach the reports, and "
        "nothing else",
    )
    group.add_argument(
        "--audit",
        action="store_true",
        help="judge jitlint instead of the code: run every module, and exit with 1 when a report "
        "is refuted or a fault was missed",
    )
    group.add_argument(
        "--fixes",
        action="store_true",
        help="try the fixes, unsafe ones too, in a copy: run the program with and without them, "
        "and say of each whether what it gives stays the same",
    )
    group.add_argument(
        "--write-cases",
        metavar="FOLDER",
        type=Path,
        help="write the made-up calls that confirm reports there, in files of example calls; "
        "'cases' in the project's root is a folder that is read again",
    )
    group.add_argument(
        "--report", metavar="FILE.html", type=Path, help="write a page with source and evidence"
    )


def _add_cache_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("results of earlier runs")
    group.add_argument(
        "--no-cache",
        dest="cache",
        action="store_false",
        help="neither use the results of earlier runs nor keep those of this one",
    )
    group.add_argument(
        "--cache-dir",
        metavar="FOLDER",
        type=Path,
        help="keep results there (default: JITLINT_CACHE_DIR from the environment, then cache-dir "
        "of the configuration, then .jitlint_cache in the project's root)",
    )


def _add_fix_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("fixes")
    group.add_argument(
        "--fix", action="store_true", help="apply safe fixes, and list the reports that are left"
    )
    group.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="count fixes like safe ones that may change what the program does in rare cases",
    )
    group.add_argument(
        "--diff",
        action="store_true",
        help="show what --fix would change, and change nothing; exit with 1 if there is anything",
    )
    group.add_argument(
        "--fix-only", action="store_true", help="apply fixes, and list no reports that are left"
    )
    group.add_argument(
        "--show-fixes", action="store_true", help="list what was fixed, on standard error"
    )


def _add_exit_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("exit code")
    group.add_argument(
        "--exit-zero", action="store_true", help="exit with 0 also when there are reports"
    )
    group.add_argument(
        "--fail-on",
        choices=("info", "warning", "error"),
        default="info",
        help="exit with 1 only for reports of this severity or worse (default: any that is shown)",
    )
    group.add_argument(
        "--exit-non-zero-on-fix",
        action="store_true",
        help="exit with 1 also when everything was fixed",
    )


def _add_other_tasks(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "instead of listing the reports"
    ).add_mutually_exclusive_group()
    group.add_argument(
        "--statistics", action="store_true", help="count the reports of each rule, as text or json"
    )
    group.add_argument(
        "--add-noqa",
        action="store_true",
        help="write a # noqa comment for every report into the files, and list what is left",
    )
    group.add_argument(
        "--show-files", action="store_true", help="list the files that would be linted"
    )
    group.add_argument(
        "--show-settings", action="store_true", help="show what options and configuration come to"
    )
    parser.add_argument(
        "--watch", action="store_true", help="lint again whenever a file changes, until Ctrl-C"
    )


def _add_output_options(parser: argparse.ArgumentParser, formats: Iterable[str]) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "--output-format", choices=tuple(formats), default="full", help="default: full"
    )
    group.add_argument(
        "--output-file", "-o", metavar="FILE", type=Path, help="write there instead of to stdout"
    )
    group.add_argument("--quiet", "-q", action="store_true", help="no summary and no progress bar")
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="default: auto, which colours terminals and respects NO_COLOR",
    )


def _path(value: str) -> Path:
    if not value:
        raise argparse.ArgumentTypeError(_EMPTY_PATH)
    return Path(value)


def _positive(value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise argparse.ArgumentTypeError(f"{value!r} (expected a number from 1)")
    return int(value)


def _comma_list(value: str) -> list[str]:
    return [item.strip() for item in value.split(",") if item.strip()]
