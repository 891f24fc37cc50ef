"""Run programs before and after their fixes, in a child process: ``running.py LISTING``.

A case of the program as it was runs without jit, one of the fixed program with it.  What both give
and print has to be the same, to what single precision holds.  Stores into elements are judged by
NumPy's own arrays, which the program gets in the place of JAX's.  Of what is silent the case says
whether the harm is there: it has to be before, and not after.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import importlib.util
import io
import json
import sys
import traceback
from pathlib import Path
from typing import Any

from jitlint.verify.proving.comparison import difference, same_text, snapshot
from jitlint.verify.proving.versions import numpy_for_jax
from jitlint.verify.recording.real_jax import real_jax

_CASES = "cases_of_a_program"
#: how long a case may take, before and after its fix
_SECONDS = 60.0
#: labels whose cases say whether the harm is there: what is compiled, waited for, kept or lost
_HARMS = frozenset(
    """JIT202 JIT211 JIT212 JIT301 JIT302 JIT303 JIT306 JIT312 JIT401 JIT402""".split()
)


def run(
    folder: Path, cases: Path, tag: str, *, numpy: bool, eager: bool, harm: bool = False
) -> tuple[Any, str]:
    """What a case gives, and what it prints.

    Args:
      folder: of the program.
      cases: the module of its cases.
      tag: which of them.
      numpy: whether it gets NumPy's arrays.
      eager: whether it runs without jit.
      harm: whether it says that the harm is there; else that counts for nothing if it prints.
    """
    jax = real_jax()
    _ROOTS.add(str(folder.parent))
    for name in _loaded_programs():
        del sys.modules[name]
    saved = list(sys.path)
    package = (folder / "__init__.py").exists()
    sys.path[:0] = map(str, (folder, folder.parent) if package else (folder,))
    importlib.invalidate_caches()
    try:
        spec = importlib.util.spec_from_file_location(_CASES, cases)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        out = io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            jax.disable_jit() if eager else contextlib.nullcontext(),
        ):
            with numpy_for_jax() if numpy else contextlib.nullcontext():
                spec.loader.exec_module(module)
            texts: list[str] = []
            if hasattr(module, "printed"):
                vars(module)["printed"] = _recording(texts)
            hostile = {**getattr(module, "SILENT", {}), **getattr(module, "HOSTILE", {})}
            result = hostile[tag]()
            jax.effects_barrier()
        if texts:
            return result if harm else None, "\0".join(texts)
        return result, out.getvalue()
    finally:
        sys.path[:] = saved


#: where the programs so far lie; several have modules of one name
_ROOTS: set[str] = set()


def _loaded_programs() -> list[str]:
    """The modules of programs that are loaded, with the packages that have no file."""
    roots = tuple(_ROOTS)
    return [
        name
        for name, module in sys.modules.items()
        if any(place.startswith(roots) for place in _places(module))
    ]


def _places(module: Any) -> list[str]:
    file = getattr(module, "__file__", None)
    return [file] if file else [str(it) for it in getattr(module, "__path__", ())]


def _recording(texts: list[str]) -> Any:
    jax = real_jax()

    def printed(call: Any) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            call()
            jax.effects_barrier()
        texts.append(out.getvalue())
        return out.getvalue()

    return printed


_Verdict = dict[str, str | None]


def judge_harm(old: Path, new: Path, cases: Path, tag: str) -> _Verdict | None:
    """The verdict where the case says whether the harm is there; None where it gives a result."""
    try:
        before, _ = run(old, cases, tag, numpy=False, eager=False, harm=True)
    except BaseException as error:
        return {"verdict": "not run", "why": f"{type(error).__name__}: {error}"[:200]}
    if before is not True:
        return None
    try:
        after, _ = run(new, cases, tag, numpy=False, eager=False, harm=True)
    except BaseException as error:
        return {"verdict": "fails", "why": f"{type(error).__name__}: {error}"[:300]}
    if not after:
        return {"verdict": "proven", "why": "the harm is gone"}
    return {"verdict": "changes", "why": "the harm is still there"}


def judge(item: dict[str, Any]) -> _Verdict:
    """The verdict on one case: ``proven``, ``changes``, ``fails`` or ``not run``."""
    old, new, cases = (Path(item[key]) for key in ("old", "new", "cases"))
    tag, numpy = item["tag"], item["numpy"]
    if item["code"] in _HARMS:
        found = judge_harm(old, new, cases, tag)
        if found is not None:
            return found
    try:
        before, text = run(old, cases, tag, numpy=numpy, eager=True)
    except BaseException as error:
        return {"verdict": "not run", "why": f"{type(error).__name__}: {error}"[:200]}
    if "Tracer" in text:
        return {"verdict": "not run", "why": "it shows a tracer without jit too"}
    try:
        after, new_text = run(new, cases, tag, numpy=False, eager=False)
    except BaseException as error:
        return _failure(error, item)
    why = difference(snapshot(before), snapshot(after))
    if why is None and not same_text(text, new_text):
        why = f"{text!r} became {new_text!r}"
    return {"verdict": "proven" if why is None else "changes", "why": why}


def _failure(error: BaseException, item: dict[str, Any]) -> _Verdict:
    """What a failure of the fixed program says of its fix."""
    rows = {(file, row): code for file, row, code in item["left"]}
    original, new = Path(item["original"]), Path(item["new"])
    for step in traceback.extract_tb(error.__traceback__):
        path = Path(step.filename)
        if path.is_relative_to(original) and not path.is_relative_to(new):
            return {"verdict": "not run", "why": "the case loads the program from its own folder"}
        code = rows.get((step.filename, step.lineno or 0))
        if code is not None:
            place = f"{path.name}:{step.lineno}"
            return {"verdict": "not run", "why": f"{code} is left, which has no fix: {place}"}
    return {"verdict": "fails", "why": f"{type(error).__name__}: {error}"[:300]}


def main() -> None:
    """Judge all cases of a listing, one line of JSON each."""
    for item in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
        # What is compiled hears of no alarm.
        faulthandler.dump_traceback_later(_SECONDS, exit=True)
        verdict = judge(item)
        sys.__stdout__.write(json.dumps({**item, **verdict}) + "\n")  # type: ignore[union-attr]
        sys.__stdout__.flush()  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
