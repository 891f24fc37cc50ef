"""What the text of a module says it changes: names, attributes and items, told without a tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex

_GLOBALS = re.compile(r"^[ \t]+global[ \t]+([\w, \t]+)", re.MULTILINE)
_NONLOCALS = re.compile(r"^[ \t]*nonlocal[ \t]+([\w, \t]+)", re.MULTILINE)
_KEY_STORES = re.compile(r"""\bglobals\(\)\[["'](\w+)["']\]\s*=(?!=)""")
_ATTRIBUTE_STORES = re.compile(
    r"^[ \t]*([\w.\[\]()\"']+)\.(\w+)\s*(?:[-+*/%&|^@]|//|\*\*|<<|>>)?=(?!=)", re.MULTILINE
)
_SET_BY_NAME = re.compile(
    r"""\bsetattr\(\s*(sys\.modules\[[^\]\n]*\]|[\w.]+)\s*,\s*["'](\w+)["']"""
)
_STAND_INS = re.compile(r"""\bsys\.modules\[["']([\w.]+)["']\]\s*=(?!=)""")
_ITEM_STORES = re.compile(
    r"""(?m)^[ \t]+([\w.]+)(?:\[(?:["'](\w+)["']|[^\]\n]*)\]\s*(?:[-+*/|&]|//)?=(?!=)"""
    r"|\.(?:update|setdefault|pop|clear)\()"
)
_COMPUTED_NAMES = re.compile(
    r"""\b(?:globals|vars|locals)\(\)(?:\.update\(|\[(?!["']\w+["']\])[^\]\n]*\]\s*=(?!=))"""
    r"""|\bsys\.modules\[__name__\](?!\.)|\bexec\("""
)
_TEXTS = re.compile(r"\bexec\(\s*[^,()]*(?:\([^()]*\))?\s*\)")
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


def binds_computed_names(module: ModuleIndex) -> bool:
    """Whether a module binds names of its own that it computes: ``globals()[name] = value``."""
    return bool(_COMPUTED_NAMES.search(module.text))


def runs_texts(module: ModuleIndex) -> bool:
    """Whether a module runs texts as its own code: ``exec(source)``."""
    return bool(_TEXTS.search(module.text))


def stand_ins(module: ModuleIndex) -> frozenset[str]:
    """The modules in whose place a module puts others: ``sys.modules["name"] = other``."""
    return frozenset(_STAND_INS.findall(module.text))


def patched_libraries(module: ModuleIndex) -> frozenset[str]:
    """What a module sets on what it imports: ``time.time = other``."""
    imported = {
        name
        for name, bindings in module.every_binding.items()
        if any(binding.target is not None for binding in bindings)
    }
    return frozenset(
        f"{owner}.{name}"
        for name, owners in module.attribute_stores.items()
        for owner in owners
        if owner.partition(".")[0] in imported
    )
