"""Which files of a project have to do with each other: an analysis of one needs no other.

A folder may hold several projects that know nothing of each other: repositories checked out side by
side, scripts of a year.  What is found in one of them must not depend on the others, whether or not
they are analysed too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

#: what it all has in common: most of a text has nothing to do with it, and is passed over quickly
_WORD: Final = re.compile("import")
#: where a line begins
_STATEMENT: Final = re.compile(
    r"""[ \t]*(?:
        from[ \t]+(?P<base>\w[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|[^\n#]*)
        |import[ \t]+(?P<modules>[^\n#]*)
    )""",
    re.VERBOSE,
)
#: where the word stands
_CALL: Final = re.compile(r"""import(?:_module|__)\([ \t]*["'](?P<called>\w[\w.]*)["']""")
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
        #: by folder; all files of one belong to one entry
        asked: dict[Path, set[str]] = {}
        for path, entry in entries.items():
            content = text(path)
            if not isinstance(content, str):
                continue
            folder = path.parent
            known = asked.setdefault(folder, set())
            for name in _imported(content):
                if name in known:
                    continue
                known.add(name)
                found = locate(name, folder)
                if found in entries:
                    above[top(entries[found])] = top(entry)
    parts: dict[Path, list[Path]] = {}
    for path, entry in entries.items():
        parts.setdefault(top(entry), []).append(path)
    return list(parts.values())


def within_reach(
    files: Sequence[Path],
    start: Iterable[Path],
    text: Callable[[Path], object],
    locate: Callable[[str, Path], Path | None],
) -> list[Path]:
    """The files that some files may import, directly or not; of a package, all that it holds.

    Args:
      files: every Python file.
      start: where to begin; what imports one of them in the same folder belongs to it.
      text: the text of a file; anything else where there is none.
      locate: the file that an import of a dotted name finds in a module of a folder.

    Returns:
      Those of the files, in the order in which they were given.
    """
    packages = {path.parent for path in files if path.name == "__init__.py"}
    outermost: dict[Path, Path | None] = {}
    members: dict[Path, list[Path]] = {}
    for path in files:
        folder = path.parent
        if folder not in outermost:
            inside = [above for above in (folder, *folder.parents) if above in packages]
            outermost[folder] = inside[-1] if inside else None
        package = outermost[folder]
        if package is not None:
            members.setdefault(package, []).append(path)

    pending = list(start)
    stems = {(path.parent, path.stem) for path in pending}
    folders = {folder for folder, _ in stems}
    for path in files:
        content = text(path) if path.parent in folders else None
        if isinstance(content, str):
            names = {name.partition(".")[0] for name in _imported(content)}
            if any((path.parent, name) in stems for name in names):
                pending.append(path)
    found: set[Path] = set()
    while pending:
        path = pending.pop()
        if path in found:
            continue
        package = outermost.get(path.parent)
        group = [path] if package is None else members[package]
        found.update(group)
        for member in group:
            content = text(member)
            for name in _imported(content) if isinstance(content, str) else ():
                imported = locate(name, member.parent)
                if imported is not None and imported not in found:
                    pending.append(imported)
    return [path for path in files if path in found]


def _entry(root: Path, path: Path) -> Path:
    """The folder directly below the root that holds a file, or the folder that the file lies in."""
    if path.parent == root or not path.is_relative_to(root):
        return path.parent
    return root / path.relative_to(root).parts[0]


def _imported(text: str) -> Iterable[str]:
    """The dotted names of modules that a text may import, packages around them included."""
    found: dict[str, None] = {}
    line = -1
    for word in _WORD.finditer(text):
        called = _CALL.match(text, word.start())
        if called is not None:
            found[called["called"]] = None
        begin = text.rfind("\n", 0, word.start()) + 1
        statement = None if begin == line else _STATEMENT.match(text, begin)
        line = begin
        if statement is None:
            continue
        base, names, modules = statement.group("base", "names", "modules")
        if base is None:
            found.update(dict.fromkeys(_NAME.findall(modules)))
        else:
            found[base] = None
            # A module of a package, perhaps of one without `__init__.py`.
            found.update((f"{base}.{name}", None) for name in _NAME.findall(names))
    every = dict(found)
    for name in found:
        package = name.rpartition(".")[0]
        while package and package not in every:
            every[package] = None
            package = package.rpartition(".")[0]
    return every
