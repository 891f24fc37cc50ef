"""Recursion goes deep, and costs at every depth what it costs at the top."""

from __future__ import annotations

import sys

import pytest

from jitlint.foundation.deep_stack import with_deep_stack

resource = pytest.importorskip("resource")


def test_calls_cost_no_memory_of_the_system_at_any_depth() -> None:
    def call() -> None:
        pass

    def descend(depth: int) -> None:
        for _ in range(200):
            call()
        if depth:
            descend(depth - 1)

    def faults() -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        descend(2_000)
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)

    # Pieces of memory that end at some depth would be got and given back for each call there.
    assert with_deep_stack(faults) < 1_500


def test_what_is_raised_comes_out() -> None:
    frames = sys.getrecursionlimit()

    def fail() -> None:
        raise ValueError("told")

    with pytest.raises(ValueError, match="told"):
        with_deep_stack(fail)
    assert sys.getrecursionlimit() == frames
