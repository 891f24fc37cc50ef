"""The options that commands share, by what they are about."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Final

#: an unset variable of a script, say, which pathlib would take for the current folder
EMPTY_PATH: Final = "an empty path (expected a file or folder)"
ADD_NOQA: Final = "--add-noqa"
#: what it has for a value where none is given
NO_REASON: Final = ""
FORMAT_HELP: Final = "how it is written (default: full)"


def add_input_options(parser: argparse.ArgumentParser, *, stdin: bool = True) -> None:
    """Add what is read: files, standard input, the configuration."""
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
        help="read this file instead of the nearest configuration of each file",
    )
    configuration.add_argument("--isolated", action="store_true", help="read no configuration file")


def add_docstring_option(parser: argparse.ArgumentParser) -> None:
    """Add what reads the examples in docstrings."""
    parser.add_argument(
        "--docstring-examples",
        action="store_true",
        # None, where it is not given, leaves it to the configuration.
        default=None,
        help="read the >>> examples in docstrings too",
    )


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """Add what chooses rules and severities."""
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


def add_new_only_options(parser: argparse.ArgumentParser) -> None:
    """Add what leaves out reports that are known already."""
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


def add_verify_options(parser: argparse.ArgumentParser) -> None:
    """Add how code is run."""
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
        "--time-limit",
        metavar="SECONDS",
        type=float,
        default=20.0,
        help="the time that inputs may be made up for one report that no call of the code settles; "
        "0 makes up none (default: 20)",
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


def add_cache_options(parser: argparse.ArgumentParser) -> None:
    """Add where results are kept."""
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


def add_fix_options(parser: argparse.ArgumentParser) -> None:
    """Add what mends reports."""
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


def add_exit_options(parser: argparse.ArgumentParser) -> None:
    """Add what decides on the exit code."""
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


def add_other_tasks(parser: argparse.ArgumentParser) -> None:
    """Add what is done instead of listing reports."""
    group = parser.add_argument_group(
        "instead of listing the reports"
    ).add_mutually_exclusive_group()
    group.add_argument(
        "--statistics", action="store_true", help="count the reports of each rule, as text or json"
    )
    group.add_argument(
        ADD_NOQA,
        metavar="REASON",
        nargs="?",
        const=NO_REASON,
        type=_reason,
        help="write a # noqa comment for every report into the files, and list what is left; "
        "--add-noqa=REASON writes the reason behind each",
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


def add_output_options(parser: argparse.ArgumentParser, formats: Iterable[str]) -> None:
    """Add how and where reports are written; the first of the formats is the default."""
    group = parser.add_argument_group("output")
    group.add_argument("--output-format", choices=tuple(formats), default="full", help=FORMAT_HELP)
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
        raise argparse.ArgumentTypeError(EMPTY_PATH)
    return Path(value)


def _reason(value: str) -> str:
    from jitlint.source.noqa_comments import is_reason

    reason = value.strip()
    if reason and not is_reason(reason):
        raise argparse.ArgumentTypeError(
            f"{value!r} would be read as more than a reason (expected words on one line that do "
            "not begin with a rule's code)"
        )
    return reason


def positive(value: str) -> int:
    """A number from 1; anything else is a wrong argument."""
    if not value.isdecimal() or int(value) < 1:
        raise argparse.ArgumentTypeError(f"{value!r} (expected a number from 1)")
    return int(value)


def _comma_list(value: str) -> list[str]:
    return [item.strip() for item in value.split(",") if item.strip()]
