"""The environment of the processes that import JAX."""

from __future__ import annotations

import os
from pathlib import Path

#: starting Python and JAX on a busy machine
START_SECONDS = 120.0


def child_environment() -> dict[str, str]:
    """The environment of a process that imports JAX, and jitlint from where this one has it."""
    environment = dict(os.environ)
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    # No window may open, and no plot wait to be closed.
    environment.setdefault("MPLBACKEND", "Agg")
    home = str(Path(__file__).resolve().parents[2])
    known = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = home if not known else os.pathsep.join((home, known))
    return environment
