"""The patterns that JAX's own tutorials teach come out right."""

from __future__ import annotations

import pytest

from tests.linting import check


@pytest.mark.parametrize("jitted", ["jax.jit(f)", "jax.jit(f, inline=True)"])
def test_value_dependent_branch(jitted: str) -> None:
    check(f"""
        def f(x):
            if x > 0:  # JIT101
                return x
            return 2 * x

        f_jit = {jitted}
        f_jit(10)
    """)


def test_value_dependent_loop() -> None:
    check("""
        def g(x, n):
            i = 0
            while i < n:  # JIT102
                i += 1
            return x + i

        jax.jit(g)(10, 20)
    """)


@pytest.mark.parametrize(
    "jitted",
    [
        "jax.jit(f, static_argnums=0)(10)",
        "jax.jit(f, static_argnames='x')(x=10)",
    ],
)
def test_static_branch(jitted: str) -> None:
    check(f"""
        def f(x):
            if x > 0:
                return x
            return 2 * x

        {jitted}
    """)


def test_static_loop() -> None:
    check("""
        def g(x, n):
            i = 0
            while i < n:
                i += 1
            return x + i

        jax.jit(g, static_argnames=["n"])(10, 20)

        @partial(jax.jit, static_argnames=["n"])
        def g_decorated(x, n):
            i = 0
            while i < n:
                i += 1
            return x + i

        print(g_decorated(10, 20))
    """)


def test_the_same_function_both_ways_in_one_document() -> None:
    check("""
        def f(x):
            if x > 0:  # JIT101
                return x
            return 2 * x

        def g(x, n):
            i = 0
            while i < n:  # JIT102
                i += 1
            return x + i

        f_jit = jax.jit(f)
        f_jit_correct = jax.jit(f, static_argnums=0)
        g_jit = jax.jit(g)
        g_jit_correct = jax.jit(g, static_argnames=["n"])
        print(f_jit_correct(10), g_jit_correct(10, 20))
    """)


def test_shape_dependent_branch() -> None:
    check("""
        def log2_if_rank_2(x):
            if x.ndim == 2:
                return jnp.log(x) / jnp.log(2.0)
            return x

        print(jax.make_jaxpr(log2_if_rank_2)(jax.numpy.array([1, 2, 3])))
    """)


def test_selu() -> None:
    check("""
        import time

        def selu(x, alpha=1.67, lambda_=1.05):
            return lambda_ * jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)

        selu_jit = jax.jit(selu)
        x = jnp.arange(1000000)
        selu_jit(x).block_until_ready()
        started = time.perf_counter()
        selu_jit(x).block_until_ready()
        print(f"{time.perf_counter() - started:.3f}")
    """)


def test_jitted_body_in_a_python_loop() -> None:
    check("""
        @jax.jit
        def loop_body(prev_i):
            return prev_i + 1

        def g_inner_jitted(x, n):
            i = 0
            while i < n:
                i = loop_body(i)
            return x + i

        g_inner_jitted(10, 20)
    """)


def test_grad_alone_and_under_jit() -> None:
    check("""
        def f(x):
            if x < 3:
                return 3.0 * x**2
            return -4 * x

        print(jax.grad(f)(2.0))

        def h(x):
            if x < 3:  # JIT101
                return 3.0 * x**2
            return -4 * x

        print(jax.jit(jax.grad(h))(2.0))
    """)


def test_length_dependent_loop() -> None:
    check("""
        def example_fun(length, val):
            return jnp.ones((length,)) * val  # JIT108

        good_example_jit = jax.jit(lambda val: jnp.ones((3,)) * val)
        bad_example_jit = jax.jit(example_fun)
        bad_example_jit(10, 4)

        def fixed(length, val):
            return jnp.ones((length,)) * val

        jax.jit(fixed, static_argnums=(0,))(10, 4)
    """)


def test_shapes_with_numpy_and_with_jax() -> None:
    check("""
        @jax.jit
        def f(x):
            return x.reshape(jnp.array(x.shape).prod())  # JIT108

        @jax.jit
        def g(x):
            return x.reshape((np.prod(x.shape),))

        f(jnp.ones((2, 3)))
        g(jnp.ones((2, 3)))
    """)


def test_boolean_masks() -> None:
    check("""
        @jax.jit
        def nansum(x):
            mask = ~jnp.isnan(x)
            return x[mask].sum()  # JIT109

        @jax.jit
        def nansum_2(x):
            mask = ~jnp.isnan(x)
            return jnp.where(mask, x, 0).sum()
    """)


def test_structured_control_flow() -> None:
    check("""
        @jax.jit
        def f(x, n):
            y = lax.cond(x > 0, lambda v: v, lambda v: -v, x)
            z = lax.fori_loop(0, n, lambda i, v: v + i, y)
            w = lax.while_loop(lambda v: v < 100.0, lambda v: v * 2, z)
            total, _ = lax.scan(lambda c, v: (c + v, None), 0.0, jnp.arange(3.0))
            return w + total

        f(1.0, 3)
    """)
