"""The codes of all rules, for those who need nothing else: importing every rule takes a while."""

from __future__ import annotations

from typing import Final

#: sorted; a test compares them with the rules
CODES: Final = (
    "JIT101",
    "JIT102",
    "JIT103",
    "JIT104",
    "JIT105",
    "JIT106",
    "JIT107",
    "JIT108",
    "JIT109",
    "JIT110",
    "JIT111",
    "JIT112",
    "JIT113",
    "JIT201",
    "JIT202",
    "JIT203",
    "JIT204",
    "JIT205",
    "JIT206",
    "JIT207",
    "JIT211",
    "JIT212",
    "JIT301",
    "JIT302",
    "JIT303",
    "JIT304",
    "JIT305",
    "JIT308",
    "JIT309",
    "JIT900",
    "JIT901",
    "JIT902",
    "JIT903",
)

#: goes with exit code 2, so it can be neither ignored nor suppressed
INTERNAL_ERROR: Final = "JIT900"
SYNTAX_ERROR: Final = "JIT901"
UNUSED_SUPPRESSION: Final = "JIT902"
UNSUPPORTED_SYNTAX: Final = "JIT903"
#: a file with one of these was not looked at, or not all of it
UNFINISHED: Final = (INTERNAL_ERROR, SYNTAX_ERROR, UNSUPPORTED_SYNTAX)
#: what jitlint says of itself begins with this
OWN_FAMILY: Final = "JIT9"
