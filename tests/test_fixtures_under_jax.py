"""Every label of the fixtures and test programs is true under the installed JAX.

What has been seen to be so is run again only where something has changed that it depends on; see
``tools.observed.kept``.
"""

from __future__ import annotations

import pytest

from tools.observed import labels
from tools.observed.labels import LABELS, TRUE

pytestmark = [pytest.mark.jax, pytest.mark.slow]


def test_labels() -> None:
    subjects = labels.subjects()
    wrong = [f"{name} {it}" for name, it in LABELS.observe(subjects) if it != TRUE]
    assert not wrong, "\n".join(wrong)
