"""Declarations are read in the index's tree, also those of functions nested in others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from jitlint.absint.code.declarations import (
    bases_of,
    decorator_options,
    field_of,
    flattened_by,
)
from jitlint.absint.code.functions import Code, CodeStore
from jitlint.absint.code.signatures import annotation_of, return_annotation_of
from jitlint.absint.code.syntax import children
from jitlint.project.index import ModuleIndex, Parsed
from jitlint.project.units import ClassDefinition

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "tests" / "programs").rglob("*.py"))[::9]
TEXTS = [text for path in PROGRAMS if "def " in (text := path.read_text(encoding="utf-8"))]


def _index(text: str) -> ModuleIndex:
    return ModuleIndex("m", Path("m.py"), text, Parsed(ast.parse(text)), is_package=False)


def _functions(module: ModuleIndex) -> Iterator[Code]:
    """Every function of a module that is no lambda."""
    store = CodeStore()
    for unit in module.units:
        parsed = store.parse(unit)
        if unit.is_function:
            yield store.load(store.of_unit(unit))
        stack: list[cst.CSTNode] = [parsed.statement]
        while stack:
            node = stack.pop()
            stack.extend(children(node))
            if isinstance(node, cst.FunctionDef) and node is not parsed.statement:
                yield store.of_node(node, parsed, unit.qualname)


def _said(node: ast.expr | None) -> str | None:
    return None if node is None else ast.unparse(node)


def _written(code: Code, node: cst.Annotation | None) -> str | None:
    assert code.parsed is not None
    if node is None:
        return None
    text = " ".join(code.parsed.source(node.annotation).split())
    return ast.unparse(ast.parse(text, mode="eval"))


NESTED = """
def outer(x: int, *args: A, **options: B) -> C:
    if x:
        def f(x: list[
            int], *, y: "D" = 1): pass
    else:
        def f(x: F, /, *args: G) -> H: return lambda x: 1
    try:
        class K:
            @d(lambda x: x)
            async def f(self, x: I):
                def f(x: J): pass
    except E:
        for i in x:
            def f(x: K): pass
        else:
            def f(x: L): pass
    finally:
        match x:
            case 1:
                def f(x: M): pass
            case _:
                with x as y:
                    def f(x: N): pass
    return f

while 1:
    def f(x: O): pass
"""


@pytest.mark.parametrize("text", [NESTED, *TEXTS])
def test_annotations_are_those_that_are_written(text: str) -> None:
    seen = 0
    for code in _functions(_index(text)):
        assert isinstance(code.node, cst.FunctionDef)
        params = code.node.params
        written = [*params.posonly_params, *params.params, *params.kwonly_params]
        written += [p for p in (params.star_arg, params.star_kwarg) if isinstance(p, cst.Param)]
        annotations = {each.name.value: each.annotation for each in written}
        for parameter in code.parameters:
            due = _written(code, annotations[parameter.name])
            assert _said(annotation_of(code, parameter)) == due
            seen += 1
        assert _said(return_annotation_of(code)) == _written(code, code.node.returns)
        seen += 1
    assert seen


def _class(text: str) -> ClassDefinition:
    return next(iter(_index(text).classes.values()))


def test_headers_of_classes() -> None:
    definition = _class("@d\n@m.d[int](a=True, b=x, **c)\nclass A(B, m.C[T][U], f(x), k=1): pass")
    assert bases_of(definition) == ["B", "m.C", None]
    assert decorator_options(definition) == {"a": True, "b": None, "": None}


@pytest.mark.parametrize(
    ("text", "static"),
    [
        ("x: int", False),
        ("x: ClassVar[int] = 1", True),
        ("x: typing.ClassVar = 1", True),
        ("x: int = field(static=True)", True),
        ("x: int = struct.field(pytree_node=False)", True),
        ("x: int = field(metadata=dict(static=True))", True),
        ("x: int = m.static_field()", True),
        ("x: int = field(static=flag)", False),
    ],
)
def test_static_fields(text: str, static: bool) -> None:
    declared = field_of(_class(f"class A:\n  {text}").statements[0])
    assert declared is not None
    assert (declared.name, declared.is_static) == ("x", static)


@pytest.mark.parametrize("text", ["x = 1", "x.y: int = 1", "print(x)"])
def test_what_declares_no_field(text: str) -> None:
    assert field_of(_class(f"class A:\n  {text}").statements[0]) is None


def test_what_a_flatten_function_reads() -> None:
    text = """
class A:
  def tree_flatten(self):
    if self.empty:
      return None
    children = (self.x, self.y)
    return children, {"n": self.n}
"""
    (flatten,) = _class(text).methods["tree_flatten"]
    assert flattened_by(flatten) == ({"x", "y"}, {"n"})
