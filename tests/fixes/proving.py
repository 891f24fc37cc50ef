"""Run programs before and after their safe fixes, in a child process: ``proving.py LISTING``.

A case of the program as it was runs without jit, one of the fixed program with it.  What both give
and print has to be the same, to what single precision holds.  Stores into elements are judged by
NumPy's own arrays, which the program gets in the place of JAX's.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jitlint.verify.proving.comparison import difference, same_text, snapshot

_CASES = "cases_of_a_program"
#: labels whose fix changes what a clock shows, and nothing else
_WAITS = frozenset({"JIT401"})


def run(folder: Path, cases: Path, tag: str, *, numpy: bool, eager: bool) -> tuple[Any, str]:
    """What a case gives, and what it prints."""
    import jax

    _ROOTS.add(str(folder.parent))
    for name in _loaded_programs():
        del sys.modules[name]
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        spec = importlib.util.spec_from_file_location(_CASES, cases)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), _without_jit() if eager else contextlib.nullcontext():
            with _numpy_for_jax() if numpy else contextlib.nullcontext():
                spec.loader.exec_module(module)
            texts: list[str] = []
            if hasattr(module, "printed"):
                module.printed = _recording(texts)
            hostile = {**getattr(module, "SILENT", {}), **getattr(module, "HOSTILE", {})}
            result = hostile[tag]()
            jax.effects_barrier()
        return (None, "\0".join(texts)) if texts else (result, out.getvalue())
    finally:
        sys.path.remove(str(folder))


@contextlib.contextmanager
def _numpy_for_jax() -> Iterator[None]:
    """Have ``import jax.numpy as jnp`` give NumPy."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    sys.modules["jax.numpy"] = jax.numpy = np
    try:
        yield
    finally:
        sys.modules["jax.numpy"] = jax.numpy = jnp


#: where the programs so far lie; several have modules of one name
_ROOTS: set[str] = set()


def _loaded_programs() -> list[str]:
    """The modules of programs that are loaded."""
    return [
        name
        for name, module in sys.modules.items()
        if (getattr(module, "__file__", None) or "").startswith(tuple(_ROOTS))
    ]


def _without_jit() -> Any:
    import jax

    return jax.disable_jit()


def _recording(texts: list[str]) -> Any:
    import jax

    def printed(call: Any) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            call()
            jax.effects_barrier()
        texts.append(out.getvalue())
        return out.getvalue()

    return printed


def judge_wait(old: Path, new: Path, cases: Path, tag: str) -> dict[str, str | None]:
    """The same of a clock, whose case says whether it was read while work was pending."""
    try:
        before, _ = run(old, cases, tag, numpy=False, eager=False)
        after, _ = run(new, cases, tag, numpy=False, eager=False)
    except BaseException as error:
        return {"verdict": "fails", "why": f"{type(error).__name__}: {error}"[:300]}
    if before is not True:
        return {"verdict": "not run", "why": f"the case gives {before!r}"}
    return {"verdict": "proven" if after is False else "changes", "why": f"it gives {after!r}"}


def judge(old: Path, new: Path, cases: Path, tag: str, *, numpy: bool) -> dict[str, str | None]:
    """The verdict on one case: ``proven``, ``changes``, ``fails`` or ``not run``."""
    try:
        before, text = run(old, cases, tag, numpy=numpy, eager=True)
    except BaseException as error:
        return {"verdict": "not run", "why": f"{type(error).__name__}: {error}"[:200]}
    if "Tracer" in text:
        return {"verdict": "not run", "why": "it shows a tracer without jit too"}
    try:
        after, new_text = run(new, cases, tag, numpy=False, eager=False)
    except BaseException as error:
        return {"verdict": "fails", "why": f"{type(error).__name__}: {error}"[:300]}
    why = difference(snapshot(before), snapshot(after))
    if why is None and not same_text(text, new_text):
        why = f"{text!r} became {new_text!r}"
    return {"verdict": "proven" if why is None else "changes", "why": why}


def main() -> None:
    """Judge all cases of a listing, one line of JSON each."""
    for item in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
        old, new, cases = (Path(item[key]) for key in ("old", "new", "cases"))
        if item["code"] in _WAITS:
            verdict = judge_wait(old, new, cases, item["tag"])
        else:
            verdict = judge(old, new, cases, item["tag"], numpy=item["numpy"])
        sys.__stdout__.write(json.dumps({**item, **verdict}) + "\n")  # type: ignore[union-attr]
        sys.__stdout__.flush()  # type: ignore[union-attr]


if __name__ == "__main__":
    main()
