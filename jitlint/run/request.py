"""What a run is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import field

from jitlint.foundation.records import Record
from jitlint.source.document import Document
from jitlint.source.file_discovery import absolute_path

STDIN_NAME = "<stdin>"


class Request(Record, kw_only=True):
    """What the command line asked to be analysed.

    Args:
      paths: files and folders.
      files: report on exactly these; the paths then only say which project they belong to.
      stdin: the bytes of standard input, analysed instead of ``paths``.
      stdin_name: the name they go by.
      documents: what stands for files by their absolute paths, saved or not.
      config_file: use this configuration instead of the nearest.
      isolated: use no configuration at all.
      exclude: patterns instead of those of the configuration; None keeps them.
      extend_exclude: patterns besides.
      force_exclude: leave out what is excluded even where a path names it.
      respect_gitignore: leave out what git ignores; None leaves it to the configuration.
      prefilter: False parses every file, also those without a trace of JAX.
      docstring_examples: lint examples in docstrings too; None leaves it to the configuration.
      jobs: the most processes that share the work; None leaves it to the configuration, and that to
        how many can run at once.
      cache: keep results, and use those of earlier runs.
      cache_folder: where, instead of in the usual place.
      assume_traced: patterns of functions that somebody else will jit, besides the configured ones.
      listing: gather which functions JAX will trace.
      omissions: gather what is left out.
      early: rather say soon what may be outdated in part than find out all of it.
    """

    paths: tuple[Path, ...] = ()
    files: tuple[Path, ...] | None = None
    stdin: bytes | None = None
    stdin_name: str | None = None
    documents: Mapping[Path, Document] = field(default_factory=dict)
    config_file: Path | None = None
    isolated: bool = False
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool | None = None
    prefilter: bool = True
    docstring_examples: bool | None = None
    jobs: int | None = 1
    cache: bool = False
    cache_folder: Path | None = None
    assume_traced: tuple[str, ...] = ()
    listing: bool = False
    omissions: bool = False
    early: bool = False

    @property
    def anchors(self) -> tuple[Path, ...]:
        """The paths that decide which project and configuration the request is about."""
        if self.stdin is None:
            return self.paths
        # The named file need not exist, but its folder should.
        folder = self.stdin_path.parent
        return (folder if folder.is_dir() else Path.cwd(),)

    @property
    def stdin_path(self) -> Path:
        """The file that standard input stands for."""
        return absolute_path(Path(self.stdin_name or STDIN_NAME))
