"""Keywords that a traced function completes: for itself, or so that something stays behind."""

from __future__ import annotations

import pytest

from tests.linting import check

_ROLLOUT = """
    def rollout(policy, x, **options):
        def step(carry, _):
            {before}
            options["state"] = carry{label}
            return policy(carry, **options), None
        final, _ = lax.scan(step, x, None, length=3)
        return {result}
    """


@pytest.mark.parametrize(
    ("before", "result"),
    [
        ("pass", "final + options['state']"),
        ("carry = policy(carry, **options)", "final"),
        ("options['turns'] += 1", "final"),
        ("print(options)", "final"),
    ],
)
def test_what_is_read_elsewhere_or_before_it_is_set_stays_behind(before, result):
    labelled = before.replace("+= 1", "+= 1  # JIT202")
    check(_ROLLOUT.format(before=labelled, label="  # JIT202", result=result))


def test_what_is_set_anew_and_passed_on_in_each_trace_is_nobodys_business():
    check(_ROLLOUT.format(before="pass", label="", result="final"))


def test_a_list_of_arguments_that_one_function_completes() -> None:
    check("""
        def isolated(function, position, *args):
            args = list(args)
            args[position] = None

            def alone(value):
                args[position] = value
                return function(*args)

            return alone

        def derivative(function, position, *values):
            return jax.jacfwd(isolated(function, position, *values))(values[position])

        derivative(jnp.multiply, 0, jnp.ones(2), jnp.ones(2))
    """)


def test_a_list_of_arguments_of_which_something_stays() -> None:
    check("""
        def kept(function, position, *values):
            args = list(values)

            def alone(value):
                args[position] = value  # JIT202
                return function(*args)

            return jax.jit(alone)(values[position]), args

        def moving(function, *values):
            args = list(values)

            def alone(value, position):
                args[position] = value  # JIT202
                return function(*args)

            return jax.jit(alone, static_argnums=1)

        kept(jnp.multiply, 0, jnp.ones(2), jnp.ones(2))
        moving(jnp.multiply, jnp.ones(2), jnp.ones(2))(jnp.ones(2), 0)
    """)


def test_a_list_that_each_body_fills_before_it_reads_it() -> None:
    check("""
        def scratch(x, lengths):
            where = [slice(None)] * 2

            def body(i, values):
                where[0] = i
                where[1] = lengths[i]
                return values.at[tuple(where)].set(1.0)

            def other(i, values):
                where[0] = i
                where[1] = lengths[i]
                return values.at[tuple(where)].set(2.0)

            return jax.lax.fori_loop(0, 3, other, jax.lax.fori_loop(0, 3, body, x))
    """)


def test_a_list_in_which_another_reader_finds_what_was_left() -> None:
    check("""
        def read_behind(x):
            where = [slice(None)] * 2

            def body(i, values):
                where[0] = i  # JIT202
                return values.at[tuple(where)].set(1.0)

            out = jax.lax.fori_loop(0, 3, body, x)
            return out[tuple(where)]

        def read_by_another(x):
            where = [slice(None)] * 2

            def body(i, values):
                where[0] = i  # JIT202
                return values.at[tuple(where)].set(1.0)

            def other(i, values):
                return values.at[tuple(where)].set(2.0)

            return jax.lax.fori_loop(0, 3, other, jax.lax.fori_loop(0, 3, body, x))

        def in_some_calls(x, flag):
            where = [slice(None)] * 2

            def body(i, values):
                if flag:
                    where[0] = i  # JIT202
                return values.at[tuple(where)].set(1.0)

            return jax.lax.fori_loop(0, 3, body, jax.lax.fori_loop(0, 3, body, x))
    """)
