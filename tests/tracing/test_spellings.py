"""Traced functions are found in every spelling of a transform."""

from __future__ import annotations

import pytest

from tests.linting import check, check_project, traced

BODY = """\
def f(x):
    return x if x > 0 else -x  # JIT101
"""


@pytest.mark.parametrize(
    ("imports", "decorator"),
    [
        ("import jax", "@jax.jit"),
        ("import jax", "@jax.jit()"),
        ("import jax", "@jax.jit(inline=True)"),
        ("import jax as j", "@j.jit"),
        ("from jax import jit", "@jit"),
        ("from jax import jit as compiled", "@compiled"),
        ("from jax import *", "@jit"),
        ("import jax, functools", "@functools.partial(jax.jit, inline=True)"),
        ("import jax\nfrom functools import partial", "@partial(jax.jit)"),
        ("import jax\nfrom functools import partial as P", "@P(jax.jit, donate_argnums=0)"),
        ("import jax\nfast = jax.jit", "@fast"),
        (
            "import jax\nfrom functools import partial\nfast = partial(jax.jit, inline=True)",
            "@fast",
        ),
        ("from jax.experimental.pjit import pjit", "@pjit"),
        ("import jax", "@jax.pmap"),
        ("import jax", "@jax.vmap"),
        ("import jax", "@jax.checkpoint"),
        ("import jax", "@jax.remat"),
        ("import jax", "@jax.jit\n@jax.vmap"),
        ("import jax", "@jax.jit\n@jax.grad"),
        ("import equinox as eqx", "@eqx.filter_jit"),
        ("import equinox", "@equinox.filter_jit(donate='all')"),
        ("from flax import nnx", "@nnx.jit"),
        ("import flax.nnx as nnx", "@nnx.jit"),
    ],
)
def test_decorators(imports: str, decorator: str) -> None:
    # Under Equinox numbers stay static: only an array in a call shows what x is.
    call = "import jax.numpy as jnp\nf(jnp.ones(3))\n"
    check_project({"module.py": f"{imports}\n\n{decorator}\n{BODY}\n{call}"})


@pytest.mark.parametrize(
    "use",
    [
        "g = jax.jit(f)",
        "g = jax.jit(f, static_argnums=())",
        "f = jax.jit(f)",
        "g = jax.jit(jax.vmap(f))",
        "g = jax.jit(jax.grad(f))",
        "g = partial(jax.jit, inline=True)(f)",
        "g = jax.jit(inline=True)(f)",
        "g = jax.jit(lambda x: f(x))",
        "g = jax.jit(partial(f))",
        "g, h = jax.jit(f), 1",
        "TABLE = {'f': jax.jit(f)}",
        "LIST = [jax.jit(f)]",
        "print(jax.jit(f)(1.0))",
        "g = jax.jit(f) if True else f",
        "if True:\n    g = jax.jit(f)",
        "try:\n    g = jax.jit(f)\nexcept Exception:\n    pass",
        "for _ in range(3):\n    g = jax.jit(f)",
        "def make():\n    return jax.jit(f)",
        "def make():\n    g = jax.jit(f)\n    return g(1.0)",
        "def make():\n    def inner():\n        return jax.jit(f)\n    return inner",
        "class A:\n    g = jax.jit(f)",
        "class A:\n    g = staticmethod(jax.jit(f))",
        "class A:\n    def __init__(self):\n        self.g = jax.jit(f)",
        "class A:\n    def g(self, x):\n        return jax.jit(f)(x)",
        "g = jax.jit(f); h = 1",
        "async def main():\n    return jax.jit(f)(1.0)",
        "jax.jit(f).lower(1.0).compile()",
        "if __name__ == '__main__':\n    jax.jit(f)(1.0)",
        "def compiled(function):\n    return jax.jit(function)\n\ng = compiled(f)",
        "assert jax.jit(f)(1.0) > 0",
        "value = [jax.jit(f)(v) for v in (1.0, 2.0)]",
        "with jax.disable_jit(False):\n    jax.jit(f)(1.0)",
    ],
)
def test_calls(use: str) -> None:
    prelude = "import jax\nfrom functools import partial\n\n"
    check_project({"module.py": f"{prelude}{BODY}\n{use}\n"})


def test_the_projects_own_decorator() -> None:
    check("""
        def compiled(function):
            return jax.jit(function)

        def compiled_with(**options):
            def wrap(function):
                return jax.jit(function, **options)
            return wrap

        @compiled
        def f(x):
            return x if x > 0 else -x  # JIT101

        @compiled_with(static_argnames=("n",))
        def g(x, n):
            for _ in range(n):
                x = x + 1
            return x if x > 0 else -x  # JIT101
    """)


def test_a_decorator_that_calls_the_compiled_function() -> None:
    check("""
        def timed(function):
            compiled = jax.jit(function)

            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return compiled(*args, **kwargs)

            return wrapper

        @timed
        def f(x):
            return x if x > 0 else -x  # JIT101
    """)


@pytest.mark.parametrize(
    "jit",
    [
        "jax.jit(f, static_argnums=1)",
        "jax.jit(f, static_argnums=(1,))",
        "jax.jit(f, static_argnums=[1])",
        "jax.jit(f, static_argnums=-1)",
        "jax.jit(f, static_argnames='n')",
        "jax.jit(f, static_argnames=['n'])",
        "jax.jit(f, static_argnames=('n',))",
        "jax.jit(f, static_argnames=STATIC)",
        "jax.jit(static_argnames='n')(f)",
        "partial(jax.jit, static_argnums=1)(f)",
        "jax.jit(partial(f, n=3))",
        "jax.jit(lambda x: f(x, 3))",
        "jax.jit(f, **{'static_argnums': 1})",
    ],
)
def test_static_arguments(jit: str) -> None:
    check(f"""
        STATIC = ("n",)

        def f(x, n):
            for _ in range(n):
                x = x + 1
            return x if x > 0 else -x  # JIT101

        g = {jit}
    """)


def test_static_argnums_count_from_self() -> None:
    check("""
        class Model:
            @partial(jax.jit, static_argnums=(0, 2))
            def step(self, x, n):
                for _ in range(n):
                    x = x + 1
                return x

            def __init__(self):
                self.run = jax.jit(self._run, static_argnums=1)

            def _run(self, x, n):
                for _ in range(n):
                    x = x + 1
                return float(x)  # JIT105
    """)


def test_the_same_function_with_and_without_static_arguments() -> None:
    check("""
        def f(x, n):
            for _ in range(n):  # JIT107
                x = x + 1
            return x

        good = jax.jit(f, static_argnums=1)
        bad = jax.jit(f)
    """)


@pytest.mark.parametrize(
    "imports",
    [
        "from numba import jit",
        "from torch import jit",
        "import numba as jax",
        "from mypackage.compile import jit",
        "def jit(function):\n    return function",
    ],
)
def test_the_jit_of_others(imports: str) -> None:
    name = "jax.jit" if imports.endswith("as jax") else "jit"
    check_project(
        {"module.py": f"# not jax\n{imports}\n\n@{name}\ndef f(x):\n    return 1 if x > 0 else 2\n"}
    )


def test_a_shadowed_name() -> None:
    check("""
        from jax import jit

        def outer(jit):
            @jit
            def f(x):
                return x if x > 0 else -x
            return f

        def other():
            jit = lambda function: function

            @jit
            def f(x):
                return x if x > 0 else -x
            return f
    """)


def test_traced_functions_and_their_parameters() -> None:
    found = traced("""
        class Model:
            @partial(jax.jit, static_argnums=0)
            def step(self, x):
                return self.inner(x)

            def inner(self, y):
                return y + 1

        def body(carry, row):
            return carry, row

        def host(xs):
            return lax.scan(body, 0.0, xs)
    """)
    assert found["Model.step"] == {"self": "static", "x": "traced"} or (
        found["Model.step"]["self"] == "static"
    )
    assert set(found["body"]) == {"carry", "row"}
    assert "host" not in found


def test_the_chain_names_the_transform() -> None:
    from tests.linting import analysis

    (diagnostic,) = analysis("""
        def helper(v):
            return v if v > 0 else -v

        def f(x):
            return helper(x * 2)

        fast = jax.jit(f)
    """).diagnostics
    notes = [step.note for step in diagnostic.trace]
    assert "jax.jit" in notes[0]
    assert len(notes) > 1
