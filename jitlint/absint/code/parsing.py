"""libcst's parser, without the checks that its nodes make of themselves.

Each node looks at its parts when it is made, for the sake of programs that put trees together by
hand.  What the parser makes is right by construction; on the files of flax those checks took a
sixth of the time that it takes to parse them.  They are left out while this module parses, and for
nobody else.
"""

from __future__ import annotations

import libcst as cst

_check = cst.CSTNode.__post_init__
_parsing = False


def _check_if_made_by_hand(node: cst.CSTNode) -> None:
    if not _parsing:
        _check(node)


# Once and for all: each time that a class is changed, Python forgets what it knows of how to use it
# and the two hundred below.
cst.CSTNode.__post_init__ = _check_if_made_by_hand  # type: ignore[assignment, method-assign]


def parse_module(text: str) -> cst.Module:
    """The tree of a source.

    Raises:
      cst.ParserSyntaxError: it is none that libcst knows.
    """
    global _parsing
    _parsing = True
    try:
        return cst.parse_module(text)
    finally:
        _parsing = False
