"""Every safe fix of the fixtures and test programs, proven by running.

Nothing but the rows of the fixes changes, in the file and in what it does.  What has been proven is
run again only where something has changed that it depends on; see ``tools.observed.kept``.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools.fix_proofs.listing import listed
from tools.observed import fixes
from tools.observed.fixes import FIXES, NOT_RUN, PROVEN

pytestmark = [pytest.mark.jax, pytest.mark.slow]


def test_safe_fixes_change_nothing(tmp_path: Path) -> None:
    cases = [*listed(tmp_path)]
    assert not [row for case in cases for row in case["elsewhere"]]
    found = FIXES.observe(fixes.subjects(cases))
    wrong = [f"{name}: {it}" for name, it in found if it not in (PROVEN, NOT_RUN)]
    assert not wrong, "\n".join(wrong)
    counts = Counter(outcome for _, outcome in found)
    assert counts[PROVEN] >= counts[NOT_RUN], counts
