"""Reports that ``check`` does not make, on modules written for them."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Diagnostic, Hazard, Location, Severity, TraceStep
from jitlint.verify.plan import Plan
from jitlint.verify.session import verify


def made_up_report(
    folder: Path,
    name: str,
    code: str,
    kind: str,
    text: str,
    exceptions: tuple[str, ...],
    calls: int = 2,
) -> Diagnostic:
    """Write a module and report a place in it.

    Args:
      folder: where the module is written.
      name: of the module.
      code: of the rule.
      kind: of the hazard.
      text: the module; «...» stands around the place.
      exceptions: what is raised, for hazards of that kind.
      calls: how often the main block calls ``run()``.
    """
    text = f"{text}\n\nif __name__ == '__main__':\n" + "    run()\n" * calls
    before, _, rest = text.partition("«")
    inside = rest.partition("»")[0]
    path = folder / f"{name}.py"
    path.write_text(text.replace("«", "").replace("»", ""))
    row = before.count("\n") + 1
    column = len(before) - before.rfind("\n")
    headers = [line.strip() for line in before.splitlines() if line.strip().startswith("def ")]
    return Diagnostic(
        code=code,
        name="",
        severity=Severity.ERROR,
        message="",
        help=None,
        filename=str(path),
        location=Location(row, column),
        end_location=Location(row, column + len(inside)),
        function=headers[-1].removeprefix("def ").partition("(")[0] if headers else None,
        trace=(TraceStep(str(path), row, column, "here"),),
        hazard=Hazard(kind, exceptions if kind == "raises" else ()),
        noqa_row=row,
        fingerprint=name,
    )


def report_at(
    path: Path, node: ast.expr, code: str, function: str, exceptions: tuple[str, ...]
) -> Diagnostic:
    """A report on an expression of a module.

    Args:
      path: the module.
      node: the expression.
      code: of the rule.
      function: which it stands in.
      exceptions: what is said to be raised.
    """
    start = Location(node.lineno, node.col_offset + 1)
    return Diagnostic(
        code=code,
        name="",
        severity=Severity.ERROR,
        message="",
        help=None,
        filename=str(path),
        location=start,
        end_location=Location(node.end_lineno or node.lineno, (node.end_col_offset or 0) + 1),
        function=function,
        trace=(),
        hazard=Hazard("raises", exceptions),
        noqa_row=node.lineno,
        fingerprint=f"{code}-{node.lineno}-{node.col_offset}",
    )


def verified(path: Path) -> list[dict[str, Any]]:
    """What ``check`` reports of a module that is a project of its own, with verdicts on the CPU.

    Args:
      path: the module.
    """
    found = analyze(root=path.parent, targets=[path], options=AnalysisOptions(listing=True))
    plan = Plan(
        root=path.parent,
        files=[path],
        reports=[one for one in found.diagnostics if one.severity >= Severity.WARNING],
        everything=found.diagnostics,
        platforms=["cpu"],
        traced=found.traced,
        sketched=found.sketched,
    )
    return verify(plan).reports
