"""Solvers: of systems, roots, minima and differential equations."""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import takewhile
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.library.registry import Call
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import SolverCalled
from jitlint.absint.modules.evidence import of_parameter
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.packages.facts import Bound, reports_static
from jitlint.absint.packages.results import made_object
from jitlint.absint.program.signatures import positional_parameters, visible_signature
from jitlint.absint.python.narrowing import settled
from jitlint.absint.traces.kinds import kind
from jitlint.absint.traces.operands import traced_operand
from jitlint.absint.traces.running import enter, outside
from jitlint.absint.transforms.wrapping import called_method
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    ExternalInstance,
    Level,
    Tuple,
    Value,
    base_function,
    partial_keywords,
)
from jitlint.absint.values.heap import REHEARSED
from jitlint.jaxmodel.companions import EQUATION_NUMBERS, EQUATIONS, ROOT, SOLVER_OPTIONS, TERMS
from jitlint.jaxmodel.functions import parse_signature
from jitlint.jaxmodel.transforms import Transform


@kind("custom_root")
def _custom_root(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    x = traced_operand(it, args.get(1, "initial_guess"), node, "the guess of the solver")
    function = args.get(0, "f")
    if function is not None:
        enter(it, row, function, [x], node)
        _enter_solvers(it, row, args, ("solve", "tangent_solve"), [function, x], node)
    return _with_auxiliary(args, outside(it, x, args))


@kind("linear_solve")
def _linear_solve(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    right = traced_operand(it, args.get(1, "b"), node, "the right side of the system")
    matvec = args.get(0, "matvec")
    if matvec is not None:
        enter(it, row, matvec, [right], node)
        _enter_solvers(it, row, args, ("solve", "transpose_solve"), [matvec, right], node)
    return _with_auxiliary(args, outside(it, right, args))


def _enter_solvers(
    it: Interpreter,
    row: Transform,
    args: Arguments,
    names: tuple[str, str],
    operands: Sequence[Value],
    node: cst.CSTNode,
) -> None:
    """Run the solvers that follow a function and its operand among the arguments."""
    for index, name in enumerate(names, 2):
        solve = args.get(index, name)
        if solve is not None:
            enter(it, row, solve, operands, node)


def _with_auxiliary(args: Arguments, result: Value) -> Value:
    """The result of a solver, which may come with what else it gave."""
    aux = args.keywords.get("has_aux")
    return result if aux is None or aux == Const(False) else Tuple((result, UNKNOWN))


@kind("linear_operator")
def _linear_operator(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    right = traced_operand(it, args.get(1, "b"), node, "the right side of the system")
    matvec = args.get(0, "A")
    if matvec is not None and base_function(matvec) is not None:
        enter(it, row, matvec, [right], node)
    return Tuple((outside(it, right, args), NONE))


@kind("minimize")
def _minimize(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    x = traced_operand(it, args.get(1, "x0"), node, "the point of the minimiser")
    function = args.get(0, "fun")
    if function is not None:
        # What `args` holds is forwarded as it is, enclosed by the function that is traced.
        extra = args.get(2, "args")
        found = None if extra is None else sequence_items(it, extra)
        rest = list(found[1]) if found is not None and found[1] is not None else []
        with it.speculating():
            returned = enter(it, row, function, [x, *rest], node)
        if not isinstance(returned, Tuple):
            # A pair is refused after a first call with values, which no tracer follows.
            enter(it, row, function, [x, *rest], node)
    return UNKNOWN


@kind("odeint")
def _odeint(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "func")
    state = traced_operand(it, args.get(1, "y0"), node, "the state of the equation")
    time = Array(Level.ABSTRACT, rank=0, origin=it.origin(node, "the time of the equation"))
    if function is not None:
        note = "an argument of the equation"
        rest = [traced_operand(it, value, node, note) for value in args.positional[3:]]
        enter(it, row, function, [state, time, *rest], node)
    return outside(it, state, args)


@kind("root_finder")
def _root_finder(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``optimistix.root_find(fn, solver, y0, args)``: the solver runs under jit."""
    refused = _refuses_options(it, row, args, node)
    if refused is not None:
        return refused
    function = args.get(0, "fn")
    if function is not None and args.star is None:
        guess = traced_operand(it, args.get(2, "y0"), node, "the guess of the solver")
        extra = args.get(3, "args")
        given = NONE if extra is None else extra
        given = traced_argument(it, given, Level.ABSTRACT, leaves="arrays")
        enter(it, row, function, [guess, given], node)
    return made_object(it, ROOT, args.values(), node)


def _refuses_options(
    it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode
) -> Value | None:
    """Report an option of a solver that is traced; the result if reported."""
    call = Call(row.name.rpartition(".")[2], args, node)
    return reports_static(it, call, SOLVER_OPTIONS, Bound(_OPTIONS, args))


_OPTIONS: Final = parse_signature(f"* {' '.join(f'{name}=' for name in SOLVER_OPTIONS)}")


@kind("equation")
def _equation(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``diffrax.diffeqsolve(terms, solver, ...)``: the terms have been told what calls them."""
    refused = _refuses_options(it, row, args, node)
    if refused is not None:
        return refused
    given = (
        (name, args.get(position, name), args.node(position, name))
        for name, position in EQUATION_NUMBERS.items()
    )
    numbers = [(name, v, where) for name, v, where in given if v is not None and where is not None]
    it.signal(SolverCalled(row.name, numbers, node))
    return made_object(it, EQUATIONS[row.name], args.values(), node)


@kind("solver")
def _solver(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """An object that will call the function on traced values, such as ``diffrax.ODETerm``."""
    names = row.names or ("",)
    function: Value | None = None
    for index, name in zip(row.functions or (0,), names, strict=False):
        function = args.get(index, name)
        if function is None:
            continue
        called = called_method(it, function) or function
        code, offset = visible_signature(it, called)
        if code is None:
            continue
        operands = _operands(it, row, code, offset, partial_keywords(called), node)
        with settled(it, {REHEARSED: True} if row.rehearsed else {}):
            enter(it, row, called, operands, node)
    if row.name in TERMS and function is not None:
        return ExternalInstance(row.name, ((TERMS[row.name], function),))
    return ExternalInstance(row.name) if row.name.startswith("jaxopt.") else UNKNOWN


def _operands(
    it: Interpreter,
    row: Transform,
    code: Code,
    offset: int,
    named: Container[str],
    node: cst.CSTNode,
) -> list[Value]:
    """What a solver passes to a function; what has a default may be left to it.

    Nothing gets by position past a parameter that a partial binds by name: Python refuses it.
    """
    parameters = [*takewhile(lambda p: p.name not in named, positional_parameters(code, offset))]
    if row.rehearsed:
        # The arguments of a probabilistic model are enclosed as they are: only what it draws is
        # traced.
        return [UNKNOWN for _ in parameters]
    origin = it.origin(node, "passed by the solver")
    equation = row.name.startswith("diffrax.")
    # The three arguments of an equation are always passed, also where one has a default.
    passed = parameters[:3] if equation else takewhile(lambda p: p.default is None, parameters)
    operands = [
        traced_argument(
            it, UNKNOWN, Level.ABSTRACT, evidence=of_parameter(it, code, parameter), origin=origin
        )
        for parameter in passed
    ]
    if len(operands) == 3 and equation:
        # The time, the state, and the parameters of the equation, as the user passes them.
        operands[0] = Array(Level.ABSTRACT, rank=0, origin=origin)
        operands[2] = UNKNOWN
    return operands
