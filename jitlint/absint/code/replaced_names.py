"""What the text of a module says of names that stand for something else than they are bound to.

Names of its own that it computes or binds again, modules in whose place it puts others, functions
of libraries that it replaces.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jitlint.project.stores import rebound_names

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex

_COMPUTED_NAMES = re.compile(
    r"""\b(?:globals|vars|locals)\(\)(?:\.update\(|\[(?!["']\w+["']\])[^\]\n]*\]\s*=(?!=))"""
    r"""|\bsys\.modules\[__name__\](?!\.|\s*,\s*["'])|\bexec\("""
)
_HANDS_OUT = re.compile(r"\w\(\s*globals\(\)\s*[,)]")
_PATCHES = re.compile(r"""\bpatch\.(multiple|object)\(\s*([\w.]+)\s*,([^\n]*)""")
_TEXTS = re.compile(r"\bexec\(\s*[^,()]*(?:\([^()]*\))?\s*\)")
_TAKES_BACK = re.compile(r"\byield\b|\bfinally\b")
_STAND_INS = re.compile(r"""\bsys\.modules\[["']([\w.]+)["']\]\s*=(?!=)""")


def binds_computed_names(module: ModuleIndex) -> bool:
    """Whether a module binds names of its own that it computes: ``globals()[name] = value``."""
    return bool(_COMPUTED_NAMES.search(module.text))


def hands_out_names(module: ModuleIndex) -> bool:
    """Whether others may bind any name of a module, builtins too: ``install(globals())``."""
    return bool(_HANDS_OUT.search(module.text))


def runs_texts(module: ModuleIndex) -> bool:
    """Whether a module runs texts as its own code: ``exec(source)``."""
    return bool(_TEXTS.search(module.text))


def stand_ins(module: ModuleIndex) -> frozenset[str]:
    """The modules in whose place a module puts others: ``sys.modules["name"] = other``."""
    return frozenset(_STAND_INS.findall(module.text))


def is_bound_again(module: ModuleIndex, name: str) -> bool:
    """Whether more than one statement of a module binds a name, each whatever happens."""
    return sum(not binding.unit.indented for binding in module.bound(name)) > 1


def patched_libraries(module: ModuleIndex) -> frozenset[str]:
    """What a module sets on what it imports: ``time.time = other``; mocks of tests do so, too."""
    imported = {
        name
        for name, bindings in module.every_binding.items()
        if any(binding.target is not None for binding in bindings)
    }
    stored = {
        f"{owner}.{name}"
        for name, owners in module.attribute_stores.items()
        for owner in owners
        if owner.partition(".")[0] in imported
    }
    for how, owner, rest in _PATCHES.findall(module.text):
        # `mock.patch.multiple(np, random=keyed)`, `mock.patch.object(np, "random", keyed)`
        names = re.findall(r"(\w+)\s*=(?!=)" if how == "multiple" else r"""^\s*["'](\w+)""", rest)
        stored.update(f"{owner}.{name}" for name in names)
    return frozenset(stored)


def is_settable(module: ModuleIndex, name: str) -> bool:
    """Whether one of a module's functions sets a name of it for good, for whoever calls it.

    What a generator sets, or ``__enter__``, it takes back: it holds for a block of the caller's.
    """
    return module.rebinds(name) and any(
        name in rebound_names(unit.code)
        for unit in module.units_with(name)
        if unit.is_function and unit.cls is None and not unit.finds(_TAKES_BACK)
    )
