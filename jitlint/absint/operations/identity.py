"""Identity: what ``is`` says of constants, modules, functions and classes."""

from __future__ import annotations

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.operations.settings import shown_apart
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    Array,
    Certainty,
    Class,
    Const,
    EnumMember,
    External,
    ExternalInstance,
    Function,
    ModuleValue,
    Ref,
    Sentinel,
    Static,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import Variables
from jitlint.absint.values.statics import may_be_aliases
from jitlint.jaxmodel import functions

#: what a name stands for once and for all, so that `==` is identity too
_DEFINED = (ModuleValue, External, Function, Class)


def are_identical(it: Interpreter, left: Value, right: Value) -> bool | None:
    """The outcome of ``left is right``, None if it is not known."""
    same = are_one_definition(it, left, right)
    return _of_constants(left, right) if same is None else same


def are_one_definition(it: Interpreter, left: Value, right: Value) -> bool | None:
    """Whether two modules, functions or classes are one, None for all else and if not known."""
    if not (isinstance(left, _DEFINED) and isinstance(right, _DEFINED)):
        return None
    if isinstance(left, External) and isinstance(right, External):
        return functions.are_one(left.name, right.name)
    if isinstance(left, External) or isinstance(right, External):
        # A name of a library that is not modelled may be what the project gave it.
        external = left if isinstance(left, External) else right
        assert isinstance(external, External)
        return False if functions.are_one(external.name, external.name) else None
    if isinstance(left, Class) and isinstance(right, Class):
        return _of_classes(it, left, right)
    if isinstance(left, Function) and isinstance(right, Function) and left.code is right.code:
        return True if left.closure == right.closure == () else _are_one_run(it, left, right)
    return left == right


def _are_one_run(it: Interpreter, left: Function, right: Function) -> bool | None:
    """Whether two functions were made by one run of the code around them.

    Each run makes a nested function anew.  What the code of modules calls is run once, or in turns
    of a loop: then what those functions close over is not known.
    """
    made = [it.module_state.get(env) for env in {*left.closure, *right.closure}]
    if not all(isinstance(variables, Variables) for variables in made):
        return None
    if left.closure != right.closure:
        return False
    names = left.code.free_names
    held = [variables[name] for variables in made for name in names if name in variables]
    return True if held and all(isinstance(value, _DEFINED) for value in held) else None


def _of_classes(it: Interpreter, left: Class, right: Class) -> bool | None:
    if left.definition is not right.definition:
        # What `type(self)` is known to be on the left may be a class derived from that.
        info = class_info(it, right)
        return False if info.complete and left not in info.mro else None
    # `type(self) is Base` and `cls is Base` ask which subclass this is.
    return None if left.closure or it.frame.parsed.unit.cls is left.definition else True


def _of_sentinel(sentinel: Sentinel, other: Value) -> bool | None:
    if isinstance(other, Sentinel):
        return sentinel == other
    if isinstance(other, (Array, Tree)):
        # A parameter that has it for a default is traced only where a caller passes it.
        return False if other.certainty is Certainty.SURE else None
    return None if isinstance(other, (Unknown, Union)) or type(other) is Static else False


def _of_constants(left: Value, right: Value) -> bool | None:
    if isinstance(left, Sentinel):
        return _of_sentinel(left, right)
    if isinstance(right, Sentinel):
        return _of_sentinel(right, left)
    if shown_apart(left, right):
        return False
    if isinstance(left, EnumMember) and isinstance(right, EnumMember):
        return None if may_be_aliases(left, right) else left.name == right.name
    if isinstance(left, Const) and isinstance(right, Const):
        if left.value is None or right.value is None or isinstance(left.value, bool):
            return left == right
        return None if left == right else False
    for mine, other in ((left, right), (right, left)):
        if isinstance(other, Const) and (other.value is None or isinstance(other.value, bool)):
            if isinstance(mine, (Array, Tuple, Ref)):
                return False
            if isinstance(mine, Tree) and mine.present and other.value is None:
                return False
            if isinstance(mine, Unknown):
                return False if mine.given and other.value is None else None
            if isinstance(mine, Static):
                return False if mine.type is not None and mine.type != "bool" else None
            if not isinstance(mine, (Tree, Static, ExternalInstance, Const)):
                return False
    return None
