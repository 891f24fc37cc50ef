"""Run labelled programs under real JAX, in a child process.

A program is a module or a folder of modules whose hostile lines carry labels (see
``jitlint.verify.labels``).  Its cases stand in a separate file:

- ``HOSTILE = {tag: callable}``: each call must raise, at the labelled line;
- ``EXPECT = {tag: (exception class name, ...)}``: what it may raise;
- ``SILENT = {tag: callable}``: each returns True when the harm shows, for what raises nothing;
- ``INNOCENT = [callable, ...]``: each must run without an error.

``run_cases`` runs them in this process and is meant for the child only.  A parent calls
``verify_in_child`` or ``verify_many`` and never imports jax.

    python -m jitlint.verify.worker --program DIR_OR_FILE --cases FILE

prints one JSON object a line and exits with 0 when every case is ok, 1 when one is not, 2 when
nothing could be run.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import faulthandler
import importlib
import json
import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from jitlint.verify.labels import read_program_labels

_MESSAGE_LIMIT = 300
# Starting JAX on a busy machine takes several seconds; a program's own limit counts after that.
_START_SECONDS = 120.0
DEFAULT_TIMEOUT = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What one case did.

    Args:
      program: the program, as given.
      tag: the label's tag; None for an innocent case or a failure of the whole program.
      innocent: the position among the innocent cases, from 0.
      silent: whether it is a silent case.
      ok: whether it did what was expected.
      expected: the exception classes that may occur.
      observed: the exception class that did occur.
      file: the file of the innermost frame inside the program.
      row: the row of that frame.
      message: the start of the exception's text.
      why: what is wrong, when not ok.
    """

    program: str
    ok: bool
    tag: str | None = None
    innocent: int | None = None
    silent: bool = False
    expected: tuple[str, ...] = ()
    observed: str | None = None
    file: str | None = None
    row: int | None = None
    message: str | None = None
    why: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON object, without the fields that say nothing."""
        values: dict[str, Any] = {"program": self.program}
        if self.tag is not None:
            values["tag"] = self.tag
        if self.innocent is not None:
            values["innocent"] = self.innocent
        if self.silent:
            values["silent"] = True
        values["ok"] = self.ok
        if self.expected:
            values["expected"] = list(self.expected)
        for name in ("observed", "file", "row", "message", "why"):
            value = getattr(self, name)
            if value is not None:
                values[name] = value
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> CaseResult:
        """The inverse of ``to_json``."""
        known = {field.name for field in fields(cls)}
        arguments = {name: value for name, value in values.items() if name in known}
        arguments["expected"] = tuple(arguments.get("expected", ()))
        return cls(**arguments)


def _jax() -> Any:
    # Within a function, so that a parent can import this module without starting JAX; untyped,
    # because not every JAX release types what is called here.
    import jax

    return jax


# ---------------------------------------------------------------- statements and tracebacks


def _statement_rows(tree: ast.Module, row: int) -> frozenset[int]:
    """The rows of the logical statement at ``row``; of a compound statement, its header's."""
    best: frozenset[int] | None = None
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        rows = _header_rows(node)
        if row in rows and (best is None or min(rows) >= min(best)):
            best = rows
    return frozenset({row}) if best is None else best


def _header_rows(node: ast.stmt) -> frozenset[int]:
    if isinstance(node, ast.Match):
        # The subject and every `case` line ask for values; a frame may stand on any of them.
        rows = set(range(node.lineno, node.cases[0].pattern.lineno))
        for case in node.cases:
            rows.update(
                range(case.pattern.lineno, max(case.body[0].lineno, case.pattern.lineno + 1))
            )
        return frozenset(rows)
    body = getattr(node, "body", None)
    end = node.end_lineno or node.lineno
    if isinstance(body, list) and body:
        end = max(node.lineno, body[0].lineno - 1)
    return frozenset(range(node.lineno, end + 1))


def _frames(tb: TracebackType | None) -> Iterator[tuple[str, int]]:
    while tb is not None:
        yield tb.tb_frame.f_code.co_filename, tb.tb_lineno
        tb = tb.tb_next


def _innermost(error: BaseException, inside: Callable[[str], bool]) -> tuple[str, int] | None:
    """The innermost frame of the program; that of the cause, where a library wrapped the error."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        frames = [frame for frame in _frames(current.__traceback__) if inside(frame[0])]
        if frames:
            return frames[-1]
        current = current.__cause__ or current.__context__
    return None


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0][:_MESSAGE_LIMIT] if text else ""


# ---------------------------------------------------------------- one program


@contextlib.contextmanager
def _isolated(program: Path) -> Iterator[None]:
    """Make the program importable; afterwards forget its modules and restore JAX's settings."""
    jax = _jax()
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
            origin = getattr(module, "__file__", None)
            if is_own(name) or (origin is not None and Path(origin).is_relative_to(folder)):
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
    _jax().config.update("jax_traceback_filtering", "off")
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
        return list(_run_namespace(name, program, labels, namespace))


def _run_namespace(
    name: str, program: Path, labels: Mapping[Path, Any], namespace: Mapping[str, Any]
) -> Iterator[CaseResult]:
    places: dict[str, tuple[Path, frozenset[int]]] = {}
    for path, found in labels.items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for label in found:
            places[label.tag] = (path, _statement_rows(tree, label.row))

    def inside(filename: str) -> bool:
        path = Path(filename)
        return path == program or path.is_relative_to(program)

    hostile: Mapping[str, Callable[[], Any]] = namespace.get("HOSTILE", {})
    silent: Mapping[str, Callable[[], Any]] = namespace.get("SILENT", {})
    expect: Mapping[str, Sequence[str]] = namespace.get("EXPECT", {})
    for tag in places:
        if tag not in hostile and tag not in silent:
            yield CaseResult(program=name, tag=tag, ok=False, why="the label has no case")
    for tag, call in hostile.items():
        yield _hostile_case(name, tag, call, expect.get(tag, ()), places.get(tag), inside)
    for tag, call in silent.items():
        yield _silent_case(name, tag, call, tag in places)
    for position, call in enumerate(namespace.get("INNOCENT", ())):
        yield _innocent_case(name, position, call, inside)


def _hostile_case(
    name: str,
    tag: str,
    call: Callable[[], Any],
    expected: Sequence[str],
    place: tuple[Path, frozenset[int]] | None,
    inside: Callable[[str], bool],
) -> CaseResult:
    # A lone string is an easy slip in a cases file: ("X") instead of ("X",).
    names = (expected,) if isinstance(expected, str) else tuple(expected)
    if place is None:
        return CaseResult(program=name, tag=tag, ok=False, expected=names, why="no such label")
    try:
        call()
    except Exception as error:
        observed = type(error).__name__
        frame = _innermost(error, inside)
        message = _first_line(error)
    else:
        why = "nothing was raised"
        return CaseResult(program=name, tag=tag, ok=False, expected=names, why=why)
    path, rows = place
    why_not: str | None = None
    if observed not in {expectation.rpartition(".")[2] for expectation in names}:
        why_not = f"raised {observed}, expected {' or '.join(names) or 'is not stated in EXPECT'}"
    elif frame is None:
        why_not = "no frame of the program is in the traceback"
    elif Path(frame[0]) != path or frame[1] not in rows:
        span = f"{min(rows)}-{max(rows)}"
        why_not = f"raised at {frame[0]}:{frame[1]}, the label is at {path}:{span}"
    return CaseResult(
        program=name,
        tag=tag,
        ok=why_not is None,
        expected=names,
        observed=observed,
        file=None if frame is None else frame[0],
        row=None if frame is None else frame[1],
        message=message,
        why=why_not,
    )


def _silent_case(name: str, tag: str, call: Callable[[], Any], labelled: bool) -> CaseResult:
    if not labelled:
        return CaseResult(program=name, tag=tag, silent=True, ok=False, why="no such label")
    try:
        harmed = bool(call())
    except Exception as error:
        why = f"raised {type(error).__name__}: {_first_line(error)}"
        return CaseResult(program=name, tag=tag, silent=True, ok=False, why=why)
    why_not = None if harmed else "the harm does not show"
    return CaseResult(program=name, tag=tag, silent=True, ok=harmed, why=why_not)


def _innocent_case(
    name: str, position: int, call: Callable[[], Any], inside: Callable[[str], bool]
) -> CaseResult:
    try:
        _jax().block_until_ready(call())
    except Exception as error:
        frame = _innermost(error, inside)
        return CaseResult(
            program=name,
            innocent=position,
            ok=False,
            observed=type(error).__name__,
            file=None if frame is None else frame[0],
            row=None if frame is None else frame[1],
            message=_first_line(error),
            why="an innocent case raised",
        )
    return CaseResult(program=name, innocent=position, ok=True)


# ---------------------------------------------------------------- the parent's side


def verify_in_child(
    program: Path, cases: Path, *, timeout: float = DEFAULT_TIMEOUT
) -> list[CaseResult]:
    """Run one program's cases in a child process.

    Args:
      program: a module or a folder of modules, with labels.
      cases: the file of its cases.
      timeout: seconds the program may take once JAX has started.

    Returns:
      Its results; a crash or a time-out gives one that is not ok and says so.
    """
    return verify_many([(program, cases)], timeout=timeout)


def verify_many(
    pairs: Sequence[tuple[Path, Path]], *, timeout: float = DEFAULT_TIMEOUT
) -> list[CaseResult]:
    """Run many programs in one child process, or in a few: a crash starts a new one for the rest.

    Args:
      pairs: programs and the files of their cases.
      timeout: seconds that each program may take once JAX has started.

    Returns:
      All results, in the order of the pairs.
    """
    results: list[CaseResult] = []
    left = [(program.absolute(), cases.absolute()) for program, cases in pairs]
    while left:
        done = _run_child(left, timeout, results)
        left = left[done:]
    return results


def _child_environment() -> dict[str, str]:
    environment = dict(os.environ)
    environment.setdefault("JAX_PLATFORMS", "cpu")
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    home = str(Path(__file__).resolve().parents[2])
    known = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = home if not known else os.pathsep.join((home, known))
    return environment


def _run_child(
    pairs: Sequence[tuple[Path, Path]], timeout: float, results: list[CaseResult]
) -> int:
    """Run a child, collect its results, and return how many programs are dealt with."""
    with tempfile.TemporaryDirectory(prefix="jitlint-verify-") as scratch:
        folder = Path(scratch)
        listing = folder / "programs.json"
        listing.write_text(json.dumps([[str(p), str(c)] for p, c in pairs]), encoding="utf-8")
        work = folder / "work"
        work.mkdir()
        command = [sys.executable, "-m", "jitlint.verify.worker"]
        command += ["--listing", str(listing), "--timeout", str(timeout)]
        with (
            (folder / "out").open("w+", encoding="utf-8") as out,
            (folder / "err").open("w+", encoding="utf-8", errors="replace") as err,
        ):
            ending = _run_process(command, work, out, err, timeout * len(pairs) + _START_SECONDS)
            out.seek(0)
            err.seek(0)
            lines, tail = out.read().splitlines(), err.read()[-2000:].strip()
    done = 0
    for line in lines:
        try:
            values = json.loads(line)
        except json.JSONDecodeError:
            # The child died while writing: its last line is cut off.
            break
        if "done" in values:
            done += 1
        else:
            results.append(CaseResult.from_json(values))
    if done < len(pairs):
        why = f"the child process {ending}: {tail}"
        if not tail:
            why = f"the child process {ending}"
        results.append(CaseResult(program=str(pairs[done][0]), ok=False, why=why))
        done += 1
    return done


def _run_process(
    command: Sequence[str], work: Path, out: IO[str], err: IO[str], limit: float
) -> str:
    """Run the child to its end and say in words how it ended."""
    try:
        process = subprocess.run(
            command,
            cwd=work,
            env=_child_environment(),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"did not end within {limit:.0f} s"
    if process.returncode < 0:
        return f"was killed by signal {-process.returncode}"
    return f"ended with status {process.returncode}"


# ---------------------------------------------------------------- the child's side


@contextlib.contextmanager
def _private_stdout() -> Iterator[IO[str]]:
    """A stream to the real standard output; whatever the programs print goes to standard error."""
    sys.stdout.flush()
    saved = os.dup(1)
    os.dup2(2, 1)
    try:
        with os.fdopen(saved, "w", encoding="utf-8", closefd=False) as stream:
            yield stream
    finally:
        sys.stdout.flush()
        os.dup2(saved, 1)
        os.close(saved)


def main(arguments: Sequence[str] | None = None) -> int:
    """The child's entry point; see the module's text.

    Args:
      arguments: the command line without the program's name; that of the process if None.

    Returns:
      The exit status.
    """
    parser = argparse.ArgumentParser(prog="python -m jitlint.verify.worker")
    parser.add_argument("--program", type=Path, help="a module or a folder of modules")
    parser.add_argument("--cases", type=Path, help="the file of its cases")
    parser.add_argument("--listing", type=Path, help="a JSON list of [program, cases] instead")
    parser.add_argument("--timeout", type=float, default=DEFAULT_TIMEOUT)
    options = parser.parse_args(arguments)
    if options.listing is not None:
        loaded = json.loads(options.listing.read_text(encoding="utf-8"))
        pairs = [(Path(program), Path(cases)) for program, cases in loaded]
    elif options.program is not None and options.cases is not None:
        pairs = [(options.program, options.cases)]
    else:
        parser.error("give --program and --cases, or --listing")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    try:
        _jax()
    except ImportError as error:
        sys.stderr.write(f"jax cannot be imported: {error}\n")
        return 2
    all_ok = True
    with _private_stdout() as stream:
        for program, cases in pairs:
            # Ends the whole process: no exception could stop a loop inside compiled code.
            faulthandler.dump_traceback_later(options.timeout, exit=True)
            results = run_cases(program, cases)
            faulthandler.cancel_dump_traceback_later()
            for result in results:
                all_ok = all_ok and result.ok
                stream.write(json.dumps(result.to_json()) + "\n")
            if options.listing is not None:
                stream.write(json.dumps({"done": str(program)}) + "\n")
            stream.flush()
    return 0 if all_ok else 1


if __name__ == "__main__":
    sys.exit(main())
