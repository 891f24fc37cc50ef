"""A process that imports what command lines need, runs none of it, and forks one child for each.

``tests/commands.py`` starts it, and asks for a child by sending four descriptors: a socket of its
own for this child, and its standard streams.  What to run the child reads from that socket; this
process writes the child's number to it, and how it ended.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import runpy
import select
import signal
import socket
import sys
import threading
import traceback
from pathlib import Path
from typing import NoReturn

FLAKE8 = ("flake8.main.application", "flake8.plugins.pyflakes", "pycodestyle")


def main() -> None:
    """Serve until whoever asks has ended."""
    asked = socket.socket(fileno=int(sys.argv[1]))
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from tools.preloading import preload

    preload(FLAKE8)
    # Those who are interrupted along with it are the children.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    _serve(asked, woken, wakes)


def _serve(asked: socket.socket, woken: int, wakes: int) -> NoReturn:
    children: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([asked, woken], [], [])
        if woken in ready:
            os.read(woken, 512)
            _tell_who_ended(children)
        if asked not in ready:
            continue
        word, descriptors, _, _ = socket.recv_fds(asked, 1, 4)
        if not word:
            os._exit(0)  # to take all of it apart would take a second
        control, *streams = descriptors
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            for other in (asked, *children.values()):
                other.close()
            os.close(woken)
            os.close(wakes)
            _become(socket.socket(fileno=control), streams)
        children[pid] = socket.socket(fileno=control)
        for stream in streams:
            os.close(stream)
        _tell(children[pid], pid)


def _tell(control: socket.socket, number: int) -> None:
    with contextlib.suppress(OSError):  # nobody listens any more
        control.sendall(b"%d\n" % number)


def _tell_who_ended(children: dict[int, socket.socket]) -> None:
    while children:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        with children.pop(pid) as control:
            _tell(control, os.waitstatus_to_exitcode(status))


def _become(control: socket.socket, streams: list[int]) -> NoReturn:
    """Be the process that somebody has asked for, from its start to its end."""
    code = 1
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        with control, control.makefile("rb") as lines:
            wanted = json.loads(lines.readline())
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _open_streams()
        os.chdir(wanted["cwd"])
        os.environ.clear()
        os.environ.update(wanted["environment"])
        # As `python -m` has it; what comes first is the folder of this file.
        sys.path[0] = wanted["cwd"]
        sys.argv[1:] = wanted["arguments"]
        code = _run(wanted["module"])
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


def _open_streams() -> None:
    """Open standard streams as Python does when it starts."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, f"__{name}__")
        new = os.fdopen(
            number,
            "w" if number else "r",
            1 if number == 2 or os.isatty(number) else -1,
            old.encoding,
            old.errors,
            closefd=False,
        )
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)


def _run(module: str) -> int:
    """Run a module as the program, and give the status that Python would end with."""
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        code: object = 0
    except SystemExit as ended:
        code = ended.code
    except KeyboardInterrupt:
        traceback.print_exc()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    if code is None or isinstance(code, int):
        return (code or 0) & 0xFF
    print(code, file=sys.stderr)
    return 1


if __name__ == "__main__":
    main()
