"""The tables of this room: what functions and methods outside the project do, by their names.

To add a model is to write one function under :func:`model` or :func:`method`, in the module of its
topic; what only gives a known value is a row, ``model("id")(gives(STATIC))``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import libcst as cst

from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import UNKNOWN, Value

Model = Callable[[Interpreter, Arguments, cst.CSTNode], Value]
NamedModel = Callable[[str, Interpreter, Arguments, cst.CSTNode], Value]
MethodModel = Callable[[Interpreter, Any, str, Arguments, cst.CSTNode], Value]

#: functions and classes by qualified name
MODELS: Final[dict[str, Model]] = {}
#: methods by the type of their receiver and their own name
METHODS: Final[dict[tuple[str, str], MethodModel]] = {}
#: stands for every method of a type that has no model of its own
ANY: Final = "*"


def model(*names: str) -> Callable[[Model], Model]:
    """Register a model under qualified names; a bare name is a builtin."""

    def register(function: Model) -> Model:
        for name in names:
            MODELS[name if "." in name else f"builtins.{name}"] = function
        return function

    return register


def family(*names: str) -> Callable[[NamedModel], NamedModel]:
    """Like :func:`model`, for a model that is told which of its functions is called.

    What it is told is the last part of the name: ``deepcopy`` for ``copy.deepcopy``.
    """

    def register(function: NamedModel) -> NamedModel:
        for name in names:
            model(name)(partial(function, name.rpartition(".")[2]))
        return function

    return register


def method(owner: str, *names: str) -> Callable[[MethodModel], MethodModel]:
    """Register a model of methods.

    Args:
      owner: the type of the receiver: ``list``, ``dict``, ``set``, ``tree``, ``tuple``, ``ndarray``
        or the name of another static type; ``jax.Array``; or the class of a library's object.
      *names: the methods, :data:`ANY` for all others of that type.
    """

    def register(function: MethodModel) -> MethodModel:
        for name in names:
            METHODS[owner, name] = function
        return function

    return register


def method_model(owner: str, name: str) -> MethodModel | None:
    """The model of a method, None if there is none."""
    return METHODS.get((owner, name)) or METHODS.get((owner, ANY))


def gives(value: Value) -> Model:
    """The model of a function whose result is known beforehand."""
    return lambda it, args, node: value


# -- what models ask of a call --------------------------------------------------------------------


def first(args: Arguments) -> Value:
    """The first positional argument, Unknown if there is none."""
    return args.positional[0] if args.positional else UNKNOWN


def node_at(args: Arguments, node: cst.CSTNode, index: int = 0) -> cst.CSTNode:
    """Where a positional argument stands; the call itself if that is not known."""
    return args.nodes[index] if index < len(args.nodes) else node


def callee(it: Interpreter, node: cst.CSTNode) -> str:
    """What is called, as the code writes it."""
    return it.text(node.func if isinstance(node, cst.Call) else node)
