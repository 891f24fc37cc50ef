"""What visible code makes objects of a class with: it speaks before the annotations do.

``def __init__(self, size: Array)`` is an array only if somebody passes one.  Where all code in
sight that makes such objects passes ``(8, 8)``, or leaves it out, nothing is known of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from jitlint.absint.modules.names import dotted_value
from jitlint.absint.values.domain import Class, External
from jitlint.project.walks import dotted, walk

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code, Parameter
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex

#: builtins that give no array, whatever they are given
_PLAIN: tuple[str, ...] = tuple(
    f"builtins.{name}" for name in "len int float bool str tuple list dict set range".split()
)
_Construction = tuple["ModuleIndex", ast.Call]


def is_made_without_arrays(it: Interpreter, cls: Class, code: Code, parameter: Parameter) -> bool:
    """Whether visible code makes objects of a class, and none of it passes an array of JAX.

    Args:
      it: the interpreter.
      cls: the class.
      code: its constructor.
      parameter: a parameter of that.
    """
    calls = _constructions(it, cls)
    index = code.parameters.index(parameter) - 1
    return bool(calls) and all(
        _passes_no_array(it, module, call, parameter, index) for module, call in calls
    )


def _constructions(it: Interpreter, cls: Class) -> list[_Construction]:
    key = ("constructions", id(cls.definition))
    it.reads.read(cls.module)
    found: list[_Construction] | None = it.facts.get(key)
    if found is None:
        with it.reads.of(it, cls.module, f"constructions {cls.definition.qualname}"):
            found = it.facts[key] = list(_find(it, cls))
    return found


def _find(it: Interpreter, cls: Class) -> Iterator[_Construction]:
    name = cls.definition.name
    for module in it.modules_with(name):
        for unit in module.units_with(name):
            for node in walk(unit.node):
                written = dotted(node.func) if isinstance(node, ast.Call) else None
                if written is None or written.rpartition(".")[2] != name:
                    continue
                if dotted_value(it, module, written) == cls:
                    assert isinstance(node, ast.Call)
                    yield module, node


def _passes_no_array(
    it: Interpreter, module: ModuleIndex, call: ast.Call, parameter: Parameter, index: int
) -> bool:
    if any(isinstance(arg, ast.Starred) for arg in call.args):
        return False
    passed = {keyword.arg: keyword.value for keyword in call.keywords}
    if None in passed:
        return False
    given = passed.get(parameter.name)
    if given is None and parameter.kind != "keyword" and index < len(call.args):
        given = call.args[index]
    return given is None or _is_no_array(it, module, given)


def _is_no_array(it: Interpreter, module: ModuleIndex, node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_no_array(it, module, node.operand)
    if isinstance(node, ast.Call):
        called = dotted_value(it, module, dotted(node.func))
        return isinstance(called, External) and (
            called.name in _PLAIN or called.name.startswith("numpy.")
        )
    return isinstance(node, (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.Set, ast.JoinedStr))
