"""The tables of this room: what functions and methods outside the project do, by their names.

To add a model is to write one function under :func:`model` or :func:`method`, in the module of its
topic; what only gives a known value is a row: ``model("id")(gives(STATIC))``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import libcst as cst

from jitlint.absint.events import Event
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import UNKNOWN, Array, Value


class Call:
    """One call of a function or method of a library.

    Args:
      name: of the function or method alone: ``deepcopy`` for ``copy.deepcopy``.
      args: what it is given.
      node: the call, or what stands for it.
      receiver: the object whose method it is.
    """

    __slots__ = ("args", "keywords", "name", "node", "positional", "receiver")

    def __init__(
        self, name: str, args: Arguments, node: cst.CSTNode, receiver: Any = UNKNOWN
    ) -> None:
        self.name = name
        self.args = args
        self.positional = args.positional
        self.keywords = args.keywords
        self.node = node
        self.receiver = receiver

    @property
    def first(self) -> Value:
        """The first positional argument, Unknown if there is none."""
        return self.positional[0] if self.positional else UNKNOWN

    @property
    def second(self) -> Value | None:
        """The second positional argument, None if there is none."""
        return self.positional[1] if len(self.positional) > 1 else None

    @property
    def last(self) -> Value | None:
        """The last positional argument, None if there is none."""
        return self.positional[-1] if self.positional else None

    @property
    def starred(self) -> bool:
        """Whether there may be arguments that are not seen: ``*values`` or ``**options``."""
        return self.args.star is not None or self.args.star_keywords is not None

    @property
    def operands(self) -> list[Value]:
        """All arguments; before them the array whose method it is."""
        values = self.args.values()
        return [self.receiver, *values] if isinstance(self.receiver, Array) else values

    def place(self, index: int = 0) -> cst.CSTNode:
        """Where a positional argument stands; the call itself if that is not known."""
        nodes = self.args.nodes
        return nodes[index] if index < len(nodes) else self.node

    def report(
        self,
        it: Interpreter,
        event: type[Event],
        traced: Value | None,
        exceptions: tuple[str, ...],
        operand: cst.CSTNode | None = None,
        **details: Any,
    ) -> Value:
        """Record what a traced value does to this call; nothing is known of its result."""
        return it.emit(event, self.node, traced, operand=operand, exceptions=exceptions, **details)

    def callee(self, it: Interpreter) -> str:
        """What is called, as the code writes it."""
        return it.text(self.node.func if isinstance(self.node, cst.Call) else self.node)


Model = Callable[[Interpreter, Call], Value]

#: functions and classes by qualified name
MODELS: Final[dict[str, Model]] = {}
#: methods by the type of their receiver and their own name
METHODS: Final[dict[tuple[str, str], Model]] = {}
#: stands for every method of a type that has no model of its own
ANY: Final = "*"


def model(*names: str) -> Callable[[Model], Model]:
    """Register a model under qualified names; a bare name is a builtin."""

    def register(function: Model) -> Model:
        for name in names:
            MODELS[name if "." in name else f"builtins.{name}"] = function
        return function

    return register


def method(owner: str, *names: str) -> Callable[[Model], Model]:
    """Register a model of methods.

    Args:
      owner: the type of the receiver, several parted by blanks: ``list``, ``dict``, ``set``,
        ``tree``, ``tuple``, the name of a static type (``str``, ``ndarray``), or the class of a
        library's object.
      *names: the methods, :data:`ANY` for all others of that type.
    """

    def register(function: Model) -> Model:
        for kind in owner.split():
            METHODS.update({(kind, name): function for name in names})
        return function

    return register


def gives(value: Value) -> Model:
    """The model of a function whose result is known beforehand."""
    return lambda it, call: value


def method_model(owner: str, name: str) -> Model | None:
    """The model of a method, None if there is none."""
    return METHODS.get((owner, name)) or METHODS.get((owner, ANY))
