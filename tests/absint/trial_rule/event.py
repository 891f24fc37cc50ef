"""The event: it would stand in ``jitlint/absint/events.py``."""

from __future__ import annotations

from jitlint.absint.events import Event


class UnawaitedTiming(Event, kw_only=True):
    """A clock is read while a jitted function that was called since the last time may still run.

    Args:
      callee: what was called.
    """

    callee: str
