"""The files that are made, as they should be."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tools.site.lessons import renewed
from tools.site.picture import picture
from tools.site.rule_pages import rule_pages

DOCS = Path(__file__).resolve().parents[2] / "docs"
#: pages with lessons in them
LESSONS = ("tutorial.md", "index.md")


def renewed_files() -> dict[Path, str | None]:
    """The texts of all files that are made; None for one that should not be there."""
    rules = DOCS / "rules"
    found: dict[Path, str | None] = dict.fromkeys(rules.glob("*.md"))
    found |= {rules / name: text for name, text in rule_pages().items()}
    for name in LESSONS:
        found[DOCS / name] = renewed((DOCS / name).read_text(encoding="utf-8"))
    found[DOCS / "images" / "check.svg"] = picture()
    return found


def stale(texts: Mapping[Path, str | None]) -> list[Path]:
    """The files that differ from what they should be.

    Args:
      texts: what they should be.
    """
    return [path for path, text in texts.items() if _read(path) != text]


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None
