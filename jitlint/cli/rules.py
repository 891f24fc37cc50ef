"""``jitlint explain`` and ``jitlint rules``."""

from __future__ import annotations

import argparse

from jitlint.cli.exit_codes import OK
from jitlint.cli.streams import check_writable, write
from jitlint.foundation.phrases import did_you_mean
from jitlint.output.json_format import render_objects
from jitlint.rules.docs import page
from jitlint.rules.meta import RuleMeta
from jitlint.rules.registry import all_rules, find
from jitlint.usage_errors import UsageError


def explain(arguments: argparse.Namespace) -> int:
    """Show a rule's page, or what is behind a traceback.

    Args:
      arguments: the parsed command line.

    Returns:
      The exit code.

    Raises:
      UsageError: there is no such rule, or no traceback.
    """
    check_writable(arguments.output_file)
    if arguments.traceback is not None:
        if arguments.rule is not None:
            raise UsageError("explain takes a rule or --traceback, not both")
        from jitlint.cli.explain_traceback import explain_traceback

        return explain_traceback(arguments)
    if arguments.rule is None:
        raise UsageError("explain needs a rule (JIT101, or a name) or --traceback [FILE or -]")
    rule = find(arguments.rule) or find(arguments.rule.upper()) or find(arguments.rule.lower())
    if rule is None:
        known = all_rules()
        hint = did_you_mean(arguments.rule, (rule.name for rule in known))
        codes = ", ".join(rule.code for rule in known)
        raise UsageError(
            f"unknown rule {arguments.rule!r}{hint} (expected a rule's name, or one of {codes})"
        )
    if arguments.output_format == "json":
        write(render_objects([_rule_object(rule)]), arguments.output_file)
    else:
        write(page(rule).splitlines(), arguments.output_file)
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
