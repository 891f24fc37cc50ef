"""What Python is asked to change outside the copy: refused, and named.

Python tells an audit hook of each file that it opens, moves, removes or changes, on every platform.
Other programs, and compiled code that calls the system itself, are beyond its sight.
"""

from __future__ import annotations

import errno
import os
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

#: told of a path, and whether that was refused
Tell = Callable[[str, bool], None]

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
#: of each event, the arguments that are paths of what is changed, each with that of its folder
_CHANGES: Mapping[str, Sequence[tuple[int, int | None]]] = {
    "os.mkdir": ((0, 2),),
    "os.symlink": ((1, 2),),
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.rename": ((0, 2), (1, 3)),
    # A second name is a way to change what the first one names.
    "os.link": ((0, 2), (1, 3)),
    "os.truncate": ((0, None),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
    "os.setxattr": ((0, None),),
    "os.removexattr": ((0, None),),
}
#: of these, what a link leads to is changed
_FOLLOWED = frozenset(
    {"os.truncate", "os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr"}
)
#: all others of them change what is there, or fail by themselves
_MAKING = frozenset({"os.mkdir", "os.symlink"})
_TREE = "shutil.rmtree"
# What stands for a device or for a process; the system says who may change it.
_OF_SYSTEM = ("/dev/", "/proc/")
_MOST_TOLD = 8
_HERE = -1


class WriteGuard:
    """Refuses to change what lies outside some folders.

    Args:
      folders: in which everything may be done, without symbolic links.
      files: that may be written to.
      home: a folder within, which stands for the home folder.
      user: the folder of the user's code.
      tell: is told of what is tried, once for each path.
    """

    def __init__(
        self, folders: Sequence[str], files: Sequence[str], home: str, user: str, tell: Tell
    ) -> None:
        self._folders = tuple(f"{folder}{os.sep}" for folder in folders)
        self._exact = frozenset((*folders, *files))
        self._home = home + os.sep
        self._user = user + os.sep
        self._tell = tell
        self._told: list[str] = []
        # The user's code may put functions of its own in the place of these.
        self._real, self._join, self._parent = os.path.realpath, os.path.join, os.path.split
        self._is_there, self._text, self._frame = os.path.lexists, os.fsdecode, sys._getframe
        paths = sysconfig.get_paths()
        self._packages = (paths["purelib"] + os.sep, paths["platlib"] + os.sep)
        self._python = (paths["stdlib"] + os.sep, paths["platstdlib"] + os.sep)

    def install(self) -> None:
        """Begin; nothing ends it but the end of the process."""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if isinstance(flags, int) and flags & _WRITING:
                self._check(path, None, followed=True)
        elif event in _CHANGES:
            places = _CHANGES[event]
            for place, folder in places:
                if place == places[0][0] and event not in _MAKING:
                    name = self._named(arguments[place], _at(arguments, folder))
                    if name is None or not self._is_there(name):
                        return
                self._check(arguments[place], _at(arguments, folder), followed=event in _FOLLOWED)
        elif event == _TREE:
            # Named as a whole; what is in it is refused file by file, for the caller to bear.
            name = self._named(arguments[0], _at(arguments, 1))
            if name is not None and self._is_there(name):
                real = self._real(name)
                if real not in self._exact and not real.startswith(self._folders):
                    self._say(real, refused=True)

    def _check(self, path: Any, folder: int | None, *, followed: bool) -> None:
        name = self._named(path, folder)
        if name is None:
            return
        if followed:
            real = self._real(name)
        else:
            above, last = self._parent(name.rstrip(os.sep))
            real = self._join(self._real(above), last)
        if real.startswith(_OF_SYSTEM):
            return
        if real in self._exact or real.startswith(self._folders):
            if real.startswith(self._home) and self._is_users():
                self._say(f"~{os.sep}{real[len(self._home) :]}", refused=False)
            return
        self._say(real, refused=True)
        told = (
            "jitlint verify runs a copy of the project, and keeps what it runs from changing this"
        )
        raise PermissionError(errno.EACCES, told, name)

    def _named(self, path: Any, folder: int | None) -> str | None:
        """What a path names; None for what is open already, and for what is no path."""
        if isinstance(path, int) or path is None:
            return None
        try:
            name = self._text(path)
            return name if folder is None else self._join(f"/proc/self/fd/{folder}", name)
        except (TypeError, ValueError):
            # The call itself will fail.
            return None

    def _say(self, path: str, *, refused: bool) -> None:
        within = any(path == told or path.startswith(told + os.sep) for told in self._told)
        if not within and len(self._told) < _MOST_TOLD:
            self._told.append(path)
            self._tell(path, refused)

    def _is_users(self) -> bool:
        """Whether the user's code, and no library, wants something of Python."""
        frame: FrameType | None = self._frame(1)
        while frame is not None:
            filename = frame.f_code.co_filename
            if filename.startswith(self._user):
                return True
            if filename.startswith(self._packages):
                return False
            if filename != __file__ and not filename.startswith((*self._python, "<")):
                return False
            frame = frame.f_back
        return False


def _at(arguments: tuple[Any, ...], place: int | None) -> int | None:
    """The folder that a path is relative to, None for the current one."""
    if place is None or place >= len(arguments):
        return None
    found = arguments[place]
    return found if isinstance(found, int) and found != _HERE else None
