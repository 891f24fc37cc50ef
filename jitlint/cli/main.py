"""From arguments to a command.  Only what a command needs is imported when it runs."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence

from jitlint.cli.arguments import parse
from jitlint.cli.exit_codes import FAILED, INTERRUPTED
from jitlint.cli.streams import tell
from jitlint.foundation.garbage_collection import collection, no_collection
from jitlint.usage_errors import UsageError


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
        tell(f"error: {error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has seen enough.  Python would complain while closing stdout.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception:
        import traceback

        traceback.print_exc()
        tell("internal error: please report this traceback, with the code that caused it")
        return FAILED


def _dispatch(argv: Sequence[str]) -> int:
    arguments = parse(argv)
    if arguments is None:
        return FAILED
    if arguments.command == "check":
        with no_collection():
            from jitlint.cli.check import check

            return check(arguments)
    if arguments.command == "traced":
        with no_collection():
            from jitlint.cli.traced import traced

            return traced(arguments)
    if arguments.command == "server":
        from jitlint.cli.server import server

        with collection():
            return server()
    if arguments.command == "verify":
        from jitlint.cli.verify import verify

        with collection():
            return verify(arguments)
    if arguments.command == "completion":
        from jitlint.cli.completion import completion

        return completion(arguments)
    from jitlint.cli.rules import explain, list_rules

    return explain(arguments) if arguments.command == "explain" else list_rules(arguments)
