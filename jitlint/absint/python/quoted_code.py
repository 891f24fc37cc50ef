"""Statements that stand in a string, as ``exec`` and ``timeit`` run them."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import QuotedCode
from jitlint.absint.machine.interpreter import Interpreter


def run_text(it: Interpreter, text: str, node: cst.CSTNode) -> None:
    """Run the statements in a string among the names of the code that runs; none if it has none.

    Args:
      it: the interpreter.
      text: the string.
      node: what runs it, which stands for the places of the statements.
    """
    frame = it.frame
    around = frame.parsed
    try:
        quoted = around.answer((run_text, node, text), lambda: QuotedCode(around, node, text))
    except cst.ParserSyntaxError:
        return
    frame.parsed = quoted
    try:
        it.run(quoted.statements)
    finally:
        frame.parsed = around
