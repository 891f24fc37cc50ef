"""Which rules are selected."""

import pytest

from jitlint.config.rule_selection import Layer, check_codes, select_rules
from jitlint.diagnostics import Severity

CODES = ("JIT101", "JIT102", "JIT105", "JIT201", "JIT404", "JIT900", "JIT901")
OWN = {"JIT900", "JIT901"}


def enabled(*layers: Layer) -> set[str]:
    return set(select_rules(CODES, layers, Severity.WARNING).enabled)


def test_everything_by_default():
    assert enabled(Layer()) == set(CODES)


def test_select_keeps_what_jitlint_says_about_itself():
    assert enabled(Layer(select=("JIT2",))) == {"JIT201"} | OWN
    assert enabled(Layer(select=("JIT2",), ignore=("JIT901",))) == {"JIT201", "JIT900"}


def test_the_more_exact_choice_wins_within_a_layer():
    assert enabled(Layer(select=("JIT1",), ignore=("JIT101",))) == {"JIT102", "JIT105"} | OWN
    assert enabled(Layer(select=("JIT101",), ignore=("JIT1",))) == {"JIT101"} | OWN
    assert "JIT101" not in enabled(Layer(select=("JIT101",), ignore=("JIT101",)))


def test_the_command_line_goes_over_the_configuration():
    configured = Layer(select=("JIT1",), ignore=("JIT101",))
    assert "JIT101" in enabled(configured, Layer(extend_select=("JIT101",)))
    assert enabled(configured, Layer(select=("JIT2",))) == {"JIT201"} | OWN
    assert enabled(configured, Layer(ignore=("JIT102",))) == {"JIT105"} | OWN


def test_codes_are_checked():
    assert check_codes(["jit1", " JIT101 "]) == ("JIT1", "JIT101")
    assert check_codes(["all", "ALL"]) == ("JIT", "JIT")
    assert check_codes(["branch-on-traced-value", "Syntax-Error"]) == ("JIT101", "JIT901")
    with pytest.raises(ValueError, match="did you mean branch-on-traced-value"):
        check_codes(["branch-on-traced-values"])
    for wrong in ("JIT8", "E501", "", "J", "JIT1010"):
        with pytest.raises(ValueError, match="JIT101"):
            check_codes([wrong])
