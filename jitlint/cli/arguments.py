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
from jitlint.cli.options import (
    ADD_NOQA,
    EMPTY_PATH,
    FORMAT_HELP,
    NO_REASON,
    add_cache_options,
    add_docstring_option,
    add_exit_options,
    add_fix_options,
    add_input_options,
    add_new_only_options,
    add_other_tasks,
    add_output_options,
    add_selection_options,
    add_verify_options,
    positive,
)
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
  0  the page of the rule, or of all; or there is a rule for every error of the traceback
  1  the traceback has an error that no rule speaks of
  2  there is no such rule, no traceback in the text, or no such file
"""


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
    arguments, rest = parser.parse_known_args(_with_bare_noqa(argv))
    arguments.command = _ALIASES.get(arguments.command, arguments.command)
    _take_rest(commands[arguments.command], arguments, rest)
    return arguments


def _with_bare_noqa(argv: Sequence[str]) -> Sequence[str]:
    """The arguments, with ``--add-noqa`` so that it does not take the next word for a reason."""
    end = argv.index("--") if "--" in argv else len(argv)
    said = f"{ADD_NOQA}={NO_REASON}"
    return [*(said if word == ADD_NOQA else word for word in argv[:end]), *argv[end:]]


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
            command.error(f"argument PATH: {EMPTY_PATH}")
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
    add_input_options(check)
    add_docstring_option(check)
    add_selection_options(check)
    add_new_only_options(check)
    add_output_options(check, FORMATS)
    check.add_argument(
        "--jobs",
        "-j",
        metavar="N",
        type=positive,
        help="the most processes that share the work (default: jobs of the configuration, else as "
        "many as there are processors); fewer where there is little to do, one where the platform "
        "cannot fork",
    )
    add_cache_options(check)
    add_fix_options(check)
    add_exit_options(check)
    add_other_tasks(check)
    check.add_argument(
        "--verbose",
        "-v",
        action="store_true",
        help="say what of the traced code was not analysed, and why",
    )
    traced = add("traced", "list the functions that JAX will trace, and why")
    add_input_options(traced)
    add_docstring_option(traced)
    add_output_options(traced, ("full", "json"))
    verify = add(
        "verify",
        "RUN the code under real JAX, and say of each report whether it is true",
        _VERIFY_NOTES,
    )
    add_input_options(verify, stdin=False)
    add_selection_options(verify)
    add_verify_options(verify)
    add_output_options(verify, ("full", "json", "sarif", "github", "junit"))
    add_cache_options(verify)
    explain = add(
        "explain",
        "show a rule's page (or all of them), or what is behind a pasted JAX traceback",
        _EXPLAIN_NOTES,
        aliases=[alias for alias, name in _ALIASES.items() if name == "explain"],
    )
    explain.add_argument("rule", metavar="RULE", nargs="?", help="a code (JIT101) or a name")
    explain.add_argument("--all", action="store_true", help="show the pages of all rules")
    explain.add_argument(
        "--traceback",
        metavar="FILE",
        nargs="?",
        const=Path("-"),
        type=Path,
        help="a file that holds a traceback, in any form and with anything around it; - or nothing "
        "reads standard input",
    )
    add_output_options(explain, ("full", "json"))
    rules = add("rules", "list the rules")
    rules.add_argument(
        "--output-format", choices=("full", "json"), default="full", help=FORMAT_HELP
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
