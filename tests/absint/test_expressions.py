"""Expressions: what they ask of a value, and what they make of it."""

from __future__ import annotations

import pytest

from tests.linting import check


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("x and y", "JIT104"),
        ("x or y", "JIT104"),
        ("not x", "JIT104"),
        ("0 < x < 1", "JIT104"),
        ("1 if x else 2", "JIT101"),
        ("[v for v in range(3) if x > v]", "JIT101"),
        ("int(x)", "JIT105"),
        ("float(x + 1)", "JIT105"),
        ("complex(x)", "JIT105"),
        ("bool(x.any())", "JIT105"),
        ("x.item()", "JIT105"),
        ("x.tolist()", "JIT105"),
        ("math.sqrt(x)", "JIT105"),
        ("math.floor(x)", "JIT105"),
        ("f'{x:.2f}'", "JIT105"),
        ("'{:.2f}'.format(x)", "JIT105"),
        ("'%.2f' % x", "JIT105"),
        ("np.sin(x)", "JIT106"),
        ("np.asarray(x)", "JIT106"),
        ("np.array([x, y])", "JIT106"),
        ("np.zeros(x)", "JIT106"),
        ("np.array_equal(x, y)", "JIT106"),
        ("[1, 2, 3][x]", "JIT107"),
        ("(1, 2, 3)[x]", "JIT107"),
        ("'abc'[x]", "JIT107"),
        ("y[:x]", "JIT107"),
        ("range(x)", "JIT107"),
        ("[0] * x", "JIT107"),
        ("jnp.zeros(x)", "JIT108"),
        ("jnp.zeros((3, x))", "JIT108"),
        ("jnp.arange(x)", "JIT108"),
        ("y.reshape(x, -1)", "JIT108"),
        ("jnp.sum(y, axis=x)", "JIT108"),
        ("jnp.linspace(0, 1, num=x)", "JIT108"),
        ("jax.nn.one_hot(y, x)", "JIT108"),
        ("y[y > 0]", "JIT109"),
        ("jnp.nonzero(y)", "JIT109"),
        ("jnp.where(y > 0)", "JIT109"),
        ("jnp.unique(y)", "JIT109"),
        ("y.at[y > 0].set(0)", "JIT109"),
        ("min(x, y)", "JIT110"),
        ("max(x, 0)", "JIT110"),
        ("sorted([x, y])", "JIT110"),
        ("any([x > 0])", "JIT110"),
        ("x in (1, 2)", "JIT110"),
        ("{x: 1}", "JIT111"),
        ("{x}", "JIT111"),
        ("hash(x)", "JIT111"),
    ],
)
def test_concretization(expression: str, code: str) -> None:
    check(f"""
        @jax.jit
        def f(x: jax.Array, y: jax.Array):
            return {expression}  # {code}

        f(jnp.int32(1), jnp.ones(3))
    """)


@pytest.mark.parametrize(
    "expression",
    [
        "x + 1",
        "x > y",
        "x == y",
        "abs(x)",
        "sum([x, y])",
        "len(y)",
        "y.shape[0]",
        "y.ndim > 1 and y.shape[0] < 3",
        "not y.ndim",
        "0 < y.ndim < 3",
        "int(np.prod(y.shape))",
        "math.sqrt(y.shape[0])",
        "float(y.size)",
        "str(x)",
        "repr(x)",
        "f'{x}'",
        "f'{y.shape[0]:>4}'",
        "np.sum(y)",
        "np.shape(y)",
        "np.zeros(y.shape)",
        "np.dtype(y.dtype)",
        "y[x]",
        "y[0]",
        "y[:2]",
        "y[..., None]",
        "y[jnp.array([0, 1])]",
        "y.at[x].set(1.0)",
        "jnp.zeros(y.shape)",
        "jnp.zeros_like(y)",
        "y.reshape(y.shape[0], -1)",
        "jnp.nonzero(y, size=2)",
        "jnp.where(y > 0, y, 0)",
        "jnp.where(y > 0, x=y, y=0)",
        "jnp.unique(y, size=3)",
        "jnp.linspace(0, x, num=5)",
        "jnp.full((3,), x)",
        "jnp.roll(y, x)",
        "jnp.clip(y, 0, x)",
        "jax.random.key(x)",
        "min(y.shape[0], 3)",
        "max(len(y), 2)",
        "sorted(y.shape)",
        "any([y.ndim == 1])",
        "3 in y.shape",
        "'a' in {'a': x}",
        "{'a': x}['a']",
        "{y.shape: x}",
        "hash(y.shape)",
        "(True and x)",
        "(None or x)",
        "isinstance(x, jax.Array)",
        "x is None",
        "type(x)",
        "id(x)",
        "callable(x)",
        "round(x)",
        "divmod(x, y)",
        "[v * 2 for v in y]",
        "list(y)",
        "tuple(zip(y, y))",
        "functools.reduce(lambda a, b: a + b, [x, x, x])",
        "jax.device_get(x)",
        "jax.debug.print('{x:.2f}', x=x)",
        "lax.cond(x > 0, lambda: x, lambda: -x)",
        "lax.dynamic_slice(y, (x,), (2,))",
    ],
)
def test_innocent(expression: str) -> None:
    check(f"""
        @jax.jit
        def f(x: jax.Array, y: jax.Array):
            value = {expression}
            return None if isinstance(value, str) else value

        f(jnp.int32(1), jnp.ones(3))
    """)


def test_comprehensions() -> None:
    check("""
        @jax.jit
        def f(x, params):
            squares = [v * v for v in x]
            if squares[0] > 0:  # JIT101
                pass
            table = {k: 2 for k in ("a", "b")}
            if table["a"] > 1:
                pass
            scaled = {k: x * n for k, n in table.items()}
            if scaled["a"] > 1:  # JIT101
                pass
            pairs = [(i, v) for i, v in enumerate(x) if i > 0]
            total = sum(v for v in x if v > 0)  # JIT101
            sizes = {len(v) for v in params}
            return pairs, total, sizes
    """)


def test_comprehension_variables_do_not_leak() -> None:
    check("""
        @jax.jit
        def f(x):
            n = 3
            doubled = [n * 2 for n in x]
            for _ in range(n):
                pass
            return doubled
    """)


def test_walrus() -> None:
    check("""
        @jax.jit
        def f(x):
            if (n := x.shape[0]) > 3:
                return jnp.zeros(n)
            if (m := x.sum()) > 3:  # JIT101
                return x
            return [k for v in range(3) if (k := v) > 1], m

        @jax.jit
        def g(x):
            str(y := x.sum())
            return float(y)  # JIT105
    """)


def test_unpacking() -> None:
    check("""
        @jax.jit
        def f(x):
            rows, cols = x.shape
            (a, b), c = (rows, x), cols
            first, *rest = x
            *init, last = 1, 2, x
            for _ in range(rows):
                pass
            jnp.zeros((a, c))
            if init[0] > 0:
                pass
            float(b)  # JIT105
            float(rest[0])  # JIT105
            int(last)  # JIT105
            return first
    """)


def test_unpacking_in_a_for() -> None:
    check("""
        @jax.jit
        def f(x):
            for i, (name, value) in enumerate([("a", x), ("b", 2 * x)]):
                if name == "a" and i > 0:
                    pass
                if value > 0:  # JIT101
                    pass
            return x
    """)


def test_star_arguments_of_calls() -> None:
    check("""
        def g(n, x, *more, scale=1, **options):
            for _ in range(n):
                pass
            if more[0] > 0:  # JIT101
                pass
            if options["flag"]:
                pass
            if options["bias"] > 0:  # JIT101
                pass
            return float(x * scale)  # JIT105

        @jax.jit
        def f(x):
            arguments = (3, x)
            keywords = {"flag": True, "bias": x}
            return g(*arguments, x, **keywords)
    """)


def test_displays_with_stars() -> None:
    check("""
        @jax.jit
        def f(x):
            items = [1, *(2, 3), x]
            if items[1] > 0:
                pass
            if items[3] > 0:  # JIT101
                pass
            merged = {**{"n": 1}, "x": x}
            if merged["n"] > 0:
                pass
            if merged["x"] > 0:  # JIT101
                pass
            return x
    """)


def test_lists_that_grow() -> None:
    check("""
        @jax.jit
        def f(x):
            losses = []
            sizes = []
            for i in range(3):
                losses.append(x * i)
                sizes.append(i)
            if sizes[-1] > 1:
                pass
            if losses[-1] > 1:  # JIT101
                pass
            return jnp.stack(losses)
    """)


def test_report_stands_at_the_operand_that_python_asks() -> None:
    check("""
        @jax.jit
        def f(x, n):
            if (
                n.ndim == 0
                and x > 0  # JIT101
            ):
                return x
            return n
    """)


def test_one_concretization_one_report() -> None:
    check("""
        @jax.jit
        def f(x):
            if float(x) > 0:  # JIT105
                pass
            if not np.isnan(x):  # JIT106
                pass
            if max(x, 0) > 1:  # JIT110
                pass
            if not x > 0:  # JIT101
                pass
            while x > 0 and x < 5:  # JIT102
                pass
            return x
    """)


def test_comparison_with_none_and_strings_is_static() -> None:
    check("""
        @jax.jit
        def f(x, y=None):
            if x is None or y is not None:
                return y
            if x is x:
                pass
            return x
    """)
