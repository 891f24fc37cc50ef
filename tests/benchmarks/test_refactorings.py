"""A program that is written in another way does what it did."""

from __future__ import annotations

import contextlib
import io
from textwrap import dedent

import libcst as cst
import pytest

from benchmarks.refactorings import calls, definitions, loops  # noqa: F401 - they fill the list
from benchmarks.refactorings.kinds import REFACTORINGS

#: has something for each of them; ``jax`` and ``tqdm`` are stood in for below
PROGRAM = dedent(
    '''\
    """A program."""

    from functools import partial

    import jax

    SEEN = []


    @jax.jit
    def doubled(x):
        """Twice as much."""
        return x + x


    @partial(jax.jit, static_argnames="times")
    def scaled(x, times=2):
        return x * times


    def added(x, y):
        SEEN.append((x, y))
        return x + y


    def counted(n):
        total = 0
        for i in range(n):  # expect: JIT301 @a
            step = i * 2
            total = added(total, step + 1)
        return total


    def collected(xs):
        found = []
        for x in xs:
            found.append(doubled(x))
        return found


    def chosen(rows):
        found, last = [], None
        for name, row in rows:
            if not row:
                continue
            found.append(name)
            last = sum(scaled(x, times=3) for x in row)
        return found, last


    def compiled(x):
        program = jax.jit(lambda y: y - 1)
        first = program(x)
        return program(first) + added(first, y=program(2))


    def generated(n):
        for i in range(n):
            yield added(i, i)


    def main():
        rows = [("a", [1, 2]), ("b", []), ("c", [3])]
        return (
            counted(4), collected([1, 2]), chosen(rows), compiled(5), list(generated(2)), SEEN,
        )
    '''
)
_STAND_INS = {
    "jax": "def jit(fun, **options):\n    return fun\n",
    "tqdm": "def tqdm(iterable):\n    return iterable\n",
}


def _result(text: str) -> object:
    names: dict[str, object] = {"__name__": "program"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(text, "program.py", "exec"), names)
    main = names["main"]
    assert callable(main)
    return main()


@pytest.mark.parametrize("name", REFACTORINGS)
def test_it_does_the_same(name: str, tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for module, text in _STAND_INS.items():
        (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        written = REFACTORINGS[name].rewrite(cst.parse_module(PROGRAM)).code
        assert written != PROGRAM
        assert _result(written) == _result(PROGRAM)
    finally:
        for module in _STAND_INS:
            sys.modules.pop(module, None)


@pytest.mark.parametrize("name", REFACTORINGS)
def test_labels_stay(name: str) -> None:
    written = REFACTORINGS[name].rewrite(cst.parse_module(PROGRAM)).code
    assert written.count("# expect: JIT301 @a") == 1
