"""What an analysis looks at: the texts of a project, its targets, the modules that matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from jitlint.project.file_texts import FileText
from jitlint.project.index import ModuleIndex
from jitlint.project.project import ParseFailure, Project
from jitlint.project.units import Unit
from jitlint.source import suppression
from jitlint.source.decoding import decode
from jitlint.source.document import DecodeFailure, is_prose
from jitlint.source.open_names import DECLARING, derived_names
from jitlint.tracing.markers import has_marker

if TYPE_CHECKING:
    from jitlint.cache.stamps import Witness


class Inputs(Struct, frozen=True):
    """What an analysis is of: what can bear on the files to report on.

    Args:
      project: the project.
      files: those of its files that may be in one process with what is reported on.
      starts: those of them that can lead there: what starts elsewhere says nothing about it.
      modules: those that are looked at.
      named: the files to report on.
    """

    project: Project
    files: list[Path]
    starts: set[Path]
    modules: list[ModuleIndex]
    named: set[Path]


class Reader:
    """Reads the files of a project.

    Args:
      overlays: texts that stand for files.
      witness: takes down what is read.
    """

    def __init__(self, overlays: Mapping[Path, str], witness: Witness | None = None) -> None:
        self._overlays = overlays
        self._bytes = Path.read_bytes if witness is None else witness.read
        #: parts of notebooks that are no Python
        self.broken: list[DecodeFailure] = []

    def __call__(self, path: Path) -> str | ParseFailure:
        """The text of a file, or why there is none."""
        text = self._overlays.get(path)
        if text is None:
            try:
                data = self._bytes(path)
            except OSError as error:
                return ParseFailure(path, "unreadable", error.strerror or str(error))
            if is_prose(path) and not has_marker(data.decode("utf-8", "replace")):
                # Nothing imports it, so nothing reaches it; most prose is not about JAX.
                return ""
            document = decode(data, path)
            if isinstance(document, DecodeFailure):
                return ParseFailure(path, "syntax", document.message, document.row, document.column)
            text = document.text
            # As with a module that does not mention JAX, what is wrong in it is not our business.
            if document.broken and has_marker(text):
                self.broken.extend(document.broken)
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def settings(self, path: Path) -> str:
        """The text of a file that holds no Python, as far as it is one."""
        try:
            return self._bytes(path).decode("utf-8", "replace")
        except OSError:
            return ""


def target_files(targets: Sequence[Path], files: Sequence[Path]) -> set[Path]:
    """The files to report on.

    Args:
      targets: files or folders.
      files: every file of the project.
    """
    folders = [target for target in targets if target.is_dir()]
    named = {target for target in targets if not target.is_dir()}
    for path in files:
        if any(path.is_relative_to(folder) for folder in folders):
            named.add(path)
    return named


def has_comment(project: Project, path: Path) -> bool:
    """Whether a file has a comment that jitlint judges."""
    text = project.text(path)
    return isinstance(text, str) and suppression.may_name_rules(text)


def modules_to_index(
    project: Project,
    files: Sequence[Path],
    named: set[Path],
    *,
    single: bool,
    prefilter: bool,
    assumed: bool,
) -> list[ModuleIndex]:
    """The modules that starting points are looked for in.

    Which these are does not hang on what the user named, or what one run knows would be of no use
    to the next.

    Args:
      project: the project.
      files: those of its files that matter.
      named: the targets among them.
      single: whether the user named a single file.
      prefilter: leave out targets that do not mention JAX, if there are several.
      assumed: whether somebody assumes of functions that they are traced, which may be anywhere.
    """
    whole = single or not prefilter
    marked = []
    packages = []
    for path in files:
        text = project.file_text(path)
        if text is None:
            continue
        if assumed or text.fact(_is_marked):
            marked.append(path)
            continue
        if whole and path in named:
            # Nothing starts there, but the user is told of what cannot be parsed.
            project.module_at(path)
        if path.name == "__init__.py" and text.finds("import"):
            # What a package exports leads from one marked module to another.
            packages.append(path)
    # Whether a file is looked at must not depend on what it cannot lead to.
    known = sum(map(project.graph.bit, marked))
    wanted = [*marked, *(path for path in packages if project.graph.below(path) & known)]
    found = [module for path in wanted if (module := project.module_at(path)) is not None]
    return [*found, *_filled_in(project, files, found, {*wanted})]


def _is_marked(text: FileText) -> bool:
    return has_marker(text.source)


def _is_declared(unit: Unit) -> bool:
    return any(word in unit.code for word in DECLARING)


def _derived_in(text: FileText) -> frozenset[str]:
    return frozenset(derived_names(text.code))


def _filled_in(
    project: Project, files: Sequence[Path], modules: Sequence[ModuleIndex], known: Set[Path]
) -> Iterator[ModuleIndex]:
    """The modules that fill in what classes of other modules only declare, and do not mention JAX.

    An environment that computes by way of the project's own ``jumpy`` is stepped by whatever steps
    its base class.
    """
    #: the files that declare a class of that name, by what a module is called
    bases: dict[str, dict[str, int]] = {}
    for module in modules:
        if module.has_any(sorted(DECLARING)):
            for cls in module.classes.values():
                if any(units[-1].fact(_is_declared) for units in cls.methods.values()):
                    stem = module.path.parent.name if module.is_package else module.path.stem
                    homes = bases.setdefault(cls.name, {})
                    homes[stem] = homes.get(stem, 0) | project.graph.bit(module.path)
    for path in files if bases else ():
        text = None if path in known else project.file_text(path)
        if text is None:
            continue
        derived = text.fact(_derived_in) & bases.keys()
        declared = [home for name in derived for home in bases[name].items()]
        below = project.graph.below(path) if declared else 0
        if any(below & homes and text.finds(rf"\b{stem}\b") for stem, homes in declared):
            filled = project.module_at(path)
            if filled is not None:
                yield filled
