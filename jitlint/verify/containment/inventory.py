"""What of a project is copied before it is run, and what is too large for that."""

from __future__ import annotations

import importlib.machinery
import json
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from jitlint.source.file_discovery import DEFAULT_EXCLUDES, is_environment, is_marked

#: the largest file of data that is copied, and all of them together
_LARGEST_BYTES = 16 * 2**20
_MOST_BYTES = 128 * 2**20
#: how many files of data, and how many of code, are copied
_MOST_FILES = 10_000
#: how many where nothing marks a project: what is near the modules will do
_MOST_LOOSE_FILES = 500
#: how many entries of folders are looked at: the root may be a whole home folder
_MOST_ENTRIES = 200_000
# Folders with these names may be packages of the project.
_MAY_BE_CODE = frozenset({"_build", "buck-out", "build", "dist", "venv"})
_SKIPPED = frozenset(DEFAULT_EXCLUDES) - _MAY_BE_CODE
_CODE = (*importlib.machinery.all_suffixes(), ".pyi")


@dataclass(frozen=True)
class Inventory:
    """The files of a project that are copied; paths are relative to ``base``.

    Args:
      base: the folder that the copy's own folder stands for: the project's root, or where the root
        is part of a package, the folder above that package.
      folders: the folders to make, each after the one that it is in.
      files: the files to copy.
      links: links to folders of the project: where they stand, and what they hold.
      left_out: what is too large or too much, with its size in bytes.
      complete: whether all folders were looked at.
    """

    base: str
    folders: list[str]
    files: list[str]
    links: list[tuple[str, str]]
    left_out: list[tuple[str, int]]
    complete: bool

    def write(self, path: Path) -> None:
        """Keep it in a file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Inventory:
        """The inventory that a file holds."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def absolute(self, name: str) -> str:
        """The path of something that is listed."""
        return os.path.join(self.base, name)  # noqa: PTH118 - thousands of them

    def note(self) -> str | None:
        """What was left out, in one line; None if nothing was."""
        if not self.left_out and self.complete:
            return None
        words = []
        if self.left_out:
            total = sum(size for _, size in self.left_out) / 2**20
            name, size = max(self.left_out, key=lambda entry: entry[1])
            words.append(
                f"{len(self.left_out)} files of {self.base} ({total:.0f} MiB) are not in the copy "
                f"that is run; the largest is {name} ({size / 2**20:.0f} MiB)"
            )
        if not self.complete:
            words.append(f"{self.base} holds too much to be copied whole")
        return "; ".join(words)


def take_inventory(root: Path, needed: Iterable[Path], near: Iterable[Path]) -> Inventory:
    """List what of a project is copied.

    Code is copied whatever its size; of data, what lies near the modules that are run goes first.

    Args:
      root: the project's root.
      needed: files that are copied in any case.
      near: the modules that are run.
    """
    top = _outermost_package(root)
    base = top.parent if (top / "__init__.py").exists() else top
    whole = top is not base or is_marked(top)
    most = _MOST_FILES if whole else _MOST_LOOSE_FILES
    listing = _Listing(str(base), os.path.realpath(top), most)
    for path in needed:
        listing.add_needed(str(path))
    folders = dict.fromkeys(str(path.parent) for path in near if path.is_relative_to(top))
    listing.walk([*folders])
    listing.walk([str(top)])
    return listing.inventory()


def _outermost_package(folder: Path) -> Path:
    """The outermost package that a folder is part of; the folder itself if it is no package."""
    while (folder.parent / "__init__.py").exists() and (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


class _Listing:
    """An inventory that is being made."""

    def __init__(self, base: str, real_top: str, most: int) -> None:
        self._base = base
        self._real_top = real_top
        self._most = most
        self._folders: dict[str, None] = {}
        self._files: dict[str, None] = {}
        self._links: dict[str, str] = {}
        self._left_out: dict[str, int] = {}
        self._seen: set[tuple[int, int]] = set()
        self._bytes = 0
        self._data = 0
        self._code = 0
        self._entries = 0
        self._complete = True

    def inventory(self) -> Inventory:
        """What was found."""
        return Inventory(
            self._base,
            list(self._folders),
            list(self._files),
            list(self._links.items()),
            list(self._left_out.items()),
            self._complete,
        )

    def add_needed(self, path: str) -> None:
        """Add a file that must be there; one outside the project is run where it is."""
        if path.startswith(self._base + os.sep) and os.path.isfile(path):  # noqa: PTH113
            name = self._name(path)
            self._make_folder(os.path.dirname(name))  # noqa: PTH120
            self._files[name] = None

    def walk(self, folders: list[str]) -> None:
        """Add what lies in some folders, the nearest first."""
        todo = deque(folders)
        while todo:
            folder = todo.popleft()
            if self._entries > _MOST_ENTRIES:
                self._complete = False
                return
            todo.extend(self._enter(folder))

    def _enter(self, folder: str) -> Iterator[str]:
        """Add the files of a folder; the folders in it that are to be entered."""
        try:
            status = os.stat(folder)  # noqa: PTH116 - thousands of them
            key = (status.st_dev, status.st_ino)
            if key in self._seen:
                return
            self._seen.add(key)
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            return
        self._make_folder(self._name(folder))
        for entry in listed:
            self._entries += 1
            try:
                if not entry.is_dir():
                    self._add_file(entry)
                elif entry.name not in _SKIPPED and not is_environment(entry.path):
                    if entry.is_symlink() and self._add_link(entry.path):
                        continue
                    yield entry.path
            except OSError:
                # It has just gone, or is a link to itself.
                continue

    def _add_file(self, entry: os.DirEntry[str]) -> None:
        name = self._name(entry.path)
        # What a link leads to is copied in its place: the copy must not lead back to the original.
        if name in self._files or not entry.is_file():
            return
        if entry.name.endswith(_CODE):
            if self._code >= self._most:
                self._complete = False
                return
            self._code += 1
        else:
            size = entry.stat().st_size
            room = self._bytes + size <= _MOST_BYTES and self._data < self._most
            if size > _LARGEST_BYTES or not room:
                self._left_out[name] = size
                return
            self._bytes += size
            self._data += 1
        self._files[name] = None

    def _add_link(self, path: str) -> bool:
        """Add a link to a folder of the project; false for any other."""
        target = os.path.realpath(path)
        if not f"{target}{os.sep}".startswith(self._real_top + os.sep):
            return False
        here = os.path.realpath(os.path.dirname(path))  # noqa: PTH120 - thousands of them
        self._links[self._name(path)] = os.path.relpath(target, here)
        return True

    def _make_folder(self, name: str) -> None:
        missing = []
        while name and name not in self._folders:
            missing.append(name)
            name = os.path.dirname(name)  # noqa: PTH120 - thousands of them
        self._folders.update(dict.fromkeys(reversed(missing)))

    def _name(self, path: str) -> str:
        name = os.path.relpath(path, self._base)
        return "" if name == os.curdir else name
