"""What keeps a version from being released."""

from __future__ import annotations

from jitlint import __version__
from tools.release import CHANGELOG, all_versions, missing

ONE = {"the package": "1.1.0"}
DATED = "# Changelog\n\n## 1.1.0 (2026-11-22)\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- First.\n"


def test_a_dated_version_is_ready() -> None:
    assert missing("1.1.0", ONE, DATED) == []
    assert missing("1.0.0", {"the package": "1.0.0"}, DATED) == []


def test_the_tag_and_the_package_agree() -> None:
    versions = {"the package": "1.1.0", "the extension": "1.1.1"}
    assert missing("1.1.0", versions, DATED) == ["the extension is version 1.1.1, not 1.1.0"]


def test_our_own_versions_agree() -> None:
    versions = all_versions()
    assert set(versions.values()) == {__version__}
    assert len(versions) == 3


def test_the_changelog_names_the_version_with_a_date_and_says_something() -> None:
    assert missing("1.2.0", {}, DATED) == ["the changelog has no head '## 1.2.0 (YYYY-MM-DD)'"]
    assert missing("1.1.0", ONE, DATED.replace("2026-11-22", "unreleased")) == [
        "the changelog dates 1.1.0 'unreleased', not YYYY-MM-DD"
    ]
    assert missing("1.1.0", ONE, DATED.replace("- New.", "")) == [
        "the changelog says nothing of 1.1.0"
    ]


def test_our_own_changelog_is_read() -> None:
    text = CHANGELOG.read_text(encoding="utf-8")
    assert "the changelog has no head" not in "".join(missing("0.1.0", {}, text))
