"""Random numbers in a program: whether they can differ from call to call.

They are the same in every call where the key that they are drawn from depends on no argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

#: the primitive that every function of `jax.random` draws by
_DRAW = "random_bits"


def constant_draws(closed: Any) -> tuple[int, int]:
    """How many draws of a program are the same in every call, and how many are not.

    Args:
      closed: the program, a closed jaxpr.
    """
    draws: list[bool] = []
    jaxpr = closed.jaxpr
    _follow(jaxpr, [True] * len(jaxpr.invars), draws)
    return draws.count(False), draws.count(True)


def _follow(jaxpr: Any, given: Sequence[bool], draws: list[bool]) -> list[bool]:
    """Which results of a program vary with its arguments; notes for each draw whether it does.

    Args:
      jaxpr: the program.
      given: which of its arguments vary.
      draws: where the draws are noted.
    """
    varies = dict(zip(jaxpr.invars, given, strict=True))
    for equation in jaxpr.eqns:
        inputs = [_reads(varies, one) for one in equation.invars]
        if equation.primitive.name == _DRAW:
            draws.append(inputs[0])
        outputs = _inside(equation, inputs, draws)
        varies |= dict(zip(equation.outvars, outputs, strict=True))
    return [_reads(varies, one) for one in jaxpr.outvars]


def _reads(varies: dict[Any, bool], atom: Any) -> bool:
    # Literals have no hash in some releases, and never vary.
    return False if hasattr(atom, "val") else varies.get(atom, False)


def _inside(equation: Any, inputs: list[bool], draws: list[bool]) -> list[bool]:
    """Which results of an operation vary, by the programs inside it."""
    params = equation.params
    number = len(equation.outvars)
    name = equation.primitive.name
    if name == "scan":
        return _loop(params["jaxpr"].jaxpr, inputs, *_parts_of_scan(params), draws)
    if name == "while":
        first, second = params["cond_nconsts"], params["body_nconsts"]
        body = inputs[first:]
        return _loop(params["body_jaxpr"].jaxpr, body, second, len(body) - second, draws)
    if name == "cond":
        results = [_follow(one.jaxpr, inputs[1:], draws) for one in params["branches"]]
        return [inputs[0] or any(each) for each in zip(*results, strict=True)]
    outputs = [any(inputs)] * number
    for inner in _programs(params):
        if len(inner.invars) == len(inputs):
            found = _follow(inner, inputs, draws)
            if len(found) == number:
                outputs = found
        else:
            _follow(inner, [any(inputs)] * len(inner.invars), draws)
    return outputs


def _parts_of_scan(params: dict[str, Any]) -> tuple[int, int]:
    """How many inputs of a scan are constants, and how many are carried."""
    if "num_consts" in params:
        return params["num_consts"], params["num_carry"]
    # Since JAX 0.12 the inputs are a tree of three.
    constants, carried, _ = params["ft_in"].unpack()
    return len(list(constants)), len(list(carried))


def _loop(
    body: Any, inputs: list[bool], constants: int, carried: int, draws: list[bool]
) -> list[bool]:
    """The same for a loop, whose carry varies once any turn makes it vary."""
    known = list(inputs)
    while True:
        found = _follow(body, known, [])
        again = [*known]
        for position in range(carried):
            again[constants + position] |= found[position]
        if again == known:
            return _follow(body, known, draws)
        known = again


def _programs(params: dict[str, Any]) -> Iterator[Any]:
    for value in params.values():
        inner = getattr(value, "jaxpr", value)
        if hasattr(inner, "eqns") and hasattr(inner, "invars"):
            yield inner
