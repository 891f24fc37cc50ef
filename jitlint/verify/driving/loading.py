"""The project's modules, imported with markers.

Runs in a child process only.
"""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from jitlint.verify.driving.futures import code_in
from jitlint.verify.driving.job import Job
from jitlint.verify.driving.modules import copied, is_test_file, module_of
from jitlint.verify.driving.suspicions import suspicions
from jitlint.verify.driving.time_limit import TimeUp
from jitlint.verify.recording.exceptions import described
from jitlint.verify.recording.instrument import NAME, instrument
from jitlint.verify.recording.probe import Probe
from jitlint.verify.recording.recorder import Recorder

#: the numbers of what an audit suspects follow those of all reports
_FIRST_SUSPECTED = 10_000_000


class Modules:
    """The modules of the project that were imported for a job.

    Args:
      job: the job.
      recorder: is told of what they do.

    Attributes:
      files: the files that are run with markers.
      imported: the modules by file; also one whose import failed half-way.
      trees: their trees with markers, and those of files with example calls.
    """

    def __init__(self, job: Job, recorder: Recorder) -> None:
        self.files = frozenset(job.files) | {job.filename}
        self.imported: dict[str, ModuleType] = {}
        self.trees: dict[str, ast.Module] = {}
        self._job = job
        self._root = Path(job.root)
        self._recorder = recorder
        self._of_tests: dict[str, ModuleType] = {}

    def copied(self, path: str) -> str:
        """The path of something in the copy of the project, where it is there; else as it is."""
        return copied(path, self._job.original, self._job.copy)

    def text(self, filename: str) -> str:
        """The Python of a file."""
        if filename == self._job.filename and self._job.program is not None:
            return self._job.program
        return Path(filename).read_text(encoding="utf-8")

    def compile(self, filename: str) -> CodeType:
        """The code of a file, with markers."""
        text = self.text(filename)
        places = self._recorder.places
        if self._job.audit and not is_test_file(filename):
            self._suspect(filename, text)
        made = instrument(text, filename, places.sites(filename))
        self.trees[filename] = made.tree
        places.add(filename, text, made)
        return compile(made.tree, filename, "exec", dont_inherit=True)

    def _suspect(self, filename: str, text: str) -> None:
        """Look where a silent fault may be that is not reported."""
        places = self._recorder.places
        if filename in places.lines:
            # It is imported anew; the numbers stay.
            return
        taken = {
            row
            for name, start, end in self._job.everything
            if name == filename
            for row in range(start, end + 1)
        }
        first = _FIRST_SUSPECTED + len(places.suspected)
        tree = ast.parse(text, filename)
        places.suspect(suspicions(tree, text.splitlines(), filename, taken, first))

    def prepare(self, module: ModuleType, filename: str) -> None:
        """Give a module what its markers call."""
        vars(module)[NAME] = Probe(self._recorder, filename)

    def watch(self, module: ModuleType) -> None:
        """See the clocks that a module has imported."""
        self._recorder.stopwatch.watch(module)

    def load(self, name: str, filename: str) -> str | None:
        """Import a module; the reason, if that fails."""
        if filename in self.imported:
            return None
        if filename == self._job.filename and self._job.program is not None:
            return run_program(self, self._job, self._recorder)
        if is_test_file(filename):
            self._set_up_tests(Path(filename).parent)
        try:
            importlib.import_module(name)
        except TimeUp:
            return "importing it takes too long"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._recorder.failed(error)
            return f"importing it raises {described(error)}"
        return None

    def other(self, filename: str) -> ModuleType | None:
        """Another module of the project, imported if need be."""
        if filename not in self.imported:
            name, roots = module_of(Path(filename), self._root)
            sys.path[:0] = [str(root) for root in roots if str(root) not in sys.path]
            self.load(name, filename)
        return self.imported.get(filename)

    def _set_up_tests(self, folder: Path) -> None:
        """Run each ``conftest.py`` that belongs to a folder of tests, as pytest does before it."""
        for above in (*reversed(folder.parents), folder):
            path = str(above / "conftest.py")
            inside = above == self._root or self._root in above.parents
            if not inside or path not in self.files or path in self._of_tests:
                continue
            if not Path(path).is_file():
                continue
            name, roots = module_of(Path(path), self._root)
            sys.path[:0] = [str(root) for root in roots[:1] if str(root) not in sys.path]
            if "." not in name:
                # That of each folder has the same name.
                sys.modules.pop(name, None)
            try:
                self._of_tests[path] = importlib.import_module(name)
            except (KeyboardInterrupt, TimeUp):
                raise
            except BaseException:
                # It may ask for what only pytest gives; the tests show what they lack.
                continue

    def known(self, filename: str) -> ModuleType | None:
        """What has set up tests already, which pytest is about to import once more."""
        return self._of_tests.get(filename)

    def forget(self) -> None:
        """Forget the project's modules, so that they are imported anew."""
        for name, module in list(sys.modules.items()):
            if getattr(module, "__file__", None) in self.files:
                del sys.modules[name]
        self.imported.clear()
        self._of_tests.clear()


def run_program(modules: Modules, job: Job, recorder: Recorder) -> str | None:
    """Run the Python of a notebook or of prose from its first row to its last.

    What is raised ends the cell, or outside of notebooks the statement, and no more: documents show
    errors on purpose.

    Args:
      modules: knows it afterwards.
      job: has the Python.
      recorder: is told of what it raises.

    Returns:
      The first thing that it raises, if it does.
    """
    module = ModuleType("__main__")
    modules.imported[job.filename] = sys.modules["__main__"] = module
    vars(module).update(display=_show, get_ipython=_Shell)
    modules.compile(job.filename)
    modules.prepare(module, job.filename)
    reason: str | None = None
    failed: int | None = None
    for statement in modules.trees[job.filename].body:
        rows = (statement.lineno - 1, len(job.cells) - 1)
        cell = job.cells[min(rows)] if job.cells else 0
        if cell and cell == failed:
            continue
        try:
            exec(code_in(module, ast.Module([statement], []), job.filename), vars(module))
            modules.watch(module)
        except KeyboardInterrupt:
            raise
        except TimeUp:
            return "running it takes too long"
        except BaseException as error:
            recorder.failed(error)
            failed = cell
            where = f"cell {cell}" if cell else "it"
            reason = reason or f"{where} raises {described(error)}"
    return reason


def _show(*_: object, **__: object) -> None:
    """Stands for what a notebook shows by ``display``."""


class _Shell:
    """Stands for IPython in what a notebook asks of it."""

    def __getattr__(self, name: str) -> Any:
        return _show


class Finder(importlib.abc.MetaPathFinder):
    """Finds the project's modules before any other finder does.

    Args:
      modules: where they go.
    """

    def __init__(self, modules: Modules) -> None:
        self._modules = modules

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """The specification of a module of the project, None for any other."""
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin not in self._modules.files:
            return None
        assert spec.origin is not None
        spec.loader = _Loader(fullname, spec.origin, self._modules)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module of the project with markers."""

    def __init__(self, fullname: str, path: str, modules: Modules) -> None:
        super().__init__(fullname, path)
        self._modules = modules

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._modules.known(self.path)

    def get_code(self, fullname: str) -> CodeType:
        return self._modules.compile(self.path)

    def exec_module(self, module: ModuleType) -> None:
        if self._modules.known(self.path) is module:
            return
        # Kept also when the import fails half-way: what it has defined by then can be run.
        self._modules.imported[self.path] = module
        self._modules.prepare(module, self.path)
        try:
            super().exec_module(module)
        finally:
            self._modules.watch(module)
