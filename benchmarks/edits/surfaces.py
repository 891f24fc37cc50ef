"""Edits of what others see of a module: its names, classes, imports, constants."""

from __future__ import annotations

import ast
import random
import re

from benchmarks.edits.kinds import kind
from benchmarks.edits.sources import (
    Definition,
    Files,
    FunctionNode,
    alone,
    definitions,
    dotted_name,
    first_row,
    indent_of,
    last_row,
    modules,
    own_rows,
    rows,
    segment,
    some_function,
    some_module,
    some_node,
    top,
    tree_of,
    with_node,
    with_rows,
)

_DECORATORS = (
    "@jax.jit",
    "@functools.partial(jax.jit, static_argnums=0)",
    "@jax.vmap",
    "@jax.custom_vjp",
    "@functools.lru_cache",
    "@functools.wraps(print)",
    "@property",
    "@staticmethod",
    "@classmethod",
    "@unknown",
    "@jax.tree_util.register_pytree_node_class",
    "@dataclasses.dataclass(frozen=True)",
    "@contextlib.contextmanager",
)
_CONSTANTS = (
    "3",
    "0",
    "None",
    "True",
    "'three'",
    "[1, 2]",
    "{}",
    "jnp.ones(3)",
    "np.zeros(2)",
    "()",
)
_BASES = (
    "nn.Module",
    "eqx.Module",
    "object",
    "Unknown",
    "tuple",
    "dict",
    "typing.NamedTuple",
    "abc.ABC",
)


def _some_definition(
    rng: random.Random, files: Files, *kinds: type[Definition]
) -> tuple[str, Definition] | None:
    """Something that a module defines, on rows of its own."""
    for _ in range(10):
        name = some_module(rng, files)
        if name is None:
            return None
        found = [
            node
            for node in definitions(tree_of(files, name))
            if alone(files[name], node) and (not kinds or isinstance(node, kinds))
        ]
        if found:
            return name, rng.choice(found)
    return None


def _some_names(rng: random.Random, files: Files, name: str) -> list[str]:
    """What a module defines by statements that can be told."""
    found = [node.name for node in definitions(tree_of(files, name))]
    return found or ["step"]


@kind("surface")
def function_added(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    called = rng.choice(_some_names(rng, files, name))
    new = rng.choice(
        (
            "@jax.jit\ndef added(x):\n    return {f}(x)",
            "def added(x, flag=False):\n    if x > 0:\n        return {f}(x)\n    return {f}",
            "added = jax.jit({f})",
            "def added(xs):\n    for x in xs:\n        jax.jit({f})(x)",
            "added = jax.jit(lambda x: {f}(x))\nadded(2)",
            "def {f}_new(x):\n    return float(x)\n\n\njax.vmap({f}_new)",
            "class Added:\n    @jax.jit\n    def call(self, x):\n        return {f}(self.size, x)",
            "if __name__ == '__main__':\n    jax.jit({f})(jnp.ones(3))",
            "jax.config.update('jax_enable_x64', True)",
        )
    ).format(f=called)
    return {**files, name: files[name].rstrip("\n") + f"\n\n\n{new}\n"}


@kind("surface")
def definition_removed(rng: random.Random, files: Files) -> Files | None:
    found = _some_definition(rng, files)
    if found is None:
        return None
    name, node = found
    return with_rows(files, name, first_row(node), last_row(node), [])


@kind("surface")
def method_removed(rng: random.Random, files: Files) -> Files | None:
    found = _some_method(rng, files)
    if found is None:
        return None
    name, cls, node = found
    left = [] if len(cls.body) > 1 else [f"{indent_of(node)}pass"]
    return with_rows(files, name, first_row(node), last_row(node), left)


def _some_method(
    rng: random.Random, files: Files
) -> tuple[str, ast.ClassDef, ast.FunctionDef | ast.AsyncFunctionDef] | None:
    for _ in range(10):
        found = _some_definition(rng, files, ast.ClassDef)
        if found is None or not isinstance(found[1], ast.ClassDef):
            continue
        name, cls = found[0], found[1]
        methods = [each for each in cls.body if isinstance(each, FunctionNode)]
        methods = [each for each in methods if alone(files[name], each)]
        if methods:
            return name, cls, rng.choice(methods)
    return None


@kind("surface")
def method_added(rng: random.Random, files: Files) -> Files | None:
    found = _some_definition(rng, files, ast.ClassDef)
    if found is None or not isinstance(found[1], ast.ClassDef):
        return None
    name, cls = found
    last = cls.body[-1]
    if last.lineno == cls.lineno:
        return None
    other = _some_method(rng, files)
    method = rng.choice(["__call__", "call", "__init__", "setup", "size", "__bool__"])
    if other is not None and rng.random() < 0.6:
        method = other[2].name
    indent = indent_of(last)
    text = [
        f"{indent}def {method}(self, x=None, *args):",
        f"{indent}    if x > 0:",
        f"{indent}        return self.{method}",
        f"{indent}    return x",
    ]
    row = last_row(last) if rng.random() < 0.5 else first_row(cls.body[0])
    return with_rows(files, name, row, row, text)


@kind("surface")
def method_moved_to_another_class(rng: random.Random, files: Files) -> Files | None:
    found, target = _some_method(rng, files), _some_definition(rng, files, ast.ClassDef)
    if found is None or target is None or not isinstance(target[1], ast.ClassDef):
        return None
    name, cls, node = found
    if target == (name, cls) or target[1].body[0].lineno == target[1].lineno:
        return None
    text = own_rows(files[name], node)
    place = last_row(target[1].body[-1])
    if target[0] == name and place > first_row(node):
        return None
    left = [] if len(cls.body) > 1 else [f"{indent_of(node)}pass"]
    without = with_rows(files, name, first_row(node), last_row(node), left)
    return with_rows(without, target[0], place, place, text)


@kind("surface")
def definition_twice(rng: random.Random, files: Files) -> Files | None:
    """Two definitions of one name: the later one holds, or the first where it is put below."""
    found, other = _some_definition(rng, files), _some_definition(rng, files)
    if found is None or other is None:
        return None
    name, node = found
    text = own_rows(files[other[0]], other[1])
    pattern = rf"\b(def|class)\s+{re.escape(other[1].name)}\b"
    text = re.sub(pattern, rf"\g<1> {node.name}", "\n".join(text), count=1).split("\n")
    row = rng.choice((first_row(node), last_row(node), len(rows(files[name]))))
    return with_rows(files, name, row, row, ["", *text, ""])


@kind("surface")
def definitions_swapped(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    every = [each for each in definitions(tree_of(files, name)) if alone(files[name], each)]
    if len(every) < 2:
        return None
    one, other = sorted(rng.sample(every, 2), key=lambda node: node.lineno)
    lines = rows(files[name])
    new = [
        *own_rows(files[name], other),
        *lines[last_row(one) : first_row(other)],
        *own_rows(files[name], one),
    ]
    return with_rows(files, name, first_row(one), last_row(other), new)


@kind("surface")
def statements_of_a_module_swapped(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    every = [each for each in tree_of(files, name).body if alone(files[name], each)]
    if len(every) < 2:
        return None
    at = rng.randrange(len(every) - 1)
    one, other = every[at], rng.choice(every[at + 1 : at + 4])
    lines = rows(files[name])
    new = [
        *own_rows(files[name], other),
        *lines[last_row(one) : first_row(other)],
        *own_rows(files[name], one),
    ]
    return with_rows(files, name, first_row(one), last_row(other), new)


@kind("surface")
def word_goes_from_a_file(rng: random.Random, files: Files) -> Files | None:
    """A word is another one, everywhere in a file: ``jax``, or whatever is looked for."""
    name = some_module(rng, files)
    if name is None:
        return None
    found = sorted({*re.findall(r"\b[a-zA-Z]\w{2,}\b", files[name])})
    if not found:
        return None
    old = rng.choice(found)
    new = rng.choice([*found, "other"])
    edited = {**files, name: re.sub(rf"\b{old}\b", new, files[name])}
    return edited if modules({name: edited[name]}) else None


@kind("surface")
def definition_renamed(rng: random.Random, files: Files) -> Files | None:
    """A definition has another name, everywhere or only where it stands."""
    found = _some_definition(rng, files)
    if found is None:
        return None
    name, node = found
    new = rng.choice([f"{node.name}2", f"_{node.name}", "step", "main"])
    pattern = re.compile(rf"\b{re.escape(node.name)}\b")
    if rng.random() < 0.5:
        return {each: pattern.sub(new, text) for each, text in files.items()}
    line = rows(files[name])[node.lineno - 1]
    return with_rows(files, name, node.lineno - 1, node.lineno, [pattern.sub(new, line, count=1)])


@kind("surface")
def definition_moved_to_another_file(rng: random.Random, files: Files) -> Files | None:
    found = _some_definition(rng, files)
    target = some_module(rng, files)
    if found is None or target is None or found[0] == target:
        return None
    name, node = found
    text = "\n".join(own_rows(files[name], node))
    left = rng.choice(([], [f"from {dotted_name(target)} import {node.name}"]))
    without = with_rows(files, name, first_row(node), last_row(node), left)
    return {**without, target: without[target].rstrip("\n") + f"\n\n\n{text}\n"}


@kind("surface")
def definition_under_a_condition(rng: random.Random, files: Files) -> Files | None:
    found = _some_definition(rng, files)
    if found is None:
        return None
    name, node = found
    lines = own_rows(files[name], node)
    if any('"""' in line or "'''" in line for line in lines):
        return None
    head = rng.choice(("if True:", "if FLAG:", "try:", "for _ in range(2):", "with c:"))
    tail = ["except ImportError:", f"    {node.name} = None"] if head == "try:" else []
    if head == "if FLAG:":
        tail = ["else:", f"    {node.name} = jax.jit(abs)"]
    text = [head, *(f"    {line}" for line in lines), *tail]
    return with_rows(files, name, first_row(node), last_row(node), text)


@kind("surface")
def decorator_added(rng: random.Random, files: Files) -> Files | None:
    found = some_node(rng, files, ast.FunctionDef, ast.ClassDef)
    if found is None or not isinstance(found[1], (ast.FunctionDef, ast.ClassDef)):
        return None
    name, node = found
    if not alone(files[name], node):
        return None
    decorator = rng.choice(_DECORATORS)
    own = [each for each in definitions(tree_of(files, name)) if each is not node]
    if own and rng.random() < 0.3:
        decorator = f"@{rng.choice(own).name}"
    row = rng.choice((first_row(node), node.lineno - 1))
    return with_rows(files, name, row, row, [indent_of(node) + decorator])


@kind("surface")
def decorator_removed(rng: random.Random, files: Files) -> Files | None:
    decorated = [
        (name, each)
        for name in modules(files)
        for node in ast.walk(tree_of(files, name))
        for each in getattr(node, "decorator_list", ())
        if each.lineno == each.end_lineno
    ]
    if not decorated:
        return None
    name, each = rng.choice(decorated)
    return with_rows(files, name, each.lineno - 1, each.lineno, [])


@kind("surface")
def default_changed(rng: random.Random, files: Files) -> Files | None:
    for _ in range(10):
        found = some_function(rng, files)
        if found is None:
            continue
        name, node = found
        defaults = [*node.args.defaults, *(each for each in node.args.kw_defaults if each)]
        if defaults:
            return with_node(files, name, rng.choice(defaults), rng.choice(_CONSTANTS))
    return None


@kind("surface")
def parameter_added(rng: random.Random, files: Files) -> Files | None:
    found = some_function(rng, files)
    if found is None:
        return None
    name, node = found
    arguments = node.args
    if arguments.vararg or arguments.kwonlyargs or arguments.kwarg or not arguments.args:
        return None
    last: ast.expr | None = arguments.defaults[-1] if arguments.defaults else None
    new = rng.choice((", more=None", ", more=1", ", *more", ", **more", ", more: jax.Array = None"))
    if last is not None:
        return with_node(files, name, last, segment(files[name], last) + new)
    arg = arguments.args[-1]
    line = rows(files[name])[(arg.end_lineno or arg.lineno) - 1].encode()
    end = arg.end_col_offset or 0
    text = (line[:end] + new.encode() + line[end:]).decode()
    return with_rows(files, name, (arg.end_lineno or 1) - 1, arg.end_lineno or 1, [text])


@kind("surface")
def annotation_changed(rng: random.Random, files: Files) -> Files | None:
    found = some_function(rng, files)
    if found is None:
        return None
    name, node = found
    classes = [
        each.name for each in definitions(tree_of(files, name)) if isinstance(each, ast.ClassDef)
    ]
    words = [
        "int",
        "float",
        "jax.Array",
        "str",
        "np.ndarray",
        "bool",
        "Callable",
        "'Unknown'",
        *classes,
    ]
    new = rng.choice(words)
    annotated = [each.annotation for each in node.args.args if each.annotation]
    annotated += [node.returns] if node.returns else []
    if annotated and rng.random() < 0.7:
        return with_node(files, name, rng.choice(annotated), new)
    plain = [each for each in node.args.args if not each.annotation and each.arg != "self"]
    if not plain:
        return None
    arg = rng.choice(plain)
    line = rows(files[name])[arg.lineno - 1].encode()
    end = arg.end_col_offset or 0
    text = (line[:end] + f": {new}".encode() + line[end:]).decode()
    return with_rows(files, name, arg.lineno - 1, arg.lineno, [text])


@kind("surface")
def base_changed(rng: random.Random, files: Files) -> Files | None:
    found = _some_definition(rng, files, ast.ClassDef)
    if found is None or not isinstance(found[1], ast.ClassDef):
        return None
    name, cls = found[0], found[1]
    words = [*_BASES, *(each for each in _some_names(rng, files, name) if each != cls.name)]
    new = rng.choice(words)
    if cls.bases:
        return with_node(files, name, rng.choice(cls.bases), new)
    line = rows(files[name])[cls.lineno - 1]
    text = re.sub(rf"class\s+{cls.name}\s*(\(\))?", f"class {cls.name}({new})", line, count=1)
    return with_rows(files, name, cls.lineno - 1, cls.lineno, [text])


@kind("surface")
def class_attribute_added(rng: random.Random, files: Files) -> Files | None:
    found = _some_definition(rng, files, ast.ClassDef)
    if found is None or not isinstance(found[1], ast.ClassDef):
        return None
    name, cls = found
    first = cls.body[0]
    if first.lineno == cls.lineno:
        return None
    attributes = sorted(
        {
            node.attr
            for node in ast.walk(cls)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        }
    )
    attribute = rng.choice([*attributes, "size", "flag"])
    value = rng.choice(_CONSTANTS)
    form = rng.choice(("{a} = {v}", "{a}: int = {v}", "{a}: jax.Array", "{a}: bool = {v}"))
    row = first_row(first)
    if isinstance(first, ast.Expr):
        row = last_row(first)
    text = indent_of(first) + form.format(a=attribute, v=value)
    return with_rows(files, name, row, row, [text])


@kind("surface")
def class_attribute_changed(rng: random.Random, files: Files) -> Files | None:
    found = [
        (name, node)
        for name in modules(files)
        for cls in ast.walk(tree_of(files, name))
        if isinstance(cls, ast.ClassDef)
        for node in cls.body
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and alone(files[name], node)
    ]
    if not found:
        return None
    name, node = rng.choice(found)
    if node.value is None or rng.random() < 0.3:
        return with_rows(files, name, first_row(node), last_row(node), [f"{indent_of(node)}pass"])
    return with_node(files, name, node.value, rng.choice(_CONSTANTS))


@kind("surface")
def constant_changed(rng: random.Random, files: Files) -> Files | None:
    found = [
        (name, node)
        for name in modules(files)
        for node in tree_of(files, name).body
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None
    ]
    if not found:
        return None
    name, node = rng.choice(found)
    if node.value is None:
        return None
    return with_node(files, name, node.value, rng.choice(_CONSTANTS))


@kind("surface")
def constant_removed(rng: random.Random, files: Files) -> Files | None:
    found = [
        (name, node)
        for name in modules(files)
        for node in tree_of(files, name).body
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and alone(files[name], node)
    ]
    if not found:
        return None
    name, node = rng.choice(found)
    return with_rows(files, name, first_row(node), last_row(node), [])


@kind("surface")
def global_switched(rng: random.Random, files: Files) -> Files | None:
    """Something that is global is bound again: by its module, or by another one from outside."""
    name = some_module(rng, files)
    if name is None:
        return None
    bound = [
        target.id
        for node in tree_of(files, name).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    names = [*bound, *_some_names(rng, files, name)]
    if rng.random() < 0.5:
        other = rng.choice(modules(files))
        if other != name:
            module = dotted_name(name)
            what, value = rng.choice(names), rng.choice(_CONSTANTS)
            form = rng.choice(
                (
                    "import {m}\n{m}.{n} = {v}",
                    "import {m}\nsetattr({m}, '{n}', {v})",
                    "from {m} import {n}\n{n}.added = {v}",
                    "import {m}\n\n\ndef rebind():\n    {m}.{n} = {v}",
                    "from {m} import {n}\n{n}['a'] = lambda x: float(x)",
                    "from {m} import {n}\n{n}.append(jax.jit)",
                    "from {m} import {n}\n\n\nclass Sub({n}):\n    size = {v}",
                )
            )
            text = form.format(m=module, n=what, v=value)
            return {**files, other: files[other].rstrip("\n") + f"\n\n\n{text}\n"}
    what, value = rng.choice(names), rng.choice(_CONSTANTS)
    text = rng.choice(
        (
            f"{what} = {value}",
            f"def switch():\n    global {what}\n    {what} = {value}",
            f"del {what}",
            f"globals()['{what}'] = {value}",
            f"{what} = jax.jit({what})",
            f"if FLAG:\n    {what} = {value}",
            f"for {what} in range(3):\n    pass",
            f"{what}: int",
            f"{what} += 1",
        )
    )
    return {**files, name: files[name].rstrip("\n") + f"\n\n\n{text}\n"}


@kind("surface")
def import_added(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    tree = tree_of(files, name)
    other = rng.choice(modules(files))
    module = dotted_name(other)
    what = rng.choice(_some_names(rng, files, other))
    text = rng.choice(
        (
            "import os",
            "import jax",
            "import jax.numpy as np",
            "import numpy as jnp",
            f"import {module}",
            f"from {module} import {what}",
            f"from {module} import {what} as step",
            f"from {module} import *",
            f"try:\n    from {module} import {what}\nexcept ImportError:\n    {what} = None",
            f"if TYPE_CHECKING:\n    from {module} import {what}",
            f"from . import {module.rpartition('.')[2]}",
            f"import importlib\nm = importlib.import_module('{module}')",
            "from missing import jit",
        )
    )
    row = top(tree) if rng.random() < 0.6 else len(rows(files[name]))
    return with_rows(files, name, row, row, text.split("\n"))


@kind("surface")
def import_removed(rng: random.Random, files: Files) -> Files | None:
    imports = [
        (name, node)
        for name in modules(files)
        for node in tree_of(files, name).body
        if isinstance(node, (ast.Import, ast.ImportFrom)) and alone(files[name], node)
    ]
    if not imports:
        return None
    name, node = rng.choice(imports)
    return with_rows(files, name, first_row(node), last_row(node), [])


@kind("surface")
def import_of_another(rng: random.Random, files: Files) -> Files | None:
    imports = [
        (name, node)
        for name in modules(files)
        for node in tree_of(files, name).body
        if isinstance(node, ast.ImportFrom) and node.lineno == node.end_lineno
    ]
    if not imports:
        return None
    name, node = rng.choice(imports)
    other = rng.choice(modules(files))
    names = ", ".join(f"{each.name} as {each.asname or each.name}" for each in node.names)
    if "*" in names:
        names = "*"
    return with_rows(
        files, name, node.lineno - 1, node.lineno, [f"from {dotted_name(other)} import {names}"]
    )


@kind("surface")
def exports_changed(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    names = _some_names(rng, files, name)
    chosen = rng.sample(names, rng.randrange(len(names) + 1))
    lines = [line for line in rows(files[name]) if not line.startswith("__all__ = [")]
    text = "\n".join(lines).rstrip("\n")
    new = rng.choice((f"__all__ = {chosen!r}", "", "def __getattr__(name):\n    return 3"))
    return {**files, name: f"{text}\n{new}\n"}


@kind("surface")
def subclass_added(rng: random.Random, files: Files) -> Files | None:
    """In another file somebody derives from a class and overrides a method."""
    found, other = _some_method(rng, files), some_module(rng, files)
    if found is None or other is None:
        return None
    name, cls, node = found
    text = (
        f"from {dotted_name(name)} import {cls.name}\n\n\n"
        f"class Derived{cls.name}({cls.name}):\n"
        f"    def {node.name}(self, *args):\n"
        f"        return float(args[0]) if self.flag else super().{node.name}(*args)\n"
    )
    return {**files, other: files[other].rstrip("\n") + f"\n\n\n{text}"}


@kind("surface")
def use_from_afar(rng: random.Random, files: Files) -> Files | None:
    """Another file calls, jits or passes something that it imports."""
    found, other = _some_definition(rng, files), some_module(rng, files)
    if found is None or other is None:
        return None
    name, node = found
    uses = rng.choice(
        (
            "jax.jit({n})(1)",
            "def use(xs):\n    for x in xs:\n        {n}(x, flag=True)",
            "@jax.jit\ndef use(x):\n    return {n}(x)",
            "run = functools.partial({n}, 3)",
            "{n}({n}, 'no', k=None)",
            "table = {{'a': {n}}}\njax.jit(table['a'])(2)",
            "isinstance(3, {n})",
            "{n}.defaults = (jnp.ones(3),)",
        )
    ).format(n=node.name)
    text = f"from {dotted_name(name)} import {node.name}\n{uses}\n"
    if rng.random() < 0.4:
        return {**files, other: f"import jax\n{text}" + files[other]}
    return {**files, other: files[other].rstrip("\n") + f"\n\n\n{text}"}
