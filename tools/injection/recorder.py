"""Takes down what JAX traces while a driver runs.  A child process: imports JAX and the package.

::

    python -m tools.injection.recorder PACKAGE MODULE DRIVER RECORDING [--path FOLDER ...]

Every function of the driver that needs no arguments is one of its features, and is called once.
One that fails is named in the recording.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import importlib.util
import inspect
import io
import os
import sys
import traceback
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tools.injection.recording import (
    ABSTRACT,
    BARE,
    DRIVER_FILE,
    HOLDER,
    NONE,
    OLDER,
    STATIC,
    TREE,
    Function,
    Recording,
    digest,
    with_tracers,
)

#: calls of one function whose arguments are looked at
_CALLS = 40
#: attempts to ask a tracer for its truth: under a gradient alone the answer is there
_ATTEMPTS = 8
_ANY_ARGUMENTS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
_FUNCTION_FLAGS = inspect.CO_OPTIMIZED | inspect.CO_NEWLOCALS


class _Seen:
    """What was seen of one function."""

    def __init__(self, number: int, file: str, code: types.CodeType) -> None:
        self.number = number
        self.file = file
        self.code = code
        self.names = _parameters(code)
        self.held: dict[str, set[str]] = {name: set() for name in self.names}
        self.attempts = dict.fromkeys(self.names, _ATTEMPTS)
        self.distance = sys.maxsize
        self.transforms: dict[str, None] = {}
        self.callers: dict[int, None] = {}
        self.calls = 0


class Recorder:
    """Watches the calls of the package's and the driver's functions.

    Args:
      folder: of the package.
      driver: the driver's file.
    """

    def __init__(self, folder: Path, driver: Path) -> None:
        import jax
        from jax._src import core

        self._tracer = jax.core.Tracer
        self._leaves = jax.tree.leaves
        self._refusals = (jax.errors.ConcretizationTypeError,)
        # No public name says whether a trace is current, and which.
        self._context = core.trace_ctx
        self._prefix = f"{folder}{os.sep}"
        self._parent = folder.parent
        self._driver = str(driver)
        self._files: dict[str, str | None] = {}
        self._seen: dict[types.CodeType, _Seen] = {}
        #: what is active: the frame, and what was seen of it if a trace was current when it began
        self._stack: list[tuple[types.FrameType, _Seen | None]] = []
        #: receivers of calls outside of all traces; kept alive, so that no number is used twice
        self._older: dict[int, Any] = {}

    def run(self, feature: Callable[[], object]) -> None:
        """Run something under observation."""
        self._stack.clear()
        sys.setprofile(self._event)
        try:
            feature()
        finally:
            sys.setprofile(None)

    def functions(self) -> tuple[Function, ...]:
        """What was traced, and was given tracers."""
        seen_functions = [
            Function(
                seen.file,
                seen.code.co_firstlineno,
                seen.code.co_qualname,
                seen.distance,
                {name: "".join(sorted(letters)) for name, letters in seen.held.items()},
                tuple(seen.transforms),
                tuple(seen.callers),
            )
            for seen in self._seen.values()
        ]
        return with_tracers(seen_functions)

    def _file(self, filename: str) -> str | None:
        """The file as it is named in the recording, None if it is not of interest."""
        if filename not in self._files:
            found = None
            if filename == self._driver:
                found = DRIVER_FILE
            elif filename.startswith(self._prefix):
                found = Path(filename).relative_to(self._parent).as_posix()
            self._files[filename] = found
        return self._files[filename]

    def _event(self, frame: types.FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            file = self._file(code.co_filename)
            if file is not None and _is_function(code):
                self._stack.append((frame, self._entered(frame, file)))
        elif event == "return" and self._stack and self._stack[-1][0] is frame:
            self._stack.pop()

    def _entered(self, frame: types.FrameType, file: str) -> _Seen | None:
        code = frame.f_code
        if self._context.is_top_level():
            if code.co_argcount and code.co_varnames[0] == "self":
                receiver = frame.f_locals.get("self")
                if not isinstance(receiver, self._tracer):
                    self._older[id(receiver)] = receiver
            return None
        seen = self._seen.get(code)
        if seen is None:
            seen = self._seen[code] = _Seen(len(self._seen), file, code)
        active = [outer for _, outer in self._stack if outer is not None]
        seen.distance = min(seen.distance, _distance(active))
        seen.transforms.setdefault(type(self._context.trace).__name__)
        if active:
            seen.callers.setdefault(active[-1].number)
        seen.calls += 1
        if seen.calls <= _CALLS:
            arguments = frame.f_locals
            for name in seen.names:
                if name in arguments:
                    seen.held[name].update(self._letters(seen, name, arguments[name]))
        return seen

    def _letters(self, seen: _Seen, name: str, value: Any) -> str:
        """What a parameter holds."""
        if value is None:
            return NONE
        if isinstance(value, self._tracer):
            return ABSTRACT if self._is_abstract(seen, name, value) else BARE
        older = OLDER if name == "self" and id(value) in self._older else ""
        try:
            leaves = self._leaves(value)
        except Exception:  # whatever a class of the package does to be flattened
            leaves = [value]
        if any(isinstance(leaf, self._tracer) for leaf in leaves):
            return TREE + older
        return (HOLDER if self._holds(value) else STATIC) + older

    def _holds(self, value: Any) -> bool:
        """Whether an attribute of an object leads to a tracer."""
        attributes = getattr(value, "__dict__", None)
        if not isinstance(attributes, dict) or isinstance(value, (type, types.ModuleType)):
            return False
        with contextlib.suppress(Exception):
            found = self._leaves(list(attributes.values()))
            return any(isinstance(leaf, self._tracer) for leaf in found)
        return False

    def _is_abstract(self, seen: _Seen, name: str, value: Any) -> bool:
        """Whether Python cannot ask for the truth of a tracer, shown by asking."""
        if ABSTRACT in seen.held[name]:
            return True
        if not seen.attempts[name]:
            return False
        seen.attempts[name] -= 1
        try:
            bool(value.sum() > 0)
        except self._refusals:
            return True
        except Exception:  # keys and the like have no sum
            return False
        return False


def _distance(active: Sequence[_Seen]) -> int:
    """How many functions of the package are active below the driver's innermost one.

    Those that take whatever they are given hand it on, as decorators do: they are no distance.
    """
    found = 0
    for outer in reversed(active):
        if outer.file == DRIVER_FILE:
            break
        found += outer.code.co_flags & _ANY_ARGUMENTS != _ANY_ARGUMENTS
    return found


def _is_function(code: types.CodeType) -> bool:
    """Whether it is the code of a function: no module, class or comprehension."""
    named = code.co_name == "<lambda>" or code.co_name[:1] != "<"
    return named and code.co_flags & _FUNCTION_FLAGS == _FUNCTION_FLAGS


def _parameters(code: types.CodeType) -> tuple[str, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[:count]


def features(driver: types.ModuleType) -> list[Callable[[], object]]:
    """The functions of a driver that need no arguments, in their order."""
    return [
        value
        for value in vars(driver).values()
        if isinstance(value, types.FunctionType)
        and value.__module__ == driver.__name__
        and not inspect.signature(value).parameters
    ]


def record(package: str, module: str, driver_file: Path) -> Recording:
    """Run a driver and take down what is traced.

    Args:
      package: the name of the distribution.
      module: the name of its package.
      driver_file: the driver.
    """
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{module} is not installed")
    folder = Path(next(iter(spec.submodule_search_locations)))
    driver_spec = importlib.util.spec_from_file_location("driver", driver_file)
    assert driver_spec is not None
    loader = driver_spec.loader
    assert loader is not None
    driver = importlib.util.module_from_spec(driver_spec)
    sys.modules["driver"] = driver
    recorder = Recorder(folder, driver_file)
    recorder.run(lambda: loader.exec_module(driver))
    failures = []
    for feature in features(driver):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                recorder.run(feature)
        except Exception as error:
            traceback.print_exc()
            said = str(error).strip().splitlines()
            failures.append(
                f"{feature.__name__}: {type(error).__name__}: {said[0] if said else ''}"
            )
    return Recording(
        package,
        importlib.metadata.version(package),
        digest(driver_file.read_text(encoding="utf-8")),
        recorder.functions(),
        tuple(failures),
    )


def main(arguments: Sequence[str]) -> int:
    """Record one package; 1 when a feature of the driver failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("package")
    parser.add_argument("module")
    parser.add_argument("driver", type=Path)
    parser.add_argument("recording", type=Path)
    parser.add_argument("--path", action="append", default=[], help="where packages are")
    chosen = parser.parse_args(arguments)
    sys.path[:0] = chosen.path
    found = record(chosen.package, chosen.module, chosen.driver.resolve())
    chosen.recording.write_text(found.to_json(), encoding="utf-8")
    return 1 if found.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
