"""Every rule in the folder is in the list, which knows their codes without importing them."""

import subprocess
import sys

from jitlint.rules.catalogue import MODULES
from jitlint.rules.codes import CODES, CODES_BY_NAME
from jitlint.rules.registry import all_rules
from tools.catalogue import CATALOGUE, rendered


def test_the_list_of_rules_is_fresh() -> None:
    text = CATALOGUE.read_text(encoding="utf-8")
    assert rendered() == text, "the list of rules is stale: run python -m tools.catalogue"


def test_the_codes_are_those_of_the_rules() -> None:
    assert tuple(meta.code for meta in all_rules()) == CODES == tuple(sorted(MODULES))


def test_the_names_are_those_of_the_rules() -> None:
    assert {meta.name: meta.code for meta in all_rules()} == CODES_BY_NAME


def test_the_codes_are_known_without_the_rules() -> None:
    program = (
        "import sys, jitlint.rules.codes\n"
        "print(sorted(name for name in sys.modules if name.startswith('jitlint')))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == str(
        ["jitlint", "jitlint.rules", "jitlint.rules.catalogue", "jitlint.rules.codes"]
    )
