"""Mistakes of the person who runs jitlint: told in one line, exit code 2."""

from __future__ import annotations


class UsageError(Exception):
    """A run that cannot begin: a path, option, rule code or configuration value is wrong.

    Its message is one line that names what is wrong and what would be right.
    """
