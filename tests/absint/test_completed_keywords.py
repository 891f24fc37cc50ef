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
