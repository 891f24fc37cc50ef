"""Where calls come from: the ways to run a module's flagged functions, the surest first.

Runs in a child process only.  A driver is one way to run code: an explicit case, a doctest, the
``if __name__ == "__main__"`` block of the module or of one that imports it, a test, or a call with
inputs that ``jitlint.verify.driving.calling.inputs`` makes up.
"""

from __future__ import annotations

import ast
import doctest
import functools
import inspect
import itertools
import sys
import unittest
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from jitlint.verify.driving.futures import code_in
from jitlint.verify.driving.verdicts import OWN_CALL

#: the name under which a module may give example calls: a list of functions without parameters
CASES_NAME = "__jitlint_cases__"


@dataclass(frozen=True)
class Code:
    """A call in Python.

    Args:
      module: what is to be imported for it.
      call: the call, one expression.
    """

    module: str
    call: str


@dataclass(frozen=True)
class Driver:
    """One way to run code.

    Args:
      name: in words, for the evidence.
      call: runs it; the argument says with which values, 0 for the given ones.
      real: the inputs come from the user's code.
      seconds: how long one run may take; None for the usual limit.
      innocent: it is said to run without a fault.
      by: whose call it is, and whose jit.
      code: gives the Python that does the same in a call of its own, None where that is not known.
      failed: is told what ended a run, as long as its frames are alive.
      called: the code of the function that is called, where it is called by jitlint itself.
      program: it is what happens once in a process: a module is imported, or run as a program.
    """

    name: str
    call: Callable[[int], Any]
    real: bool = True
    seconds: float | None = None
    innocent: bool = False
    by: str = OWN_CALL
    code: Callable[[int], Code | None] | None = None
    failed: Callable[[BaseException], None] | None = None
    called: CodeType | None = None
    program: bool = False

    @property
    def label(self) -> str:
        """What is called, whatever the inputs."""
        return self.name.partition(": ")[0]


def explicit(module: ModuleType, where: str) -> Iterator[Driver]:
    """The example calls that a module lists under ``CASES_NAME``."""
    listed = getattr(module, CASES_NAME, ())
    for number, case in enumerate(listed):
        if callable(case):
            code = of_file(module.__file__ or where, f"[{CASES_NAME!r}][{number}]()")
            yield Driver(f"{where} {CASES_NAME}[{number}]", plain(case), code=code)


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
                name = f"<doctest {test.name}>"
                exec(code_in(module, example.source, name, "single"), namespace)

        code = Code(module.__name__, f'__import__("doctest").testmod({module.__name__})')
        yield Driver(f"doctest of {test.name}", run, code=functools.partial(_always, code))


def main_block(tree: ast.Module, module: ModuleType, filename: str) -> Iterator[Driver]:
    """What a module does when it is run as a program."""
    for node in tree.body:
        if not isinstance(node, ast.If) or "__name__" not in ast.dump(node.test):
            continue
        if "__main__" not in ast.dump(node.test):
            continue
        code = code_in(module, ast.Module(node.body, []), filename)

        def run(turn: int, code: CodeType = code) -> None:
            # Others may look for it under the name that it has while it runs as a program.
            before = sys.modules["__main__"]
            sys.modules["__main__"] = module
            try:
                exec(code, vars(module))
            finally:
                sys.modules["__main__"] = before

        again = of_file(filename, "", ', run_name="__main__"')
        yield Driver(f"the main block of {Path(filename).name}", run, code=again, program=True)


def tests(module: ModuleType) -> Iterator[Driver]:
    """The tests of a test module that need no fixtures; parametrised ones with their values.

    The others are those of ``jitlint.verify.driving.pytest_items``.
    """
    where = Path(module.__file__ or "").name
    for name, value in list(vars(module).items()):
        if name.startswith("test") and inspect.isfunction(value):
            yield from _test(value, where, name, module.__file__ or where)
        elif isinstance(value, type) and issubclass(value, unittest.TestCase):
            yield from _unit_tests(value, where, module.__file__ or where)
        elif name.startswith("Test") and isinstance(value, type):
            for method in list(vars(value)):
                if not method.startswith("test"):
                    continue
                try:
                    bound = getattr(value(), method)
                except Exception:
                    continue
                yield from _test(bound, where, f"{name}::{method}", module.__file__ or where)


def _unit_tests(case: type[unittest.TestCase], where: str, filename: str) -> Iterator[Driver]:
    """The tests of a class of unittest, each with what sets it up."""
    if case.__module__.startswith(("unittest", "absl.")):
        return
    for method in unittest.defaultTestLoader.getTestCaseNames(case):

        def run(turn: int, method: str = method) -> None:
            case.setUpClass()
            try:
                case(method).debug()
            finally:
                case.tearDownClass()

        name = f"{case.__name__}::{method}"
        yield Driver(f"test {where}::{name}", run, code=of_test(filename, name))


def _test(function: Callable[..., Any], where: str, name: str, filename: str) -> Iterator[Driver]:
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
        call = plain(functools.partial(function, **arguments))
        yield Driver(f"test {where}::{name}", call, code=of_test(filename, name))


def of_file(filename: str, inside: str, options: str = "") -> Callable[[int], Code | None]:
    """The Python that runs a file, and then something that it defines.

    Args:
      filename: the file.
      inside: a subscript of its globals, and a call.
      options: further arguments of ``run_path``.
    """
    return lambda turn: Code("runpy", f"runpy.run_path({filename!r}{options}){inside}")


def _always(code: Code, turn: int) -> Code:
    return code


def of_test(filename: str, name: str) -> Callable[[int], Code | None]:
    """The Python that runs a test."""
    return lambda turn: Code("pytest", f"pytest.main([{f'{filename}::{name}'!r}])")


def plain(call: Callable[[], Any]) -> Callable[[int], Any]:
    """The call of a driver, from a function without parameters: other values it has none."""
    return lambda turn: call()
