"""Which programs a result comes from: jitlint's own code, libcst's, and Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.machinery import PathFinder

from jitlint import __version__
from jitlint.foundation.digests import blake2b

# What is inside decides what libcst parses; all of it would be hundreds of files.
_LIBCST_FILES = ("_version.py", "__init__.py")


@cache
def version_key() -> str:
    """A name for the versions of everything that a result depends on, as a name of a folder.

    An installed file is taken for what its size and time of change say it is, so that no file has
    to be read, and a clone that is being worked on counts as a new version after every change.
    """
    found = blake2b(digest_size=8)
    found.update(repr((sys.version, sys.implementation.cache_tag, sys.platform)).encode())
    for line in (*_own_files(), *_libcst_files()):
        found.update(line.encode("utf-8", "surrogatepass"))
    return f"{__version__}-{found.hexdigest()}"


def _own_files() -> Iterator[str]:
    """A line for each module of jitlint."""
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - hot
    stack = [top]
    while stack:
        folder = stack.pop()
        for entry in sorted(os.scandir(folder), key=lambda each: each.name):
            if entry.name == "__pycache__":
                continue
            if entry.is_dir():
                stack.append(entry.path)
            elif entry.name.endswith((".py", ".json")):
                # Editors mark what they hold open with links that lead nowhere.
                with suppress(FileNotFoundError):
                    status = entry.stat()
                    yield f"{entry.path}\0{status.st_size}\0{status.st_mtime_ns}\n"


def _libcst_files() -> Iterator[str]:
    """A line for each of some files of libcst, which is found but not imported."""
    found = PathFinder.find_spec("libcst")
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        names = {*_LIBCST_FILES}
        names.update(name for name in os.listdir(folder) if name.startswith("native"))  # noqa: PTH208
        for name in sorted(names):
            path = os.path.join(folder, name)  # noqa: PTH118
            if os.path.isfile(path):  # noqa: PTH113
                status = os.stat(path)  # noqa: PTH116
                yield f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n"
