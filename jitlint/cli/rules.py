"""``jitlint explain`` and ``jitlint rules``."""

from __future__ import annotations

import argparse

from jitlint.cli.exit_codes import OK
from jitlint.cli.streams import check_writable, write
from jitlint.foundation.phrases import did_you_mean
from jitlint.output.json_format import render_objects
from jitlint.rules.addresses import page_address
from jitlint.rules.docs import page
from jitlint.rules.meta import Example, RuleMeta
from jitlint.rules.registry import all_rules, find
from jitlint.usage_errors import UsageError


def explain(arguments: argparse.Namespace) -> int:
    """Show a rule's page or those of all rules, or what is behind a traceback.

    Args:
      arguments: the parsed command line.

    Returns:
      The exit code.

    Raises:
      UsageError: there is no such rule, or no traceback.
    """
    check_writable(arguments.output_file)
    asked = (arguments.rule is not None, arguments.all, arguments.traceback is not None)
    if sum(asked) != 1:
        raise UsageError(
            "explain takes one of a rule (JIT101, or a name), --all and --traceback [FILE or -]"
        )
    if arguments.traceback is not None:
        from jitlint.cli.explain_traceback import explain_traceback

        return explain_traceback(arguments)
    rules = all_rules() if arguments.all else [_rule(arguments.rule)]
    if arguments.output_format == "json":
        write(render_objects(map(_explained_object, rules)), arguments.output_file)
    else:
        write("\n".join(map(page, rules)).splitlines(), arguments.output_file)
    return OK


def list_rules(arguments: argparse.Namespace) -> int:
    """List the rules.

    Args:
      arguments: the parsed command line.

    Returns:
      The exit code.
    """
    rules = all_rules()
    if arguments.output_format == "json":
        write(render_objects(_rule_object(rule) for rule in rules), None)
        return OK
    width = max((len(rule.name) for rule in rules), default=0)
    write(
        (
            f"{rule.code}  {rule.severity.label:<7}  {rule.name:<{width}}  {rule.summary}"
            for rule in rules
        ),
        None,
    )
    return OK


def _rule(name: str) -> RuleMeta:
    """The rule of a code or a name, however it is written.

    Raises:
      UsageError: there is none.
    """
    rule = find(name) or find(name.upper()) or find(name.lower())
    if rule is None:
        known = all_rules()
        hint = did_you_mean(name, (rule.name for rule in known))
        codes = ", ".join(rule.code for rule in known)
        raise UsageError(f"unknown rule {name!r}{hint} (expected a rule's name, or one of {codes})")
    return rule


def _rule_object(rule: RuleMeta) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.label,
        "summary": rule.summary,
        "help": rule.help,
        "hazard": None if rule.hazard is None else rule.hazard.to_json(),
        "since": rule.since,
    }


def _explained_object(rule: RuleMeta) -> dict[str, object]:
    """What the rule's page says."""
    return {
        **_rule_object(rule),
        "why": rule.why,
        "bad": _example_object(rule.bad),
        "good": _example_object(rule.good),
        "references": list(rule.references),
        "url": page_address(rule.code),
    }


def _example_object(example: Example | None) -> dict[str, str] | None:
    return None if example is None else {"code": example.code, "call": example.call}
