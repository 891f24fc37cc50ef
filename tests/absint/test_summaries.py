"""Summaries: a call that is not run again gives, and changes, what it would have."""

from __future__ import annotations

from tests.linting import analysis, check


def test_a_second_list_gets_what_the_first_one_got() -> None:
    check("""
        def collect(into, v):
            into.append(v.sum())
            return into

        @jax.jit
        def f(x):
            first, second = [], []
            collect(first, x)
            collect(second, x)
            if second[0] > 0:  # JIT101
                return x
            return x * len(second)
    """)


def test_an_object_is_made_again() -> None:
    check("""
        class Box:
            def __init__(self, width, content):
                self.width = width
                self.content = content

        @jax.jit
        def f(x, y):
            small, large = Box(3, x), Box(3, y)
            if large.width > 2:
                x = x + 1
            if small.content > 0:  # JIT101
                x = x - 1
            while large.content > 0:  # JIT102
                x = x * 2
            return x
    """)


def test_an_object_changed_after_the_call_is_as_it_was_for_the_next_one() -> None:
    check("""
        def fresh():
            return [1, 2]

        @jax.jit
        def f(x):
            numbers = fresh()
            numbers.append(x)
            others = fresh()
            if others[-1] > 0:
                x = x + 1
            if numbers[-1] > 0:  # JIT101
                x = x + 2
            return x
    """)


def test_what_is_stored_outside_is_seen_for_each_caller() -> None:
    check("""
        LOG = []

        def note(into, v):
            into.append(v)  # JIT202

        def host(v):
            note(LOG, v)

        @jax.jit
        def inside(x):
            own = []
            note(own, x)
            return own[0]

        @jax.jit
        def outside(x):
            note(LOG, x)
            return x
    """)


def test_a_variable_of_the_function_around_is_changed_again() -> None:
    check("""
        @jax.jit
        def f(x):
            best = 0

            def keep(v):
                nonlocal best
                best = v

            keep(x)
            best = 1
            keep(x)
            if best > 0:  # JIT101
                return x
            return -x
    """)


def test_the_explanation_names_the_parameter_of_its_own_caller() -> None:
    code = """
        class Pair:
            def __init__(self, left, right):
                self.left = left
                self.right = right

        def spread(v):
            return v.max() - v.min()

        @jax.jit
        def first(alpha):
            return alpha / spread(alpha) + Pair(alpha, alpha).left

        @jax.jit
        def second(beta):
            if spread(beta) > 1:
                beta = beta / 2
            if Pair(beta, beta).right.sum() > 1:
                beta = beta / 2
            return beta
    """
    reports = analysis(code).diagnostics
    assert [report.code for report in reports] == ["JIT101", "JIT101"]
    for report in reports:
        notes = " ".join(step.note for step in report.trace)
        assert "`beta` is a parameter" in notes
        assert "alpha" not in notes
