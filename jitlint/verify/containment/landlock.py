"""Landlock, by which a process of Linux gives up rights, and needs none for it.

https://docs.kernel.org/userspace-api/landlock.html has the numbers.  What is given up here is to
change files, and to send signals to processes outside; reading stays as it was.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
# On these the numbers of system calls are others.
_OTHER_NUMBERS = ("alpha", "mips")
_ASK_VERSION = 1
_BENEATH = 1
_NO_NEW_PRIVILEGES = 38  # of ``prctl``

_WRITE_FILE = 1 << 1
#: to remove and to make what can stand in a folder
_IN_FOLDERS = sum(1 << bit for bit in range(4, 13))
_REFER = 1 << 13  # from version 2
_TRUNCATE = 1 << 14  # from version 3
_SCOPE_SIGNALS = 1 << 1  # from version 6

#: what is opened for writing to use an accelerator, a terminal, or nothing at all
_DEVICES = (
    *("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "fd"),
    *("nvidia*", "dri", "kfd", "accel*", "vfio", "infiniband"),
)
#: shared memory and semaphores of processes that work together
_SHARED = Path("/dev/shm")


class _Rules(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The version of Landlock that this system has; 0 for none."""
    if sys.platform != "linux" or platform.machine().startswith(_OTHER_NUMBERS):
        return 0
    found = _call(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    return max(found, 0)


def holds_signals() -> bool:
    """Whether processes outside are out of reach of signals, too."""
    return version() >= 6


def hold(folders: Iterable[Path], files: Iterable[Path]) -> bool:
    """Let this process, and all that it starts, change nothing but what is named.

    It must have one thread only: others would keep their rights.

    Args:
      folders: in which everything may be done.
      files: that may be written to, but not removed.

    Returns:
      Whether the system has done so.
    """
    known = version()
    if not known:
        return False
    handled = _WRITE_FILE | _IN_FOLDERS
    handled |= _REFER if known >= 2 else 0
    handled |= _TRUNCATE if known >= 3 else 0
    rules = _Rules(handled, 0, _SCOPE_SIGNALS if known >= 6 else 0)
    # Older versions know less of the structure.
    size = 8 if known < 4 else 16 if known < 6 else 24
    made = _call(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    if made < 0:
        return False
    try:
        for path in (*folders, _SHARED):
            _allow(made, path, handled)
        # What a process may say of itself, as the name of a thread.
        for path in (*files, *_devices(), Path("/proc/self")):
            _allow(made, path, handled & (_WRITE_FILE | _TRUNCATE))
        ctypes.CDLL(None).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        return _call(_RESTRICT, ctypes.c_int(made), ctypes.c_uint32(0)) == 0
    finally:
        os.close(made)


def works(folder: Path) -> bool:
    """Whether a process can be held, found out by trying; this one is not.

    Args:
      folder: a folder that can be written to.
    """
    if not version():
        return False
    pid = os.fork()
    if pid == 0:
        status = 1
        with contextlib.suppress(BaseException):
            if hold((), ()):
                try:
                    (folder / "held").touch()
                except PermissionError:
                    status = 0
        os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def _devices() -> Iterable[Path]:
    for name in _DEVICES:
        yield from Path("/dev").glob(name)


def _allow(rules: int, path: Path, rights: int) -> None:
    try:
        opened = os.open(path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    except OSError:
        # There is no such device here.
        return
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            rights &= _WRITE_FILE | _TRUNCATE
        beneath = _Beneath(rights, opened)
        _call(
            _ADD_RULE,
            ctypes.c_int(rules),
            ctypes.c_int(_BENEATH),
            ctypes.byref(beneath),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(opened)


def _call(number: int, *arguments: object) -> int:
    try:
        return int(ctypes.CDLL(None).syscall(ctypes.c_long(number), *arguments))
    except (OSError, AttributeError):
        return -1
