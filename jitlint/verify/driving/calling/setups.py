"""Functions that fill in what a module holds, where a guard finds it empty.

All of it is read from the text of the module, and from the frame in which a call ended.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import ModuleType

from jitlint.verify.driving.calling.sources import Source, filled
from jitlint.verify.driving.growing.trouble import Trouble


def setups(trouble: Trouble, source: Source) -> Iterator[str]:
    """Dotted names of what can be called so that a guard lets the next call through.

    Args:
      trouble: how a call ended.
      source: the module of its innermost frame; of another one nothing is known.
    """
    own = trouble.own
    asked = trouble.condition if trouble.condition is not None else trouble.statement
    if own is None or asked is None or own.f_code.co_filename != source.filename:
        return
    wanted = {
        node.id
        for node in ast.walk(asked)
        if isinstance(node, ast.Name)
        and node.id not in own.f_locals
        and node.id in own.f_globals
        and not isinstance(own.f_globals[node.id], ModuleType)
    }
    if not wanted:
        return
    for name, function in source.functions().items():
        if function.name != own.f_code.co_name and filled(function, name) & wanted:
            yield name
