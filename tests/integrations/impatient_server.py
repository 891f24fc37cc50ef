"""``jitlint`` that tells the editor of every run: a test cannot know how long a run lasts."""

from __future__ import annotations

from jitlint.__main__ import run
from jitlint.integrations.server import announcement

if __name__ == "__main__":
    announcement.PATIENCE = 0.0  # type: ignore[misc]
    announcement._INTERVAL = 0.0  # type: ignore[misc]
    run()
