"""Where results are kept, for tests that must hold in both homes."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.cache.folder import CacheFolder, PartFolder
from jitlint.cache.memory import PartMemory
from jitlint.cache.stores import Store


@pytest.fixture(params=["folder", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "memory":
        return PartMemory()
    return PartFolder(CacheFolder(tmp_path / "cache"), "")
