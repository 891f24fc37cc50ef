"""Where calls come from: the ways to run a module's flagged functions, the surest first.

Runs in a child process only.  A driver is one way to run code: an explicit case, a doctest, the
``if __name__ == "__main__"`` block of the module or of one that imports it, a test, or a call with
inputs that ``jitlint.verify.inputs`` makes up.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import itertools
import runpy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from jitlint.verify.inputs import Functions

#: the name under which a module may give example calls: a list of functions without parameters
CASES_NAME = "__jitlint_cases__"


@dataclass(frozen=True)
class Driver:
    """One way to run code.

    Args:
      name: in words, for the evidence.
      call: runs it; the argument says with which values, 0 for the given ones.
      real: the inputs come from the user's code.
      varied: other turns are run with other values.
    """

    name: str
    call: Callable[[int], Any]
    real: bool = True


def explicit(module: ModuleType, where: str) -> Iterator[Driver]:
    """The example calls that a module lists under ``CASES_NAME``."""
    listed = getattr(module, CASES_NAME, ())
    for number, case in enumerate(listed):
        if callable(case):
            yield Driver(f"{where} {CASES_NAME}[{number}]", _plain(case))


def doctests(module: ModuleType) -> Iterator[Driver]:
    """The examples in the docstrings of a module."""
    try:
        found = doctest.DocTestFinder(recurse=True).find(module)
    except Exception:
        return
    for test in found:
        if not test.examples:
            continue

        def run(turn: int, test: doctest.DocTest = test) -> None:
            namespace = dict(vars(module))
            for example in test.examples:
                exec(compile(example.source, f"<doctest {test.name}>", "single"), namespace)

        yield Driver(f"doctest of {test.name}", run)


def main_block(tree: ast.Module, module: ModuleType, filename: str) -> Iterator[Driver]:
    """What a module does when it is run as a program."""
    for node in tree.body:
        if not isinstance(node, ast.If) or "__name__" not in ast.dump(node.test):
            continue
        if "__main__" not in ast.dump(node.test):
            continue
        code = compile(ast.Module(node.body, []), filename, "exec")

        def run(turn: int, code: CodeType = code) -> None:
            exec(code, vars(module))

        yield Driver(f"the main block of {Path(filename).name}", run)


def tests(module: ModuleType) -> Iterator[Driver]:
    """The tests of a test module that need no fixtures; parametrised ones with their values."""
    where = Path(module.__file__ or "").name
    for name, value in list(vars(module).items()):
        if name.startswith("test") and inspect.isfunction(value):
            yield from _test(value, f"{where}::{name}")
        elif name.startswith("Test") and isinstance(value, type):
            for method in list(vars(value)):
                if not method.startswith("test"):
                    continue
                try:
                    bound = getattr(value(), method)
                except Exception:
                    continue
                yield from _test(bound, f"{where}::{name}::{method}")


def _test(function: Callable[..., Any], name: str) -> Iterator[Driver]:
    choices: list[list[dict[str, Any]]] = []
    for mark in getattr(function, "pytestmark", ()):
        if getattr(mark, "name", "") != "parametrize" or len(mark.args) < 2:
            continue
        names = mark.args[0]
        names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
        rows = []
        for values in mark.args[1]:
            values = getattr(values, "values", values) if not isinstance(values, dict) else values
            rows.append(dict(zip(names, values if len(names) > 1 else [values], strict=False)))
        choices.append(rows)
    for picked in itertools.islice(itertools.product(*choices), 4):
        arguments = {key: value for row in picked for key, value in row.items()}
        try:
            inspect.signature(function).bind(**arguments)
        except TypeError:
            return
        yield Driver(f"test {name}", _plain(lambda a=arguments: function(**a)))


def script(filename: str) -> Driver:
    """A module run as a program of its own, for those without a main block."""
    return Driver(f"running {filename}", lambda turn: runpy.run_path(filename))


def _plain(call: Callable[[], Any]) -> Callable[[int], Any]:
    return lambda turn: call()


# ---------------------------------------------------------------- finding functions


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
        """The module-level names that the statement at a row binds."""
        for node in self.tree.body:
            if node.lineno <= row <= (node.end_lineno or node.lineno):
                targets: Sequence[ast.expr] = ()
                if isinstance(node, ast.Assign):
                    targets = node.targets
                elif isinstance(node, ast.AnnAssign):
                    targets = [node.target]
                return [n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
        return []


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
    return list(dict.fromkeys(name for name in found if name))


def users_of(module: str, files: Mapping[str, ast.Module]) -> list[str]:
    """The files that import a module, directly or through others, the nearest first.

    Args:
      module: its last name.
      files: the project's trees by file.
    """
    imports = {name: _imported(tree) for name, tree in files.items()}
    found: list[str] = []
    wanted = {module}
    for _ in range(4):
        new = [n for n, names in imports.items() if n not in found and names & wanted]
        if not new:
            break
        found += new
        wanted = {Path(name).stem for name in new}
    return found


def _imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {part for alias in node.names for part in alias.name.split(".")[-1:]}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.name for alias in node.names}
            names |= set((node.module or "").split(".")[-1:])
    return names


__all__ = ["CASES_NAME", "Driver", "Functions", "Source", "roots", "users_of"]
