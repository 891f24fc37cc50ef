"""Eager code that assigns to elements of what JAX gave: ``x = jnp.zeros(3); x[0] = 1``.

That raises wherever it is reached, traced or not, and scripts that were written for NumPy do it
where no transform is near.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from jitlint.project.bound_calls import makers
from jitlint.project.index import ModuleIndex
from jitlint.project.units import Unit
from jitlint.tracing.units import local_imports
from jitlint.tracing.watched import Qualify

#: `name[index] = value`, `self.name[index] += value`, `name[index], other = values`; the index may
#: have brackets of its own
_STORE: Final = re.compile(
    r"^[ \t]*(?:[\w.]+[ \t]*,[ \t]*)*((?:\w+\.)?[^\W\d]\w*)"
    r"\[.*\][ \t]*(?:,[^=\n]*|[-+*/@%&|^]|//|\*\*|<<|>>)?=(?!=)",
    re.MULTILINE,
)


def storing(
    module: ModuleIndex, qualify: Qualify, known: Collection[int]
) -> Iterator[tuple[Unit, bool]]:
    """Yield the units of a module that may assign to an element of a JAX array.

    Args:
      module: the module.
      qualify: tells qualified names.
      known: the identities of what is selected already.

    Yields:
      Units, and whether those that use them are looked at too: they are not.
    """
    if not module.finds("jax") or not module.finds(_STORE):
        return
    stored = module.fact(_stored)
    for unit in module.units:
        if id(unit) in known or unit.is_import:
            continue
        local = None
        for name in stored.get((unit.title, unit.number), ()):
            local = local_imports(unit) if local is None else local
            made = (qualify(module, maker, local) for maker in makers(unit, name))
            if any(maker is not None and maker.startswith("jax.") for maker in made):
                yield unit, False
                break


def _stored(module: ModuleIndex) -> dict[tuple[str, int], tuple[str, ...]]:
    """What the units of a module assign to elements of, each by its name and number."""
    found = {}
    for unit in module.units:
        names = tuple(dict.fromkeys(_STORE.findall(unit.code)))
        if names:
            found[unit.title, unit.number] = names
    return found
