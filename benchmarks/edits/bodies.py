"""Edits inside of functions."""

from __future__ import annotations

import ast
import random
import re

from benchmarks.edits.kinds import kind
from benchmarks.edits.sources import (
    Files,
    Function,
    FunctionNode,
    alone,
    first_row,
    indent_of,
    last_row,
    own_rows,
    parameters,
    rows,
    segment,
    some_function,
    some_node,
    statements,
    tree_of,
    with_node,
    with_rows,
)

_FAULTS = (
    "if {x}.sum() > 0: pass",
    "float({x})",
    "{x}.item()",
    "print({x})",
    "import numpy; numpy.asarray({x})",
    "while {x} > 0: {x} = {x} - 1",
    "assert {x} is not None and {x} > 0",
    "_last = []; _last.append({x})",
    "global LAST; LAST = {x}",
    "for _ in range({x}): pass",
    "{x}[0] = 1",
    "import time; print(time.time())",
    "import random; random.random()",
    "bool({x})",
    "hash({x})",
    "str({x}); int({x})",
    "import jax; jax.jit(lambda y: y + {x})({x})",
    "f'{{float({x})}}'",
    "{x} = {x}.tolist()",
    "{x} = {x}.astype('float64')",
    "import jax.numpy as jnp; jnp.zeros(3, dtype=jnp.float64)",
    "try: int({x})\n{i}except Exception: pass",
)


@kind("body")
def fault_put_in(rng: random.Random, files: Files) -> Files | None:
    for _ in range(10):
        found = some_function(rng, files)
        if found is None:
            continue
        name, node = found
        names = parameters(node)
        inner = [each for each in node.body if alone(files[name], each)]
        if not names or not inner:
            continue
        place = rng.choice(inner)
        indent = indent_of(place)
        text = rng.choice(_FAULTS).format(x=rng.choice(names), i=indent)
        if text.startswith("global") and place is not node.body[0]:
            continue
        row = first_row(place)
        if place is node.body[0] and isinstance(place, ast.Expr):
            row = last_row(place)
        return with_rows(files, name, row, row, (indent + text).split("\n"))
    return None


@kind("body")
def fault_on_the_instance(rng: random.Random, files: Files) -> Files | None:
    for _ in range(10):
        found = some_function(rng, files)
        if found is None or not found[1].args.args or found[1].args.args[0].arg != "self":
            continue
        name, node = found
        given = (parameters(node) or ["0"])[0]
        text = rng.choice(
            (
                f"self.last = {given}",
                "self.count += 1",
                "print(self.size)",
                f"self.kept.append({given})",
                f"if self.flag: {given} = 1",
            )
        )
        place = node.body[-1]
        row = first_row(place)
        return with_rows(files, name, row, row, [indent_of(place) + text])
    return None


@kind("body")
def number_changed(rng: random.Random, files: Files) -> Files | None:
    found = some_node(rng, files, *FunctionNode)
    if found is None:
        return None
    name, function = found
    numbers = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Constant) and type(node.value) in (int, float)
    ]
    numbers = [node for node in numbers if segment(files[name], node) == repr(node.value)]
    if not numbers:
        return None
    node = rng.choice(numbers)
    value = node.value
    if not isinstance(value, (int, float)):
        return None
    return with_node(files, name, node, repr(rng.choice([value + 1, 0, 1, -1, value * 2, 1.5])))


@kind("body")
def flag_switched(rng: random.Random, files: Files) -> Files | None:
    for _ in range(10):
        found = some_node(rng, files, ast.Constant)
        if found is None or not isinstance(found[1], ast.Constant):
            return None
        name, node = found
        if node.value in (True, False) and isinstance(node.value, bool):
            return with_node(files, name, node, repr(not node.value))
        if node.value is None:
            return with_node(files, name, node, rng.choice(("0", "()", "False")))
    return None


@kind("body")
def string_changed(rng: random.Random, files: Files) -> Files | None:
    for _ in range(10):
        found = some_node(rng, files, ast.Constant)
        if found is None or not isinstance(found[1], ast.Constant):
            return None
        name, node = found
        if isinstance(node.value, str) and re.match("[rbu]?[\"']", segment(files[name], node)):
            words = ("x", "loss", "config", "float32", "training", "", "jax")
            return with_node(files, name, node, repr(rng.choice(words)))
    return None


@kind("body")
def local_renamed(rng: random.Random, files: Files) -> Files | None:
    found = some_function(rng, files)
    if found is None:
        return None
    name, function = found
    given = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
    stored = sorted(
        {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        - given
    )
    if not stored:
        return None
    old = rng.choice(stored)
    new = rng.choice([f"{old}_", "value", "y", "xs", "state"])
    return _renamed(files, name, function, old, new)


@kind("surface")
def parameter_renamed(rng: random.Random, files: Files) -> Files | None:
    found = some_function(rng, files)
    if found is None or not parameters(found[1]):
        return None
    name, function = found
    old = rng.choice(parameters(function))
    return _renamed(files, name, function, old, f"{old}_new")


def _renamed(files: Files, name: str, function: Function, old: str, new: str) -> Files:
    text = "\n".join(own_rows(files[name], function))
    changed = re.sub(rf"(?<![\w.]){re.escape(old)}(?!\w)", new, text)
    return with_rows(files, name, first_row(function), last_row(function), changed.split("\n"))


@kind("body")
def statement_removed(rng: random.Random, files: Files) -> Files | None:
    name_and_node = _some_statement(rng, files)
    if name_and_node is None:
        return None
    name, node = name_and_node
    return with_rows(files, name, first_row(node), last_row(node), [f"{indent_of(node)}pass"])


def _some_statement(rng: random.Random, files: Files) -> tuple[str, ast.stmt] | None:
    """A statement in a function, on rows of its own."""
    for _ in range(10):
        found = some_node(rng, files, *FunctionNode)
        if found is None:
            return None
        name, function = found
        inner = [node for node in statements(function) if alone(files[name], node)]
        if inner:
            return name, rng.choice(inner)
    return None


@kind("body")
def statement_twice(rng: random.Random, files: Files) -> Files | None:
    found = _some_statement(rng, files)
    if found is None:
        return None
    name, node = found
    row = last_row(node)
    return with_rows(files, name, row, row, own_rows(files[name], node))


@kind("body")
def statement_in_a_block(rng: random.Random, files: Files) -> Files | None:
    found = _some_statement(rng, files)
    if found is None:
        return None
    name, node = found
    lines = own_rows(files[name], node)
    if any('"""' in line or "'''" in line for line in lines):
        return None
    indent = indent_of(node)
    head = rng.choice(("if True:", "for _ in range(3):", "while 1:", "if unknown():", "with c():"))
    inner = [f"    {line}" for line in lines]
    return with_rows(files, name, first_row(node), last_row(node), [indent + head, *inner])


@kind("body")
def statements_swapped(rng: random.Random, files: Files) -> Files | None:
    for _ in range(10):
        found = some_function(rng, files)
        if found is None or len(found[1].body) < 2:
            continue
        name, function = found
        at = rng.randrange(len(function.body) - 1)
        one, other = function.body[at : at + 2]
        text = files[name]
        if not (alone(text, one) and alone(text, other)):
            continue
        lines = rows(text)
        between = lines[last_row(one) : first_row(other)]
        new = [*own_rows(text, other), *between, *own_rows(text, one)]
        return with_rows(files, name, first_row(one), last_row(other), new)
    return None


@kind("body")
def operator_changed(rng: random.Random, files: Files) -> Files | None:
    found = some_node(rng, files, ast.BinOp, ast.Compare)
    if found is None or not isinstance(found[1], (ast.BinOp, ast.Compare)):
        return None
    name, node = found
    left, right = (
        (node.left, node.right)
        if isinstance(node, ast.BinOp)
        else (node.left, node.comparators[-1])
    )
    text = files[name]
    operator = rng.choice(("+", "*", "@", "<", "==", "is not", "and", "//", "in"))
    return with_node(
        files, name, node, f"({segment(text, left)} {operator} {segment(text, right)})"
    )


@kind("body")
def expression_wrapped(rng: random.Random, files: Files) -> Files | None:
    found = some_node(rng, files, ast.Call, ast.Attribute, ast.BinOp)
    if found is None or not isinstance(found[1], ast.expr):
        return None
    name, node = found
    if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        return None
    wrapper = rng.choice(
        ("float({})", "(lambda: {})()", "({} if 1 else 0)", "str({})", "[{}][0]", "jax.jit({})")
    )
    return with_node(files, name, node, wrapper.format(segment(files[name], node)))


@kind("body")
def attribute_changed(rng: random.Random, files: Files) -> Files | None:
    """Another attribute that somebody has: other units hold the word."""
    found = some_node(rng, files, ast.Attribute)
    other = some_node(rng, files, ast.Attribute)
    if found is None or other is None:
        return None
    name, node = found
    if not isinstance(node, ast.Attribute) or not isinstance(other[1], ast.Attribute):
        return None
    return with_node(files, name, node, f"{segment(files[name], node.value)}.{other[1].attr}")


@kind("body")
def call_of_another(rng: random.Random, files: Files) -> Files | None:
    """Another function of the same module is called."""
    found = some_node(rng, files, ast.Call)
    if found is None or not isinstance(found[1], ast.Call):
        return None
    name, node = found
    defined = [each.name for each in tree_of(files, name).body if isinstance(each, FunctionNode)]
    if not defined:
        return None
    return with_node(files, name, node.func, rng.choice(defined))


@kind("body")
def argument_dropped(rng: random.Random, files: Files) -> Files | None:
    for _ in range(10):
        found = some_node(rng, files, ast.Call)
        if found is None or not isinstance(found[1], ast.Call):
            return None
        name, node = found
        every: list[ast.expr] = [*node.args, *(each.value for each in node.keywords)]
        if every:
            each = rng.choice(every)
            if not isinstance(each, ast.Starred):
                return with_node(files, name, each, rng.choice(("None", "0", "x", "3.0", "*()")))
    return None


@kind("body")
def early_return(rng: random.Random, files: Files) -> Files | None:
    found = some_function(rng, files)
    if found is None:
        return None
    name, node = found
    place = rng.choice(node.body)
    row = first_row(place)
    value = rng.choice(["", *parameters(node), "None", "lambda y: y", "self"])
    return with_rows(files, name, row, row, [f"{indent_of(place)}return {value}"])


@kind("body")
def function_inside(rng: random.Random, files: Files) -> Files | None:
    found = some_function(rng, files)
    if found is None:
        return None
    name, node = found
    place = node.body[-1]
    indent = indent_of(place)
    given = (parameters(node) or ["0"])[0]
    text = [
        f"{indent}@jax.jit",
        f"{indent}def inner(y, k={given}):",
        f"{indent}    return y if y > k else {given}",
        f"{indent}inner({given})",
    ]
    return with_rows(files, name, first_row(place), first_row(place), text)


@kind("body")
def import_inside(rng: random.Random, files: Files) -> Files | None:
    found = some_function(rng, files)
    if found is None:
        return None
    name, node = found
    place = node.body[-1]
    other = rng.choice([each for each in files if each.endswith(".py")])
    module = other.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    text = rng.choice(
        (f"import {module}", f"from {module} import *  # noqa", "import numpy as jnp")
    )
    if text.endswith("noqa"):
        text = f"from {module} import step as {'jit' if rng.random() < 0.3 else 'go'}"
    return with_rows(files, name, first_row(place), first_row(place), [indent_of(place) + text])


@kind("broken", broken=True)
def syntax_error(rng: random.Random, files: Files) -> Files | None:
    found = _some_statement(rng, files)
    if found is None:
        return None
    name, node = found
    row = first_row(node)
    text = rng.choice(("def (:", "x = (", "if", '"""', "    return", "x.", "\t\tx"))
    return with_rows(files, name, row, row, [indent_of(node) + text])


@kind("broken", broken=True)
def half_typed(rng: random.Random, files: Files) -> Files | None:
    """A row ends in the middle."""
    found = _some_statement(rng, files)
    if found is None:
        return None
    name, node = found
    line = rows(files[name])[node.lineno - 1]
    kept = line[: rng.randrange(node.col_offset, len(line) + 1)]
    return with_rows(files, name, node.lineno - 1, node.lineno, [kept])


@kind("body")
def same_length(rng: random.Random, files: Files) -> Files | None:
    """Something of as many bytes: with the times of the file kept nothing shows that it changed."""
    found = some_node(rng, files, ast.Constant, ast.Compare)
    if found is None or not isinstance(found[1], ast.expr):
        return None
    name, node = found
    text = segment(files[name], node)
    swaps = {" > ": " < ", " < ": " > ", "True": "None", "1": "2", "2": "1", "0": "9", "==": "!="}
    for old, new in swaps.items():
        if old in text and not text.startswith(('"', "'")):
            return with_node(files, name, node, text.replace(old, new, 1))
    return None


@kind("body")
def word_in_a_string(rng: random.Random, files: Files) -> Files | None:
    """What is searched for by words may stand where it means nothing."""
    found = some_function(rng, files)
    if found is None:
        return None
    name, node = found
    place = node.body[-1]
    words = rng.choice(
        (
            "jax_enable_x64",
            "config.update",
            "jax.jit(self.call)",
            "Module",
            "tree_flatten",
            "__call__",
        )
    )
    text = f"{indent_of(place)}_ = {words!r}"
    return with_rows(files, name, first_row(place), first_row(place), [text])
