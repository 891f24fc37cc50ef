"""The README says what the rules say."""

from pathlib import Path

from jitlint.rules.docs import renew
from jitlint.rules.registry import all_rules

README = Path(__file__).parent.parent / "README.md"


def test_the_table_of_rules_in_the_readme_is_fresh():
    text = README.read_text(encoding="utf-8")
    assert renew(text, all_rules()) == text, (
        "the README's table of rules is stale: run python -m jitlint.rules.docs --write README.md"
    )
