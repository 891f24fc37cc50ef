"""Which backends there are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from jitlint.verify.children import START_SECONDS, child_environment
from jitlint.verify.driving.verdicts import Verified

_PLATFORMS = ("cpu", "gpu", "tpu")


def available(folder: Path, result: Verified) -> list[str]:
    """The backends that JAX sees: the CPU always, others where there are some."""
    program = "import jax\nprint(' '.join(sorted({d.platform for d in jax.devices()})))\n"
    environment = child_environment()
    chosen = environment.get("JAX_PLATFORMS")
    if chosen:
        return [{"cuda": "gpu", "rocm": "gpu"}.get(p, p) for p in chosen.split(",") if p]
    try:
        found = subprocess.run(
            [sys.executable, "-c", program],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        result.failures.append("asking JAX for its devices takes too long: only the CPU is used")
        return ["cpu"]
    seen = [name for name in found.stdout.split() if name in _PLATFORMS]
    return ["cpu", *(name for name in seen if name != "cpu")]
