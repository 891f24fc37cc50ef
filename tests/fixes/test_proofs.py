"""Every safe fix of the fixtures and test programs, proven by running.

Nothing but the rows of the fixes changes, in the file and in what it does.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools.fix_proofs.listing import listed, verdicts

pytestmark = [pytest.mark.jax, pytest.mark.slow]


def test_safe_fixes_change_nothing(tmp_path: Path) -> None:
    items = [*listed(tmp_path)]
    assert not [row for item in items for row in item["elsewhere"]]
    found = verdicts(items, tmp_path)
    wrong = [item for item in found if item["verdict"] in ("changes", "fails")]
    assert not wrong, "\n".join(
        f"{it['cases']} @{it['tag']} {it['code']}: {it['why']}" for it in wrong
    )
    counts = Counter(item["verdict"] for item in found)
    assert counts["proven"] >= counts["not run"], counts
