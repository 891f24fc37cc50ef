"""Which files of a project have to do with each other: an analysis of one needs no other.

A folder may hold several projects that know nothing of each other: repositories checked out side by
side, scripts of a year.  What is found in one of them must not depend on the others, whether or not
they are analysed too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

_IMPORTED: Final = re.compile(
    r"""^[ \t]*(?:
        from[ \t]+(?P<base>\w[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\n#]*)
        |import[ \t]+(?P<modules>[^\n#]*)
    )
    |(?:import_module|__import__)\([ \t]*["'](?P<called>\w[\w.]*)["']""",
    re.MULTILINE | re.VERBOSE,
)
_NAME: Final = re.compile(r"(?:^|[(,])\s*(\w[\w.]*)")


def components(
    root: Path,
    files: Sequence[Path],
    text: Callable[[Path], object],
    locate: Callable[[str, Path], Path | None],
) -> list[list[Path]]:
    """Part the files of a project: what lies in one folder below the root, and what that imports.

    Args:
      root: the project root.
      files: every Python file.
      text: the text of a file; anything else where there is none.
      locate: the file that an import of a dotted name finds in a module of a folder.

    Returns:
      The files of each part, in the order in which they were given.
    """
    if root / "__init__.py" in files:
        # Its files may import each other by relative names.
        return [list(files)]
    entries = {path: _entry(root, path) for path in files}
    above: dict[Path, Path] = {entry: entry for entry in entries.values()}

    def top(entry: Path) -> Path:
        while above[entry] != entry:
            above[entry] = entry = above[above[entry]]
        return entry

    if len(above) > 1:
        asked: set[tuple[Path, Path, str]] = set()
        for path, entry in entries.items():
            content = text(path)
            if not isinstance(content, str):
                continue
            for name in _imported(content):
                question = entry, path.parent, name
                if question in asked:
                    continue
                asked.add(question)
                found = locate(name, path.parent)
                if found in entries:
                    above[top(entries[found])] = top(entry)
    parts: dict[Path, list[Path]] = {}
    for path, entry in entries.items():
        parts.setdefault(top(entry), []).append(path)
    return list(parts.values())


def _entry(root: Path, path: Path) -> Path:
    """The folder directly below the root that holds a file, or the folder that the file lies in."""
    if path.parent == root or not path.is_relative_to(root):
        return path.parent
    return root / path.relative_to(root).parts[0]


def _imported(text: str) -> Iterator[str]:
    """The dotted names of modules that a text may import, packages around them included."""
    found: dict[str, None] = {}
    for match in _IMPORTED.finditer(text):
        base, names, modules, called = match.group("base", "names", "modules", "called")
        if base is not None:
            found[base] = None
            # A module of a package, perhaps of one without `__init__.py`.
            found.update((f"{base}.{name}", None) for name in _NAME.findall(names))
        elif modules is not None:
            found.update(dict.fromkeys(_NAME.findall(modules)))
        else:
            found[called] = None
    yield from dict.fromkeys(above for name in found for above in _with_packages(name))


def _with_packages(name: str) -> Iterable[str]:
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts) + 1))
