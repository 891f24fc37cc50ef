"""What calls in the text of a module pass, evaluated without making the call.

Runs in a child process only.  `step = make_step(optax.adam(1e-3))` in a function that nothing calls
says what ``make_step`` takes, and `loss, grads = loss_and_grads(params, batch)` what ``params`` is,
where `params = init_params(key)` stands before it.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jitlint.verify.driving.time_limit import TimeUp, time_limit

#: how many names may be looked up on the way to a value
_MOST_DEPTH = 6
#: how long all of the values of one call may take
_SECONDS = 4.0
#: how many calls of one function are looked at
_MOST_CALLS = 3

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class _UnknownError(Exception):
    """A name stands for something that the text does not tell."""


class CallSites:
    """The calls in a module.

    Args:
      tree: the module as written.
      namespace: its globals.
      guess: makes a value of a parameter by its name, if the name tells what it is; else raises
        ``KeyError``.
    """

    def __init__(
        self, tree: ast.Module, namespace: Mapping[str, Any], guess: Callable[[str], Any]
    ) -> None:
        self._namespace = namespace
        self._guess = guess
        self._calls: dict[str, list[tuple[ast.Call, _Function | None]]] = {}
        self._names: dict[str, dict[str, None]] = {}
        self._results: dict[str, dict[str, None]] = {}
        self._values: dict[tuple[int, str], Any] = {}
        self._passed: dict[str, dict[str, Any]] = {}
        for node, scope in _scoped(tree):
            if isinstance(node, ast.Call):
                name = _last_name(node.func)
                if name:
                    self._calls.setdefault(name, []).append((node, scope))
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                self._note_names(node.value, [_last_name(target) for target in node.targets])

    def _note_names(self, call: ast.Call, names: list[str]) -> None:
        """Take in an assignment of a call: another name of what it is given, or of a result."""
        for name in filter(None, names):
            self._results.setdefault(_last_name(call.func), {})[name] = None
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                for node in ast.walk(argument):
                    self._names.setdefault(_last_name(node), {})[name] = None

    def passed(self, function: Callable[..., Any], parameters: Iterable[str]) -> dict[str, Any]:
        """What calls of a function pass, as far as it can be evaluated.

        Args:
          function: the function, or a class.
          parameters: its parameters, in order, without the object of a method.

        Returns:
          Values by parameter.
        """
        below = inspect.unwrap(function)
        name = str(getattr(below, "__qualname__", ""))
        parameters = [*parameters]
        if name not in self._passed:
            self._passed[name] = {}
            *factories, own = name.replace(".<locals>", "").split(".")
            made = self._results.get(factories[-1], {}) if "<locals>" in name else {}
            names = dict.fromkeys([own, *self._names.get(own, ()), *made])
            calls = [call for each in names for call in self._calls.get(each, ())]
            for call, scope in calls[:_MOST_CALLS]:
                self._passed[name] = self._evaluated(call, scope, parameters) | self._passed[name]
        return {n: v for n, v in self._passed[name].items() if n in parameters}

    def _evaluated(
        self, call: ast.Call, scope: _Function | None, parameters: list[str]
    ) -> dict[str, Any]:
        """The arguments of a call that can be evaluated, by parameter."""
        given = [*zip(parameters, call.args, strict=False)]
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            given = []
        given += [(k.arg, k.value) for k in call.keywords if k.arg in parameters]
        found: dict[str, Any] = {}
        with contextlib.suppress(TimeUp), time_limit(_SECONDS):
            for name, argument in given:
                # What raises is known at run time only.
                with contextlib.suppress(Exception):
                    found[name] = self._value(argument, scope, 0)
        return found

    def _value(self, node: ast.expr, scope: _Function | None, depth: int) -> Any:
        """The value of an expression.

        Raises:
          _UnknownError: it cannot be told.
        """
        if depth > _MOST_DEPTH:
            raise _UnknownError
        if isinstance(node, ast.Constant):
            return node.value
        bound = {a.arg for n in ast.walk(node) if isinstance(n, ast.Lambda) for a in n.args.args}
        names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        bound |= {n.id for n in names if not isinstance(n.ctx, ast.Load)}
        known: dict[str, Any] = {}
        for name in {n.id for n in names} - bound:
            if scope is not None and name in _locals(scope):
                known[name] = self._local(name, scope, depth + 1)
            elif name not in self._namespace and not hasattr(builtins, name):
                raise _UnknownError(name)
        code = compile(ast.Expression(node), "<call>", "eval")
        return eval(code, {**self._namespace, **known})

    def _local(self, name: str, scope: _Function, depth: int) -> Any:
        """The first value of a local name."""
        key = id(scope), name
        if key not in self._values:
            self._values[key] = self._first(name, scope, depth)
        return self._values[key]

    def _first(self, name: str, scope: _Function, depth: int) -> Any:
        parameters = [*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs]
        names = [parameter.arg for parameter in parameters]
        if name in names:
            default = _defaults(scope).get(name)
            if default is not None and not _is_none(default):
                return self._value(default, None, depth)
            for call, around in self._calls.get(scope.name, ())[:_MOST_CALLS]:
                if around is scope:
                    continue
                for given, argument in zip(names, call.args, strict=False):
                    if given == name:
                        return self._value(argument, around, depth)
            try:
                return self._guess(name)
            except KeyError:
                raise _UnknownError(name) from None
        for node, _ in _scoped(scope):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name) and target.id == name:
                        return self._value(node.value, scope, depth)
                    if isinstance(target, ast.Tuple | ast.List):
                        for place, item in enumerate(target.elts):
                            if isinstance(item, ast.Name) and item.id == name:
                                return [*self._value(node.value, scope, depth)][place]
            elif isinstance(node, ast.For) and _last_name(node.target) == name:
                return next(iter(self._value(node.iter, scope, depth)))
        raise _UnknownError(name)


def _scoped(tree: ast.AST) -> Iterator[tuple[ast.AST, _Function | None]]:
    """The nodes of a tree in written order, each with the innermost function around it."""
    stack: list[tuple[ast.AST, _Function | None]] = [(tree, None)]
    if isinstance(tree, _Function):
        stack = [(child, tree) for child in reversed([*ast.iter_child_nodes(tree)])]
    while stack:
        node, scope = stack.pop()
        yield node, scope
        inner = node if isinstance(node, _Function) else scope
        stack += [(child, inner) for child in reversed([*ast.iter_child_nodes(node)])]


def _locals(scope: _Function) -> set[str]:
    arguments = scope.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    stored = {
        node.id
        for node in ast.walk(scope)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return {one.arg for one in every} | stored


def _defaults(scope: _Function) -> dict[str, ast.expr]:
    arguments = scope.args
    plain = [*arguments.posonlyargs, *arguments.args]
    last = plain[len(plain) - len(arguments.defaults) :]
    found = {p.arg: value for p, value in zip(last, arguments.defaults, strict=True)}
    for parameter, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            found[parameter.arg] = default
    return found


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _last_name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
