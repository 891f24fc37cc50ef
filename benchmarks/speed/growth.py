"""How the time grows with the amount of code, on code that is generated."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from benchmarks.speed.measuring import Linter

# Twice the code may take this many times the time: two, and some noise.
DOUBLING_LIMIT = 2.5
# The chain of doubled calls against start-up: one summary a function is enough.
CHAIN_LIMIT_SECONDS = 1.0

_FUNCTIONS_PER_MODULE = 50


def module_source(module: int, functions: int) -> str:
    """A module of traced functions with the constructs that take an interpreter's time."""
    parts = ["import jax\nimport jax.numpy as jnp\n"]
    parts += [
        f"""

@jax.jit
def step_{module}_{number}(params, batch, scale=1.0):
    hidden = batch["x"] @ params["w"]
    for layer in range(3):
        hidden = jnp.tanh(hidden) * scale
        if hidden.ndim > 2:
            hidden = hidden.reshape(-1, hidden.shape[-1])
    loss = jnp.mean((hidden - batch["y"]) ** 2)
    if loss > {number}:
        loss = loss / 2
    return {{"loss": loss, "size": batch["x"].shape[0]}}
"""
        for number in range(functions)
    ]
    return "".join(parts)


def scaling(linter: Linter, rounds: int) -> float:
    """Measure what twice the code costs, start-up taken off.

    Args:
      linter: is measured.
      rounds: how often each size is run.

    Returns:
      The greatest median ratio between a size and the one half as large.
    """
    sizes = (0, 500, 1000, 2000)
    times: dict[int, list[float]] = {size: [] for size in sizes}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            tree = Path(folder, str(size))
            tree.mkdir()
            (tree / "pyproject.toml").write_text("")
            (tree / "start.py").write_text(module_source(0, 1))
            for module in range(size // _FUNCTIONS_PER_MODULE):
                source = module_source(module, _FUNCTIONS_PER_MODULE)
                (tree / f"module_{module}.py").write_text(source)
        for _ in range(rounds):
            for size in sizes:
                times[size].append(linter.check(Path(folder, str(size))).seconds)
    print("growth with the number of traced functions, start-up taken off")
    start = statistics.median(times[0])
    net = {size: statistics.median(times[size]) - start for size in sizes[1:]}
    for size, seconds in net.items():
        print(f"  {size:>5} functions {seconds:7.2f} s, {1000 * seconds / size:.2f} ms each")
    return max(net[2 * size] / net[size] for size in sizes[1:-1])


def doubling_chain(linter: Linter, rounds: int, length: int = 50) -> float:
    """Measure a chain of functions that each call the next twice: 2 ** 50 paths.

    Args:
      linter: is measured.
      rounds: how often it is run.
      length: how many functions.

    Returns:
      Median CPU seconds beyond those for a chain of one function.
    """

    def chain(functions: int) -> str:
        parts = ["import jax\n\n\n@jax.jit\ndef start(x):\n    return link_0(x)\n"]
        parts += [
            f"\n\ndef link_{number}(x):\n"
            f"    return link_{number + 1}(x + 1) + link_{number + 1}(x * 2)\n"
            for number in range(functions)
        ]
        parts.append(
            f"\n\ndef link_{functions}(x):\n    if x > 0:\n        return x\n    return -x\n"
        )
        return "".join(parts)

    seconds: dict[int, list[float]] = {1: [], length: []}
    with tempfile.TemporaryDirectory() as folder:
        for functions in seconds:
            tree = Path(folder, str(functions))
            tree.mkdir()
            (tree / "pyproject.toml").write_text("")
            (tree / "chain.py").write_text(chain(functions))
        for _ in range(rounds):
            for functions, measured in seconds.items():
                measured.append(linter.check(Path(folder, str(functions))).seconds)
    return statistics.median(seconds[length]) - statistics.median(seconds[1])
