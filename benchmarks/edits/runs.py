"""The command and the server as an edit asks them: in a child of this process, without a start.

This process imports jitlint and never runs it, so that every child begins as a new process does.
"""

from __future__ import annotations

import contextlib
import gc
import json
import multiprocessing
import os
import pickle
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.edits.sources import Files
from tools.preloading import preload

Reports = Sequence[Mapping[str, Any]]
_CHECK = ("check", "--exit-zero", "--output-format", "json", "--min-severity", "info", "--quiet")
#: what a run may take, in seconds, before it counts as one that hangs
_PATIENCE = 600.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What was said of a project.

    Args:
      reports: as the JSON format has them.
      said: the lines on standard error, or what could not be done.
      exit_code: of the command; -1 where something was raised.
      seconds: of CPU, in user mode and the system's.
      interpreted: how many parts were interpreted; None where nobody can tell.
    """

    reports: Reports
    said: Sequence[str]
    exit_code: int
    seconds: float
    interpreted: int | None

    def of(self, files: Sequence[Path]) -> Answer:
        """The same cut down to some files."""
        names = {str(path) for path in files}
        kept = [item for item in self.reports if item["filename"] in names]
        return Answer(kept, self.said, self.exit_code, self.seconds, self.interpreted)


def prepare() -> None:
    """Import what a run needs, so that children have it."""
    preload()


def command(
    root: Path,
    *arguments: str,
    cache: Path | None,
    killed_after: float | None = None,
    first: Callable[[], object] = bool,
) -> Answer:
    """Run ``jitlint check`` in a folder.

    Args:
      root: the current folder.
      arguments: more of them.
      cache: where results are kept; None to do without.
      killed_after: seconds after which the process is killed.
      first: is called in the process of the run before it begins.

    Returns:
      What it said.
    """
    kept = ["--no-cache"] if cache is None else ["--cache-dir", str(cache)]
    chosen = [*_CHECK, *kept, *arguments]
    if "--jobs" not in arguments:
        chosen += ["--jobs", "1"]

    def work() -> tuple[str, str, int, int | None]:
        first()
        return _checked(root, chosen)

    found, seconds = in_child(work, killed_after)
    if found is None:
        return Answer((), (), -1, seconds, None)
    out, err, code, interpreted = found
    try:
        reports = json.loads(out) if out.strip() else []
    except ValueError:
        reports, err = [], f"no JSON: {out[:300]!r}\n{err}"
    return Answer(reports, err.splitlines(), code, seconds, interpreted)


def linted_files(root: Path) -> set[Path]:
    """The files that a run over a whole project reports on."""
    found, _ = in_child(lambda: _checked(root, ["check", "--show-files"]))
    return set() if found is None else {root / line for line in found[0].splitlines()}


def _checked(root: Path, arguments: Sequence[str]) -> tuple[str, str, int, int | None]:
    from jitlint.cli.main import main

    made = _parts_made()
    os.chdir(root)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        sys.stdout, sys.stderr = out, err
        try:
            code = main(list(arguments))
        except SystemExit as stopped:
            code = stopped.code if isinstance(stopped.code, int) else -1
        out.seek(0)
        err.seek(0)
        count = None if made is None else sum(len(parts.interpreted) for parts in made)
        return out.read(), err.read(), code, count


def _parts_made() -> list[Any] | None:
    """Has what knows the parts of earlier runs put into a list when it is made."""
    try:
        from jitlint.cache.folder import PartFolder
    except ImportError:
        return None
    made: list[Any] = []
    original = PartFolder.__init__

    def listed(self: Any, *arguments: Any, **named: Any) -> None:
        original(self, *arguments, **named)
        made.append(self)

    PartFolder.__init__ = listed  # type: ignore[method-assign]
    return made


def in_child(
    work: Callable[[], Any], killed_after: float | None = None
) -> tuple[Any | None, float]:
    """Do something in a child of this process.

    Args:
      work: gives what can be pickled.
      killed_after: seconds after which the child is killed.

    Returns:
      What came of it, None where the child was killed; and its seconds of CPU.

    Raises:
      RuntimeError: the child failed.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            gc.enable()
            # Several processes of one run have a group that can be killed.
            os.setpgid(0, 0)
            data = pickle.dumps(work())
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(data)
            code = 0
        except BaseException:
            import traceback

            traceback.print_exc(file=sys.__stderr__)
        finally:
            os._exit(code)
    os.close(writing)
    if killed_after is not None:
        time.sleep(killed_after)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    if status or not data:
        if killed_after is not None:
            return None, seconds
        raise RuntimeError(f"a run failed with status {status}")
    return pickle.loads(data), seconds


class Server:
    """A server's memory of one project, in a process of its own.

    Args:
      root: the project.
    """

    def __init__(self, root: Path) -> None:
        context = multiprocessing.get_context("fork")
        self._root = root
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(root, other), daemon=True)
        self._process.start()
        other.close()

    def ask(self, opened: Mapping[str, str], *, folder: bool) -> Answer:
        """Lint what is open.

        Args:
          opened: the texts of open files by their names.
          folder: whether all of the project is reported on.

        Returns:
          What was found.

        Raises:
          RuntimeError: the server failed.
        """
        self._pipe.send((dict(opened), folder))
        if not self._pipe.poll(_PATIENCE):
            raise RuntimeError("the server does not answer")
        answer = self._pipe.recv()
        if isinstance(answer, str):
            raise RuntimeError(answer)
        found: Answer = answer
        return found

    def end(self) -> None:
        """End its process."""
        self._pipe.close()
        self._process.kill()
        self._process.join()


def fresh_server(root: Path, opened: Mapping[str, str], *, folder: bool) -> Answer:
    """What a server says that remembers nothing."""
    server = Server(root)
    try:
        return server.ask(opened, folder=folder)
    finally:
        server.end()


def _serve(root: Path, pipe: Connection) -> None:
    from jitlint.analysis import recalled

    # There is an early answer wherever there can be one; what comes after it is compared.
    recalled.STEPS_WAITED_FOR = -1  # type: ignore[misc]
    memories: dict[Path, Any] = {}
    while True:
        try:
            opened, folder = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(_linted(root, opened, memories, folder=folder))
        except Exception:
            import traceback

            pipe.send(traceback.format_exc())


def _linted(
    root: Path, opened: Mapping[str, str], memories: dict[Path, Any], *, folder: bool
) -> Answer:
    from jitlint.diagnostics import Severity
    from jitlint.integrations.server.linting import Workspace, lint, lint_folder
    from jitlint.integrations.server.open_documents import OpenDocument
    from jitlint.integrations.server.settings import Settings
    from jitlint.project.memory import Memory
    from jitlint.usage_errors import UsageError

    settings = Settings(min_severity=Severity.INFO)
    documents = [
        OpenDocument((root / name).as_uri(), root / name, 1, text) for name, text in opened.items()
    ]
    workspace = Workspace(documents, folders={root: settings}, settings=settings)
    before = resource.getrusage(resource.RUSAGE_SELF)
    failures: list[str] = []
    if folder:
        memory = memories.setdefault(root, Memory())
        try:
            every = [lint_folder(root, workspace, lambda: False, memory)]
        except UsageError as error:
            # Whoever asks for a whole folder is told of it, as by the command.
            every, failures = [], [str(error)]
    else:
        every = [*lint(workspace, lambda: False, memories)]
    latest: dict[Path, list[dict[str, Any]]] = {}
    for found in every:
        failures = list(found.failures)
        for path, items in found.reports.items():
            latest[path] = [json.loads(json.dumps(dict(item.to_json()))) for item in items]
    reports = [item for path in sorted(latest, key=str) for item in latest[path]]
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    parts = [getattr(memory, "parts", None) for memory in memories.values()]
    counts = [len(each.interpreted) for each in parts if each is not None]
    return Answer(reports, failures, 0, seconds, sum(counts) if counts else None)


def write(root: Path, old: Files, new: Files, rng: random.Random | None = None) -> None:
    """Have a folder hold some files.

    Args:
      root: the folder.
      old: the files that it holds.
      new: those that it shall hold.
      rng: decides which times they have: now, long ago, or those of before; now if it is None.
    """
    for name in old.keys() - new:
        (root / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            for parent in (root / name).relative_to(root).parents:
                if parent != Path():
                    (root / parent).rmdir()
    for name, text in new.items():
        if old.get(name) == text:
            continue
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.stat() if path.exists() else None
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        roll = 0.0 if rng is None else rng.random()
        if roll > 0.85 and before is not None:
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        elif roll > 0.4 and rng is not None:
            long_ago = time.time() - rng.randrange(3600, 10**6)
            os.utime(path, (long_ago, long_ago))
    if rng is not None and rng.random() < 0.5:
        for path in (root, *root.rglob("*")):
            if path.is_dir() or rng.random() < 0.2:
                long_ago = time.time() - rng.randrange(3600, 10**6)
                with contextlib.suppress(OSError):
                    os.utime(path, (long_ago, long_ago))


def read(folder: Path) -> Files:
    """The files of a project that are texts."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or "__pycache__" in name or ".jitlint_cache" in name:
            continue
        try:
            found[name] = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
    found.setdefault("pyproject.toml", "")
    return found
