"""A client of the language server over stdio, by hand: it sends what editors send."""

from __future__ import annotations

import json
import os
import queue
import threading
import time
from pathlib import Path
from typing import Any

from tests.commands import ROOT, Process

TIMEOUT = 60.0


class Client:
    """One server process and the messages exchanged with it."""

    def __init__(self, folders: list[Path], **options: Any) -> None:
        self.folders = folders
        self.settings: dict[str, Any] = options.pop("settings", {})
        self.pulls: bool = options.pop("pulls", False)
        self.encodings: list[str] | None = options.pop("encodings", None)
        self.related: bool = options.pop("related", True)
        self.watches: bool = options.pop("watches", False)
        self.asks: bool = options.pop("asks", False)
        self.progress: bool = options.pop("progress", False)
        self.initialization: Any = options.pop("initialization", None)
        module: str = options.pop("module", "jitlint")
        assert not options
        self.notifications: list[dict[str, Any]] = []
        self._messages: list[str] = []
        self.refreshed = 0
        self.registered: list[str] = []
        self.capabilities: dict[str, Any] = {}
        self._next = 0
        self._versions: dict[str, int] = {}
        self._inbox: queue.Queue[dict[str, Any]] = queue.Queue()
        self.process = Process("server", cwd=ROOT, module=module)
        threading.Thread(target=self._read, daemon=True).start()
        self.errors: list[str] = []
        threading.Thread(target=self._read_errors, daemon=True).start()

    def __enter__(self) -> Client:
        self.initialize()
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    # -- wire -------------------------------------------------------------------------------------

    def _read(self) -> None:
        out = self.process.stdout
        while True:
            length = 0
            while line := out.readline().strip():
                name, _, value = line.decode().partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            if not length:
                return
            self._inbox.put(json.loads(out.read(length)))

    def _read_errors(self) -> None:
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def raw(self, message: dict[str, Any]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def notify(self, method: str, params: Any = None) -> None:
        self.raw({"method": method, "params": params})

    def request(self, method: str, params: Any = None) -> Any:
        self._next += 1
        number = self._next
        self.raw({"id": number, "method": method, "params": params})
        answer = self._until(lambda m: m.get("id") == number and "method" not in m)
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    def answer_to(self, *names: str) -> dict[str, Any]:
        """Wait for the next answer to any of some requests."""
        return self._until(lambda m: m.get("id") in names and "method" not in m)

    def _until(self, wanted: Any, timeout: float = TIMEOUT) -> dict[str, Any]:
        end = time.monotonic() + timeout
        while True:
            message = self._inbox.get(timeout=max(end - time.monotonic(), 0.001))
            if "method" in message and "id" in message:
                self._answer(message)
            elif "method" in message:
                self.notifications.append(message)
                if message["method"] == "window/showMessage":
                    self._messages.append(message["params"]["message"])
            if wanted(message):
                return message

    def _answer(self, message: dict[str, Any]) -> None:
        result: Any = None
        if message["method"] == "workspace/configuration":
            result = [
                self.settings.get(item.get("scopeUri", ""), self.settings.get(""))
                for item in message["params"]["items"]
            ]
        elif message["method"] == "workspace/diagnostic/refresh":
            self.refreshed += 1
        elif message["method"] == "client/registerCapability":
            self.registered += [item["method"] for item in message["params"]["registrations"]]
        self.raw({"id": message["id"], "result": result})

    # -- what editors do --------------------------------------------------------------------------

    def initialize(self) -> None:
        general = {} if self.encodings is None else {"positionEncodings": self.encodings}
        result = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": self.folders[0].as_uri() if self.folders else None,
                "workspaceFolders": [
                    {"uri": folder.as_uri(), "name": folder.name} for folder in self.folders
                ],
                "initializationOptions": self.initialization,
                "capabilities": {
                    "general": general,
                    "window": {"workDoneProgress": self.progress},
                    "workspace": {
                        "configuration": self.pulls,
                        "workspaceFolders": True,
                        "didChangeWatchedFiles": {"dynamicRegistration": self.watches},
                        "diagnostics": {"refreshSupport": self.asks},
                    },
                    "textDocument": {
                        "publishDiagnostics": {
                            "relatedInformation": self.related,
                            "versionSupport": True,
                        },
                        "hover": {"contentFormat": ["markdown", "plaintext"]},
                        **({"diagnostic": {}} if self.asks else {}),
                    },
                    "notebookDocument": {"synchronization": {}},
                },
            },
        )
        self.capabilities = result["capabilities"]
        self.notify("initialized", {})

    def enter(self, folder: Path) -> None:
        """Add a folder to the workspace."""
        self._change_folders(added=folder)

    def leave(self, folder: Path) -> None:
        """Close all documents and remove a folder; nothing of them arrives any more."""
        for uri in self._versions:
            self.close(uri)
        self._versions.clear()
        self._change_folders(removed=folder)
        # It answers in turn.
        self.request("textDocument/hover", {"textDocument": {"uri": ""}, "position": at(0, 0)})
        self.notifications.clear()
        self._messages.clear()

    def _change_folders(self, **folders: Path) -> None:
        event: dict[str, Any] = {"added": [], "removed": []}
        for change, folder in folders.items():
            event[change] = [{"uri": folder.as_uri(), "name": folder.name}]
        self.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    def open(
        self,
        path: Path,
        text: str | None = None,
        uri: str | None = None,
        language: str = "python",
    ) -> str:
        uri = uri or path.as_uri()
        self._versions[uri] = 1
        self.notify(
            "textDocument/didOpen",
            {
                "textDocument": {
                    "uri": uri,
                    "languageId": language,
                    "version": 1,
                    "text": path.read_text(encoding="utf-8") if text is None else text,
                }
            },
        )
        return uri

    def change(self, uri: str, *changes: str | dict[str, Any]) -> int:
        self._versions[uri] = self._versions.get(uri, 0) + 1
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": uri, "version": self._versions[uri]},
                "contentChanges": [
                    {"text": change} if isinstance(change, str) else change for change in changes
                ],
            },
        )
        return self._versions[uri]

    def save(self, uri: str) -> None:
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str, version: int | None = None) -> list[dict[str, Any]]:
        """Wait for the next diagnostics of a document (of a version)."""

        def wanted(message: dict[str, Any]) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            params = message["params"]
            return params["uri"] == uri and version in (None, params.get("version"))

        return self._until(wanted)["params"]["diagnostics"]

    def diagnostics_of_each(self, *uris: str) -> list[list[dict[str, Any]]]:
        """Wait for the next diagnostics of several documents, in whichever order they come."""
        found: dict[str, list[dict[str, Any]]] = {}

        def wanted(message: dict[str, Any]) -> bool:
            published = message.get("method") == "textDocument/publishDiagnostics"
            return published and message["params"]["uri"] in uris

        while len(found) < len(uris):
            params = self._until(wanted)["params"]
            found[params["uri"]] = params["diagnostics"]
        return [found[uri] for uri in uris]

    def ask(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics of a document, asked for."""
        params = {"textDocument": {"uri": uri}}
        answer = self.request("textDocument/diagnostic", params)
        assert answer["kind"] == "full"
        return answer["items"]

    def ask_all(self, known: dict[str, str] | None = None) -> dict[str, dict[str, Any]]:
        """The reports on the whole workspace by their URIs, asked for.

        Args:
          known: the result ids of earlier reports, by URI; brought up to date.
        """
        known = {} if known is None else known
        previous = [{"uri": uri, "value": value} for uri, value in known.items()]
        answer = self.request("workspace/diagnostic", {"previousResultIds": previous})
        for item in answer["items"]:
            known.pop(item["uri"], None)
            if "resultId" in item:
                known[item["uri"]] = item["resultId"]
        return {item["uri"]: item for item in answer["items"]}

    def message(self) -> str:
        """The next message to the user, also one that came while something else was waited for."""
        while not self._messages:
            self._until(lambda m: m.get("method") == "window/showMessage")
        return self._messages.pop(0)

    def quiet(self, seconds: float) -> list[dict[str, Any]]:
        """What arrives within some seconds."""
        found: list[dict[str, Any]] = []
        end = time.monotonic() + seconds
        while True:
            try:
                left = end - time.monotonic()
                found.append(self._until(lambda m: "method" in m and "id" not in m, left))
            except queue.Empty:
                return found

    def shut_down(self) -> int:
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(TIMEOUT)


def at(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def span(start: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    return {"start": at(*start), "end": at(*end)}
