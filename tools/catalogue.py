"""The list of rules, found by their folder.

``python -m tools.catalogue`` renews ``jitlint/rules/catalogue.py``; a test fails when it is stale.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from jitlint import rules
from jitlint.rules.base import metas_in

FOLDER = Path(rules.__path__[0])
CATALOGUE = FOLDER / "catalogue.py"

_HEAD = '''\
"""Every rule, by its code: the module that holds it.  Written by ``python -m tools.catalogue``."""

from __future__ import annotations

from typing import Final

#: sorted by code; nothing is imported for it
MODULES: Final = {
'''


def rendered() -> str:
    """The text of the list.

    Raises:
      ValueError: two rules have the same code.
    """
    found: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*/*.py")):
        name = f"{rules.__name__}.{path.parent.name}.{path.stem}"
        for meta in metas_in(import_module(name)):
            if meta.code in found:
                raise ValueError(f"{found[meta.code]} and {name} hold a rule {meta.code} each")
            found[meta.code] = name
    rows = (f'    "{code}": "{found[code]}",\n' for code in sorted(found))
    return f"{_HEAD}{''.join(rows)}}}\n"


if __name__ == "__main__":
    CATALOGUE.write_text(rendered(), encoding="utf-8")
