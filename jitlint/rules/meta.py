"""The one metadata object of a rule.

It drives the README table, ``jitlint explain``, SARIF, editor hover, the flake8 text and what the
verifier expects, so that a fact about a rule stands in exactly one place.
"""

from __future__ import annotations

from msgspec import Struct, field

from jitlint.diagnostics import Hazard, Severity


class Example(Struct, frozen=True):
    """A runnable example.

    Args:
      code: a complete module: its imports, the function, nothing that runs the function.
      call: one expression, evaluated in that module, that shows the harm (or, in a good example,
        runs clean).
    """

    code: str
    call: str


class RuleMeta(Struct, frozen=True, kw_only=True):
    """Everything that is said about a rule.

    Args:
      code: ``JIT`` and three digits; the first digit is the family.
      name: the bad pattern in kebab-case.
      summary: one line, for tables.
      severity: of its reports, unless a report says otherwise.
      why: a paragraph or two for the rule's page: what happens and why it hurts.
      help: what to do instead, in general.
      bad: shows the harm under real JAX.
      good: the same intent, clean.
      hazard: what the verifier expects of ``bad``; None for the JIT9 family.
      since: the version that introduced the rule.
      references: addresses of further reading, primary sources only.
    """

    code: str
    name: str
    summary: str
    severity: Severity
    why: str
    help: str
    bad: Example | None
    good: Example | None
    hazard: Hazard | None
    since: str
    references: tuple[str, ...] = field(default=())
