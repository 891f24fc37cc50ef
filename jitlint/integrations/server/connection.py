"""The server on stdio; the only module that knows pygls."""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lsprotocol import types

from jitlint import __version__
from jitlint.config.config_files import FILE_NAMES
from jitlint.integrations.server.actions import FIX_ALL
from jitlint.integrations.server.announcement import Word
from jitlint.integrations.server.client_session import Client, Session
from jitlint.integrations.server.positions import Encoding
from jitlint.integrations.server.settings import SECTION

log = logging.getLogger(__name__)

_WATCHED = ("**/*.py", "**/*.pyw", *(f"**/{name}" for name in FILE_NAMES), "**/.gitignore")
_WATCH_ID = "jitlint-watched-files"
_CONFIGURATION_ID = "jitlint-configuration"
#: pygls' own handlers of what we keep ourselves
_OURS = (
    "lsp_text_document__did_open",
    "lsp_text_document__did_change",
    "lsp_text_document__did_close",
    "lsp_notebook_document__did_open",
    "lsp_notebook_document__did_change",
    "lsp_notebook_document__did_close",
)


def serve() -> int:
    """Serve the client on standard input and output until it says ``exit`` or goes away.

    Returns:
      The exit code: 0 where the client asked for a shutdown before.
    """
    output = sys.stdout.buffer
    # Whatever else is printed must not come between the messages.
    sys.stdout = sys.stderr
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s: %(message)s")
    logging.getLogger("jitlint").setLevel(logging.INFO)
    # It logs every cancelled request.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = _make_server()
    server.start_io(sys.stdin.buffer, output)
    return 0 if server.was_shut_down else 1


def check_installed() -> None:
    """Import what serving needs.

    Raises:
      ImportError: it is not installed.
    """
    import pygls.lsp.server  # noqa: F401


def _make_server() -> Any:
    from pygls.lsp.server import LanguageServer
    from pygls.protocol import LanguageServerProtocol, default_converter

    # pygls keeps documents too, but splits lines at form feeds, which the protocol does not, and
    # fails on messages about documents that it does not know.  What is None is not registered.
    protocol = type("Protocol", (LanguageServerProtocol,), dict.fromkeys(_OURS))

    class Server(LanguageServer):
        """A server that knows whether it was shut down."""

        was_shut_down = False

    server = Server(
        "jitlint",
        __version__,
        types.TextDocumentSyncKind.Incremental,
        types.NotebookDocumentSyncOptions(
            [
                types.NotebookDocumentFilterWithCells(
                    cells=[types.NotebookCellLanguage("python")],
                    notebook=types.NotebookDocumentFilterNotebookType("jupyter-notebook"),
                )
            ],
            save=True,
        ),
        protocol_cls=protocol,
        converter_factory=default_converter,
    )
    Connection(server).register()
    return server


class Connection:
    """Between pygls' server and our session.

    Args:
      server: pygls' server.
    """

    def __init__(self, server: Any) -> None:
        self._server = server
        self._loop: asyncio.AbstractEventLoop | None = None
        self._capabilities = types.ClientCapabilities()
        self._session = Session(
            publish=server.text_document_publish_diagnostics,
            tell=self._tell,
            hand=self._hand,
            refresh=self._refresh,
            progress=self._progress,
        )
        #: what is to be said of tokens that the client has not accepted yet
        self._unaccepted: dict[str, list[Word]] = {}
        self._refused: set[str] = set()
        self._tasks: set[asyncio.Future[None]] = set()

    def register(self) -> None:
        """Tell pygls what we answer."""
        session = self._session
        handlers: Mapping[str, Callable[[Any], Any]] = {
            types.INITIALIZE: self._initialize,
            types.INITIALIZED: self._initialized,
            types.SHUTDOWN: self._shutdown,
            types.TEXT_DOCUMENT_DID_OPEN: lambda params: session.open(params.text_document),
            types.TEXT_DOCUMENT_DID_CHANGE: session.change,
            types.TEXT_DOCUMENT_DID_SAVE: lambda params: session.save(params.text_document.uri),
            types.TEXT_DOCUMENT_DID_CLOSE: lambda params: session.close(params.text_document.uri),
            types.NOTEBOOK_DOCUMENT_DID_OPEN: session.open_notebook,
            types.NOTEBOOK_DOCUMENT_DID_CHANGE: session.change_notebook,
            types.NOTEBOOK_DOCUMENT_DID_SAVE: lambda params: session.relint(at_once=True),
            types.NOTEBOOK_DOCUMENT_DID_CLOSE: session.close_notebook,
            types.TEXT_DOCUMENT_DIAGNOSTIC: session.diagnose,
            types.TEXT_DOCUMENT_HOVER: session.hover,
            types.TEXT_DOCUMENT_CODE_ACTION: session.code_actions,
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: self._configuration_changed,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: lambda params: session.relint(at_once=True),
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self._folders_changed,
        }
        options: Mapping[str, Any] = {
            types.TEXT_DOCUMENT_DIAGNOSTIC: types.DiagnosticOptions(
                identifier="jitlint", inter_file_dependencies=True, workspace_diagnostics=False
            ),
            types.TEXT_DOCUMENT_CODE_ACTION: types.CodeActionOptions(
                code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL]
            ),
        }
        for name, handler in handlers.items():
            self._server.feature(name, options.get(name))(_as_function(handler))

    # -- life -------------------------------------------------------------------------------------

    def _initialize(self, params: types.InitializeParams) -> None:
        self._loop = asyncio.get_running_loop()
        self._capabilities = params.capabilities
        self._session.client = _client(params.capabilities)
        self._session.documents.encoding = Encoding(self._server.workspace.position_encoding)
        folders = list(params.workspace_folders or ())
        root = params.root_uri
        if root is None and params.root_path is not None:
            root = Path(params.root_path).absolute().as_uri()
        if not folders and root is not None:
            folders = [types.WorkspaceFolder(root, "")]
        self._session.add_folders(folders)
        self._session.configure(_section(params.initialization_options))
        self._offer_all_files()

    async def _initialized(self, params: types.InitializedParams) -> None:
        await self._register_with_client()
        await self._pull_configuration()
        self._session.relint(at_once=True)

    def _offer_all_files(self) -> None:
        """Answer for the whole workspace, unless it is known that nobody wants that.

        pygls says so to the client if there is a handler when `initialize` is answered.
        """
        workspace = self._capabilities.workspace
        every = (self._session.settings, *self._session.folders.values())
        told_later = workspace is not None and bool(workspace.configuration)
        if told_later or any(settings.workspace_diagnostics for settings in every):
            answer = _as_function(self._session.all_files.answer)
            self._server.feature(types.WORKSPACE_DIAGNOSTIC)(answer)

    def _shutdown(self, params: Any) -> None:
        self._session.stop()
        self._server.was_shut_down = True

    # -- configuration ----------------------------------------------------------------------------

    async def _configuration_changed(self, params: types.DidChangeConfigurationParams) -> None:
        if not await self._pull_configuration():
            self._session.configure(_section(params.settings))
        self._session.relint(at_once=True)

    async def _folders_changed(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        self._session.remove_folders(params.event.removed)
        self._session.add_folders(params.event.added)
        await self._pull_configuration()
        self._session.relint(at_once=True)

    async def _pull_configuration(self) -> bool:
        """Ask the client for our settings; false where it cannot be asked."""
        workspace = self._capabilities.workspace
        if workspace is None or not workspace.configuration:
            return False
        folders = list(self._session.folders)
        items = [types.ConfigurationItem(section=SECTION)]
        items += [types.ConfigurationItem(folder.as_uri(), SECTION) for folder in folders]
        try:
            answer = await self._server.workspace_configuration_async(
                types.ConfigurationParams(items)
            )
        except Exception:  # a client that fails to answer has no settings for us
            log.exception("the client did not tell its configuration")
            return False
        found = [*answer, *[None] * len(items)]
        if all(item is None for item in found):
            # Nothing is configured: what came with `initialize` goes on to hold.
            return True
        inner = {
            folder: found[0] if value is None else value
            for folder, value in zip(folders, found[1:], strict=False)
        }
        self._session.configure(found[0], inner)
        return True

    async def _register_with_client(self) -> None:
        """Ask to be told of what changes on disk and in the configuration."""
        workspace = self._capabilities.workspace
        wanted: list[types.Registration] = []
        if workspace is not None:
            files = workspace.did_change_watched_files
            if files is not None and files.dynamic_registration:
                watchers = [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
                wanted.append(
                    types.Registration(
                        _WATCH_ID,
                        types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                        types.DidChangeWatchedFilesRegistrationOptions(watchers),
                    )
                )
            configuration = workspace.did_change_configuration
            if configuration is not None and configuration.dynamic_registration:
                wanted.append(
                    types.Registration(
                        _CONFIGURATION_ID,
                        types.WORKSPACE_DID_CHANGE_CONFIGURATION,
                        types.DidChangeConfigurationRegistrationOptions(section=SECTION),
                    )
                )
        if not wanted:
            return
        try:
            await self._server.client_register_capability_async(types.RegistrationParams(wanted))
        except Exception:  # then it does not tell; saving still does
            log.exception("the client did not register what we asked to be told")

    # -- talking ----------------------------------------------------------------------------------

    def _hand(self, call: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)

    def _refresh(self) -> None:
        if self._session.client.refreshes:
            self._server.workspace_diagnostic_refresh(None)

    def _progress(self, token: str, word: Word) -> None:
        if isinstance(word, types.WorkDoneProgressBegin):
            self._unaccepted[token] = [word]
            task = asyncio.ensure_future(self._begin_progress(token))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif token in self._unaccepted:
            self._unaccepted[token].append(word)
        elif token not in self._refused:
            self._server.progress(types.ProgressParams(token, word))

    async def _begin_progress(self, token: str) -> None:
        """Ask the client to show how far something is, and tell it once it does."""
        try:
            await self._server.window_work_done_progress_create_async(
                types.WorkDoneProgressCreateParams(token)
            )
        except Exception:  # then it is not told of this one
            self._refused.add(token)
        for word in self._unaccepted.pop(token):
            if token not in self._refused:
                self._server.progress(types.ProgressParams(token, word))

    def _tell(self, kind: types.MessageType, message: str) -> None:
        self._server.window_show_message(types.ShowMessageParams(kind, message))


def _as_function(handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that pygls can mark, which it cannot do with a bound method."""
    if inspect.iscoroutinefunction(handler):

        async def answer_later(params: Any) -> Any:
            return await handler(params)

        return answer_later

    def answer(params: Any) -> Any:
        return handler(params)

    return answer


def _client(capabilities: types.ClientCapabilities) -> Client:
    text = capabilities.text_document
    window = capabilities.window
    progress = window is not None and bool(window.work_done_progress)
    if text is None:
        return Client(related=False, progress=progress)
    diagnostics = text.publish_diagnostics
    workspace = capabilities.workspace
    asked_again = None if workspace is None else workspace.diagnostics
    hover = text.hover
    formats = None if hover is None else hover.content_format
    return Client(
        related=diagnostics is not None and bool(diagnostics.related_information),
        markdown=formats is None or types.MarkupKind.Markdown in formats,
        pulls=text.diagnostic is not None,
        refreshes=asked_again is not None and bool(asked_again.refresh_support),
        progress=progress,
    )


def _section(value: Any) -> Any:
    """Our part of settings: clients send it with or without the section's name around it."""
    if isinstance(value, Mapping) and SECTION in value:
        return value[SECTION]
    if value is not None and not isinstance(value, Mapping) and hasattr(value, "_asdict"):
        return _section(value._asdict())
    return value
