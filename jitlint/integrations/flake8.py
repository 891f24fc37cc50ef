"""The flake8 plugin.

flake8 hands over one file at a time, but what is known of a function depends on the whole project.
So the first file that a process is asked about has every file of the run analysed, in one go, and
the answers for the others are looked up.  Which files and which rules are reported is for flake8's
configuration to say; import roots and a project's own transforms come from jitlint's.
"""

from __future__ import annotations

import argparse
import ast
import codecs
import io
import multiprocessing
import os
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from msgspec.structs import replace

from jitlint import __version__
from jitlint.diagnostics import Diagnostic, Severity
from jitlint.filters.diagnostic_filter import unsilenced, unused_in
from jitlint.filters.tested_code import left_to_tests
from jitlint.foundation.forks import apart
from jitlint.rules.codes import CODES, UNUSED_SUPPRESSION
from jitlint.run.execution import Run
from jitlint.run.outline import configurations_of
from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.source import suppression
from jitlint.source.file_discovery import absolute_path
from jitlint.source.suppression import FLAKE8S, Suppressions
from jitlint.usage_errors import UsageError

_STDIN = "-"

#: row, offset in the row, text that begins with the code, the plugin
Item = tuple[int, int, str, type]


class Plugin:
    """What flake8 makes for each file.

    Args:
      tree: the parsed file; that flake8 could parse it is all we take from it.
      filename: as flake8 shows it.
      lines: the file's lines, which only count for standard input.
    """

    name = "jitlint"
    version = __version__

    _session: ClassVar[_Session | None] = None

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self._filename = filename
        self._lines = lines

    @classmethod
    def parse_options(
        cls, option_manager: Any, options: argparse.Namespace, arguments: Sequence[str]
    ) -> None:
        """Take over flake8's options, before it looks at any file.

        Args:
          option_manager: flake8's; not needed.
          options: every option of the run.
          arguments: the paths of the run.

        Raises:
          flake8.exceptions.ExecutionError: jitlint's configuration is wrong.
        """
        session = cls._session = _Session(options)
        session.check_config()
        if session.forks:
            # What is found before flake8 forks need not be found again by each of its children.
            session.analyse()

    def run(self) -> Iterator[Item]:
        """Yield the reports of the file."""
        session = self._session
        if session is None:
            raise RuntimeError("flake8 gave the plugin no options")
        for item in session.reports(self._filename, self._lines):
            text = f"{item.code} {item.message}"
            yield item.location.row, item.location.column - 1, text, type(self)


@dataclass(frozen=True)
class _Found:
    """One analysis, by file.

    Args:
      run: all of it.
      by_file: the reports of each file that has some.
      files: the files it was about, by their name without symbolic links.
    """

    run: Run
    by_file: dict[str, list[Diagnostic]]
    files: dict[str, str]


class _Session:
    """One run of flake8, in one process.

    Args:
      options: flake8's.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._named = tuple(Path(name) for name in options.filenames or [os.curdir])
        self._all: _Found | None = None
        self._single: dict[str, _Found] = {}
        self._styles: Any = None
        self._exact = {*(options.select or ()), *(options.extend_select or ())}

    @property
    def forks(self) -> bool:
        """Whether flake8 is about to go on in copies of this process."""
        return self._jobs > 1 and multiprocessing.get_start_method() == "fork"

    @property
    def _jobs(self) -> int:
        """How many processes flake8 uses, as it counts them itself."""
        jobs = self._options.jobs
        if _STDIN in self._options.filenames:
            return 1
        return min((os.cpu_count() or 1) if jobs.is_auto else jobs.n_jobs, len(self._files()))

    def check_config(self) -> None:
        """Read jitlint's configuration, so that what is wrong with it stops the run at once."""
        self._told(lambda: configurations_of(Request(paths=self._existing())))

    def analyse(self) -> _Found:
        """Analyse every file of the run, once."""
        if self._all is None:
            files = tuple(Path(name) for name in self._files() if os.path.lexists(name))
            self._all = self._find(self._request(paths=self._existing(), files=files))
        return self._all

    def reports(self, filename: str, lines: Sequence[str]) -> Iterator[Diagnostic]:
        """Yield what there is to show of a file, ``# noqa`` comments left to flake8."""
        found, path = self._found(filename, lines)
        reports = found.by_file.get(path, [])
        judged = path in {str(commented) for commented in found.run.commented}
        trusted = {id(item) for item in left_to_tests(reports, found.run.configs)}
        shown = [item for item in reports if self._wanted(item) and id(item) not in trusted]
        text = found.run.sources.text(path) if shown or judged else None
        if text is None or not suppression.may_suppress(text):
            yield from shown
            return
        comments = suppression.read(text)
        ours = [comment for comment in comments.comments if comment.kind not in FLAKE8S]
        own = Suppressions(ours, comments.spans, comments.tokenized)
        yield from unsilenced(shown, own)
        enabled = self._enabled(filename) if judged else ()
        if UNUSED_SUPPRESSION in enabled:
            yield from unused_in(path, reports, enabled, comments, own)

    def _wanted(self, item: Diagnostic) -> bool:
        """Advice is shown only where its code was asked for in full."""
        return item.severity > Severity.INFO or item.code in self._exact

    def _enabled(self, filename: str) -> set[str]:
        """The codes that flake8 would show in a file, where nothing there silences them."""
        from flake8.style_guide import Decision, StyleGuideManager

        if self._styles is None:
            self._styles = StyleGuideManager(self._options, formatter=None)
        decider = self._styles.style_guide_for(filename).decider
        return {code for code in CODES if decider.decision_for(code) is Decision.Selected}

    def _found(self, filename: str, lines: Sequence[str]) -> tuple[_Found, str]:
        """The analysis that knows a file, and the name by which it does."""
        options = self._options
        if _STDIN in options.filenames and filename == options.stdin_display_name:
            request = self._request(stdin=_encoded("".join(lines)), stdin_name=filename)
            return self._alone(filename, request), str(absolute_path(Path(filename)))
        found = self.analyse()
        path = str(absolute_path(Path(filename)))
        known = found.files.get(os.path.realpath(path))
        if known is not None:
            return found, known
        # A host other than flake8's own command names a file that was no part of the run.
        return self._alone(filename, self._request(paths=(Path(path),))), path

    def _alone(self, filename: str, request: Request) -> _Found:
        if filename not in self._single:
            self._single[filename] = self._find(request)
        return self._single[filename]

    def _find(self, request: Request) -> _Found:
        # flake8's own work would have the garbage collector look through all of the analysis again
        # and again, in each of its processes.
        result: Run = self._told(lambda: apart(partial(_run, request)))
        by_file: dict[str, list[Diagnostic]] = {}
        for item in result.diagnostics:
            by_file.setdefault(item.filename, []).append(item)
        files = {os.path.realpath(path): str(path) for path in result.targets}
        return _Found(result, by_file, files)

    def _told(self, call: Any) -> Any:
        """Call a function; what the user did wrong is told in flake8's way."""
        from flake8.exceptions import ExecutionError

        try:
            return call()
        except UsageError as error:
            raise ExecutionError(f"jitlint: {error}") from None

    def _request(self, **asked: Any) -> Request:
        """A request that leaves docstrings alone, as flake8 does."""
        return Request(docstring_examples=False, **asked)

    def _existing(self) -> tuple[Path, ...]:
        """The paths of the run that decide which project it is about."""
        if _STDIN in self._options.filenames:
            return Request(stdin=b"", stdin_name=self._options.stdin_display_name).anchors
        # flake8 tells of missing files itself.
        return tuple(path for path in self._named if os.path.lexists(path)) or (Path(),)

    def _files(self) -> list[str]:
        """The files that flake8 will hand over."""
        from flake8.discover_files import expand_paths

        options = self._options
        names = expand_paths(
            paths=options.filenames,
            stdin_display_name=options.stdin_display_name,
            filename_patterns=options.filename,
            exclude=(*options.exclude, *options.extend_exclude),
        )
        return [name for name in names if name != _STDIN]


def _run(request: Request) -> Run:
    """Lint, and keep nothing but the reports."""
    return replace(run(replace(request, cache=True)), analysis=None)


def _encoded(text: str) -> bytes:
    """A text as bytes that say the same, whatever encoding its first lines name."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return text.encode(encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return codecs.BOM_UTF8 + data
