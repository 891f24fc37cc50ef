"""Which files hold tests, by the names that test runners go by."""

from __future__ import annotations

from pathlib import Path


def is_test_file(path: Path) -> bool:
    """Whether a file holds tests."""
    return path.stem.startswith("test_") or path.stem.endswith("_test")
