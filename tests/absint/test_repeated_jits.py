"""Functions that are jitted again: which loops and which functions are to blame."""

from __future__ import annotations

from jitlint.diagnostics import Diagnostic
from tests.linting import analysis, check


def _repeated(source: str) -> list[Diagnostic]:
    return [found for found in analysis(source).diagnostics if found.code == "JIT302"]


def test_a_loop_around_one_wrapped_function_repeats_no_other() -> None:
    (found,) = _repeated(
        """
        def timed(function):
            @functools.wraps(function)
            def measured(*args):
                return function(*args)
            return measured

        def shown(function):
            @functools.wraps(function)
            def announced(*args):
                print(function.__name__)
                return function(*args)
            return announced

        @shown
        @timed
        def prepare(samples):
            return jax.jit(jnp.cumsum)(samples)

        @shown
        @timed
        def advance(state):
            return jax.jit(jnp.sin)(state)

        def run(samples):
            state = prepare(samples)
            for _ in range(100):
                state = advance(state)
            return state

        run(jnp.ones(3))
        """
    )
    assert "`jnp.sin`" in found.message and "calls `advance`:" in found.message


def test_a_lambda_of_a_module_is_the_same_one_in_every_call() -> None:
    check(
        """
        _identity = lambda x: x

        def spread(x):
            return jax.jit(_identity)(x)

        def doubled(x):
            same = lambda y: 2 * y
            return jax.jit(same)(x)  # JIT301

        def run(x):
            spread(x)
            for _ in range(10):
                x = doubled(spread(x))
            return x

        run(jnp.ones(3))
        spread(jnp.ones(3))
        """
    )
