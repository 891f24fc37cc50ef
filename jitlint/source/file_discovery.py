"""Which files a run is about: from PATH arguments to Python files, and the project's root."""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from jitlint.foundation.packages import is_package
from jitlint.source.document import DOCUMENT_SUFFIXES

PYTHON_SUFFIXES = (".py", ".pyw")
_ROOT_MARKERS = ("pyproject.toml", "setup.cfg", "setup.py", ".git")

# Folders that hold no code of the project: version control, environments, caches, build results.
DEFAULT_EXCLUDES = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".jitlint_cache",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)

Excluder = Callable[[Path], bool]
ErrorHandler = Callable[[OSError], None]
FolderHandler = Callable[[str, os.stat_result], None]


def is_python_file(name: str) -> bool:
    """Whether a file of this name holds Python source."""
    return name.endswith(PYTHON_SUFFIXES)


def is_source_file(name: str) -> bool:
    """Whether a file of this name holds Python, be it among other things."""
    return name.lower().endswith((*PYTHON_SUFFIXES, *DOCUMENT_SUFFIXES))


def is_environment(folder: Path | str) -> bool:
    """Whether a folder is a virtual environment, whatever its name."""
    return os.path.isfile(os.path.join(folder, "pyvenv.cfg"))  # noqa: PTH113, PTH118 - hot


class PatternSet:
    """Glob patterns as ``exclude`` and ``per-file-ignores`` take them.

    A pattern without a slash matches a file or folder of that name anywhere; one with a slash is
    relative to the configuration's folder.  ``*`` crosses slashes.

    Args:
      patterns: the globs.
      base: the folder that patterns with a slash are relative to.
    """

    def __init__(self, patterns: Iterable[str], base: Path) -> None:
        names: list[str] = []
        paths: list[str] = []
        for pattern in patterns:
            cleaned = pattern.replace("\\", "/").rstrip("/").removeprefix("./")
            if not cleaned:
                continue
            if "/" in cleaned:
                anchored = cleaned if cleaned.startswith("/") else f"{_escape(base)}/{cleaned}"
                paths.append(anchored)
            else:
                names.append(cleaned)
        # Nearly all patterns are plain names: one set look-up instead of a regular expression.
        self._plain = frozenset(name for name in names if not _has_magic(name))
        self._name = _alternation(name for name in names if _has_magic(name))
        self._path = _alternation(paths)

    def matches(self, path: Path) -> bool:
        """Whether this very file or folder is named by a pattern."""
        name = path.name
        if name in self._plain or (self._name is not None and self._name.match(name)):
            return True
        return self._path is not None and self._path.match(path.as_posix()) is not None

    def matches_below(self, path: Path, top: Path) -> bool:
        """Whether the path or a folder between it and ``top`` is named by a pattern."""
        current = path
        while current != top:
            if self.matches(current):
                return True
            parent = current.parent
            if parent == current:
                return False
            current = parent
        return False


def _has_magic(pattern: str) -> bool:
    return any(character in pattern for character in "*?[")


def _escape(folder: Path) -> str:
    """A folder as a literal glob."""
    return re.sub(r"([*?[])", r"[\1]", folder.as_posix().rstrip("/"))


def _alternation(patterns: Iterable[str]) -> re.Pattern[str] | None:
    translated = [fnmatch.translate(pattern) for pattern in patterns]
    return re.compile("|".join(translated)) if translated else None


def make_excluder(patterns: Iterable[str], base: Path) -> Excluder:
    """Build the test that decides which files and folders are left out.

    Args:
      patterns: globs, see :class:`PatternSet`.
      base: the folder they are relative to.

    Returns:
      A function of an absolute path; true for what is left out.  The walk asks it about every
      folder on the way down, so it need not look at parents.
    """
    pattern_set = PatternSet(patterns, base)

    def excluded(path: Path) -> bool:
        return pattern_set.matches(path)

    return excluded


def walk(
    top: Path,
    exclude: Excluder,
    on_error: ErrorHandler | None = None,
    on_folder: FolderHandler | None = None,
    foreign: Callable[[str], bool] = is_environment,
) -> Iterator[Path]:
    """Yield the Python files under a folder, sorted, each real folder once.

    Symbolic links to folders are followed, and a folder that was already visited under another
    name is not visited again, so loops end.  Links that lead nowhere are yielded: that they cannot
    be read is for the reader to say.

    Args:
      top: the folder; not itself tested against ``exclude``.
      exclude: true for what is left out.
      on_error: is told of each folder that cannot be listed; it is passed over.
      on_folder: is told of each folder before it is listed, and of foreign ones.
      foreign: true for folders that are no part of it, whatever is left out.

    Yields:
      Paths that start with ``top``.
    """
    seen: set[tuple[int, int]] = set()
    # An explicit stack: a generated tree may be deeper than Python's own.
    stack: list[str] = [str(top)]
    while stack:
        folder = stack.pop()
        try:
            status = os.stat(folder)  # noqa: PTH116 - pathlib is slow here
            key = (status.st_dev, status.st_ino)
            if key in seen:
                continue
            seen.add(key)
            if on_folder is not None:
                on_folder(folder, status)
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if on_error is not None:
                on_error(error)
            continue
        subfolders: list[str] = []
        for entry in listed:
            if _is_folder(entry):
                if exclude(Path(entry.path)):
                    continue
                if not foreign(entry.path):
                    subfolders.append(entry.path)
                elif on_folder is not None:
                    # What makes it so is in there, and may be gone the next time.
                    with suppress(OSError):
                        on_folder(entry.path, entry.stat())
            elif is_source_file(entry.name) and _may_be_source(entry):
                path = Path(entry.path)
                if not exclude(path):
                    yield path
        stack.extend(reversed(subfolders))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        # A symbolic link to itself.
        return False


def _may_be_source(entry: os.DirEntry[str]) -> bool:
    """False for pipes and devices, and for the dangling links by which Emacs locks a file."""
    if entry.is_symlink():
        return not entry.name.startswith(".#")
    return entry.is_file()


def find_targets(
    paths: Sequence[Path],
    exclude: Excluder,
    on_error: ErrorHandler | None = None,
    on_folder: FolderHandler | None = None,
) -> list[Path]:
    """Expand PATH arguments to the files to report on.

    A file that is named is taken whatever its name and whatever is excluded: naming it is a
    decision.  Folders are walked.

    Args:
      paths: existing files and folders.
      exclude: true for what is left out of walks.
      on_error: is told of each folder that cannot be listed.
      on_folder: is told of each folder before it is listed.

    Returns:
      Absolute paths in the order of the arguments, each real file once.
    """
    found: dict[str, Path] = {}
    real_folders: dict[str, str] = {}
    for path in paths:
        absolute = absolute_path(path)
        is_folder = absolute.is_dir()
        files = walk(absolute, exclude, on_error, on_folder) if is_folder else iter([absolute])
        for file in files:
            found.setdefault(_real_name(file, real_folders), file)
    return list(found.values())


def project_files(
    root: Path,
    targets: Iterable[Path],
    besides: Iterable[Path],
    exclude: Excluder | None = None,
    on_folder: FolderHandler | None = None,
) -> list[Path]:
    """Everything that an analysis reads.

    A folder that nothing marks as a project ends where another project begins: a script in a home
    folder has nothing to do with all that is checked out there.

    Args:
      root: the project root.
      targets: files or folders to report on.
      besides: files that may not exist.
      exclude: tells which paths of the project are left out.
      on_folder: is told of each folder before it is listed.

    Returns:
      The files, each once.
    """
    found: dict[Path, None] = {}
    targets = list(targets)
    refuse = exclude or (lambda path: False)
    if root.is_dir():
        foreign = is_environment if is_marked(root) else _other_projects(targets)
        found.update(dict.fromkeys(walk(root, refuse, on_folder=on_folder, foreign=foreign)))
    for path in targets:
        if path.is_dir():
            found.update(dict.fromkeys(walk(path, refuse, on_folder=on_folder)))
        else:
            found[path] = None
    found.update(dict.fromkeys(besides))
    return list(found)


def _other_projects(targets: Iterable[Path]) -> Callable[[str], bool]:
    """Tells which folders are environments, or projects that hold none of the targets."""
    holding = {str(above) for path in targets for above in (path, *path.parents)}
    return lambda folder: (
        is_environment(folder) or (folder not in holding and is_marked(Path(folder)))
    )


def _real_name(file: Path, real_folders: dict[str, str]) -> str:
    """The file's name without symbolic links, resolving each folder only once."""
    if os.path.islink(file):  # noqa: PTH114 - hot
        return os.path.realpath(file)
    folder, name = os.path.split(file)
    real = real_folders.get(folder)
    if real is None:
        real = real_folders[folder] = os.path.realpath(folder)
    return os.path.join(real, name)  # noqa: PTH118 - hot


def absolute_path(path: Path) -> Path:
    """Absolute and without ``..``, but with symbolic links kept as the user wrote them."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - Path.resolve would follow links


def project_root(paths: Sequence[Path]) -> Path:
    """Find the project that the paths belong to.

    The nearest ancestor of their common folder with a project file, unless a virtual environment
    or ``site-packages`` lies between the two: an installed package is no part of the project whose
    environment it sits in.

    Args:
      paths: files and folders; with none, the current folder.

    Returns:
      The root.  Where no ancestor is marked it is the folder above the outermost package, of which
      the common folder is a part; of an installed package, the package.
    """
    common = common_folder(paths)
    for folder in (common, *common.parents):
        if is_marked(folder):
            return folder
        if folder.name == "site-packages" or is_environment(folder):
            break
    root = common
    while is_package(root):
        if _holds_installed(root.parent):
            return root
        root = root.parent
    return root


def _holds_installed(folder: Path) -> bool:
    """Whether packages are installed in a folder, ``pip install --target`` included."""
    return folder.name == "site-packages" or any(folder.glob("*.dist-info"))


def is_marked(folder: Path) -> bool:
    """Whether something in a folder says that it is the root of a project."""
    return any((folder / marker).exists() for marker in _ROOT_MARKERS)


def common_folder(paths: Sequence[Path]) -> Path:
    """The deepest folder that holds all the paths; the current folder for none."""
    folders = []
    for path in paths:
        absolute = absolute_path(path)
        folders.append(absolute if absolute.is_dir() else absolute.parent)
    if not folders:
        return Path.cwd()
    try:
        return Path(os.path.commonpath(folders))
    except ValueError:
        # Paths on different drives have nothing in common.
        return folders[0]
