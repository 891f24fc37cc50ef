"""Run what is not known yet of what is held against JAX, and keep it.

    python -m tools.observed [--all]

What is right goes into ``tests/observed.json`` and is not run again by the tests until something
changes that it depends on; what is not is printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.fix_proofs.listing import listed
from tools.observed import fixes, innocents, labels, tables
from tools.observed.fixes import FIXES
from tools.observed.innocents import INNOCENTS
from tools.observed.kept import Kind, Subject, Work
from tools.observed.labels import LABELS
from tools.observed.tables import TABLES


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
      arguments: the command line without the program's name; that of the process if None.

    Returns:
      The exit status.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.observed", description=__doc__)
    parser.add_argument("--all", action="store_true", help="run what is known, too")
    everything = parser.parse_args(arguments).all
    with tempfile.TemporaryDirectory() as scratch:
        cases = [*listed(Path(scratch).resolve())]
        wrong = [
            *_renew(LABELS, labels.subjects(), everything),
            *_renew(FIXES, fixes.subjects(cases), everything),
            *_renew(INNOCENTS, innocents.subjects(), everything),
            *_renew(TABLES, tables.subjects(), everything),
        ]
    sys.stdout.writelines(f"{name}: {outcome}\n" for name, outcome in wrong)
    return 1 if wrong else 0


def _renew(
    kind: Kind[Work], subjects: Sequence[Subject[Work]], everything: bool
) -> list[tuple[str, str]]:
    return kind.keep(subjects, kind.observe(subjects, everything=everything))


if __name__ == "__main__":
    sys.exit(main())
