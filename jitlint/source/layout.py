"""Which file an imported name stands for, told from where the files lie.

Packages are found from anywhere in the project, as are modules below an import root.  A script,
which lies in a folder without ``__init__.py``, is seen from its own folder only: that folder is
where Python looks first when it is run.  Folders with one hold scripts, too: what imports a module
beside it by its bare name, and means nothing else by that, is run from there.  What a script
imports sees the folder of the script as well, wherever it lies below that.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from jitlint.foundation.packages import packages_among
from jitlint.foundation.records import Record
from jitlint.source.document import is_document

#: what programs for JAX import besides the standard library
_LIBRARIES: Final = frozenset(
    {
        "absl", "arviz", "astropy", "beartype", "blackjax", "brax", "chex", "clu", "cv2",
        "datasets", "diffrax", "distrax", "dm_control", "dm_env", "einops", "equinox", "evosax",
        "flax", "flowjax", "gym", "gymnasium", "h5py", "haiku", "hydra", "jax", "jaxlib",
        "jaxopt", "jaxtyping", "jraph", "lineax", "matplotlib", "mctx", "ml_collections",
        "mlflow", "mujoco", "mujoco_playground", "numpy", "numpyro", "omegaconf", "optax",
        "optimistix", "orbax", "pandas", "plotly", "pytest", "ray", "rlax", "safetensors",
        "scipy", "seaborn", "sklearn", "sympy", "tensorboard", "tensorboardX", "tensorflow",
        "torch", "torchvision", "tqdm", "transformers", "tyro", "wandb",
    }
)  # fmt: skip
#: names that a folder beside the one that imports them does not take away
_FOREIGN: Final = _LIBRARIES | sys.stdlib_module_names


class _Candidate(Record):
    """A file that a name may stand for.

    Args:
      path: the file.
      base: the folder that the name starts from.
    """

    path: Path
    base: Path


class Layout:
    """The files of a project as modules.

    Args:
      files: every Python file.
      roots: where imports start, the most important first.
    """

    def __init__(self, files: Sequence[Path], roots: Sequence[Path]) -> None:
        self._names: dict[Path, str] = {}
        self._candidates: dict[str, list[_Candidate]] = {}
        self._located: dict[str, dict[Path | None, Path | None]] = {}
        self._bases: dict[Path, list[Path]] = {}
        self._packages = packages_among(files)
        # Of an installed package that is linted by itself the root is the package: its folders
        # without ``__init__.py`` go by its name, too.
        roots = [base for root in roots for base in dict.fromkeys((self._above(root), root))]
        self._roots = set(roots)
        modules = [path for path in files if not is_document(path)]
        # What stands below an import root comes before what only its own package places.
        for base in dict.fromkeys(roots):
            for path in modules:
                if path.is_relative_to(base):
                    self._add(path, base)
        for path in files:
            if is_document(path):
                # Nothing can import it.
                self._names[path] = path.stem
                continue
            top = self._top(path)
            self._names[path] = _dotted(path, top) or path.stem
            if top != path.parent or path.name == "__init__.py":
                self._add(path, top)
        self._modules = set(modules)

    def name_of(self, path: Path) -> str:
        """The dotted name of a file."""
        return self._names.get(path, path.stem)

    def names_of(self, path: Path) -> tuple[str, ...]:
        """Every dotted name by which Python may know a file, that of ``name_of`` first.

        A package without ``__init__.py`` goes on upwards, to whichever folder is on Python's path:
        any within the import roots that is no package itself.
        """
        names = {self.name_of(path): None}
        if not is_document(path):
            names.update((_dotted(path, base), None) for base in self._further_bases(path.parent))
        return tuple(filter(None, names))

    def _further_bases(self, folder: Path) -> list[Path]:
        """Folders from which files of a folder may be imported, farther up than its packages."""
        found = self._bases.get(folder)
        if found is None:
            found = self._bases[folder] = [
                base
                for base in self._above(folder).parents
                if base not in self._packages and any(map(base.is_relative_to, self._roots))
            ]
        return found

    def package_of(self, path: Path) -> str:
        """The package that relative imports of a file start from, empty if it is in none.

        A folder without ``__init__.py`` in a package is a package as well: ``optax/_src``.
        """
        folder = path.parent
        nearest = next((each for each in (folder, *folder.parents) if each in self._packages), None)
        return "" if nearest is None else _dotted(folder / "__init__.py", self._above(nearest))

    def locate(self, name: str, folder: Path | None) -> Path | None:
        """The file that ``import name`` finds.

        Args:
          name: the dotted name.
          folder: where the importing module lies, None if anywhere.
        """
        # By name first: paths are slow to hash.
        located = self._located.setdefault(name, {})
        try:
            return located[folder]
        except KeyError:
            found = located[folder] = self._locate(name, folder)
            return found

    def _locate(self, name: str, folder: Path | None) -> Path | None:
        if not name:
            return None
        if folder is not None and folder not in self._packages:
            own = self._below(folder, name)
            if own is not None:
                return own
        found = self._candidates.get(name)
        foreign = name.partition(".")[0] in _FOREIGN
        if not found:
            # What lies beside it in a package: the folder is run from, package or not.  Or a script
            # farther up is, from whose folder all that it imports is seen.
            starts = [] if folder is None or foreign else [folder, *self._further_bases(folder)]
            below = (self._below(start, name) for start in starts)
            return next((path for path in below if path is not None), None)
        if foreign:
            found = [each for each in found if self._claims(each, folder)]
        if folder is None or len(found) < 2:
            return found[0].path if found else None
        # Of several copies the nearest, else the first.
        return max(found, key=lambda each: _shared(each.base, folder)).path

    def _add(self, path: Path, base: Path) -> None:
        name = _dotted(path, base)
        if name:
            candidates = self._candidates.setdefault(name, [])
            if all(each.path != path for each in candidates):
                candidates.append(_Candidate(path, base))

    def _top(self, path: Path) -> Path:
        """The folder above the outermost package of a file; a script's own folder."""
        return self._above(path.parent)

    def _above(self, folder: Path) -> Path:
        """The folder above the outermost package that a folder belongs to; itself if to none."""
        while folder in self._packages and folder.parent != folder:
            folder = folder.parent
        return folder

    def _below(self, folder: Path, name: str) -> Path | None:
        """A module that Python finds from a folder as the first of its import roots."""
        stem = folder.joinpath(*name.split("."))
        for path in (stem / "__init__.py", stem.with_name(f"{stem.name}.py")):
            if path in self._modules:
                return path
        return None

    def _claims(self, candidate: _Candidate, folder: Path | None) -> bool:
        """Whether a file goes by the name of something that is installed.

        A checkout of a library does, where imports start; so does a copy of one for the code
        beside it.
        """
        if folder is not None and candidate.base not in self._roots:
            return folder.is_relative_to(candidate.base)
        # A lone module of that name is seen from its own folder, and was found there.
        top = candidate.path.relative_to(candidate.base).parts[0]
        base = candidate.base
        # What lies in a package goes by the package's name.
        starts = base in self._roots and base not in self._packages
        return starts and (base / top) in self._packages


def _dotted(path: Path, base: Path) -> str:
    """The name of a module below a folder, empty if it has none."""
    parts = list(path.relative_to(base).with_suffix("").parts)
    if parts and parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts) if all(map(str.isidentifier, parts)) else ""


def _shared(one: Path, other: Path) -> int:
    """How many folders two folders have in common."""
    parts: Iterable[tuple[str, str]] = zip(one.parts, other.parts, strict=False)
    count = 0
    for a, b in parts:
        if a != b:
            break
        count += 1
    return count
