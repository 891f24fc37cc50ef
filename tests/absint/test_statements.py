"""Control flow of statements: what is known where paths part and meet."""

from __future__ import annotations

import pytest

from tests.linting import check


def test_early_return_leaves_the_rest_reachable() -> None:
    check("""
        @jax.jit
        def f(x):
            if x.ndim == 0:
                return x
            if x.sum() > 0:  # JIT101
                return x
            return -x
    """)


def test_return_on_a_known_test_hides_the_rest() -> None:
    check("""
        DEBUG = False

        @jax.jit
        def f(x):
            if not DEBUG:
                return x
            if x > 0:
                return -x
            return x
    """)


def test_code_after_return_is_never_reached() -> None:
    check("""
        @jax.jit
        def f(x):
            return x
            if x > 0:
                return -x
    """)


def test_early_returns_join_for_the_caller() -> None:
    check("""
        def pick(x, fast):
            if fast:
                return x.sum()
            return x.max()

        @partial(jax.jit, static_argnames="fast")
        def f(x, fast):
            if pick(x, fast) > 0:  # JIT101
                return x
            return -x
    """)


def test_raise_ends_a_path() -> None:
    check("""
        @jax.jit
        def f(x, axis=None):
            if axis is None:
                raise ValueError("axis is needed")
            return int(x)  # JIT105

        @jax.jit
        def g(x):
            raise ValueError
            return int(x)
    """)


def test_what_a_caught_exception_leaves() -> None:
    check("""
        @jax.jit
        def f(x, table):
            scale = 1.0
            try:
                scale = table["scale"]
            except KeyError:
                scale = 2.0
            if x * scale > 0:  # JIT101
                return x
            return -x
    """)


def test_handlers_else_and_finally_are_interpreted() -> None:
    check("""
        @jax.jit
        def f(x, z):
            try:
                import scipy
            except ImportError:
                return float(x)  # JIT105
            else:
                y = int(x)  # JIT105
            finally:
                int(z)  # JIT105
            return y
    """)


def test_finally_runs_after_return() -> None:
    check("""
        @jax.jit
        def f(x):
            try:
                return x
            finally:
                float(x)  # JIT105
    """)


def test_with_binds_and_goes_on() -> None:
    check("""
        @jax.jit
        def f(x):
            with jax.named_scope("inner"):
                y = x + 1
            while y < 3:  # JIT102
                y = y + 1
            return y
    """)


def test_static_then_traced_after_one_turn() -> None:
    check("""
        @jax.jit
        def f(x):
            total = 0
            for i in range(3):
                if total > 10:  # JIT101
                    break
                total = total + x
            return total
    """)


def test_while_with_a_value_that_becomes_traced() -> None:
    check("""
        @jax.jit
        def f(x):
            error = 1.0
            while error > 1e-3:  # JIT102
                x = x / 2
                error = jnp.abs(x)
            return x
    """)


def test_counter_stays_static() -> None:
    check("""
        @jax.jit
        def f(x):
            i = 0
            while i < 3:
                x = x + i
                i += 1
            return x
    """)


def test_value_of_two_turns_ago() -> None:
    check("""
        @jax.jit
        def f(x):
            a, b, c = 0.0, 0.0, x
            for _ in range(4):
                if a > 1:  # JIT101
                    break
                a, b = b, c
            return a
    """)


def test_break_continue_and_loop_else() -> None:
    check("""
        @jax.jit
        def f(x):
            for i in range(3):
                if i == 1:
                    continue
                y = x + i
                if i == 2:
                    break
            else:
                y = x
            assert y > 0  # JIT103
            return y
    """)


def test_loop_over_an_array_and_over_containers() -> None:
    check("""
        @jax.jit
        def f(x):
            for row in x:
                if row > 0:  # JIT101
                    pass
            for i, row in enumerate(x):
                if i > 0:
                    pass
            for a, n in zip(x, range(3)):
                if n > 0:
                    pass
            return x
    """)


def test_sum_over_an_array_of_unknown_length() -> None:
    check("""
        @jax.jit
        def f(x):
            total = 0.0
            for v in x:
                total = total + v
            if total > 1:  # JIT101
                return x
            return -x

        f(jnp.ones(3))
    """)


def test_element_stored_into_a_container_in_a_loop() -> None:
    check("""
        @jax.jit
        def f(x):
            state = {"total": x[0]}
            for i in range(3):
                state["total"] = state["total"] + x[i]
            if state["total"] > 1:  # JIT101
                return x
            return -x
    """)


@pytest.mark.parametrize(
    "case",
    [
        "case 0:",
        "case 0 | 1:",
        "case -1:",
        "case y if y > 0:",
    ],
)
def test_match_asks_for_a_value(case: str) -> None:
    check(f"""
        @jax.jit
        def f(x):
            match x:
                {case}  # JIT101
                    return x
                case _:
                    return -x
    """)


def test_match_on_static_values_and_structure() -> None:
    check("""
        @partial(jax.jit, static_argnames="mode")
        def f(x, mode):
            match mode:
                case "sum" | "total":
                    x = x.sum()
                case "mean":
                    x = x.mean()
                case _:
                    pass
            match (x, x.ndim):
                case (y, 2):
                    return y
                case (y, _):
                    return int(y)  # JIT105
            return x
    """)


def test_match_captures_from_sequences() -> None:
    check("""
        @jax.jit
        def f(x):
            match [x, 1, 2]:
                case [first, n, _]:
                    if n > 0:
                        return float(first)  # JIT105
            return x
    """)


def test_match_captures_from_mappings_and_stars() -> None:
    check("""
        @jax.jit
        def f(x):
            match {"w": x, "n": 3}:
                case {"w": w, "n": n}:
                    for _ in range(n):
                        pass
                    return float(w)  # JIT105
            return x

        @jax.jit
        def g(x):
            match [x, 1, 2]:
                case [first, *rest]:
                    if rest[0] > 0:
                        return float(first)  # JIT105
            return x
    """)


def test_delete_and_rebind() -> None:
    check("""
        @jax.jit
        def f(x):
            y = x
            del y
            y = 3
            for _ in range(y):
                x = x + 1
            return x
    """)


def test_augmented_assignment_traces() -> None:
    check("""
        @jax.jit
        def f(x):
            n = 2
            n += x
            return jnp.zeros(n)  # JIT108
    """)


def test_after_a_report_the_value_is_unknown() -> None:
    check("""
        @jax.jit
        def f(x):
            n = int(x)  # JIT105
            for _ in range(n):
                pass
            return jnp.zeros(n)
    """)


def test_nested_tests_are_reported_each() -> None:
    check("""
        @jax.jit
        def f(x, y):
            if x > 0:  # JIT101
                if y > 0:  # JIT101
                    return x
            elif y < 0:  # JIT101
                return y
            return x if x.sum() else y  # JIT101
    """)


def test_assert_with_a_static_test() -> None:
    check("""
        @jax.jit
        def f(x):
            assert x.shape[0] == 3, f"shape {x.shape}"
            assert isinstance(x, jax.Array)
            assert (x > 0).all()  # JIT103
            return x
    """)


def test_global_constants_and_chains_of_them() -> None:
    check("""
        LAYERS = 3
        SIZES = (LAYERS, LAYERS * 2)
        OPTIONS = {"depth": LAYERS, "flag": True}

        @jax.jit
        def f(x):
            if OPTIONS["flag"]:
                for _ in range(SIZES[1]):
                    x = x + LAYERS
            return jnp.zeros(SIZES) + x
    """)
