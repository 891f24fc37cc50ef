"""Large arrays that a compiled function reads without being given them."""

from __future__ import annotations

from textwrap import dedent

import pytest

from jitlint.diagnostics import Severity
from tests.linting import reports


def _rows(source: str) -> list[int]:
    found = reports(dedent(source), at_least=Severity.INFO)
    return [row for row, code in found if code == "JIT314"]


@pytest.mark.parametrize(
    "made",
    [
        "np.random.default_rng(0).normal(size=(1000, 1000))",
        "np.random.default_rng(0).uniform(0, 1, (1000, 1000)).astype(np.float32)",
        "np.random.randn(1000, 1000)",
        "np.random.normal(0.0, 1.0, (N, N))",
        "jax.random.normal(jax.random.key(0), (N, 2 * N))",
        "jax.random.randint(jax.random.key(0), shape=(N, N), minval=0, maxval=9)",
        "jnp.asarray(np.random.rand(N, N))",
        "jnp.array(np.random.rand(N, N), jnp.float32).reshape(-1)",
        "np.arange(1_000_000)",
        "jnp.linspace(0, 1, 300_000)",
        "np.eye(1000)",
        "0.02 * np.random.randn(N, N)",
        "jax.random.normal(jax.random.key(0), (N, N)) / np.sqrt(N)",
        "np.tril(np.ones((N, N)))",
        "np.exp(-np.random.rand(N, N))",
        "np.random.rand(N, N) + np.ones((N, N))",
        "jax.device_put(np.random.rand(N, N))",
    ],
)
def test_arrays_of_known_size(made: str) -> None:
    assert _rows(f"""\
        N = 1000
        TABLE = {made}

        @jax.jit
        def f(x):
            return x + TABLE
    """) == [6]


@pytest.mark.parametrize(
    "made",
    [
        "np.random.default_rng(0).normal(size=(100, 100))",
        "np.zeros((1000, 1000))",
        "jnp.ones((1000, 1000))",
        "np.full((1000, 1000), 0.5)",
        "np.load('table.npy')",
        "0.5 * np.ones((1000, 1000)) + np.ones((1000, 1000))",
        "np.random.rand(1000, 1000) @ np.random.rand(1000, 2)",
        "np.random.rand(unknown(), 1000)",
        "np.random.rand(1000, 1000).sum()",
    ],
)
def test_what_is_small_or_one_value_or_not_known(made: str) -> None:
    assert not _rows(f"""\
        TABLE = {made}

        @jax.jit
        def f(x):
            return x + TABLE
    """)


@pytest.mark.parametrize(
    ("read", "is_read"),
    [
        ("x @ TABLE", True),
        ("jnp.dot(x, TABLE)", True),
        ("WEIGHTS[x]", True),
        ("jnp.asarray(TABLE)[x]", True),
        ("WEIGHTS.reshape(-1) * x", True),
        ("jnp.where(x > 0, TABLE, 0.0)", True),
        ("x / TABLE.shape[0]", False),
        ("x * len(TABLE)", False),
        ("x * float(TABLE.mean())", False),
        ("x + jnp.arange(1_000_000)", False),
        ("x + np.random.rand(2)", False),
    ],
)
def test_reads(read: str, *, is_read: bool) -> None:
    assert _rows(f"""\
        TABLE = np.random.rand(1000, 1000)
        WEIGHTS = jnp.asarray(TABLE)

        @jax.jit
        def f(x):
            return {read}
    """) == ([6] if is_read else [])


def test_arguments_and_eager_transforms() -> None:
    assert not _rows("""\
        TABLE = np.random.rand(1000, 1000)

        @jax.jit
        def f(table, x):
            return table @ x

        def slope(x):
            return jax.grad(lambda x: (jnp.asarray(TABLE) @ x).sum())(x)

        def each(x):
            return jax.lax.scan(lambda c, k: (c + jnp.asarray(TABLE)[k], None), x, jnp.arange(3))

        f(TABLE, jnp.ones(1000))
        slope(jnp.ones(1000))
        each(jnp.ones(1000))
    """)


def test_each_function_tells_of_an_array_once() -> None:
    assert _rows("""\
        TABLE = np.random.rand(1000, 1000)

        @jax.jit
        def f(x):
            x = x @ TABLE
            return x + TABLE

        @jax.jit
        def g(x):
            return x - TABLE
    """) == [5, 10]


def test_what_may_be_another_array_has_no_known_size() -> None:
    assert not _rows("""\
        import sys

        TABLE = np.random.rand(1000, 1000)
        if len(sys.argv) > 1:
            TABLE = np.random.rand(2, 2)

        @jax.jit
        def f(x):
            return x + TABLE
    """)
