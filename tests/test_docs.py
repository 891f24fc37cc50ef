"""The README says what the rules say."""

from tools.readme import README, renewed


def test_the_table_of_rules_in_the_readme_is_fresh():
    text = README.read_text(encoding="utf-8")
    assert renewed(text) == text, "the README's table of rules is stale: run python -m tools.readme"
