"""What the text of a module says it changes: names, attributes and items, told without a tree."""

from __future__ import annotations

import re

_GLOBALS = re.compile(r"^[ \t]+global[ \t]+([\w, \t]+)", re.MULTILINE)
_NONLOCALS = re.compile(r"^[ \t]*nonlocal[ \t]+([\w, \t]+)", re.MULTILINE)
_KEY_STORES = re.compile(r"""\bglobals\(\)\[["'](\w+)["']\]\s*=(?!=)""")
_ATTRIBUTE_STORES = re.compile(
    r"^[ \t]*([\w.\[\]()\"']+)\.(\w+)\s*(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)", re.MULTILINE
)
_SET_BY_NAME = re.compile(
    r"""\bsetattr\(\s*(sys\.modules\[[^\]\n]*\]|[\w.]+)\s*,\s*["'](\w+)["']"""
)
_ITEM_STORES = re.compile(
    r"""(?m)^[ \t]+([\w.]+)(?:\[(?:["'](\w+)["']|[^\]\n]*)\]\s*(?:[-+*/|&]|//)?=(?!=)"""
    r"|\.(?:update|setdefault|pop|clear)\()"
)
_STEPS = re.compile(
    r"^[ \t]*self\.(\w+)\s*(?:(?:[-+*/%&|^@]|//|\*\*|<<|>>)=|=(?!=)[^\n]*\bself\.\1\b)",
    re.MULTILINE,
)


def stepped_attributes(text: str) -> frozenset[str]:
    """The attributes of ``self`` that a method changes by what they were."""
    return frozenset(_STEPS.findall(text))


def rebound_names(text: str) -> frozenset[str]:
    """The module-level names that functions of a module bind again."""
    if "global" not in text:  # Told much quicker than by the patterns.
        return frozenset()
    found = set(_KEY_STORES.findall(text))
    for names in _GLOBALS.findall(text):
        found.update(name.strip() for name in names.split(","))
    return frozenset(found)


def rebound_locals(text: str) -> frozenset[str]:
    """The variables of functions that functions in them bind again."""
    if "nonlocal" not in text:
        return frozenset()
    names = [name for found in _NONLOCALS.findall(text) for name in found.split(",")]
    return frozenset(map(str.strip, names))


def stored_attributes(text: str) -> dict[str, set[str]]:
    """Attributes that a module sets, each with what of: not those of a plain ``self``."""
    found: dict[str, set[str]] = {}
    by_function = _SET_BY_NAME.findall(text) if "setattr" in text else ()
    for owner, name in (*_ATTRIBUTE_STORES.findall(text), *by_function):
        if owner != "self":
            found.setdefault(name, set()).add(owner)
    return found


def stored_items(text: str) -> frozenset[tuple[str, str]]:
    """What functions set items of, with the ``repr`` of the key, empty if it is not written."""
    return frozenset((owner, repr(key) if key else "") for owner, key in _ITEM_STORES.findall(text))
