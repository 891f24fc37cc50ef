"""Example calls in files of their own, beside the code that they call.

``cases/models/loss.py`` holds the example calls of ``models/loss.py``; the folder ``cases`` stands
in the module's own folder or in one above it, up to the project's root.  Such a file defines

- ``__jitlint_cases__``: a list of functions without parameters, as a module itself may; or
- ``HOSTILE`` and ``SILENT``: functions by tag, each of which leads to a fault;
- ``INNOCENT``: a list of functions that run without one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = "cases"
_TAGGED = ("HOSTILE", "SILENT")
_INNOCENT = "INNOCENT"
_DEFINES = re.compile(r"^(?:__jitlint_cases__|HOSTILE|SILENT|INNOCENT)\b[^=\n]*=", re.MULTILINE)


def cases_of(module: Path, root: Path) -> Path | None:
    """The file of example calls of a module, None if there is none.

    Args:
      module: the module's file.
      root: the project's root.
    """
    for folder in module.parents:
        found = folder / FOLDER / module.relative_to(folder)
        if found.is_file() and _DEFINES.search(found.read_text(encoding="utf-8", errors="replace")):
            return found
        if folder == root:
            break
    return None


def tagged(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Callable[[], Any], bool, str]]:
    """The example calls that a file gives by tag.

    Args:
      namespace: what the file defines.

    Yields:
      A name in words, the call, whether it is to run without a fault, and the call as a subscript
      of what the file defines.
    """
    for group in _TAGGED:
        calls = namespace.get(group)
        for tag, call in calls.items() if isinstance(calls, Mapping) else ():
            if callable(call):
                yield f"{tag!r}", call, False, f"[{group!r}][{tag!r}]"
    innocent = namespace.get(_INNOCENT)
    for number, call in enumerate(innocent if isinstance(innocent, list | tuple) else ()):
        if callable(call):
            yield f"innocent {number}", call, True, f"[{_INNOCENT!r}][{number}]"
