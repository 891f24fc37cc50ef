"""Every rule whose reports can be fixed, by its code: the module that knows how."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from jitlint.absint.events import Event
    from jitlint.diagnostics import Fix

#: sorted by code; a module is imported only when there is a report to fix
FIXERS: Final = {
    "JIT101": "jitlint.fixes.making.selection",
    "JIT104": "jitlint.fixes.making.logical",
    "JIT105": "jitlint.fixes.making.debug_print",
    "JIT106": "jitlint.fixes.making.numpy_twin",
    "JIT110": "jitlint.fixes.making.comparing_builtins",
    "JIT201": "jitlint.fixes.making.debug_print",
    "JIT205": "jitlint.fixes.making.in_place_update",
    "JIT212": "jitlint.fixes.making.discarded_update",
}


def fix_of(code: str, event: Event) -> Fix | None:
    """What removes a report.

    Args:
      code: of the rule.
      event: that it is made of.

    Returns:
      The fix; None where there is none.
    """
    module = FIXERS.get(code)
    if module is None:
        return None
    make = cast("Callable[[Event], Fix | None]", import_module(module).fix)
    return make(event)
