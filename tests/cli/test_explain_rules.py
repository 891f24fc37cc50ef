"""``jitlint explain``, ``jitlint rules``, ``--version`` and ``--help``."""

import json

import pytest

from jitlint import __version__
from jitlint.rules.registry import all_rules


def test_version(jitlint_run):
    result = jitlint_run("--version")
    assert (result.code, result.out) == (0, f"jitlint {__version__}\n")


@pytest.mark.parametrize("command", [[], ["check"], ["traced"], ["explain"], ["rules"]])
def test_help(jitlint_run, command):
    result = jitlint_run(*command, "--help")
    assert result.code == 0
    assert result.out.startswith("usage: jitlint")


def test_rules(jitlint_run):
    result = jitlint_run("rules")
    assert result.code == 0
    assert [line.split()[0] for line in result.lines] == [rule.code for rule in all_rules()]
    objects = json.loads(jitlint_run("rules", "--output-format", "json").out)
    assert [item["code"] for item in objects] == [rule.code for rule in all_rules()]


@pytest.mark.parametrize("word", ["JIT101", "jit101", "branch-on-traced-value"])
def test_explain(jitlint_run, word):
    result = jitlint_run("explain", word)
    assert result.code == 0
    assert result.out.startswith("# JIT101 branch-on-traced-value\n")
    for heading in ("## Why", "## What to do", "## Example", "## Use instead"):
        assert heading in result.out


def test_explain_as_json(jitlint_run):
    (item,) = json.loads(jitlint_run("explain", "JIT101", "--output-format", "json").out)
    (rule,) = (rule for rule in all_rules() if rule.code == "JIT101")
    assert (item["code"], item["why"], item["references"]) == (
        "JIT101", rule.why, list(rule.references),
    )  # fmt: skip
    assert item["bad"] == {"code": rule.bad.code, "call": rule.bad.call}


def test_explain_all(jitlint_run):
    result = jitlint_run("explain", "--all")
    assert result.code == 0
    heads = [line.split()[1] for line in result.lines if line.startswith("# JIT")]
    assert heads == [rule.code for rule in all_rules()]
    objects = json.loads(jitlint_run("rule", "--all", "--output-format", "json").out)
    assert [item["code"] for item in objects] == heads


def test_explain_unknown(jitlint_run):
    result = jitlint_run("explain", "branch-on-trace-value")
    assert result.code == 2
    assert result.err.count("\n") == 1
    for word in ("branch-on-trace-value", "did you mean branch-on-traced-value", "JIT901"):
        assert word in result.err


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_every_rule_has_a_page(jitlint_run, rule):
    result = jitlint_run("explain", rule.code)
    assert result.code == 0
    assert rule.why.split()[0] in result.out
