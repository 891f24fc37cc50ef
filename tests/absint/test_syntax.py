"""Units are parsed by libcst one by one; what stands where is what it is in the file."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from jitlint.absint.code import syntax
from jitlint.absint.code.functions import ParsedUnit
from jitlint.absint.code.syntax import UnsupportedSyntaxError, children
from jitlint.analysis.options import AnalysisOptions
from jitlint.project.index import ModuleIndex, Parsed
from jitlint.project.units import Unit
from tests.linting import PRELUDE, analysis

_ROOT = Path(__file__).parents[2]
_FILES = [
    *sorted((_ROOT / "jitlint" / "project").glob("*.py"))[1:],
    *sorted((_ROOT / "tests" / "programs").rglob("*.py"))[::16],
]
_MEANINGFUL = (cst.BaseExpression, cst.BaseStatement, cst.BaseSmallStatement)


def _index(text: str) -> ModuleIndex:
    return ModuleIndex("m", Path("m.py"), text, Parsed(ast.parse(text)), is_package=False)


def _unit(text: str, qualname: str = "") -> Unit:
    return next(unit for unit in _index(text).units if unit.qualname == qualname)


def _all(node: cst.CSTNode) -> list[cst.CSTNode]:
    found = [node]
    for current in found:
        found.extend(children(current))
    return found


def _span(where: Any) -> tuple[int, int, int, int]:
    start, end = where.start, where.end
    return start.line, start.column + 1, end.line, end.column + 1


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_a_unit_stands_where_libcst_has_it_in_the_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    whole = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    due = {
        (type(node), _span(where))
        for node, where in whole.resolve(PositionProvider).items()
        if isinstance(node, _MEANINGFUL)
    }
    seen = 0
    for unit in _index(text).units:
        parsed = ParsedUnit(unit)
        for node in _all(parsed.statement):
            if isinstance(node, _MEANINGFUL):
                assert (type(node), parsed.position(node)) in due
                seen += 1
    assert seen


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.name)
def test_children_are_all_that_means_something(path: Path) -> None:
    class Visitor(cst.CSTVisitor):
        def __init__(self) -> None:
            self.found: set[int] = set()

        def on_visit(self, node: cst.CSTNode) -> bool:
            if isinstance(node, _MEANINGFUL):
                self.found.add(id(node))
            # Operators and punctuation hold no expressions.
            return True

    module = cst.parse_module(path.read_text(encoding="utf-8"))
    visitor = Visitor()
    module.visit(visitor)
    ours = {id(node) for top in module.body for node in _all(top) if isinstance(node, _MEANINGFUL)}
    assert ours == visitor.found


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("x = 1; y = (2 +\n  3); z = 4\n", ["x = 1", "y = (2 +\n  3)", "z = 4"]),
        ("try: x = f()\nexcept E: x = 1; y = 2\n", ["x = f()", "x = 1", "y = 2"]),
        ("if a:\n\tb = '''\n c'''\n", ["b = '''\n c'''"]),
        ("class A: x = 1; y = 2\n", ["x = 1", "y = 2"]),
    ],
)
def test_statements_that_share_rows(text: str, due: list[str]) -> None:
    found = []
    for unit in _index(text).units:
        parsed = ParsedUnit(unit)
        statement = parsed.statement
        assert isinstance(statement, cst.SimpleStatementLine)
        (small,) = statement.body
        found.append(parsed.source(small))
        row, column, _, _ = parsed.position(small)
        assert text.splitlines()[row - 1][column - 1 :].startswith(found[-1].splitlines()[0])
    assert found == due


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("((a + b))", "a + b"),
        ("(a, b)", "(a, b)"),
        ("a, b", "a, b"),
        ("((i for i in y))", "((i for i in y))"),
        ("(yield)", "yield"),
        ("(a\n  + b)", "a\n+ b"),
    ],
)
def test_the_text_of_an_expression_has_no_brackets_around_it(text: str, due: str) -> None:
    parsed = ParsedUnit(_unit(f"def f():\n  return {text}\n", "f"))
    returned = next(node for node in _all(parsed.statement) if isinstance(node, cst.Return))
    assert returned.value is not None
    assert parsed.source(returned.value) == due


def test_the_only_argument_has_the_brackets_of_the_call() -> None:
    parsed = ParsedUnit(_unit("x = all(i for i in y)\n"))
    node = next(n for n in _all(parsed.statement) if isinstance(n, cst.GeneratorExp))
    assert parsed.source(node) == "(i for i in y)"


def test_what_stands_in_a_string_is_found() -> None:
    text = "x = 1\nclass C:\n  def f(self): g = 1; y = (a +\n     f'{b}' f'{cc + d}')\n"
    parsed = ParsedUnit(_unit(text, "C.f"))
    node = next(
        each
        for each in _all(parsed.statement)
        if isinstance(each, cst.BinaryOperation) and parsed.source(each) == "cc + d"
    )
    row, column, end_row, end_column = parsed.position(node)
    assert row == end_row == 4
    assert text.splitlines()[3][column - 1 : end_column - 1] == "cc + d"


def test_syntax_that_libcst_refuses_names_the_row(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = _unit("x = 1\n\n\ndef f():\n  return 1\n", "f")
    unit.__dict__["source"] = "def f():\n  return 1 1\n"
    with pytest.raises(UnsupportedSyntaxError) as caught:
        ParsedUnit(unit)
    assert caught.value.row == 5


REFUSED = """
class Model:
    def __init__(self, n):
        self.n = refused  # JIT903
    @jax.jit  # JIT309
    def apply(self, x):
        return float(x)  # JIT105
def helper(x):
    return refused  # JIT903
@jax.jit
def f(x):
    if helper(x):
        return x
    return refused  # JIT903
@functools.singledispatch
def g(x):
    return x
@g.register
def _(x: int):
    return refused  # JIT903
@jax.jit
def h(x):
    g(x)
    y = jax.jit(f)(x)
    z = jax.vmap(helper)(x)
    return bool(x > 0)  # JIT105
try:
    value = refused  # JIT903
except ValueError:
    pass
jax.jit(lambda x: value + int(x))(1.5)  # JIT105
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_libcst_refuses_is_said_and_the_rest_is_analysed(
    monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    parse = cst.parse_module

    def refusing(text: str) -> cst.Module:
        rows = text.split("\n")
        row = next((row for row, line in enumerate(rows, 1) if "refused" in line), None)
        if row is not None:
            raise cst.ParserSyntaxError("no", lines=rows, raw_line=row, raw_column=0)
        return parse(text)

    monkeypatch.setattr(cst, "parse_module", refusing)
    text = PRELUDE + REFUSED
    found = analysis({"a.py": text}, AnalysisOptions(jobs=jobs)).diagnostics
    due = [
        (row, code)
        for row, line in enumerate(text.split("\n"), 1)
        for code in line.partition("# ")[2].split()
    ]
    assert [(item.location.row, item.code) for item in found] == due


@pytest.mark.parametrize("chain", [" + x", ".T", "[0]", "(x)"])
def test_what_is_too_deep_is_not_parsed(monkeypatch: pytest.MonkeyPatch, chain: str) -> None:
    monkeypatch.setattr(syntax, "SYNTAX_LEVELS", 100)
    ParsedUnit(_unit(f"def f(x):\n  return x{chain * 90}\n", "f"))
    with pytest.raises(UnsupportedSyntaxError, match="too deeply nested"):
        ParsedUnit(_unit(f"def f(x):\n  return x{chain * 110}\n", "f"))


def test_what_libcst_fails_on_is_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(text: str) -> cst.Module:
        raise ValueError("inside")

    monkeypatch.setattr(cst, "parse_module", failing)
    with pytest.raises(UnsupportedSyntaxError, match="inside") as caught:
        ParsedUnit(_unit("x = 1\n\n\ndef f():\n  return 1\n", "f"))
    assert caught.value.row == 4


def test_every_branch_of_a_statement_that_is_taken_apart_is_made_of_statements() -> None:
    """An ``elif`` is none by itself, whatever the other branches define."""
    text = """    import sys
    if sys.platform == "linux":
        import first
    elif sys.platform == "darwin":
        second() if sys.argv else third()
        if sys.argv:
            fourth()
    elif sys.argv:
        pass
    else:
        if sys.flags:
            fifth()
        sixth()
    """
    for rows in (textwrap.dedent(text), f"try:\n{text.rstrip()}\nexcept OSError:\n    pass\n"):
        units = _index(rows).units
        for unit in units:
            parsed = ParsedUnit(unit)
            assert parsed.position(parsed.statement)[0] == unit.first
        assert any(unit.text.lstrip().startswith("second()") for unit in units)
