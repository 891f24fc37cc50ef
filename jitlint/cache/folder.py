"""The folder that holds what is cached: where it is, how files get in, what is thrown away.

Files are written aside and renamed into place, so that a reader sees all of a file or none of it,
whoever else writes and whenever a process ends.  Results of other versions lie in other folders.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jitlint.cache.lock import locked
from jitlint.cache.versions import version_key
from jitlint.foundation.digests import blake2b

FOLDER_NAME: Final = ".jitlint_cache"
#: names the folder for every project of the user
VARIABLE: Final = "JITLINT_CACHE_DIR"

_TAG = """\
Signature: 8a477f597d28d172789f06886806bc55
# This folder was made by jitlint. It can be deleted at any time.
# About such files: https://bford.info/cachedir/
"""
_MARKS = ("CACHEDIR.TAG", ".gitignore")
#: what the folder of a version is called; the user may name a folder that holds more than ours
_VERSION: Final = re.compile(r"[0-9][0-9A-Za-z.+]*-[0-9a-f]{16}")
_DAY = 24 * 3600
#: what nobody has asked for that long is thrown away
_KEPT_DAYS = 30
#: versions of jitlint, Python and libcst whose results lie side by side
_KEPT_VERSIONS = 6
#: more than the results of a thousand modules; the oldest go first
_KEPT_BYTES = 64 * 1024 * 1024


def users_folder() -> Path:
    """Where results lie of what is no project, for every such place of the user."""
    chosen = os.environ.get("XDG_CACHE_HOME")
    return (Path(chosen) if chosen else Path.home() / ".cache") / "jitlint"


class CacheFolder:
    """Files by their key.

    Args:
      path: the folder; made when something is first written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._own = path / version_key()
        #: why nothing can be written, once that is known
        self.failure: str | None = None
        self._prepared = False

    def prepare(self) -> bool:
        """Make the folder.

        Returns:
          Whether it can be written.
        """
        if self._prepared or self.failure is not None:
            return self.failure is None
        try:
            self._own.mkdir(parents=True, exist_ok=True)
            marked = self.path if self._is_ours() else self._own
            _write_once(marked / "CACHEDIR.TAG", _TAG)
            # Whatever versions the project keeps of itself, it keeps none of this.
            _write_once(marked / ".gitignore", "*\n")
            if not os.access(self._own, os.W_OK | os.X_OK):
                raise PermissionError(13, os.strerror(13))
        except OSError as error:
            self.failure = error.strerror or str(error)
        self._prepared = True
        return self.failure is None

    def read(self, kind: str, key: str) -> bytes | None:
        """What was written under a key.

        Args:
          kind: a word for what it is.
          key: its name.

        Returns:
          The bytes; None where there are none, or none that can be read.
        """
        path = self._file(kind, key)
        try:
            found = path.read_bytes()
        except OSError:
            return None
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _DAY:
                os.utime(path)  # Pruning goes by when it was last of use.
        return found

    def has(self, kind: str, key: str) -> bool:
        """Whether something was written under a key."""
        return self._file(kind, key).exists()

    def write(self, kind: str, key: str, content: bytes) -> None:
        """Put something under a key; in vain where the folder cannot be written.

        Args:
          kind: a word for what it is.
          key: its name.
          content: what is to be read again.
        """
        if not self.prepare():
            return
        path = self._file(kind, key)
        aside = path.with_name(f"{path.name}.{os.getpid()}.{time.monotonic_ns()}")
        try:
            aside.write_bytes(content)
            aside.replace(path)
        except OSError as error:
            self.failure = error.strerror or str(error)
            with contextlib.suppress(OSError):
                aside.unlink()

    def locked(self, key: str) -> AbstractContextManager[bool]:
        """Hold a lock among all that use the folder; tells whether another process held it.

        Args:
          key: what is locked.
        """
        return locked(self._own / f"lock-{key}") if self.prepare() else nullcontext(False)

    def prune(self) -> None:
        """Throw away what is old, and the oldest of what is too much."""
        import shutil

        with contextlib.suppress(OSError):
            os.utime(self._own)
            versions = [
                each
                for each in os.scandir(self.path)
                if _VERSION.fullmatch(each.name) and each.is_dir(follow_symlinks=False)
            ]
            versions.sort(key=lambda each: each.stat().st_mtime, reverse=True)
            for number, version in enumerate(versions):
                if number >= _KEPT_VERSIONS or _is_old(version.stat().st_mtime):
                    shutil.rmtree(version.path, ignore_errors=True)
            files = [
                (each.stat(), each.path)
                for each in os.scandir(self._own)
                if each.name not in _MARKS
            ]
            files.sort(key=lambda each: each[0].st_mtime, reverse=True)
            total = 0
            for status, name in files:
                total += status.st_size
                if total > _KEPT_BYTES or _is_old(status.st_mtime):
                    with contextlib.suppress(OSError):
                        os.unlink(name)  # noqa: PTH108 - a path is not worth making

    def _is_ours(self) -> bool:
        """Whether the folder holds nothing but results, so that marks in it are about no more."""
        return all(
            _VERSION.fullmatch(name) or name.startswith(_MARKS)
            for name in os.listdir(self.path)  # noqa: PTH208
        )

    def _file(self, kind: str, key: str) -> Path:
        return self._own / f"{kind}-{key}.msgpack"


@dataclass
class PartFolder:
    """The part of the folder in which parts of one project's analysis are kept.

    Args:
      folder: the folder.
      context: everything besides the project's files that decides what comes of a part.
      writable: whether anything may be kept.
      interpreted: is told the files whose functions were interpreted.
    """

    folder: CacheFolder
    context: str
    writable: bool = True
    interpreted: list[Path] = field(default_factory=list)

    def begin(self, paths: Collection[Path]) -> None:
        """An analysis of these files begins; what is kept of others may be wanted later."""
        self.interpreted.clear()

    def read(self, kind: str, key: str) -> bytes | None:
        """What is kept of a kind under a key, None where that is nothing."""
        return self.folder.read(kind, digest(self.context, key))

    def has(self, kind: str, key: str) -> bool:
        """Whether something is kept of a kind under a key."""
        return self.folder.has(kind, digest(self.context, key))

    def write(self, kind: str, key: str, content: bytes) -> None:
        """Keep something."""
        if self.writable:
            self.folder.write(kind, digest(self.context, key), content)


def digest(*parts: str | bytes) -> str:
    """A short name for some texts that no others share."""
    found = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "big"))
        found.update(data)
    return found.hexdigest()


def _is_old(when: float) -> bool:
    return time.time() - when > _KEPT_DAYS * _DAY


def _write_once(path: Path, text: str) -> None:
    if not path.exists():
        aside = path.with_name(f"{path.name}.{os.getpid()}")
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
