"""How long an editor waits for diagnostics inside a real project, beside other servers.

::

    python benchmarks/editor.py PROJECT FILE ... [--edits 9] [--command] [--interruptions 30]
                                [--beside N] [--against "pyright-langserver --stdio"]

PROJECT is copied, and each FILE (a path in it) opened in ``jitlint server``, and in each server
that it is to be compared with.  Then a line is typed into the body of one function after another,
and for each server in turn it is measured how long it takes until diagnostics of that text come,
until they are complete where the first are an early answer, how often the two differ, and how much
CPU time and memory it has used: what it holds after the last edit, and after the tenth.

--command asks ``jitlint check FILE`` with a cache about the same edits, and compares its CPU time
with that of a check of the whole project without one.  --interruptions ends that many runs over the
project at random times, as the next keystroke would, and prints how long the slowest took to end.
--beside opens so many other files of the project first.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import queue
import random
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

#: seconds after which nobody waits any more
PATIENCE = 300.0
#: seconds into a run at which it is ended at the latest
LONGEST = 8.0
#: after so many edits a server holds what it will hold after many more
FEW_EDITS = 10
#: what stands in the inbox where nothing more will come
_ENDED = "jitlint/ended"
#: a module of the project may have the name of one of Python's
_PYTHON = [sys.executable, "-P", "-m"]
_TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A language server and what it says.

    Args:
      command: starts it.
      root: the folder that the editor has open.
    """

    def __init__(self, command: Sequence[str], root: Path) -> None:
        self._command = command
        self._next = 0
        self._inbox: queue.Queue[tuple[float, dict[str, Any]]] = queue.Queue()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=root,
        )
        threading.Thread(target=self._read, daemon=True).start()
        self._request("initialize", _initialization(root))
        self.notify("initialized", {})

    def _read(self) -> None:
        out = self._process.stdout
        assert out is not None
        while True:
            length = 0
            while line := out.readline().strip():
                name, _, value = line.decode().partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            if not length:
                self._inbox.put((time.monotonic(), {"method": _ENDED}))
                return
            self._inbox.put((time.monotonic(), json.loads(out.read(length))))

    def _send(self, message: dict[str, Any]) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        stdin.flush()

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def _request(self, method: str, params: Any) -> None:
        self._next += 1
        number = self._next
        self._send({"id": number, "method": method, "params": params})
        for _, message in self._messages(PATIENCE):
            if message.get("id") == number and "method" not in message:
                return

    def _messages(self, seconds: float) -> Iterator[tuple[float, dict[str, Any]]]:
        """Yield what arrives, and answer what is asked, until nobody waits any more."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                at, message = self._inbox.get(timeout=left)
            except queue.Empty:
                return
            if message.get("method") == _ENDED:
                raise RuntimeError(f"{shlex.join(self._command)} has ended")
            if "method" in message and "id" in message:
                asked = message["method"] == "workspace/configuration"
                answer: list[dict[str, object]] | None = (
                    [{} for _ in message["params"]["items"]] if asked else None
                )
                self._send({"id": message["id"], "result": answer})
            yield at, message

    def diagnostics(self, uri: str, version: int) -> tuple[float, list[Any]]:
        """When the first diagnostics of a version of a document came, and they.

        Raises:
          TimeoutError: they did not.
        """
        for at, message in self._messages(PATIENCE):
            if message.get("method") != "textDocument/publishDiagnostics":
                continue
            params = message["params"]
            if params["uri"] == uri and params.get("version") in (None, version):
                return at, params["diagnostics"]
        raise TimeoutError(f"no diagnostics of version {version} of {uri}")

    def settle(self, seconds: float = 1.5) -> float | None:
        """Let it do what it still does.

        Returns:
          When it last said something of a document; None if it said no more.
        """
        until = self.cpu()
        last = None
        while True:
            for at, message in self._messages(seconds):
                if message.get("method") == "textDocument/publishDiagnostics":
                    last = at
            now = self.cpu()
            if now - until < 0.3 * seconds:
                return last
            until = now

    def cpu(self) -> float:
        """The CPU seconds that it has used."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def megabytes(self) -> int:
        """The memory that it holds."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) // 1024

    def end(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


def _initialization(root: Path) -> dict[str, Any]:
    return {
        "processId": os.getpid(),
        "rootUri": root.as_uri(),
        "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        "capabilities": {
            "textDocument": {
                "publishDiagnostics": {"versionSupport": True},
                "synchronization": {},
            },
            "workspace": {"configuration": True, "workspaceFolders": True},
        },
    }


def edits(text: str, count: int, rng: random.Random) -> list[str]:
    """Texts that differ by a line that was typed into the body of a function.

    Args:
      text: the text of a module.
      count: how many texts.
      rng: chooses the functions.
    """
    lines = text.splitlines(keepends=True)
    found = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and len(node.body) > 1
    ]
    made = []
    for number in range(count):
        last = rng.choice(found).body[-1]
        line = f"{' ' * last.col_offset}typed_{number} = {number}\n"
        made.append("".join([*lines[: last.lineno - 1], line, *lines[last.lineno - 1 :]]))
    return made


def _open(server: Server, path: Path) -> None:
    document = {
        "uri": path.as_uri(),
        "languageId": "python",
        "version": 1,
        "text": path.read_text(encoding="utf-8"),
    }
    server.notify("textDocument/didOpen", {"textDocument": document})


def by_server(
    commands: Sequence[Sequence[str]], root: Path, path: Path, texts: Sequence[str], beside: int
) -> None:
    """Print how long servers take for some edits of a file.

    Args:
      commands: start them.
      root: the project.
      path: the file.
      texts: what it is made into, one after the other.
      beside: how many other files are open.
    """
    others = [it for it in sorted(root.rglob("*.py")) if it != path and it.stat().st_size > 1_000]
    servers = [Server(command, root) for command in commands]
    latencies: list[list[float]] = [[] for _ in servers]
    corrected: list[list[float]] = [[] for _ in servers]
    spent: list[list[float]] = [[] for _ in servers]
    held = [0 for _ in servers]
    opened = []
    try:
        for server in servers:
            for other in others[:: max(1, len(others) // max(1, beside))][:beside]:
                _open(server, other)
            start = time.monotonic()
            _open(server, path)
            opened.append(server.diagnostics(path.as_uri(), 1)[0] - start)
            server.settle(3.0)
        for version, text in enumerate(texts, start=2):
            change = {
                "textDocument": {"uri": path.as_uri(), "version": version},
                "contentChanges": [{"text": text}],
            }
            for number, server in enumerate(servers):
                before, start = server.cpu(), time.monotonic()
                server.notify("textDocument/didChange", change)
                at, _ = server.diagnostics(path.as_uri(), version)
                latencies[number].append(at - start)
                last = server.settle()
                corrected[number] += [] if last is None else [last - start]
                spent[number].append(server.cpu() - before)
                if version == FEW_EDITS + 1:
                    held[number] = server.megabytes()
        for number, server in enumerate(servers):
            print(
                f"{path.relative_to(root)}: {Path(commands[number][0]).name}:"
                f" opened {opened[number]:.2f} s,"
                f" edited {statistics.median(latencies[number]):.2f} s"
                f" (worst {max(latencies[number]):.2f}),"
                f" {len(corrected[number])} said otherwise later"
                f" (worst after {max(corrected[number], default=0):.2f}),"
                f" {statistics.median(spent[number]):.2f} s of CPU,"
                f" {server.megabytes()} MB"
                + (f" ({held[number]} after {FEW_EDITS} edits)" if held[number] else ""),
                flush=True,
            )
    finally:
        for server in servers:
            server.end()


def _checked(root: Path, *arguments: str) -> float:
    """The CPU seconds of a check."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [*_PYTHON, "jitlint", "check", "--exit-zero", "--quiet", "--jobs", "1"]
    subprocess.run([*command, *arguments], cwd=root, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def by_command(root: Path, path: Path, texts: Sequence[str]) -> None:
    """Print what a check of a file costs after some edits, as a share of one of everything."""
    cold = _checked(root, "--no-cache", ".")
    original = path.read_text(encoding="utf-8")
    kept = ["--cache-dir", str(root.parent / "cache")]
    _checked(root, *kept, ".")
    shares = []
    for text in texts:
        path.write_text(text, encoding="utf-8")
        shares.append(_checked(root, *kept, str(path)) / cold)
    path.write_text(original, encoding="utf-8")
    print(
        f"{path.relative_to(root)}: check of the file {statistics.median(shares):.2f} of a cold run"
        f" of everything (worst {max(shares):.2f}), which takes {cold:.1f} s of CPU",
        flush=True,
    )


def interruptions(
    path: Path, texts: Sequence[str], count: int, rng: random.Random
) -> list[tuple[float, float]]:
    """How long runs take to end that the next keystroke makes needless.

    Args:
      path: the file that is open.
      texts: what it is made into, one after the other.
      count: how many runs.
      rng: chooses when.

    Returns:
      Of each, the seconds from the keystroke until the next run could begin, and how many of them
      this process had a processor for.
    """
    from jitlint.integrations.server.linting import (
        StaleError,
        Workspace,
        collect_garbage,
        lint,
    )
    from jitlint.integrations.server.open_documents import OpenDocument
    from jitlint.project.memory import Memory

    found: list[tuple[float, float]] = []
    memories: dict[Path, Memory] = {}
    longest = 0.0
    while len(found) < count:
        number = len(found)
        document = OpenDocument(path.as_uri(), path, number, texts[number % len(texts)])
        key = _Key(rng.uniform(0, min(longest, LONGEST)) if longest else None)
        start = time.monotonic()
        try:
            for _ in lint(Workspace([document]), key.is_pressed, memories):
                pass
            longest = max(longest, time.monotonic() - start)
        except StaleError:
            found.append(key.since())
        key.release()
        if len(found) % 3 == 0:
            # At times nothing is known, so that each stage of a run is met.
            memories.clear()
            collect_garbage()
    return found


class _Key:
    """A key that is pressed some time later, by somebody who notes when.

    Args:
      seconds: until then; None for never.
    """

    def __init__(self, seconds: float | None) -> None:
        self._pressed = threading.Event()
        self._moment = (0.0, 0.0)
        self._timer = None if seconds is None else threading.Timer(seconds, self._press)
        if self._timer is not None:
            self._timer.start()

    def _press(self) -> None:
        self._moment = time.monotonic(), time.process_time()
        self._pressed.set()

    def is_pressed(self) -> bool:
        return self._pressed.is_set()

    def since(self) -> tuple[float, float]:
        """Seconds since then, and of processor time."""
        wall, processor = self._moment
        return time.monotonic() - wall, time.process_time() - processor

    def release(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def _print_interruptions(file: Path, took: Sequence[tuple[float, float]]) -> None:
    wall, processor = (sorted(1000 * it for it in times) for times in zip(*took, strict=True))
    print(
        f"{file}: {len(took)} runs given up within {statistics.median(wall):.0f} ms (the slowest"
        f" {wall[-1]:.0f}), of which {statistics.median(processor):.0f} on a processor (the most"
        f" {processor[-1]:.0f})",
        flush=True,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Print what was measured.

    Args:
      argv: the arguments; those of the process by default.

    Returns:
      0.
    """
    parser = argparse.ArgumentParser(description="Measure what an editor waits for.")
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
    parser.add_argument("--edits", metavar="N", type=int, default=9)
    parser.add_argument("--against", metavar="COMMAND", action="append", default=[])
    parser.add_argument("--command", action="store_true")
    parser.add_argument("--interruptions", metavar="N", type=int, default=0)
    parser.add_argument("--beside", metavar="N", type=int, default=0)
    arguments = parser.parse_args(argv)
    commands = [[*_PYTHON, "jitlint", "server"], *map(shlex.split, arguments.against)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / arguments.project.resolve().name
        shutil.copytree(
            arguments.project,
            root,
            ignore=shutil.ignore_patterns("__pycache__", ".git", ".jitlint_cache"),
        )
        (root / "pyproject.toml").touch()
        for file in arguments.files:
            rng = random.Random(1)
            path = root / file
            texts = edits(path.read_text(encoding="utf-8"), arguments.edits, rng)
            by_server(commands, root, path, texts, arguments.beside)
            if arguments.command:
                by_command(root, path, texts)
            if arguments.interruptions:
                took = interruptions(path, texts, arguments.interruptions, rng)
                _print_interruptions(file, took)
    return 0


if __name__ == "__main__":
    sys.exit(main())
