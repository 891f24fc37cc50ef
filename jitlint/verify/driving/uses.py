"""How a function uses its parameters, from its tree.

Followed are the functions of the module that a parameter is passed to.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

_MOST_DEPTH = 3
#: attributes that arrays have; any other attribute shows an object
ARRAY_ATTRIBUTES = frozenset(
    "shape ndim dtype size T mT at sum mean max min any all reshape astype item tolist argmax "
    "argmin std var dot flatten ravel squeeze transpose copy cumsum prod real imag clip round "
    "conj swapaxes sort argsort nbytes itemsize take repeat trace block_until_ready".split()
)


@dataclass
class Uses:
    """What a body does with one parameter.

    Args:
      fields: its string subscripts, with their own uses.
      attributes: its attributes that arrays lack, with their own uses.
      methods: the names of its methods that are called.
      unpacked: into how many names it is unpacked, 0 for not.
      called: it is called.
      count: it serves as a Python number: in ``range``, as a shape or a size.
      key: it goes to ``jax.random``.
      rank: the fewest axes it must have.
      indexed: the largest number it is subscripted with.
      text: it is compared with a string.
      place: it is used as a subscript, or matched with whole numbers.
      annotation: the text of its annotation.
      advanced: it is asked for its next item.
      state_of: it is the state of an optimiser: the name of that, and of what is optimised.
    """

    fields: dict[str, Uses] = field(default_factory=dict)
    attributes: dict[str, Uses] = field(default_factory=dict)
    methods: set[str] = field(default_factory=set)
    unpacked: int = 0
    called: bool = False
    count: bool = False
    key: bool = False
    rank: int = 0
    indexed: int = -1
    text: str | None = None
    place: bool = False
    annotation: str | None = None
    advanced: bool = False
    state_of: tuple[str, str] | None = None

    def merge(self, other: Uses) -> None:
        """Add what another body does with the same value."""
        for name, inner in other.fields.items():
            self.fields.setdefault(name, Uses()).merge(inner)
        for name, inner in other.attributes.items():
            self.attributes.setdefault(name, Uses()).merge(inner)
        self.methods |= other.methods
        self.unpacked = self.unpacked or other.unpacked
        self.called |= other.called
        self.count |= other.count
        self.place |= other.place
        self.key |= other.key
        self.rank = max(self.rank, other.rank)
        self.indexed = max(self.indexed, other.indexed)
        self.text = self.text or other.text
        self.annotation = self.annotation or other.annotation
        self.advanced |= other.advanced
        self.state_of = self.state_of or other.state_of


Functions = Mapping[str, ast.FunctionDef]


def uses_of(
    function: ast.FunctionDef | ast.Lambda, functions: Functions, depth: int = 0
) -> dict[str, Uses]:
    """How a function uses each of its parameters.

    Args:
      function: its tree.
      functions: the module's functions and methods, by their last name.
      depth: how many calls lie before it.
    """
    found = {name: Uses() for name in _parameters(function)}
    aliases: dict[str, Uses] = dict(found)
    body = function.body if isinstance(function.body, list) else [function.body]
    for statement in body:
        for node in ast.walk(statement):
            _note(node, aliases, functions, depth)
    for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]:
        if argument.annotation is not None:
            found[argument.arg].annotation = ast.unparse(argument.annotation)
    return found


def _parameters(function: ast.FunctionDef | ast.Lambda) -> list[str]:
    arguments = function.args
    others = [arguments.kwarg] if arguments.kwarg is not None else []
    named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *others)
    return [argument.arg for argument in named]


def _target(node: ast.AST, aliases: Mapping[str, Uses]) -> Uses | None:
    """The uses that an expression stands for: a parameter, or a field of one."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        base = _target(node.value, aliases)
        if base is not None and isinstance(node.slice.value, str):
            return base.fields.setdefault(node.slice.value, Uses())
    if isinstance(node, ast.Attribute):
        base = _target(node.value, aliases)
        if base is not None and node.attr not in ARRAY_ATTRIBUTES:
            return base.attributes.setdefault(node.attr, Uses())
    return None


def _note(node: ast.AST, aliases: dict[str, Uses], functions: Functions, depth: int) -> None:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        _note_assignment(node.targets[0], node.value, aliases)
    elif isinstance(node, ast.For | ast.comprehension):
        _target(node.iter, aliases)
    elif isinstance(node, ast.Call):
        _note_call(node, aliases, functions, depth)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        for side in (node.left, node.right):
            target = _target(side, aliases)
            if target is not None:
                target.rank = max(target.rank, 1)
    elif isinstance(node, ast.Compare):
        for side in (node.left, *node.comparators):
            target = _target(side, aliases)
            for other in (node.left, *node.comparators):
                text = other.value if isinstance(other, ast.Constant) else None
                if target is not None and isinstance(text, str):
                    target.text = text
    elif isinstance(node, ast.Subscript):
        target = _target(node.value, aliases)
        for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            position = _target(part, aliases)
            if position is not None:
                position.place = True
        if target is not None and not isinstance(node.slice, ast.Constant):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            target.rank = max(target.rank, sum(not _is_none(part) for part in parts))
        elif target is not None:
            number = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if isinstance(number, int):
                target.rank = max(target.rank, 1)
                target.indexed = max(target.indexed, number)
    elif isinstance(node, ast.Match):
        target = _target(node.subject, aliases)
        if target is not None and any(isinstance(c.pattern, ast.MatchValue) for c in node.cases):
            target.place = True
    elif isinstance(node, ast.Attribute):
        _target(node, aliases)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _note_assignment(target: ast.expr, value: ast.expr, aliases: dict[str, Uses]) -> None:
    known = _target(value, aliases)
    if isinstance(target, ast.Tuple):
        if known is not None:
            known.unpacked = len(target.elts)
        elif isinstance(value, ast.Attribute) and value.attr == "shape":
            shaped = _target(value.value, aliases)
            if shaped is not None:
                shaped.rank = max(shaped.rank, len(target.elts))
    elif isinstance(target, ast.Name) and known is not None and target.id not in aliases:
        aliases[target.id] = known


def _note_call(node: ast.Call, aliases: dict[str, Uses], functions: Functions, depth: int) -> None:
    function = _target(node.func, aliases)
    if function is not None:
        function.called = True
    if isinstance(node.func, ast.Attribute):
        owner = _target(node.func.value, aliases)
        if owner is not None:
            owner.methods.add(node.func.attr)
    name = ast.unparse(node.func)
    last = name.rpartition(".")[2]
    values: list[tuple[int | str, ast.expr]] = [*enumerate(node.args)]
    values += [(keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg]
    for place, value in values:
        target = _target(value, aliases)
        if target is None:
            continue
        if last == "range":
            target.count = True
        elif name == "next" and place == 0:
            target.advanced = True
        elif last == "update" and place == 1 and isinstance(node.args[-1], ast.Name):
            target.state_of = (name.rpartition(".")[0], node.args[-1].id)
        elif "random." in name and place == 0 and last not in ("choice", "shuffle", "seed"):
            target.key = True
        elif last in ("zeros", "ones", "full", "arange", "eye", "empty") and place == 0:
            target.count = True
        elif last in ("vmap", "scan") and place == 2:
            target.rank = max(target.rank, 1)
        called = functions.get(last)
        if called is not None and depth < _MOST_DEPTH:
            inner = uses_of(called, functions, depth + 1)
            names = [n for n in _parameters(called) if n not in ("self", "cls")]
            wanted = place if isinstance(place, str) else None
            if isinstance(place, int) and place < len(names):
                wanted = names[place]
            if wanted in inner:
                target.merge(inner[wanted])
