"""The process that runs the user's code, and what is taken from it before it does."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import signal
import site
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from jitlint.verify.containment import landlock
from jitlint.verify.containment.writes import WriteGuard

#: beyond the job's own limit, which it keeps by itself unless it hangs in compiled code
GRACE_SECONDS = 15.0

RunJob = Callable[[dict[str, Any], Callable[[dict[str, Any]], None]], None]


@dataclass(frozen=True)
class Confines:
    """What a job may change.

    Args:
      copy: the copy of its project.
      scratch: a folder for temporary files, and for what it takes for its home.
      results: the file that it writes what it finds into.
      held: whether the system is to keep it from changing anything else.
    """

    copy: Path
    scratch: Path
    results: Path
    held: bool

    @property
    def home(self) -> Path:
        """What stands for the home folder."""
        return self.scratch / "home"

    @property
    def temporary(self) -> Path:
        """What stands for the folder of temporary files."""
        return self.scratch / "tmp"


def become(values: dict[str, Any], confines: Confines, run_job: RunJob, writer: int) -> NoReturn:
    """The rest of the life of the process that runs the user's code.

    Args:
      values: the job, with the paths of the copy.
      confines: what it may change.
      run_job: does it.
      writer: a pipe for what it prints.
    """
    status = 1
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # Should nobody be left to watch it, the job ends by itself.
        faulthandler.dump_traceback_later(values["seconds"] + 2 * GRACE_SECONDS, exit=True)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        os.close(writer)
        os.chdir(values["folder"])
        with contextlib.suppress(OSError):
            # Where memory runs out before the limit is reached, this process is to go first.
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        emit = _emitter(confines.results)
        _move_in(values, confines)
        _confine(Path(values["cache"]), confines, emit)
        run_job(values, emit)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _move_in(values: dict[str, Any], confines: Confines) -> None:
    """Let what Python and its libraries take for the user's folders lie in the scratch folder."""
    # What the user has installed for himself is found by his home.
    os.environ.setdefault("PYTHONUSERBASE", site.getuserbase())
    confines.home.mkdir()
    confines.temporary.mkdir()
    os.environ["HOME"] = str(confines.home)
    for name in ("TMPDIR", "TEMP", "TMP"):
        os.environ[name] = str(confines.temporary)
    tempfile.tempdir = None
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        del os.environ[name]
    # Programs that it starts are to find the copy, too, before what is installed.
    known = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([*values["paths"], *([known] if known else [])])


def _confine(cache: Path, confines: Confines, emit: Callable[[dict[str, Any]], None]) -> None:
    """Keep this process from changing anything else.

    Args:
      cache: the folder of compiled programs, which all jobs share.
      confines: what it may change.
      emit: tells of what is tried.
    """
    cache.mkdir(exist_ok=True)
    folders = [confines.copy, confines.scratch, cache]
    if confines.held and not landlock.hold(folders, [confines.results]):
        raise RuntimeError("it cannot be held to the copy of its project")

    def tell(path: str, refused: bool) -> None:
        emit({"outside": path, "refused": refused})

    guard = WriteGuard(
        [os.path.realpath(folder) for folder in folders],
        [os.path.realpath(confines.results)],
        os.path.realpath(confines.home),
        os.path.realpath(confines.copy),
        tell,
    )
    guard.install()


def _emitter(results: Path) -> Callable[[dict[str, Any]], None]:
    """Sends what a job finds: by a file that is opened each time.

    The user's code may close every file of its process, write to them, or put functions of its own
    in the place of those that are used here.
    """
    path, dumps, own = str(results), json.dumps, os.getpid()
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    open_, write, close, current = os.open, os.write, os.close, os.getpid

    def emit(found: dict[str, Any]) -> None:
        # A process that the user's code has forked has nothing to say.
        if current() == own:
            descriptor = open_(path, flags, 0o600)
            write(descriptor, f"\n{dumps(found, default=repr)}\n".encode())
            close(descriptor)

    return emit
