"""Every rule whose reports can be fixed, by its code: the modules that know how."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from jitlint.absint.events import Event
    from jitlint.diagnostics import Fix

#: sorted by code; of several modules the first that knows a fix makes it; a module is imported only
#: when there is a report to fix
FIXERS: Final[dict[str, tuple[str, ...]]] = {
    "JIT101": ("static_parameter", "selection"),
    "JIT102": ("static_parameter", "while_loop"),
    "JIT103": ("static_parameter", "checked"),
    "JIT104": ("static_parameter", "logical"),
    "JIT105": ("static_parameter", "debug_print", "stay_array"),
    "JIT106": ("numpy_twin", "indexed"),
    "JIT107": ("static_parameter", "indexed"),
    "JIT108": ("static_parameter",),
    "JIT109": ("masked",),
    "JIT110": ("static_parameter", "comparing_builtins"),
    "JIT111": ("static_parameter",),
    "JIT112": ("static_parameter",),
    "JIT201": ("debug_print",),
    "JIT202": ("host_store",),
    "JIT205": ("in_place_update",),
    "JIT206": ("host_call",),
    "JIT211": ("mutable_default",),
    "JIT212": ("discarded_update",),
    "JIT301": ("lifted",),
    "JIT302": ("lifted",),
    "JIT303": ("lifted",),
    "JIT304": ("hashable_argument",),
    "JIT305": ("static_name",),
    "JIT306": ("varying_argument",),
    "JIT308": ("static_parameter",),
    "JIT309": ("static_self",),
    "JIT312": ("kept_function",),
    "JIT401": ("awaited",),
    "JIT402": ("warmed",),
}


def fix_of(code: str, event: Event) -> Fix | None:
    """What removes a report.

    Args:
      code: of the rule.
      event: that it is made of.

    Returns:
      The fix; None where there is none.
    """
    for module in FIXERS.get(code, ()):
        found = import_module(f"jitlint.fixes.making.{module}")
        made = cast("Callable[[Event], Fix | None]", found.fix)(event)
        if made is not None:
            return made
    return None
