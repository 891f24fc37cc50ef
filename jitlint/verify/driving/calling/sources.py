"""Which functions to call, and which files to run, so that a reported place is reached.

All of it is read from the text of the project.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_FILLING = frozenset("append appendleft add insert extend update setdefault set push".split())


@dataclass(frozen=True)
class Source:
    """The tree of a module as written, for finding functions in it.

    Args:
      tree: the tree, without markers.
      filename: its file.
    """

    tree: ast.Module
    filename: str

    def functions(self) -> dict[str, ast.FunctionDef]:
        """The functions and methods by their last name; methods also as ``Class.name``."""
        found: dict[str, ast.FunctionDef] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef):
                        found[f"{node.name}.{inner.name}"] = inner
            if isinstance(node, ast.FunctionDef):
                found.setdefault(node.name, node)
        return found

    def by_row(self) -> dict[int, ast.FunctionDef | ast.Lambda]:
        """Functions by the first row of their code, decorators included."""
        found: dict[int, ast.FunctionDef | ast.Lambda] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef):
                rows = [node.lineno, *(d.lineno for d in node.decorator_list)]
                found[min(rows)] = node
            elif isinstance(node, ast.Lambda):
                found.setdefault(node.lineno, node)
        return found

    def qualname_at(self, row: int) -> str | None:
        """The dotted name of the innermost function at a row."""
        best: str | None = None
        stack: list[tuple[ast.AST, str]] = [(self.tree, "")]
        while stack:
            node, prefix = stack.pop()
            for child in ast.iter_child_nodes(node):
                name = prefix
                if isinstance(child, ast.FunctionDef | ast.ClassDef):
                    first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                    if not first <= row <= (child.end_lineno or first):
                        continue
                    name = f"{prefix}.{child.name}" if prefix else child.name
                    if isinstance(child, ast.FunctionDef) and (
                        best is None or len(name) > len(best)
                    ):
                        best = name
                stack.append((child, name))
        return best

    def names_bound_at(self, row: int) -> list[str]:
        """The names that the statement at a row binds in the module, or in the body of a class."""
        for node in self.tree.body:
            if node.lineno <= row <= (node.end_lineno or node.lineno):
                if not isinstance(node, ast.ClassDef):
                    return _bound(node)
                inner = [n for n in node.body if n.lineno <= row <= (n.end_lineno or n.lineno)]
                return [f"{node.name}.{name}" for n in inner for name in _bound(n)]
        return []


def _bound(node: ast.stmt) -> list[str]:
    targets: Sequence[ast.expr] = ()
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]


def roots(
    source: Source, function: str | None, chain: Sequence[tuple[str, int]], row: int
) -> list[str]:
    """Dotted names to call so that a reported place is run, the likeliest first.

    Args:
      source: the module of the report.
      function: the reported function's qualified name.
      chain: the steps of the explanation, as files and rows.
      row: the reported row.
    """
    found: list[str] = []
    for filename, step in [*chain, (source.filename, row)]:
        if filename == source.filename:
            found += source.names_bound_at(step)
            name = source.qualname_at(step)
            if name is not None:
                found.append(name)
    if function:
        found.append(function.replace(".<lambda>", "").replace("<lambda>", ""))
    found = [*dict.fromkeys(found)]
    wanted = {name.rpartition(".")[2] for name in found if name}
    found += _other_names(source, wanted)
    wanted = {name.rpartition(".")[2] for name in found if name}
    registries, fillers = _registries(source, wanted)
    callers = _callers(source, wanted | registries, found)
    # What fills a registry would put something else there.
    found += [name for name in callers if name not in fillers]
    found += _other_names(source, {name.rpartition(".")[2] for name in found if name})
    return [*dict.fromkeys(name for name in found if name)]


def _other_names(source: Source, wanted: set[str]) -> list[str]:
    """What else stands for some functions in a module, or runs them."""
    found: list[str] = []
    for node in source.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            # `fast = jax.jit(slow)` gives a function another name.
            if _last_names(node.value) & wanted:
                found += _bound(node)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            # `smooth.defvjp(forward, backward)` hands functions to another one.
            called, given = node.value.func, [*node.value.args, *node.value.keywords]
            owner = called.value if isinstance(called, ast.Attribute) else None
            if isinstance(owner, ast.Name) and any(_last_names(a) & wanted for a in given):
                found.append(owner.id)
    return found


def _registries(source: Source, wanted: set[str]) -> tuple[set[str], set[str]]:
    """What of the module the decorators of some functions fill: whoever reads it may call them.

    Also gives the names of the functions that fill it.
    """
    functions = source.functions()
    decorators = {
        name
        for wrapped in wanted & functions.keys()
        for decorator in functions[wrapped].decorator_list
        for name in _last_names(decorator)
    } & functions.keys()
    registries = {name for d in decorators for name in filled(functions[d], d)}
    inner = {
        node.name
        for d in decorators
        for node in ast.walk(functions[d])
        if isinstance(node, ast.FunctionDef)
    }
    return registries, inner


def _callers(source: Source, wanted: set[str], known: Sequence[str]) -> list[str]:
    """Functions and methods that mention some names, directly or through others."""
    mentions: dict[str, set[str]] = {}
    for name, node in source.functions().items():
        if "." not in name and any(other.endswith(f".{name}") for other in source.functions()):
            continue
        mentions[name] = _last_names(node)
    bound = [
        (_last_names(target), _last_names(node.value))
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name | ast.Attribute)
    ]
    found: list[str] = []
    for _ in range(3):
        # `self.step = jax.jit(self._step)` gives a function another name.
        wanted = wanted | {n for names, values in bound if values & wanted for n in names}
        new = [n for n, names in mentions.items() if names & wanted and n not in [*known, *found]]
        found += new
        wanted = {name.rpartition(".")[2] for name in new}
    return found


def _last_names(node: ast.AST) -> set[str]:
    """The names and attributes in a tree, but not the objects that attributes are of."""
    owners = {id(inner.value) for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
    return {
        inner.attr if isinstance(inner, ast.Attribute) else inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Attribute | ast.Name) and id(inner) not in owners
    }


def filled(function: ast.FunctionDef, name: str) -> set[str]:
    """The global names that a function binds anew, or whose objects it changes."""
    bound = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and _stored(n)}
    named = {n for node in ast.walk(function) if isinstance(node, ast.Global) for n in node.names}
    # What a class method stores in its class is found under the name of that.
    owners = {"cls": name.partition(".")[0]} if "." in name else {}
    found = bound & named
    for node in ast.walk(function):
        target: ast.AST | None = None
        if isinstance(node, ast.Attribute | ast.Subscript) and _stored(node):
            target = node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            target = node.func if node.func.attr in _FILLING else None
        while isinstance(target, ast.Attribute | ast.Subscript):
            target = target.value
        if isinstance(target, ast.Name) and target.id not in bound - named:
            found.add(owners.get(target.id, target.id))
    return found


def _stored(node: ast.Name | ast.Attribute | ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Store)


def users_of(filename: str, files: Iterable[str], roots: Sequence[str]) -> list[str]:
    """The files that import a module, directly or through others, the nearest first.

    Args:
      filename: the module's file.
      files: the project's files.
      roots: the project's import roots.
    """
    texts: dict[str, str] = {}
    for name in files:
        with contextlib.suppress(OSError, ValueError):
            texts[name] = Path(name).read_text(encoding="utf-8")
    imports: dict[str, frozenset[str]] = {}
    found: list[str] = []
    wanted = {filename}
    for _ in range(4):
        stems = {_stem(name) for name in wanted}
        new = []
        for name, text in texts.items():
            # Parsing every file of a large project for every module would take minutes.
            if name in found or name == filename or not any(stem in text for stem in stems):
                continue
            if name not in imports:
                imports[name] = _imported_files(name, text, roots)
            if imports[name] & wanted:
                new.append(name)
        found += new
        wanted = set(new)
    return found


def _stem(filename: str) -> str:
    path = Path(filename)
    return path.parent.name if path.stem == "__init__" else path.stem


def _imported_files(filename: str, text: str, roots: Sequence[str]) -> frozenset[str]:
    """The files that the imports of a module may mean."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return frozenset()
    folder = Path(filename).parent
    found: set[str] = set()
    for node in ast.walk(tree):
        names: list[str] = []
        bases = [folder, *(Path(root) for root in roots)]
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                bases = [folder.joinpath(*[".."] * (node.level - 1)).resolve()]
            module = node.module or ""
            names = [module, *(f"{module}.{alias.name}".strip(".") for alias in node.names)]
        for name in names:
            for base in bases:
                path = base.joinpath(*name.split(".")) if name else base
                found |= {f"{path}.py", str(path / "__init__.py")}
    return frozenset(found)
