"""Static arguments in loops: which of them are new in every turn."""

from __future__ import annotations

from tests.linting import check


def test_counters_and_what_is_made_of_them() -> None:
    check(
        """
        @partial(jax.jit, static_argnames=("k",))
        def f(x, k):
            return x * 2

        def run(x, n, loader, begin):
            for i in range(n):
                x = f(x, k=i + 1)  # JIT306
                x = f(x, k=(i, "a"))  # JIT306
                x = f(x, k=i % 4)
                x = f(x, k=i - i)
                x = f(x, k=int(0.1 * i))
            for epoch in range(begin, n):
                for i, batch in enumerate(loader):
                    x = f(x, k=i)  # JIT306
                for i in range(n):
                    x = f(x, k=i)
            for i in range(3):
                x = f(x, k=i)
            return x, [f(x, k=i) for i in range(n)]  # JIT306
        """
    )


def test_numbers_that_a_loop_steps() -> None:
    check(
        """
        @partial(jax.jit, static_argnames=("k",))
        def f(x, k):
            return x * 2

        def run(x, go):
            size, step, rate, count = 8, 0, 1.0, 0
            while go(x):
                x = f(x, k=step)  # JIT306
                x = f(x, k=rate)
                x = f(x, k=size)
                x = f(x, k=count)
                step += 1
                size *= 2
                count += 1
                if count > 2:
                    rate *= 0.5
                    count = 0
            return x
        """
    )


def test_layers_that_are_enumerated_are_few() -> None:
    check(
        """
        @partial(jax.jit, static_argnums=1)
        def f(x, k):
            return x * 2

        def run(x, layers):
            for i, layer in enumerate(layers):
                x = f(x, i)
            return x
        """
    )


def test_a_partial_of_a_function_that_has_not_run() -> None:
    check(
        """
        def scale(x, by):
            return x * by

        @partial(jax.jit, static_argnums=1)
        def f(x, function):
            return function(x)

        def once(x):
            return f(x, partial(scale, by=2.0))

        def often(x, n):
            for _ in range(n):
                x = f(x, partial(scale, by=2.0))  # JIT306
            return x
        """
    )


def test_axes_are_as_many_as_an_array_has() -> None:
    check(
        """
        @partial(jax.jit, static_argnames=("shift", "axis"))
        def rolled(x, shift, axis):
            return jnp.roll(x, shift, axis=axis)

        def moved(x, axis):
            return rolled(x, 1, axis + 1)

        def run(x, dimensions):
            for d in range(1, dimensions + 1):
                x = moved(rolled(x, 1, axis=d - 1), d)
                x = rolled(x, d, axis=0)  # JIT306
            return x
        """
    )
