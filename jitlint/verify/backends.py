"""Which backends there are, as JAX itself sees them in a child."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jitlint.verify.children import START_SECONDS, child_environment

CPU = "cpu"
#: kinds of backends that have several names, as JAX has them
_KINDS = {"gpu": ("cuda", "rocm", "oneapi")}
# Of those that fail to start JAX says nothing, unless the user has asked for them by JAX_PLATFORMS.
_ASK = """\
import json
from jax.extend.backend import backends
print()
print(json.dumps([[name, client.platform] for name, client in backends().items()]))
"""


@dataclass(frozen=True)
class Backends:
    """The backends to verify on.

    Args:
      names: by which JAX knows them, the CPU first.
      absent: one line for each that was asked for and is not there.
      trouble: why JAX could not say what there is; None if it could.
    """

    names: Sequence[str]
    absent: Sequence[str] = ()
    trouble: str | None = None


def choose(asked: Sequence[str] | None, folder: Path) -> Backends:
    """Find the backends to verify on.

    Args:
      asked: the names that the user gives, ``gpu`` among them for whichever there is; None for all
        that JAX sees, of which the CPU always is one.
      folder: where the child is started.
    """
    if asked is not None and all(name == CPU for name in asked):
        return Backends([CPU])
    seen, trouble = _seen(folder)
    if asked is None:
        return Backends([CPU, *(name for name in seen if name != CPU)], (), trouble)
    found: dict[str, None] = {}
    absent = []
    for name in asked:
        kind = [
            known for known, its in seen.items() if known in _KINDS.get(name, ()) or its == name
        ]
        meant = [name] if name in seen else kind
        found.update(dict.fromkeys(meant))
        if not meant:
            there = ", ".join(seen) or "nothing"
            absent.append(f"there is no backend {name}: JAX sees {there}")
    return Backends(sorted(found, key=lambda name: name != CPU), absent, trouble)


def _seen(folder: Path) -> tuple[dict[str, str], str | None]:
    """The backends, each with its kind; and why there are none, if JAX fails."""
    try:
        asked = subprocess.run(
            [sys.executable, "-c", _ASK],
            cwd=folder,
            env=child_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {CPU: CPU}, "asking JAX for its backends takes too long: only the CPU is used"
    if asked.returncode == 0:
        listed = json.loads(asked.stdout.splitlines()[-1])
        return dict(listed), None
    if "ModuleNotFoundError" in asked.stderr:
        # Whoever is to run something will say what is missing.
        return {CPU: CPU}, None
    last = (asked.stderr.strip().splitlines() or ["it says nothing"])[-1]
    return {CPU: CPU}, f"JAX cannot say which backends there are, so only the CPU is used: {last}"
