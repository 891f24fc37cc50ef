"""How much CPU time ``jitlint check`` takes, as ratios that another machine would give too.

::

    python benchmarks/speed.py [TREE] [--plain TREE] [--rounds 5] [--enforce]

On TREE (by default the installed flax) a cold check by one process is compared with a bare
``libcst.parse_module`` of every file and with ``flake8 -j1``, each in a process of its own, in
rounds that interleave them, and so are a first check that keeps its results and one with ``--fix``
of a copy in which nothing is left to fix.  A warm check, where
nothing has changed since the last one, is compared with ``ruff check --no-cache``, and on a package
without JAX (--plain, by default the installed NumPy) with reading its files.  Then generated code
shows how the time grows with the amount of code, and that a chain of functions that call each other
twice does not blow up.  Times are CPU seconds in user mode, start-up included; ratios are medians
over the rounds.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

# What DESIGN.md section 7 allows since more functions are entered.
PARSE_LIMIT = 1.5
# The same for packages so small that start-up counts, in bytes.
SMALL = 1_500_000
SMALL_PARSE_LIMIT = 1.8
FLAKE8_LIMIT = 0.75
# A first run that keeps its results, against one that does not.
KEEPING_LIMIT = 1.15
# A check that may fix, against one that may not, where nothing is to be fixed.
FIXING_LIMIT = 1.05
RUFF_LIMIT = 1.5
READING_LIMIT = 3.0
# Twice the code may take this many times the time: two, and some noise.
DOUBLING_LIMIT = 2.5
# The chain of doubled calls against start-up: one summary a function is enough.
CHAIN_LIMIT_SECONDS = 1.0

_PARSE = """
import pathlib, sys
import libcst
for path in sys.stdin.read().splitlines():
    try:
        libcst.parse_module(pathlib.Path(path).read_bytes())
    except libcst.ParserSyntaxError:
        pass
"""
_READ = """
import sys
for path in sys.stdin.read().splitlines():
    with open(path, "rb") as file:
        file.read()
"""
#: flake8 with its default checks: without a plugin of ours, which would be measured against itself
_FLAKE8 = """
import importlib.metadata, sys
installed = importlib.metadata.distributions
importlib.metadata.distributions = lambda: (d for d in installed() if d.name != "jitlint")
from flake8.main.cli import main
sys.exit(main(sys.argv[1:]))
"""
_FUNCTIONS_PER_MODULE = 50


def cpu_seconds(command: Sequence[str], stdin: str = "") -> float:
    """CPU time of a process and its children.

    Args:
      command: what to run; an exit code of 1 means that it found something.
      stdin: what it reads.

    Returns:
      Seconds in user mode.

    Raises:
      RuntimeError: the process failed.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Installed packages have their bytecode; so shall jitlint, from the first round on.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        command, input=stdin, capture_output=True, text=True, check=False, env=environment
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{command} exited with {done.returncode}: {done.stderr[-2000:]}")
    return after.ru_utime - before.ru_utime


def check_command(tree: Path) -> list[str]:
    """A cold check of a tree in one process."""
    return [*_check(tree), "--no-cache"]


def _first_check(tree: Path) -> float:
    """Seconds of a first check that keeps its results."""
    with tempfile.TemporaryDirectory() as folder:
        return cpu_seconds([*_check(tree), "--cache-dir", folder])


def _check(tree: Path) -> list[str]:
    quiet = ["--quiet", "--output-format", "concise", "--isolated", "--jobs", "1"]
    return [sys.executable, "-m", "jitlint", "check", *quiet, str(tree)]


def ratios_to(
    own: str, contestants: Mapping[str, Callable[[], float]], rounds: int
) -> Mapping[str, float]:
    """Measure several things in turn.

    Args:
      own: what the others are compared with.
      contestants: gives CPU seconds, by name; the first one is ours.
      rounds: how often each is run.

    Returns:
      The median ratios of ours to each of the others.
    """
    for measure in contestants.values():
        measure()  # Fills the caches of the operating system and of compiled bytecode.
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, measure in contestants.items():
            times[name].append(measure())
    for name, seconds in times.items():
        print(f"  {name:<22} {statistics.median(seconds):7.3f} s")
    ours = times.pop(own)
    return {
        name: statistics.median(mine / other for mine, other in zip(ours, others, strict=True))
        for name, others in times.items()
    }


def warm(tree: Path, plain: Path | None, rounds: int) -> Mapping[str, float]:
    """Measure checks of trees in which nothing has changed since the last one.

    Args:
      tree: a folder with Python files.
      plain: one without JAX.
      rounds: how often each is run.

    Returns:
      The median ratios, by the name of what jitlint is compared with.
    """
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        kept = ["--cache-dir", folder]
        ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
        if ruff is not None:
            print(f"{tree.name}, nothing changed")
            command = [ruff, "check", "--no-cache", "--isolated", "--quiet", str(tree)]
            found |= ratios_to(
                "jitlint, warm",
                {
                    "jitlint, warm": lambda: cpu_seconds([*_check(tree), *kept]),
                    "ruff --no-cache": lambda: cpu_seconds(command),
                },
                rounds,
            )
        if plain is not None:
            files = sorted(str(path) for path in plain.rglob("*.py"))
            print(f"{plain.name}, without JAX: {len(files)} files, nothing changed")
            listing = "\n".join(files)
            found |= ratios_to(
                "jitlint, warm",
                {
                    "jitlint, warm": lambda: cpu_seconds([*_check(plain), *kept]),
                    "reading": lambda: cpu_seconds([sys.executable, "-c", _READ], listing),
                },
                rounds,
            )
    return found


def compare(tree: Path, rounds: int) -> Mapping[str, float]:
    """Measure jitlint against a bare parse and flake8.

    Args:
      tree: a folder with Python files.
      rounds: how often each is run.

    Returns:
      The median ratios, by the name of what jitlint is compared with.
    """
    files = sorted(str(path) for path in tree.rglob("*.py"))
    size = sum(Path(file).stat().st_size for file in files)
    print(f"{tree.name}: {len(files)} files, {size / 1e6:.2f} MB, {rounds} rounds")
    listing = "\n".join(files)
    contestants: dict[str, Callable[[], float]] = {
        "jitlint": lambda: cpu_seconds(check_command(tree)),
        "libcst.parse_module": lambda: cpu_seconds([sys.executable, "-c", _PARSE], listing),
    }
    if importlib.util.find_spec("flake8") is not None:
        flake8 = [sys.executable, "-c", _FLAKE8, "--isolated", "-j1", "-qq", str(tree)]
        contestants["flake8 -j1"] = lambda: cpu_seconds(flake8)
    contestants["jitlint, first run"] = lambda: _first_check(tree)
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder, tree.name)
        shutil.copytree(tree, copied)
        fixing = [*check_command(copied), "--fix"]
        cpu_seconds(fixing)
        contestants["jitlint, --fix"] = lambda: cpu_seconds(fixing)
        return ratios_to("jitlint", contestants, rounds)


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


def scaling(rounds: int) -> float:
    """Measure what twice the code costs, start-up taken off.

    Args:
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
            (tree / "start.py").write_text(module_source(0, 1))
            for module in range(size // _FUNCTIONS_PER_MODULE):
                source = module_source(module, _FUNCTIONS_PER_MODULE)
                (tree / f"module_{module}.py").write_text(source)
        for _ in range(rounds):
            for size in sizes:
                times[size].append(cpu_seconds(check_command(Path(folder, str(size)))))
    print("growth with the number of traced functions, start-up taken off")
    start = statistics.median(times[0])
    net = {size: statistics.median(times[size]) - start for size in sizes[1:]}
    for size, seconds in net.items():
        print(f"  {size:>5} functions {seconds:7.2f} s, {1000 * seconds / size:.2f} ms each")
    return max(net[2 * size] / net[size] for size in sizes[1:-1])


def doubling_chain(rounds: int, length: int = 50) -> float:
    """Measure a chain of functions that each call the next twice: 2 ** 50 paths.

    Args:
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
            (tree / "chain.py").write_text(chain(functions))
        for _ in range(rounds):
            for functions, measured in seconds.items():
                measured.append(cpu_seconds(check_command(Path(folder, str(functions)))))
    return statistics.median(seconds[length]) - statistics.median(seconds[1])


def installed(package: str) -> Path | None:
    """The folder of an installed package, found without importing it; None if there is none."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0])


def main() -> int:
    """Measure, print, and with ``--enforce`` judge.

    Returns:
      1 when ``--enforce`` was given and a limit is exceeded.
    """
    parser = argparse.ArgumentParser(description="CPU time of jitlint check, as ratios.")
    parser.add_argument("tree", metavar="TREE", nargs="?", type=Path, help="default: flax")
    parser.add_argument(
        "--plain", metavar="TREE", type=Path, help="a package without JAX (default: NumPy)"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--enforce", action="store_true", help="exit with 1 beyond a limit")
    arguments = parser.parse_args()
    tree = arguments.tree.resolve() if arguments.tree else installed("flax")
    if tree is None:
        raise SystemExit("flax is not installed: name a tree")
    plain = arguments.plain.resolve() if arguments.plain else installed("numpy")
    verdicts = []

    def judge(what: str, value: float, limit: float) -> None:
        within = value <= limit
        verdicts.append(within)
        print(f"{what}: {value:.2f} (limit {limit}){'' if within else '  EXCEEDED'}")

    ratios = compare(tree, arguments.rounds)
    small = sum(path.stat().st_size for path in tree.rglob("*.py")) < SMALL
    limit = SMALL_PARSE_LIMIT if small else PARSE_LIMIT
    judge("jitlint / libcst.parse_module", ratios["libcst.parse_module"], limit)
    if "flake8 -j1" in ratios:
        judge("jitlint / flake8 -j1", ratios["flake8 -j1"], FLAKE8_LIMIT)
    judge("first run with the cache / without", 1 / ratios["jitlint, first run"], KEEPING_LIMIT)
    judge("--fix with nothing to fix / check", 1 / ratios["jitlint, --fix"], FIXING_LIMIT)
    again = warm(tree, plain, arguments.rounds)
    if "ruff --no-cache" in again:
        judge("jitlint, warm / ruff --no-cache", again["ruff --no-cache"], RUFF_LIMIT)
    if "reading" in again:
        judge("jitlint, warm / reading", again["reading"], READING_LIMIT)
    judge("twice the code", scaling(arguments.rounds), DOUBLING_LIMIT)
    judge(
        "chain of 50 doubled calls, seconds", doubling_chain(arguments.rounds), CHAIN_LIMIT_SECONDS
    )
    return 1 if arguments.enforce and not all(verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
