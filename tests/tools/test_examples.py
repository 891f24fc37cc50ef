"""The proofs of examples, held against made-up rules: each tells harm from its absence."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tools.labels.checking import verify_many

pytestmark = pytest.mark.jax

_HEADER = """\
import functools
import time
import jax
import jax.numpy as jnp
import numpy as np
"""

# code, kind of hazard, the bad module and its call, the good module and its call
RULES: dict[str, tuple[str, tuple[str, str], tuple[str, str]]] = {
    "JIT208": (
        "stale",
        (
            """
            SCALE = {"by": 2.0}
            @jax.jit
            def scaled(x):
                return x * SCALE["by"]
            def run(x):
                first = scaled(x)
                SCALE["by"] += 1.0
                return first, scaled(x)
            """,
            "run(jnp.ones(3))",
        ),
        (
            """
            SCALE = {"by": 2.0}
            @jax.jit
            def scaled(x, by):
                return x * by
            def run(x):
                first = scaled(x, SCALE["by"])
                SCALE["by"] += 1.0
                return first, scaled(x, SCALE["by"])
            """,
            "run(jnp.ones(3))",
        ),
    ),
    "JIT209": (
        "leaks",
        (
            """
            @functools.lru_cache(maxsize=4)
            def table(n):
                return jnp.arange(n) * 2
            @jax.jit
            def total(x):
                return x + table(3)
            """,
            "total(jnp.ones(3))",
        ),
        (
            """
            @functools.cache
            def table(n):
                return np.arange(n) * 2
            @jax.jit
            def total(x):
                return x + table(3)
            """,
            "total(jnp.ones(3))",
        ),
    ),
    "JIT210": (
        "stale",
        (
            """
            numbers = iter(range(100))
            @jax.jit
            def shifted(x):
                return x + next(numbers)
            """,
            "shifted(jnp.ones(3))",
        ),
        (
            """
            numbers = iter(range(100))
            @jax.jit
            def shifted(x, n):
                return x + n
            """,
            "shifted(jnp.ones(3), next(numbers))",
        ),
    ),
    "JIT213": (
        "stale",
        (
            """
            @jax.jit
            def noise(x):
                return x + jax.random.normal(jax.random.key(0), x.shape)
            """,
            "[noise(jnp.ones(3)) for _ in range(2)]",
        ),
        (
            """
            @jax.jit
            def noise(x, key):
                return x + jax.random.normal(key, x.shape)
            """,
            "[noise(jnp.ones(3), key) for key in jax.random.split(jax.random.key(0))]",
        ),
    ),
    "JIT215": (
        "silently-wrong",
        (
            """
            def weights(key):
                return [jax.random.normal(key, (3,)) for _ in range(2)]
            """,
            "weights(jax.random.key(0))",
        ),
        (
            """
            def weights(key):
                return [jax.random.normal(each, (3,)) for each in jax.random.split(key)]
            """,
            "weights(jax.random.key(0))",
        ),
    ),
    "JIT214": (
        "silently-wrong",
        (
            """
            @jax.jit
            def move(state):
                state["x"] = state["x"] + 1
            def run():
                state = {"x": jnp.ones(3)}
                move(state)
                return state
            """,
            "run()",
        ),
        (
            """
            @jax.jit
            def move(state):
                state["x"] = state["x"] + 1
                return state
            def run():
                state = {"x": jnp.ones(3)}
                return move(state)
            """,
            "run()",
        ),
    ),
    "JIT306": (
        "recompiles",
        (
            """
            @functools.partial(jax.jit, static_argnames="k")
            def scaled(x, k):
                return x * k
            """,
            "[scaled(jnp.ones(3), k) for k in range(4)]",
        ),
        (
            """
            @jax.jit
            def scaled(x, k):
                return x * k
            """,
            "[scaled(jnp.ones(3), k) for k in range(4)]",
        ),
    ),
    "JIT310": (
        "raises",
        (
            """
            @functools.partial(jax.jit, donate_argnums=0)
            def step(x):
                return x + 1
            def run():
                x = jnp.ones(3)
                y = step(x)
                return x + y
            """,
            "run()",
        ),
        (
            """
            @functools.partial(jax.jit, donate_argnums=0)
            def step(x):
                return x + 1
            """,
            "step(jnp.ones(3))",
        ),
    ),
    "JIT314": (
        "bloats",
        (
            """
            TABLE = np.random.default_rng(0).normal(size=50_000).astype("float32")
            @jax.jit
            def looked_up(i):
                return jnp.asarray(TABLE)[i]
            """,
            "looked_up(3)",
        ),
        (
            """
            TABLE = np.random.default_rng(0).normal(size=50_000).astype("float32")
            @jax.jit
            def looked_up(i, table):
                return table[i]
            """,
            "looked_up(3, TABLE)",
        ),
    ),
    "JIT401": (
        "mismeasured",
        (
            """
            @jax.jit
            def power(x):
                for _ in range(4):
                    x = x @ x / 1000
                return x
            def measure(x):
                start = time.perf_counter()
                power(x)
                return time.perf_counter() - start
            """,
            "measure(jnp.ones((800, 800)))",
        ),
        (
            """
            @jax.jit
            def power(x):
                for _ in range(4):
                    x = x @ x / 1000
                return x
            def measure(x):
                start = time.perf_counter()
                power(x).block_until_ready()
                return time.perf_counter() - start
            """,
            "measure(jnp.ones((800, 800)))",
        ),
    ),
    "JIT402": (
        "mismeasured",
        (
            """
            @jax.jit
            def double(x):
                return 2 * x
            def measure(x):
                start = time.perf_counter()
                double(x).block_until_ready()
                return time.perf_counter() - start
            """,
            "measure(np.ones(3))",
        ),
        (
            """
            @jax.jit
            def double(x):
                return 2 * x
            def measure(x):
                double(x).block_until_ready()
                start = time.perf_counter()
                double(x).block_until_ready()
                return time.perf_counter() - start
            """,
            "measure(np.ones(3))",
        ),
    ),
    "JIT403": (
        "silently-wrong",
        ("def thirds(n):\n    return jnp.full(n, 1 / 3, jnp.float64)\n", "thirds(3)"),
        ("def thirds(n):\n    return jnp.full(n, 1 / 3, jnp.float32)\n", "thirds(3)"),
    ),
    "JIT404": (
        "unrolls",
        (
            """
            @jax.jit
            def total(x):
                for k in range(100):
                    x = jnp.sin(x) + k
                return x
            """,
            "total(jnp.ones(3))",
        ),
        (
            """
            @jax.jit
            def total(x):
                return jax.lax.fori_loop(0, 100, lambda k, y: jnp.sin(y) + k, x)
            """,
            "total(jnp.ones(3))",
        ),
    ),
}

_CASES = """
from jitlint.diagnostics import Hazard, Severity
from jitlint.rules.meta import Example, RuleMeta
from tools.examples import observe

META = RuleMeta(
    code={code!r}, name="", summary="", severity=Severity.WARNING, why="", help="", since="",
    bad=Example("", {bad!r}), good=Example("", {good!r}),
    hazard=Hazard({kind!r}, {exceptions!r}),
)

INNOCENT = [lambda: observe(META, {which!r})]
"""


def _pair(
    folder: Path, code: str, kind: str, calls: tuple[str, str], which: str
) -> tuple[Path, Path]:
    cases = folder / f"{which}_{code}_cases.py"
    text = _CASES.format(
        code=code,
        kind=kind,
        bad=calls[0],
        good=calls[1],
        which=which,
        exceptions=("RuntimeError",) if kind == "raises" else (),
    )
    cases.write_text(text)
    return folder / code / f"{which}_{code.lower()}.py", cases


def _write(folder: Path, code: str, bad: str, good: str) -> None:
    (folder / code).mkdir(parents=True)
    for which, text in (("bad", bad), ("good", good)):
        module = folder / code / f"{which}_{code.lower()}.py"
        module.write_text(f"{_HEADER}\n\n{textwrap.dedent(text)}")


def test_harm_is_told_from_its_absence(tmp_path: Path) -> None:
    right, swapped = tmp_path / "right", tmp_path / "swapped"
    expected: list[tuple[tuple[Path, Path], bool]] = []
    for code, (kind, bad, good) in RULES.items():
        _write(right, code, bad[0], good[0])
        for which in ("bad", "good"):
            pair = _pair(right, code, kind, (bad[1], good[1]), which)
            expected.append((pair, True))
        # The good example in the place of the bad one does no harm, and is not taken for it.
        _write(swapped, code, good[0], bad[0])
        for which in ("bad", "good"):
            pair = _pair(swapped, code, kind, (good[1], bad[1]), which)
            # Sizes and results are compared, by the bad example alone or in both directions.
            same = {"good": kind in ("unrolls", "bloats"), "bad": kind == "silently-wrong"}
            expected.append((pair, same[which] and code not in ("JIT215", "JIT403")))
    results = verify_many([pair for pair, _ in expected])
    found = [
        f"{Path(result.program).parent.parent.name}/{Path(result.program).stem}: {result.message}"
        for result, (_, ok) in zip(results, expected, strict=True)
        if result.ok != ok
    ]
    assert not found, "\n".join(found)
