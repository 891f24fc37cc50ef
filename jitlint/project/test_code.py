"""Which code belongs to tests, by the names that test runners go by."""

from __future__ import annotations

from functools import cache
from pathlib import Path


def is_test_file(path: Path) -> bool:
    """Whether a file holds tests."""
    return path.stem.startswith("test_") or path.stem.endswith("_test")


@cache
def is_test(path: Path, qualname: str) -> bool:
    """Whether code belongs to a test, or to what tests are set up with."""
    if is_test_file(path) or path.stem == "conftest":
        return True
    return any(part.startswith("test_") for part in qualname.split("."))
