"""``jitlint completion``."""

from __future__ import annotations

import argparse
from pathlib import Path

from jitlint.cli.arguments import build_parser
from jitlint.cli.exit_codes import OK
from jitlint.cli.streams import write


def completion(arguments: argparse.Namespace) -> int:
    """Print a script that completes commands, options and their values in a shell.

    Args:
      arguments: the parsed command line.

    Returns:
      The exit code.
    """
    import shtab

    parser, commands = build_parser()
    for command in commands.values():
        for action in command._actions:
            if action.type is Path or action.dest == "paths":
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    write(shtab.complete(parser, arguments.shell).splitlines(), None)
    return OK
