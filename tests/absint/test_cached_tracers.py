"""What functions that keep their results keep from a trace."""

from __future__ import annotations

from tests.linting import check


def test_results_of_jax_stay_behind() -> None:
    check("""
        @functools.lru_cache
        def table(n):
            if n > 4:
                return jnp.ones(n)  # JIT209
            return np.ones(n)

        halves = functools.cache(lambda n: jnp.arange(n) / 2)  # JIT209

        @jax.jit
        def f(x):
            return x * table(8) + halves(8) + table(2)
    """)


def test_a_body_of_control_flow_is_a_trace_too() -> None:
    check("""
        @functools.cache
        def table(n):
            return jnp.ones(n)  # JIT209

        def f(x, n):
            return lax.fori_loop(0, 3, lambda i, x: x * table(4)[i], x)
    """)


def test_gradients_alone_are_none() -> None:
    check("""
        @functools.cache
        def table(n):
            return jnp.ones(n)

        def f(x):
            return jax.grad(lambda x: (x * table(3)).sum())(x), jax.vmap(lambda x: x * table(3))(x)
    """)


def test_what_is_there_before_the_trace_is_an_array() -> None:
    check("""
        @functools.cache
        def table(n):
            return jnp.ones(n)

        @functools.cache
        def other(n):
            return jnp.zeros(n)  # JIT209

        @jax.jit
        def f(x):
            return x * table(3) + other(3)

        ONES, NONE = table(3), other(2)

        def g(x):
            return f(x)
    """)


def test_caches_that_end_with_the_trace() -> None:
    check("""
        class A:
            def __init__(self, n):
                self.n = n

            @functools.cached_property
            def ones(self):
                return jnp.ones(self.n)

        @jax.jit
        def f(x):
            @functools.cache
            def table(n):
                return jnp.ones(n)

            return x * table(3) + A(3).ones
    """)


def test_a_recalled_call_tells_of_its_own_trace() -> None:
    check("""
        @functools.cache
        def table(n):
            return jnp.ones(n)  # JIT209

        @jax.jit
        def f(x):
            return x * table(3)

        @jax.jit
        def g(x):
            return x + table(3)

        def filled(x):
            table(3)
            return f(x)

        def unfilled(x):
            return g(x)
    """)


def test_a_trace_tells_how_its_result_is_put_together() -> None:
    check("""
        class Program:
            def __init__(self, build):
                trees = []
                seen = []

                def traced(*arguments):
                    leaves, tree = jax.tree.flatten(build(*arguments))
                    trees.append(tree)
                    seen.append(len(leaves))  # JIT202
                    return leaves

                self.run = jax.jit(traced)
                self.trees = trees
    """)
