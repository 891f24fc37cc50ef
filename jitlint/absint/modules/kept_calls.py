"""What calls pass to a function that is kept under a name: in an attribute, in a dict, or locally.

``self._score = jax.jit(score)`` is called as ``self._score(x)``, wherever that stands, and
``score = jax.jit(score)`` in a function only there, if all it does with it is to call it.  Where
code in sight calls it, and none of it passes a parameter that has a default, that is what it has.
What is kept under a private name that nothing reads is never called, nor is what a notebook gives a
name and does nothing with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.syntax import walk, walk_own
from jitlint.project.written.named_calls import NamedCall, calls_by_name, calls_in

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Place
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex

#: with these an attribute is read without being named
_ASKING_BY_TEXT: Final = frozenset({"__dict__", "vars", "getattr", "__getattr__", "attrgetter"})


def kept_calls(it: Interpreter, place: Place) -> list[NamedCall]:
    """The visible calls of what is made somewhere, if that is kept under a name.

    Args:
      it: the interpreter.
      place: where it is made.
    """
    parsed, node = place.parsed, place.node
    local = parsed.answer((_called_alone, node), partial(_called_alone, parsed.statement, node))
    if local:
        return [*calls_in(parsed.unit, local)]
    return [
        call
        for kept in dict.fromkeys(_kept_as(place))
        for module in it.modules_with(kept)
        for call in calls_by_name(module, kept)
    ]


def is_out_of_reach(it: Interpreter, place: Place) -> bool:
    """Whether what is made somewhere goes nowhere but where nothing reads it.

    That is a private attribute, or a variable of a notebook, which nobody imports.

    Args:
      it: the interpreter.
      place: where it is made.
    """
    targets: list[cst.BaseExpression] = []
    for inner in walk_own(place.parsed.statement):
        if isinstance(inner, cst.Assign) and inner.value is place.node:
            targets += [target.target for target in inner.targets]
        elif isinstance(inner, cst.AnnAssign) and inner.value is place.node:
            targets.append(inner.target)
    unit = place.parsed.unit
    module = unit.module
    if not targets or module.has_any(_ASKING_BY_TEXT):
        return False
    if all(isinstance(target, cst.Name) for target in targets):
        own_code = module.is_notebook and unit.cls is None and not unit.is_function
        readers = [module] if own_code else []
        names = {target.value for target in targets if isinstance(target, cst.Name)}
        return bool(readers) and not _are_read(names, readers)
    names = {t.attr.value if isinstance(t, cst.Attribute) else "" for t in targets}
    if not all(name.startswith("_") and name[-2:] != "__" for name in names):
        return False
    return not any(_are_read({name}, it.modules_with(name)) for name in names)


def _are_read(names: Iterable[str], modules: Iterable[ModuleIndex]) -> bool:
    """Whether code of some modules does anything with names but to bind them."""
    return any(
        unit.finds(rf"\b{name}\b(?!\s*(?::[^=\n]*)?=[^=])")
        for module in modules
        for unit in module.units
        for name in names
    )


def leave_out(calls: Collection[NamedCall], name: str, index: int | None) -> bool:
    """Whether there are calls, and all of them leave a parameter at its default.

    Args:
      calls: the calls.
      name: the name of the parameter.
      index: its position among the arguments, None if it is passed by name alone.
    """
    return bool(calls) and not any(call.passes(name, index) for call in calls)


def _called_alone(statement: cst.CSTNode, node: cst.CSTNode) -> str:
    """The name that a function gives something that it only calls; empty for anything else."""
    if not isinstance(statement, cst.FunctionDef):
        return ""
    every = [*walk(statement)]
    bound = [each for each in every if isinstance(each, cst.Assign) and each.value is node]
    targets = [target.target for each in bound for target in each.targets]
    if len(targets) != 1 or not isinstance(targets[0], cst.Name):
        return ""
    name = targets[0].value
    called = {id(each.func) for each in every if isinstance(each, cst.Call)} | {id(targets[0])}
    names = (each for each in every if isinstance(each, cst.Name) and each.value == name)
    return name if all(id(each) in called for each in names) else ""


def _kept_as(place: Place) -> Iterator[str]:
    """The names of attributes, and the keys of dicts, that what is made somewhere goes into."""
    node = place.node
    for inner in walk_own(place.parsed.statement):
        if isinstance(inner, cst.Assign) and inner.value is node:
            for target in inner.targets:
                if isinstance(target.target, cst.Attribute):
                    yield target.target.attr.value
        elif isinstance(inner, cst.AnnAssign) and inner.value is node:
            if isinstance(inner.target, cst.Attribute):
                yield inner.target.attr.value
        elif isinstance(inner, cst.DictElement) and inner.value is node:
            key = inner.key
            if isinstance(key, cst.SimpleString) and isinstance(key.evaluated_value, str):
                yield key.evaluated_value
