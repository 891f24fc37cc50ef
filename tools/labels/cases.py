"""The cases of a labelled program, run under real JAX.

A program is a module or a folder of modules whose hostile lines carry labels (see
``tools.labels.comments``).  Its cases stand in a separate file:

- ``HOSTILE = {tag: callable}``: each call must raise, at the labelled line;
- ``EXPECT = {tag: (exception class name, ...)}``: what it may raise;
- ``SILENT = {tag: callable}``: each returns True when the harm shows, for what raises nothing;
- ``INNOCENT = [callable, ...]``: each must run without an error.

Everything here is meant for a child process; a parent calls ``tools.labels.checking``.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from jitlint.verify.recording.exceptions import chain, described, first_line, steps
from jitlint.verify.recording.instrument import statement_rows
from jitlint.verify.recording.real_jax import real_jax
from tools.labels.comments import Label, program_document, read_program_labels
from tools.labels.results import CaseResult


@contextlib.contextmanager
def _isolated(program: Path) -> Iterator[None]:
    """Make the program importable; afterwards forget its modules and restore JAX's settings."""
    jax = real_jax()
    folder = program if program.is_dir() else program.parent
    paths = [str(folder)]
    if (folder / "__init__.py").exists():
        paths.append(str(folder.parent))
    own = {path.stem for path in folder.glob("*.py")}
    own |= {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}
    own |= {folder.name} if len(paths) > 1 else set()

    def is_own(name: str) -> bool:
        return name.partition(".")[0] in own

    saved_path = list(sys.path)
    saved_modules = dict(sys.modules)
    saved_config = dict(jax.config.values)
    # A program may call a module `data` or `random` that something else has imported already.
    for name in [name for name in sys.modules if is_own(name)]:
        del sys.modules[name]
    sys.path[:0] = paths
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = saved_path
        for name, module in list(sys.modules.items()):
            origin = getattr(module, "__file__", None) or ""
            if is_own(name) or origin.startswith(f"{folder}{os.sep}"):
                del sys.modules[name]
        for name, module in saved_modules.items():
            if is_own(name):
                sys.modules[name] = module
        for name, value in saved_config.items():
            if jax.config.values.get(name) != value:
                jax.config.update(name, value)


def _load_cases(cases: Path) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "cases", "__file__": str(cases)}
    exec(compile(cases.read_text(encoding="utf-8"), str(cases), "exec"), namespace)
    return namespace


def run_cases(program: Path, cases: Path) -> list[CaseResult]:
    """Run every case of a program in this process, which must be a child made for it.

    Args:
      program: a module or a folder of modules, with labels.
      cases: the file of its cases.

    Returns:
      A result for every label and case; a label without a case is one that is not ok.
    """
    # JAX would otherwise drop or rearrange frames, and with them the one that is looked for.
    real_jax().config.update("jax_traceback_filtering", "off")
    name = str(program)
    program = program.resolve()
    try:
        labels = read_program_labels(program)
        if not cases.is_file():
            raise ValueError(f"no cases file {cases}")
    except (ValueError, SyntaxError) as error:
        return [CaseResult(program=name, ok=False, why=str(error))]
    with _isolated(program):
        try:
            namespace = _load_cases(cases.resolve())
        except Exception:
            why = "the cases do not load: " + traceback.format_exc(limit=-3)
            return [CaseResult(program=name, ok=False, why=why)]
        return list(_Program(name, program, labels).run(namespace))


class _Program:
    """A program whose cases are run.

    Args:
      name: what it is called in the results.
      path: the module or the folder.
      labels: the labels of its files.
    """

    def __init__(self, name: str, path: Path, labels: Mapping[Path, Sequence[Label]]) -> None:
        self._path = path
        self._result = partial(CaseResult, program=name)
        self._places: dict[str, tuple[Path, frozenset[int]]] = {}
        for file, found in labels.items():
            tree = ast.parse(program_document(file).text)
            for label in found:
                self._places[label.tag] = (file, statement_rows(tree, label.row))

    def run(self, namespace: Mapping[str, Any]) -> Iterator[CaseResult]:
        """Run the cases that a file defines."""
        hostile: Mapping[str, Callable[[], Any]] = namespace.get("HOSTILE", {})
        silent: Mapping[str, Callable[[], Any]] = namespace.get("SILENT", {})
        expect: Mapping[str, Sequence[str]] = namespace.get("EXPECT", {})
        for tag in self._places:
            if tag not in hostile and tag not in silent:
                yield self._result(tag=tag, ok=False, why="the label has no case")
        for tag, call in hostile.items():
            yield self._hostile(tag, call, expect.get(tag, ()))
        for tag, call in silent.items():
            yield self._silent(tag, call)
        for position, call in enumerate(namespace.get("INNOCENT", ())):
            yield self._innocent(position, call)

    def _hostile(self, tag: str, call: Callable[[], Any], expected: Sequence[str]) -> CaseResult:
        # A lone string is an easy slip in a cases file: ("X") instead of ("X",).
        names = (expected,) if isinstance(expected, str) else tuple(expected)
        result = partial(self._result, tag=tag, expected=names)
        place = self._places.get(tag)
        if place is None:
            return result(ok=False, why="no such label")
        try:
            call()
        except Exception as error:
            observed = self._observed(error)
        else:
            return result(ok=False, why="nothing was raised")
        path, rows = place
        file, row, exception = observed["file"], observed["row"], observed["observed"]
        why_not: str | None = None
        if exception not in {expectation.rpartition(".")[2] for expectation in names}:
            wanted = " or ".join(names) or "is not stated in EXPECT"
            why_not = f"raised {exception}, expected {wanted}"
        elif file is None:
            why_not = "no frame of the program is in the traceback"
        elif Path(file) != path or row not in rows:
            span = f"{min(rows)}-{max(rows)}"
            why_not = f"raised at {file}:{row}, the label is at {path}:{span}"
        return result(ok=why_not is None, why=why_not, **observed)

    def _silent(self, tag: str, call: Callable[[], Any]) -> CaseResult:
        result = partial(self._result, tag=tag, silent=True)
        if tag not in self._places:
            return result(ok=False, why="no such label")
        try:
            harmed = bool(call())
        except Exception as error:
            return result(ok=False, why=f"raised {described(error)}")
        return result(ok=harmed, why=None if harmed else "the harm does not show")

    def _innocent(self, position: int, call: Callable[[], Any]) -> CaseResult:
        result = partial(self._result, innocent=position)
        try:
            real_jax().block_until_ready(call())
        except Exception as error:
            return result(ok=False, why="an innocent case raised", **self._observed(error))
        return result(ok=True)

    def _observed(self, error: Exception) -> dict[str, Any]:
        """An exception, with the innermost frame of the program.

        Where a library has wrapped the error, that is the frame of its cause.
        """
        file, row = None, None
        for cause in chain(error):
            frames = [
                step for step in steps(cause) if self._holds(step.tb_frame.f_code.co_filename)
            ]
            if frames:
                file, row = frames[-1].tb_frame.f_code.co_filename, frames[-1].tb_lineno
                break
        return {
            "observed": type(error).__name__,
            "file": file,
            "row": row,
            "message": first_line(error),
        }

    def _holds(self, filename: str) -> bool:
        path = Path(filename)
        return path == self._path or path.is_relative_to(self._path)
