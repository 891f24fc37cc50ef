"""Files in newer syntax than this Python's are indexed all the same, and analysed."""

from __future__ import annotations

import ast
import json
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from jitlint.cli.main import main
from jitlint.project import newer_syntax

#: some of what follows is newer than older releases of libcst, which pyproject.toml allows
needs_newest_libcst = pytest.mark.skipif(
    tuple(map(int, version("libcst").split(".")[:2])) < (1, 9),
    reason="this libcst knows less of the newest syntax",
)

#: what libcst takes, and what the index takes it for
REWRITTEN = [
    ("def f[T](x: T) -> T: return x", "def f(x: T) -> T: return x"),
    ("def f[\n  T: int = str,  # why\n  *Ts, **P\n](\n  x,\n): return x", "def f(x): return x"),
    ("async def f[T] (x): return x", "async def f(x): return x"),
    ("class A[T: (int, str)](B): x: int", "class A(B): x: int"),
    ("class A[\n  T\n]:\n  def f[U](self): pass", "class A:\n  def f(self): pass"),
    ("type X = int; y = 3", "X = int; y = 3"),
    ("type Größe[\n  T\n] = list[T]", "Größe = list[T]"),
    (
        "x = f\"{a[\"b\"]!r:>{w}} {'\\n'.join(y)} { # why\n z}\" + é",
        "x = (a['b'], w, '\\n'.join(y), z) + é",
    ),
    ("x = 'é' f'é{a}{b = }' 'ü'; y = 2", "x = (a, b); y = 2"),
    ("x = f'{f'{f'{1}'}'}'", "x = (((1,),),)"),
    ("x = f'{(i for i in y)}{(yield)}{d!s}'", "x = ((i for i in y), (yield), d)"),
    ("x = f'''{\n  a\n}{\n\nb # é\n}'''.upper()", "x = (a, b).upper()"),
    ("x = t'a {b}'", "x = (b,)"),
    ("try: pass\nexcept A, B.c, (D): pass", "try: pass\nexcept A | B.c | D: pass"),
    ("try: pass\nexcept* A, B: pass", "try: pass\nexcept* A | B: pass"),
    ("lazy import a.b\nlazy  from c import d", "import a.b\nfrom c import d"),
    ("[*x for x in y]; {*x for x in y}", "[x for x in y]; {x for x in y}"),
    ("(*x for x in y)", "(x for x in y)"),
    ("{**x for x in y}", "{x for x in y}"),
]  # fmt: skip


@needs_newest_libcst
@pytest.mark.parametrize(("text", "meaning"), REWRITTEN)
def test_newer_constructs_are_indexed_as_older_ones(text: str, meaning: str) -> None:
    parsed = newer_syntax.parse(text)
    assert parsed is not None
    assert not parsed.left_out
    assert ast.unparse(parsed.tree) == ast.unparse(ast.parse(meaning))


@needs_newest_libcst
def test_everything_stands_where_it_did() -> None:
    text = "".join(f"{text}\nend({row})\n" for row, (text, _) in enumerate(REWRITTEN))
    parsed = newer_syntax.parse(text)
    assert parsed is not None
    rows = text.encode().split(b"\n")
    seen = 0
    for node in ast.walk(parsed.tree):
        if isinstance(node, (ast.Name, ast.arg)):
            name = node.id if isinstance(node, ast.Name) else node.arg
            written = rows[node.lineno - 1][node.col_offset :]
            # The name of an alias moves to where its statement begins, behind a bracket if need be.
            assert written.startswith((name.encode(), b"type ", b"ype "))
            seen += 1
    assert seen > len(REWRITTEN)


def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know nothing of aliases: as of what a later Python brings."""
    rules = {name: rule for name, rule in newer_syntax._RULES.items() if name != "TypeAlias"}
    monkeypatch.setattr(newer_syntax, "_RULES", rules)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows aliases")
def test_what_cannot_be_indexed_is_left_out_statement_by_statement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _forget(monkeypatch)
    text = """\
def f[T](): pass
class C:
    def f(self): return 1
    @wrapped
    def g(self):
        if self:
            type y = int
        return 2
    type z = int
b = 1
type c = int; d = 1
"""
    parsed = newer_syntax.parse(text)
    assert parsed is not None
    assert [row for row, _ in parsed.left_out] == [7, 9, 11]
    assert {said for _, said in parsed.left_out} == {
        "invalid syntax; what stands here is not analysed"
    }
    expected = """\
def f(): pass
class C:
    def f(self): return 1
    @wrapped
    def g(self):
        if self:
            0
        return 2
    0
b = 1
0
"""
    assert ast.unparse(parsed.tree) == ast.unparse(ast.parse(expected))


@pytest.mark.parametrize("text", ["x = (", "def f[T(x): pass", "type X =", "x = f'{a!}'"])
def test_what_is_wrong_in_every_version_is_no_newer_syntax(text: str) -> None:
    assert newer_syntax.parse(text) is None


@pytest.mark.parametrize(
    ("text", "column"),
    [("x = '\\x1'", 5), ("x = y, b'é'", 8), ("x = f'{a} \\N{nothing}'", 5), ("f'{'\\x1'}'", 4)],
)
def test_strings_that_no_version_takes(text: str, column: int) -> None:
    with pytest.raises(SyntaxError) as caught:
        newer_syntax.parse(f"type X = int\n{text}\n")
    assert (caught.value.lineno, caught.value.offset) == (2, column)


HOSTILE = """\
import jax

type Vector = jax.Array


class Net[T]:
    scale: Vector

    def shown[U](self, x: U) -> U:
        print(f"{self.name}: {f"{x:>{3}}"} {{}}")
        return x


@jax.jit
def step[T](x: Vector, y: T, flag=1):
    try:
        first = y["a"]
    except KeyError, TypeError:
        first = x
    text = f"{"yes" if x > 0 else "no"}"
    return [*row for row in (x, first) if bool(x)]


@jax.jit
def shout(x): type = f"{"a"}"; return float(x)  # noqa: JIT105
"""


@needs_newest_libcst
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows much of the syntax")
def test_reports_are_those_of_a_newer_python(tmp_path: Path, capsys) -> None:
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "a.py").write_text(HOSTILE, encoding="utf-8")
    assert main(["check", "--isolated", "--no-cache", "--output-format=json", str(tmp_path)]) == 1
    found = json.loads(capsys.readouterr().out)
    lines = HOSTILE.split("\n")
    places = [
        (item["code"], lines[item["location"]["row"] - 1][item["location"]["column"] - 1 :][:5])
        for item in found
    ]
    assert places == [("JIT101", "x > 0"), ("JIT105", "bool(")]


TEMPLATES = """\
import jax


@jax.jit
def describe(x):
    if x > 0:
        return t"positive: {x}"
    return t"at {float(x):>{int(x)}}, {x:.2f}"
"""


@needs_newest_libcst
def test_what_templates_evaluate_is_analysed(tmp_path: Path, capsys) -> None:
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "a.py").write_text(TEMPLATES, encoding="utf-8")
    assert main(["check", "--isolated", "--no-cache", "--output-format=json", str(tmp_path)]) == 1
    found = json.loads(capsys.readouterr().out)
    lines = TEMPLATES.split("\n")
    places = [
        (item["code"], lines[item["location"]["row"] - 1][item["location"]["column"] - 1 :][:5])
        for item in found
    ]
    assert places == [("JIT101", "x > 0"), ("JIT105", "float"), ("JIT105", "int(x")]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows aliases")
def test_what_is_left_out_is_said_and_the_rest_is_analysed(
    tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    _forget(monkeypatch)
    (tmp_path / "setup.cfg").touch()
    hostile = "@jax.jit\ndef f(x):\n    return float(x)\n"
    (tmp_path / "a.py").write_text(
        f"import jax\n{hostile}type y = int\n{hostile.replace('f(x)', 'g(x)')}"
    )
    (tmp_path / "b.py").write_text("import jax\n")
    assert main(["check", "--isolated", "--no-cache", "--output-format=json", str(tmp_path)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(item["code"], item["location"]["row"]) for item in found] == [
        ("JIT105", 4),
        ("JIT903", 5),
        ("JIT105", 8),
    ]
