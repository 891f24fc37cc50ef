"""The labels of programs, checked under real JAX in child processes.

JAX is not imported here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from jitlint.verify.children import START_SECONDS, child_environment
from tools.labels.results import CaseResult

DEFAULT_TIMEOUT = 120.0


def verify_many(
    pairs: Sequence[tuple[Path, Path]], *, timeout: float = DEFAULT_TIMEOUT
) -> list[CaseResult]:
    """Run many programs in one child process, or in a few: a crash starts a new one for the rest.

    Args:
      pairs: programs and the files of their cases.
      timeout: seconds that each program may take once JAX has started.

    Returns:
      All results, in the order of the pairs.
    """
    results: list[CaseResult] = []
    left = [(program.absolute(), cases.absolute()) for program, cases in pairs]
    while left:
        done = _run_child(left, timeout, results)
        left = left[done:]
    return results


def _run_child(
    pairs: Sequence[tuple[Path, Path]], timeout: float, results: list[CaseResult]
) -> int:
    """Run a child, collect its results, and return how many programs are dealt with."""
    with tempfile.TemporaryDirectory(prefix="jitlint-verify-") as scratch:
        folder = Path(scratch)
        listing = folder / "programs.json"
        listing.write_text(json.dumps([[str(p), str(c)] for p, c in pairs]), encoding="utf-8")
        work = folder / "work"
        work.mkdir()
        command = [sys.executable, "-m", "tools.labels"]
        command += ["--listing", str(listing), "--timeout", str(timeout)]
        with (
            (folder / "out").open("w+", encoding="utf-8") as out,
            (folder / "err").open("w+", encoding="utf-8", errors="replace") as err,
        ):
            ending = _run_process(command, work, out, err, timeout * len(pairs) + START_SECONDS)
            out.seek(0)
            err.seek(0)
            lines, tail = out.read().splitlines(), err.read()[-2000:].strip()
    done = 0
    for line in lines:
        try:
            values = json.loads(line)
        except json.JSONDecodeError:
            # The child died while writing: its last line is cut off.
            break
        if "done" in values:
            done += 1
        else:
            results.append(CaseResult.from_json(values))
    if done < len(pairs):
        why = f"the child process {ending}: {tail}"
        if not tail:
            why = f"the child process {ending}"
        results.append(CaseResult(program=str(pairs[done][0]), ok=False, why=why))
        done += 1
    return done


def _run_process(
    command: Sequence[str], work: Path, out: IO[str], err: IO[str], limit: float
) -> str:
    """Run the child to its end and say in words how it ended."""
    try:
        process = subprocess.run(
            command,
            cwd=work,
            env={"JAX_PLATFORMS": "cpu", **child_environment()},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"did not end within {limit:.0f} s"
    if process.returncode < 0:
        return f"was killed by signal {-process.returncode}"
    return f"ended with status {process.returncode}"
