"""What is new about a jitted function, in words: shared by the rules on repeated compilation."""

from __future__ import annotations

# Why the cache, which is keyed by the function object, misses.
_REASONS = {
    "lambda": "a lambda is a new function each time it is evaluated",
    "partial": "`functools.partial` makes a new object each time",
    "nested function": "a nested `def` makes a new function each time it runs",
    "bound method": "a bound method is a new object at every access",
    "transformed function": "the inner transform returns a new function each time",
}


def reason(made: str) -> str:
    """Why the function that is jitted is never the one that was compiled before.

    Args:
      made: what is new, in the words of the events (``lambda``, ``partial`` ...).

    Returns:
      A clause without a full stop.
    """
    return _REASONS.get(made, f"the {made} is a new object each time")
