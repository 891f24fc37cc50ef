"""``python -m jitlint``, and the ``jitlint`` command."""

import contextlib
import os
import sys
from typing import NoReturn

from jitlint.cli.main import main
from jitlint.foundation.garbage_collection import no_collection


def run() -> NoReturn:
    """Run the command line as a process of its own, and end that at once.

    Taking apart what an analysis leaves behind, object by object, would take as long as a quarter
    of the analysis; the operating system takes it back whole.
    """
    with no_collection():
        code = main()
        _end(code)


def _end(code: int) -> NoReturn:
    if sys.gettrace() is not None or sys.getprofile() is not None:
        sys.exit(code)  # Whoever measures wants to write what was measured.
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    run()
