"""The cases of labelled programs, run in this process.

    python -m tools.labels PROGRAM CASES
    python -m tools.labels --listing FILE [--timeout SECONDS]

prints one JSON object a line and exits with 0 when every case is ok, 1 when one is not, 2 when
nothing could be run.  A FILE is a JSON list of such pairs; the end of each is told.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import gc
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from jitlint.verify.recording.real_jax import real_jax
from tools.labels.cases import run_cases
from tools.labels.checking import DEFAULT_TIMEOUT


@contextlib.contextmanager
def _private_stdout() -> Iterator[IO[str]]:
    """A stream to the real standard output; whatever the programs print goes to standard error."""
    sys.stdout.flush()
    saved = os.dup(1)
    os.dup2(2, 1)
    try:
        with os.fdopen(saved, "w", encoding="utf-8", closefd=False) as stream:
            yield stream
    finally:
        sys.stdout.flush()
        os.dup2(saved, 1)
        os.close(saved)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run cases; see the module's text.

    Args:
      arguments: the command line without the program's name; that of the process if None.

    Returns:
      The exit status.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.labels")
    parser.add_argument("program", type=Path, nargs="?", help="a module or a folder of modules")
    parser.add_argument("cases", type=Path, nargs="?", help="the file of its cases")
    parser.add_argument("--listing", type=Path, help="a JSON list of [program, cases] instead")
    parser.add_argument("--timeout", type=float, default=DEFAULT_TIMEOUT)
    options = parser.parse_args(arguments)
    if options.listing is not None:
        loaded = json.loads(options.listing.read_text(encoding="utf-8"))
        pairs = [(Path(program), Path(cases)) for program, cases in loaded]
    elif options.program is not None and options.cases is not None:
        pairs = [(options.program, options.cases)]
    else:
        parser.error("give PROGRAM and CASES, or --listing")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        real_jax()
    except ImportError as error:
        sys.stderr.write(f"jax cannot be imported: {error}\n")
        return 2
    # What was imported stays; the garbage collector would look through it time and again.
    gc.freeze()
    all_ok = True
    with _private_stdout() as stream:
        for program, cases in pairs:
            # Ends the whole process: no exception could stop a loop inside compiled code.
            faulthandler.dump_traceback_later(options.timeout, exit=True)
            results = run_cases(program, cases)
            faulthandler.cancel_dump_traceback_later()
            for result in results:
                all_ok = all_ok and result.ok
                stream.write(json.dumps(result.to_json()) + "\n")
            if options.listing is not None:
                stream.write(json.dumps({"done": str(program)}) + "\n")
            stream.flush()
    return 0 if all_ok else 1


if __name__ == "__main__":
    sys.exit(main())
