"""Trees built from ``ast`` are libcst's own, but for trivia."""

from __future__ import annotations

import ast
import dataclasses
import sysconfig
from pathlib import Path
from typing import Any

import libcst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from jitlint.absint import cst
from jitlint.absint.bare_trees import BareTree, UnknownSyntaxError
from jitlint.absint.code import POSITIONS_AGREE, ParsedUnit
from jitlint.absint.cst.walking import walk_own
from jitlint.absint.exact_trees import without_trivia
from jitlint.project.index import ModuleIndex

_ROOT = Path(__file__).parents[2]
_LIBRARY = Path(sysconfig.get_paths()["stdlib"])
# What says only how the code is written, and what follows from the parts.
_TRIVIA = {
    "lpar", "rpar", "comma", "lbracket", "rbracket", "lbrace", "rbrace", "equal", "colon",
    "semicolon", "leading_lines", "lines_after_decorators", "trailing_whitespace", "header",
    "footer", "indent", "dot", "operator_whitespace", "newline", "comment", "lines_after",
    "asynchronous_whitespace", "star_whitespace", "posonly_ind", "first_colon", "second_colon",
    "separator", "trailing_comma", "leading_whitespace", "start", "end",
}  # fmt: skip
#: syntax that is left to libcst, or that nobody asks for
_LEFT_OUT = {"type_parameters", "NotEqual.value"}

_PIECES = [
    "x[a], x[a,], x[(a,)], x[(a), b], x[(a, b)], x[(a), (b)], x[()], x[1:2, ::3]",
    "x[*a], x[(a, (b))]",
    "x[( # a, (\n a), b]",
    "f(a, *b, c=1, *d, **e)",
    "f(x for x in y), f((x for x in y), 1)",
    "a and b and (c or d or e) and not f",
    "a < b <= c != d is not e not in f",
    "'a' 'b' f'{c!r:>{d}}'",
    "r'\\d' + b'''a'b''' + 'it''s' + \"it's\" + u'x' + '''a''b'''",
    "('one'\n 'two'\n f'{three}')",
    "0x1F, 1_000, 1e3, 2j, -1, ..., None, True",
    "{**a, 'b': c}, {*a, b}, [*a, b], (*a, b), {k: v for k, v in z if k if v}",
    "[x for x in y if x for z in w if z if w]",
    "lambda a, /, b=1, *c, d, e=2, **f: (yield)",
    "lambda *, a: a",
    "if a: b; c\nelif d:\n  e\nelse:\n  if f: g",
    "if a:\n  b\nelse: c; d",
    "a = b = c; d: int = 1; e: str; f += 1; g @= h; del i, j; del (k), l; del (m, n)",
    "try:\n  a\nexcept (B, C) as d: e\nexcept: f\nelse: g\nfinally:\n  h",
    "try:\n  a\nexcept* B as c:\n  d",
    "async def f(a: int = 1, *b: str) -> c:\n  async with d as e, g: await h\n"
    "  async for i in j: return",
    "with (a as b, c): pass\nwith (a): pass\nwith a as (b, c): pass",
    "for a, *b in c, d: break\nelse: e",
    "while (a := b) > 1: continue",
    "import a.b.c as d, e\nfrom .. import f\nfrom .g.h import (i as j, k)\nfrom l import *",
    "@a.b(c)\n@d\nclass E(F, *g, metaclass=H, **i):\n  x: int = 1\n  def m(self): ...",
    "def f():\n  global a, b\n  def g():\n    nonlocal c\n    yield from d\n    raise e from f",
    "match a, b:\n  case 1 | -2 | 'x' | None | c.d: pass\n  case [e, *_] | (f, g): pass\n"
    "  case {'k': h, **rest} if i: pass\n  case J(k, l=[m]) as n: pass\n  case [o], p: pass\n"
    "  case _: pass\n  case q: pass\n  case [[r], s]: pass\n  case []: pass\n  case (): pass",
    "é = 'ü' + ñ.ö(ß)[ø] # ŝ\nif é: ŭ('ĝ', f'{ĥ}é{ĵ}')",
    "assert (a,\n  b), (c)\nreturn_ = (\n  # note\n  d\n)",
]


def _files() -> list[Path]:
    grammar = ["grammar", "patma", "fstring", "generators", "unpack_ex", "named_expressions"]
    found = [_LIBRARY / "test" / f"test_{name}.py" for name in grammar]
    found += [_LIBRARY / f"{name}.py" for name in ("typing", "ast", "dataclasses", "statistics")]
    found += sorted((_ROOT / "jitlint" / "absint").glob("*.py"))[::8]
    found += sorted((_ROOT / "tests" / "programs").rglob("*.py"))[::12]
    return [path for path in found if path.exists()]


def _difference(tree: BareTree, module: libcst.Module) -> str | None:
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    nodes: dict[int, libcst.CSTNode] = {}
    body = tuple(without_trivia(each, nodes) for each in module.body)
    stack: list[tuple[Any, Any, str]] = [(tree.statements, body, "module")]
    while stack:
        bare, exact, way = stack.pop()
        if isinstance(exact, tuple):
            if len(bare) != len(exact):
                return f"{way}: {len(bare)} parts, not {len(exact)}"
            stack.extend((*pair, way) for pair in zip(bare, exact, strict=True))
        elif type(bare) is not type(exact):
            return f"{way}: {type(bare).__name__}, not {type(exact).__name__}"
        elif isinstance(exact, cst.SimpleString):
            # Several that stand side by side are one for ``ast``.
            if bare.evaluated_value != exact.evaluated_value:
                return f"{way}: {bare.value}, not {exact.evaluated_value!r}"
        elif isinstance(exact, cst.CSTNode):
            if isinstance(bare, POSITIONS_AGREE) and (span := tree.span(bare)) is not None:
                where = positions[nodes[id(exact)]]
                if span != (where.start.line, where.start.column, where.end.line, where.end.column):
                    return f"{way} {type(exact).__name__}: at {span}, not {where}"
            if isinstance(exact, cst.FormattedString):
                # Text is not looked at, and `{x=}` has some of it for ``ast``.
                pairs = [
                    tuple(part for part in parts if isinstance(part, cst.FormattedStringExpression))
                    for parts in (bare.parts, exact.parts)
                ]
                stack.append((*pairs, "FormattedString.parts"))
                continue
            for name in type(exact).__slots__:
                if name == "comma":
                    exact.comma = bool(exact.comma)
                if isinstance(exact, cst.FormattedStringExpression) and name != "expression":
                    continue
                inner = f"{type(exact).__name__}.{name}"
                stack.append((getattr(bare, name), getattr(exact, name), inner))
        elif bare != exact and not (isinstance(bare, str) and not exact.isascii()):
            # ``ast`` normalizes identifiers, as Python does.
            return f"{way}: {bare!r}, not {exact!r}"
    return None


def _built(text: str) -> BareTree:
    return BareTree(ast.parse(text).body, text.splitlines(keepends=True))


@pytest.mark.parametrize("kind", sorted(set(cst.__all__)))
def test_a_node_has_what_libcst_gives_it(kind: str) -> None:
    ours, theirs = getattr(cst, kind), getattr(libcst, kind)
    if not ours.__slots__ and not dataclasses.is_dataclass(theirs):
        return
    due = {
        name
        for name in theirs.__dataclass_fields__
        if name != "__slots__"
        and name not in _LEFT_OUT
        and f"{kind}.{name}" not in _LEFT_OUT
        and (name not in _TRIVIA or name in ours.__slots__)
        and not name.startswith("whitespace")
    }
    assert set(ours.__slots__) - {"made_of"} == due
    assert set(ours.fields) <= due


@pytest.mark.parametrize("text", _PIECES)
def test_every_kind_of_syntax(text: str) -> None:
    assert _difference(_built(text), libcst.parse_module(text)) is None


@pytest.mark.parametrize("path", _files(), ids=lambda path: path.name)
def test_whole_files(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if "\f" in text:
        pytest.skip("rows are counted otherwise")
    try:
        module = libcst.parse_module(text)
        tree = _built(text)
    except (SyntaxError, libcst.ParserSyntaxError, UnknownSyntaxError):
        pytest.skip("syntax that is left to libcst, or newer than it")
    if module.code != text:
        pytest.skip("libcst does not give the text back, so its positions are not those of it")
    assert _difference(tree, module) is None


@pytest.mark.parametrize(
    "string", ["f'{b}' f'{cc + d}'", "f'{b=}{{ {cc + d:{e}}'", 'rf"""{b!r}\' {cc + d}"""']
)
def test_what_stands_in_a_string_is_found(string: str, tmp_path: Path) -> None:
    text = f"x = 1\nclass C:\n  def f(self): g = 1; y = (a +\n     {string})\n"
    module = ModuleIndex("m", tmp_path / "m.py", text, ast.parse(text), is_package=False)
    parsed = ParsedUnit(next(unit for unit in module.units if unit.is_function))
    node = next(
        each
        for statement in parsed.statements
        for each in walk_own(statement)
        if isinstance(each, cst.BinaryOperation) and parsed.source(each) == "cc + d"
    )
    row, column, end_row, end_column = parsed.position(node)
    assert row == end_row == 4
    assert text.splitlines()[3][column - 1 : end_column - 1] == "cc + d"


@pytest.mark.skipif(not hasattr(ast, "TypeAlias"), reason="Python 3.12 syntax")
def test_what_has_no_rule_is_left_to_libcst() -> None:
    with pytest.raises(UnknownSyntaxError):
        _built("def f[T](x: T) -> T: return x")
