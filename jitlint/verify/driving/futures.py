"""Code that is compiled by itself, but as the module that it belongs to says.

Runs in a child process only.  ``compile`` hands down what the calling module imports from
``__future__``, and what a user's module does not import it must not have: annotations would be
texts where libraries read them as types.
"""

from __future__ import annotations
import __future__

import ast
from types import CodeType, ModuleType


def code_in(
    module: ModuleType, source: ast.Module | str, filename: str, mode: str = "exec"
) -> CodeType:
    """Compile a part of a module, or what is to run as if it were one.

    Args:
      module: whose imports from ``__future__`` hold, as far as it has run.
      source: the part, as a tree or as text.
      filename: where it is said to stand.
      mode: of ``compile``.
    """
    flags = 0
    for value in vars(module).values():
        if isinstance(value, __future__._Feature):
            flags |= value.compiler_flag
    code: CodeType = compile(source, filename, mode, flags, dont_inherit=True)
    return code
