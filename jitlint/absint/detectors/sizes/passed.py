"""What a call in a loop passes that is of another size in every turn."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted
from jitlint.absint.detectors.sizes.contents import changes_in_content, paths_in
from jitlint.absint.detectors.sizes.questions import change_of_number, change_of_size
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name
from jitlint.absint.machine.interpreter import Interpreter


def changing_parameters(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """In which way what parameters are given changes with the loops around a call.

    Returns:
      ``size x``, ``number x`` and ``content x``, as :attr:`.Scope.asked` has them, and ``beside f``
      for the other methods that a loop calls on the same object.
    """
    found: set[str] = set()
    if isinstance(node, cst.Call):
        loops = it.frame.enclosing_loops
        scopes = [Scope.of_frame(it, loop, outermost=not depth) for depth, loop in enumerate(loops)]
        receiver = dotted(node.func.value) if isinstance(node.func, cst.Attribute) else None
        if receiver is not None:
            for scope in scopes:
                for call in scope.written.calls.get(receiver, ()):
                    assert isinstance(call.func, cst.Attribute)
                    if call is not node:
                        found.add(f"beside {call.func.attr.value}")
        for name, value in given_by_name(callee, node):
            paths = list(paths_in(value))
            for scope in scopes:
                if not any(scope.touches(path) for path in paths):
                    continue
                if changes_in_content(scope, value):
                    found.add(f"content {name}")
                    if change_of_number(scope, value) is not None:
                        found.add(f"number {name}")
                if change_of_size(scope, value) is not None:
                    found.add(f"size {name}")
    return frozenset(found)
