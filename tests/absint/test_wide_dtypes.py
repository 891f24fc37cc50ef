"""Dtypes of 64 bits that JAX is asked for while x64 is off."""

from __future__ import annotations

import pytest

from tests.linting import check, check_project


@pytest.mark.parametrize(
    "asked",
    [
        "jnp.zeros(3, jnp.float64)",
        "jnp.zeros(3, dtype='float64')",
        "jnp.zeros(3, np.dtype('int64'))",
        "jnp.asarray(x, dtype=np.float64)",
        "jnp.float64(1e-30)",
        "jnp.ones(3).astype('<f8')",
        "jnp.ones(3).sum(dtype=jnp.float64)",
        "lax.convert_element_type(jnp.ones(3), new_dtype=jnp.int64)",
        "jax.random.uniform(x, (3,), jnp.float64)",
        "jax.nn.one_hot(x, 3, dtype=jnp.complex128)",
        "jnp.linspace(0, 1, 3).astype(jnp.double)",
    ],
)
def test_ways_to_ask(asked: str) -> None:
    check(f"""
        def f(x):
            return {asked}  # JIT403
    """)


@pytest.mark.parametrize(
    "asked",
    [
        "jnp.zeros(3, jnp.float32)",
        "jnp.zeros(3, float)",
        "jnp.zeros(3, 'float')",
        "jnp.zeros(3, x.dtype)",
        "np.zeros(3, np.float64)",
        "np.asarray(x).astype(jnp.float64)",
        "np.float64(x)",
        "jnp.finfo(jnp.float64).eps",
        "jnp.issubdtype(x.dtype, jnp.float64)",
        "jnp.promote_types(x.dtype, jnp.float64)",
        "x.astype(jnp.float64)",
        "jnp.float64",
    ],
)
def test_what_asks_jax_for_nothing(asked: str) -> None:
    check(f"""
        def f(x):
            return {asked}
    """)


def test_who_is_called_with_a_dtype_has_not_chosen_it() -> None:
    check("""
        def zeros(n, dtype=jnp.float64):
            return jnp.zeros(n, dtype)

        def wide(n):
            return zeros(n, jnp.float64)

        class Table:
            def __init__(self, dtype=jnp.float64):
                self.dtype = dtype

            def rows(self, n):
                return jnp.zeros(n, self.dtype)

        def each(n):
            return [jnp.zeros(n, dtype) for dtype in (jnp.float32, jnp.float64)]

        def every(n):
            found = []
            for dtype in (jnp.float32, jnp.float64):
                found.append(jnp.zeros(n, dtype))
            return found

        def make(dtype):
            def zeros(n):
                return jnp.zeros(n, dtype)
            return zeros

        first = make(jnp.float64)(3), Table().rows(3)
    """)


def test_attributes_of_self() -> None:
    check("""
        import dataclasses
        import flax.linen as nn
        from typing import Any

        class Grid:
            count = np.int64

            def __init__(self, n, kind=None):
                self.n = n
                self.dtype = jnp.float64
                self.kind = kind or jnp.float64

            def rows(self):
                return jnp.zeros(self.n, self.dtype)  # JIT403

            def counts(self):
                return jnp.zeros(self.n, dtype=self.count)  # JIT403

            def kinds(self):
                return jnp.zeros(self.n, self.kind)

        @dataclasses.dataclass
        class Options:
            dtype: Any = jnp.float64

            def rows(self, n):
                return jnp.zeros(n, self.dtype)

        class Net(nn.Module):
            dtype: Any = jnp.float64

            @nn.compact
            def __call__(self, x):
                x = nn.Dense(3, dtype=self.dtype)(x)
                return nn.Dense(3, param_dtype=jnp.float64)(x)  # JIT403

        found = Grid(3).rows(), Grid(3).counts(), Grid(3).kinds(), Options().rows(3)
    """)


def test_dtypes_with_a_name() -> None:
    check("""
        REAL = jnp.float64
        SETTINGS = {"real": "float64", "count": np.int64}

        class Kinds:
            real = jnp.float64

        def f(n):
            own = np.float64
            a = jnp.zeros(n, REAL)  # JIT403
            b = jnp.zeros(n, SETTINGS["real"])  # JIT403
            c = jnp.zeros(n, SETTINGS["count"])  # JIT403
            d = jnp.zeros(n, Kinds.real)  # JIT403
            e = jnp.zeros(n, own)  # JIT403
            return a, b, c, d, e
    """)


@pytest.mark.parametrize(
    "body",
    [
        "if x.dtype == jnp.float64:\n    return jnp.zeros(3, jnp.float64)",
        "if jnp.issubdtype(x.dtype, jnp.floating):\n    return jnp.zeros(3, jnp.float64)",
        "return jnp.zeros(3, jnp.float64 if precision == 'double' else jnp.float32)",
        "if double:\n    x = jnp.zeros(3, jnp.float64)",
        "with pytest.warns(UserWarning):\n    jnp.zeros(3, jnp.float64)",
        "assert x.dtype == jnp.float64\nreturn jnp.zeros(3, jnp.float64)",
    ],
)
def test_who_tells_dtypes_apart_may_have_64_bits(body: str) -> None:
    lines = "\n".join(f"            {line}" for line in body.splitlines())
    check(f"""
        import pytest

        def f(x, double, precision):
{lines}
            return x
    """)


def test_a_test_of_another_function() -> None:
    check("""
        def scale(decay, mu_dtype=None):
            mu_dtype = jax.dtypes.canonicalize_dtype(mu_dtype) if mu_dtype is not None else None

            def count(updates):
                if mu_dtype is not None:
                    updates = [u.astype(mu_dtype) for u in updates]
                return sum(jnp.sum(u < decay).astype(jnp.int64) for u in updates)  # JIT403

            return count

        def sized(precision):
            def zeros(n):
                return jnp.zeros(n, jnp.float64)

            return zeros if precision == "double" else jnp.zeros

        found = scale(0.9)([jnp.ones(3)]), sized("double")(3)
    """)


def test_the_project_turns_it_on_elsewhere() -> None:
    source = "import jax.numpy as jnp\n\nWIDE = jnp.zeros(3, jnp.float64)"
    check_project({"a.py": f"{source}  # JIT403\n"})
    check_project(
        {
            "a.py": f"{source}\n",
            "tests/conftest.py": 'import jax\n\njax.config.update("jax_enable_x64", True)\n',
            "tests/test_a.py": "import a\n",
        }
    )
    # Nothing runs both.
    check_project(
        {
            "a.py": f"{source}  # JIT403\n",
            "b.py": 'import jax\n\njax.config.update("jax_enable_x64", True)\n',
        }
    )
    check_project(
        {
            "a.py": f"{source}  # JIT403\n",
            "b.py": 'import jax\n\njax.config.update("jax_enable_x64", False)\n',
        }
    )


def test_what_nothing_in_sight_runs_may_run_as_the_project_does() -> None:
    source = "import jax.numpy as jnp\n\nWIDE = jnp.zeros(3, jnp.float64)"
    program = 'import jax\n\njax.config.update("jax_enable_x64", True)\n'
    package = {"solver/__init__.py": "", "solver/state.py": f"{source}\n"}
    reported = {**package, "solver/state.py": f"{source}  # JIT403\n"}
    check_project({**package, "main.py": program})
    # The project does not say so anywhere.
    check_project({**reported, "main.py": "import jax\n"})
    # Somebody runs it without.
    check_project({**reported, "main.py": program, "run.py": "import solver.state\n"})
    check_project({**reported, "main.py": program, "tests/test_state.py": "import solver.state\n"})
    started = f"{source}  # JIT403\n\nif __name__ == '__main__':\n    print(WIDE)\n"
    check_project({**package, "solver/state.py": started, "main.py": program})


def test_a_dtype_of_another_module() -> None:
    check_project(
        {
            "config.py": "import jax.numpy as jnp\n\nDTYPE = jnp.float64\n",
            "a.py": """\
import jax.numpy as jnp
import config
from config import DTYPE


def f(n):
    a = jnp.zeros(n, DTYPE)  # JIT403
    return a, jnp.zeros(n, config.DTYPE)  # JIT403
""",
        }
    )


def test_who_asserts_that_there_are_no_64_bits_has_none() -> None:
    source = "import jax.numpy as jnp\n\nx = jnp.zeros(3, jnp.float64)"
    check_project(
        {
            "a.py": f"{source}  # JIT403\n",
            "b.py": "import a, jax\n\ndef f(x):\n    assert (\n        x.dtype != float64\n    )\n",
        }
    )
    check_project(
        {
            "a.py": f"{source}\n",
            "b.py": "import a, jax\n\ndef f(x):\n    assert x.dtype == jnp.float64\n",
        }
    )
