"""What running under JAX has shown already, with all that it depends on.

Hundreds of programs, fixes and tables are held against real JAX.  What comes out depends on the
files that are run, on those that run them, and on the versions of what they import; as long as none
of these has changed, tests do not run it again, but take it from ``tests/observed.json``.  With
``JITLINT_OBSERVE=all`` in the environment everything is run.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Generic, TypeVar

Work = TypeVar("Work")

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "tests" / "observed.json"
#: what everything runs on
BASE = ("jax", "jaxlib", "numpy")
#: what some import: the names of the module and of the package
FRAMEWORKS = {
    "flax": "flax",
    "optax": "optax",
    "equinox": "equinox",
    "chex": "chex",
    "haiku": "dm-haiku",
    "numpyro": "numpyro",
    "diffrax": "diffrax",
    "jaxopt": "jaxopt",
    "jax_dataclasses": "jax_dataclasses",
    "jmp": "jmp",
    "scipy": "scipy",
}


@dataclass(frozen=True, slots=True)
class Subject(Generic[Work]):
    """What is observed.

    Args:
      name: what it is called in the file.
      digest: of all that the outcome depends on, see :func:`digest`.
      work: what is run.
    """

    name: str
    digest: str
    work: Work


@dataclass(frozen=True, slots=True)
class Kind(Generic[Work]):
    """What is observed in one way.

    Args:
      name: what it is called in the file.
      run: runs some of it and gives what was seen of each.
      right: the outcomes that are kept.
    """

    name: str
    run: Callable[[Sequence[Work]], list[str]]
    right: frozenset[str]

    def observe(
        self, subjects: Sequence[Subject[Work]], *, everything: bool = False
    ) -> list[tuple[str, str]]:
        """What is seen of each subject, by its name: now, or before if nothing has changed.

        Args:
          subjects: what is observed.
          everything: whether all of it is run.
        """
        stored = {} if everything else _read().get(self.name, {})
        known = {it.name: _outcome(it.digest, stored.get(it.name, "")) for it in subjects}
        due = [it for it in subjects if known[it.name] is None]
        seen = self.run([it.work for it in due]) if due else []
        known.update(zip((it.name for it in due), seen, strict=True))
        return [(name, outcome or "") for name, outcome in known.items()]

    def keep(
        self, subjects: Sequence[Subject[Work]], seen: Iterable[tuple[str, str]]
    ) -> list[tuple[str, str]]:
        """Write what was seen into the file, in the place of all that it has of this kind.

        Args:
          subjects: what was observed.
          seen: what :meth:`observe` gave.

        Returns:
          What is not right, which is not kept.
        """
        digests = {it.name: it.digest for it in subjects}
        outcomes = sorted(seen)
        kept = {name: f"{digests[name]} {it}" for name, it in outcomes if it in self.right}
        document = {**_read(), self.name: kept}
        text = json.dumps(dict(sorted(document.items())), indent=1, ensure_ascii=False)
        FILE.write_text(text + "\n", encoding="utf-8")
        _read.cache_clear()
        return [(name, it) for name, it in outcomes if it not in self.right]


def names(kind: str) -> frozenset[str]:
    """What the file speaks of."""
    return frozenset(_read().get(kind, {}))


def digest(files: Iterable[Path], *more: str) -> str:
    """Tell apart what may come out differently.

    Args:
      files: all that is read, in an order that does not change.
      more: what else the outcome depends on.
    """
    texts = [path.read_bytes() for path in files]
    whole = b"\0".join(texts)
    used = [it for word, it in FRAMEWORKS.items() if re.search(rf"\b{word}\b".encode(), whole)]
    system = (platform.system(), platform.machine(), *sys.version_info[:2])
    # The lengths, so that nothing can move from one file to the next.
    known = (system, _versions((*BASE, *used)), [len(text) for text in texts], more)
    return hashlib.sha256(repr(known).encode() + whole).hexdigest()[:16]


@cache
def harness(*places: str) -> str:
    """A digest of files and folders of the repository: of what runs what is observed."""
    paths = [path for place in places for path in _files(ROOT / place)]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


def files_of(program: Path) -> list[Path]:
    """All files of a program, also those that are not Python."""
    return [program] if program.is_file() else list(_files(program, "*"))


def _files(place: Path, pattern: str = "*.py") -> Iterator[Path]:
    if place.is_file():
        yield place
    else:
        found = (path for path in place.rglob(pattern) if "__pycache__" not in path.parts)
        yield from sorted(path for path in found if path.is_file())


def _outcome(digest: str, stored: str) -> str | None:
    """What was seen before; None where it is to be run now."""
    old, _, outcome = stored.partition(" ")
    return outcome if old == digest and os.environ.get("JITLINT_OBSERVE") != "all" else None


@cache
def _read() -> dict[str, dict[str, str]]:
    if not FILE.exists():
        return {}
    stored: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return stored


@cache
def _versions(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name} {_version(name)}" for name in names)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
