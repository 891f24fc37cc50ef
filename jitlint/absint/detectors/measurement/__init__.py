"""Durations that measure something else, and precision that is not there."""
