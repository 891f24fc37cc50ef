"""The codes of all rules, for those who need nothing else: importing every rule takes a while."""

from __future__ import annotations

from typing import Final

from jitlint.rules.catalogue import MODULES

#: sorted
CODES: Final = tuple(MODULES)

#: by name: a rule's file is called after it
CODES_BY_NAME: Final = {
    module.rpartition(".")[2].replace("_", "-"): code for code, module in MODULES.items()
}
#: selects every rule
ALL: Final = "ALL"

#: goes with exit code 2, so it can be neither ignored nor suppressed
INTERNAL_ERROR: Final = "JIT900"
SYNTAX_ERROR: Final = "JIT901"
UNUSED_SUPPRESSION: Final = "JIT902"
UNSUPPORTED_SYNTAX: Final = "JIT903"
#: a file with one of these was not looked at, or not all of it
UNFINISHED: Final = (INTERNAL_ERROR, SYNTAX_ERROR, UNSUPPORTED_SYNTAX)
#: what jitlint says of itself begins with this
OWN_FAMILY: Final = "JIT9"
