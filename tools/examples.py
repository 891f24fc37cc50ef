"""What a rule's examples do under real JAX: the bad one its harm, the good one none.

``prove`` runs in a child process, in the folder of a module made of the example, like the cases of
labelled programs.  What the call of an example has to show depends on the kind of hazard:

- ``raises``: the bad call raises one of the exceptions.
- ``silently-wrong``: its result is not that of the good one, which is as without jit; of JIT403,
  JAX gives a smaller dtype than it is asked for.
- ``stale``: the call contains all calls and changes between them, and returns their results.  They
  differ from those without jit, or repeat where those do not; of JIT213 they are draws, equal in
  the bad example only.
- ``leaks``: a tracer is left in what the module holds, or used later.
- ``runs-once``: later calls lack the effect of the first.
- ``recompiles``: each call compiles again; of JIT306 and JIT307 one call compiles one function
  several times.
- ``mismeasured``: work is pending when the clock is read; of JIT402, something is compiled between
  two readings.
- ``unrolls``, ``bloats``: the call is one of a jitted function, whose program is much larger than
  that of the good example.
"""

from __future__ import annotations

import ast
import importlib
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

from jitlint.rules.meta import RuleMeta
from jitlint.rules.registry import find
from jitlint.verify.driving.calling.arrays import other_values
from jitlint.verify.recording.exceptions import chain
from jitlint.verify.recording.real_jax import real_jax
from tools.harm import equations, most_compiled, same, spans, text_size, unawaited
from tools.observation import compilations, effects, leaked

#: by how much the program of a bad example is larger, at least
_LARGER = 4
_TURNS = 3


class Demonstration:
    """An example as a module, and its call.

    Args:
      meta: the rule.
      kind: ``bad`` or ``good``.
    """

    def __init__(self, meta: RuleMeta, kind: str) -> None:
        example = meta.bad if kind == "bad" else meta.good
        assert example is not None
        self.meta = meta
        self.bad = kind == "bad"
        self._text = example.call
        self._name = module_name(meta, kind)
        self.module: ModuleType = importlib.import_module(self._name)

    def afresh(self) -> None:
        """Make the module anew, so that nothing is left of earlier calls."""
        self.module = importlib.reload(self.module)

    def evaluate(self, text: str) -> Any:
        """The value of an expression in the module."""
        return eval(text, {"jnp": real_jax().numpy, **vars(self.module)})

    def call(self) -> Any:
        """Make the call."""
        return self.evaluate(self._text)

    def parts(self) -> tuple[Any, list[Any], dict[str, Any]]:
        """The function that is called, and its arguments."""
        tree = ast.parse(self._text, mode="eval").body
        assert isinstance(tree, ast.Call)
        return (
            self.evaluate(ast.unparse(tree.func)),
            [self.evaluate(ast.unparse(node)) for node in tree.args],
            {str(each.arg): self.evaluate(ast.unparse(each.value)) for each in tree.keywords},
        )

    def good(self) -> Demonstration:
        """The good example of the same rule, as a module of its own."""
        return Demonstration(self.meta, "good")


def module_name(meta: RuleMeta, kind: str) -> str:
    """What the module of an example is called."""
    return f"{kind}_{meta.code.lower()}"


def prove(code: str, kind: str) -> None:
    """Run an example.

    Args:
      code: of the rule.
      kind: ``bad`` or ``good``.

    Raises:
      AssertionError: the bad example does no harm, or the good one does.
    """
    meta = find(code)
    assert meta is not None
    observe(meta, kind)


def observe(meta: RuleMeta, kind: str) -> None:
    """The same for a rule by its metadata."""
    # Advice without a hazard: neither example does harm, and nothing is compiled again.
    hazard = "recompiles" if meta.hazard is None else meta.hazard.kind
    (_OF_RULES.get(meta.code) or _OF_KINDS[hazard])(Demonstration(meta, kind))


def _raises(shown: Demonstration) -> None:
    if not shown.bad:
        shown.call()
        return
    hazard = shown.meta.hazard
    allowed = () if hazard is None else hazard.exceptions
    try:
        shown.call()
    except Exception as error:
        kind = type(error)
        dotted = kind.__qualname__
        if kind.__module__ != "builtins":
            dotted = f"{kind.__module__}.{dotted}"
        assert dotted in allowed, f"{dotted} is not in {allowed}: {error}"
    else:
        raise AssertionError("nothing was raised")


def _is_wrong(shown: Demonstration) -> None:
    if shown.bad:
        # The good example means the same, and is itself held against what it does without jit.
        assert not same(shown.call(), shown.good().call()), "the result is that of the good example"
        return
    with real_jax().disable_jit():
        eager = shown.call()
    assert same(shown.call(), eager), "jit changes the result"


def _truncates(shown: Demonstration) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        shown.call()
    found = [str(one.message) for one in warned if "will be truncated" in str(one.message)]
    assert bool(found) == shown.bad, f"JAX warns of {found}"


def _is_stale(shown: Demonstration) -> None:
    jitted, eager = _turns(shown), _turns(shown, jit=False)
    if not shown.bad:
        assert same(jitted, eager), "jit changes the result"
        return
    repeats = [all(same(one, each[0]) for one in each) for each in (jitted, eager)]
    differs = not same(jitted, eager) and same(eager, _turns(shown, jit=False))
    assert differs or repeats == [True, False], f"results repeat with and without jit: {repeats}"


def _turns(shown: Demonstration, *, jit: bool = True) -> list[Any]:
    shown.afresh()
    if jit:
        return [shown.call() for _ in range(_TURNS)]
    with real_jax().disable_jit():
        return [shown.call() for _ in range(_TURNS)]


def _repeats(shown: Demonstration) -> None:
    draws = list(shown.call())
    assert len(draws) > 1, "the call gives less than two draws"
    repeats = all(same(one, draws[0]) for one in draws)
    assert repeats == shown.bad, f"all draws are the same: {repeats}"


def _runs_once(shown: Demonstration) -> None:
    jitted = _effects(shown)
    with real_jax().disable_jit():
        eager = _effects(shown)
    if shown.bad:
        assert all(eager), f"without jit, the calls do {eager}"
        assert jitted[0] and not any(jitted[1:]), f"the calls do {jitted}"
    else:
        assert jitted == eager, f"the calls do {jitted}, without jit {eager}"


def _effects(shown: Demonstration) -> list[frozenset[str]]:
    """The call with other values of the same shapes: what each does besides."""
    function, arguments, keywords = shown.parts()

    def turn(number: int) -> frozenset[str]:
        values = other_values(arguments, number)
        return effects(lambda: function(*values, **keywords), vars(shown.module))

    return [turn(number) for number in range(_TURNS)]


def _leaks(shown: Demonstration) -> None:
    assert not leaked(vars(shown.module)), "a tracer is there before the call"
    used = False
    try:
        shown.call()
    except Exception as error:
        used = any(type(cause).__name__ == "UnexpectedTracerError" for cause in chain(error))
        if not used:
            raise
    found = leaked(vars(shown.module))
    assert (used or bool(found)) == shown.bad, f"tracers in {found}, used later: {used}"


def _compiles_again(shown: Demonstration) -> None:
    shown.call()
    once = compilations(shown.call)
    twice = compilations(lambda: [shown.call() for _ in range(2)])
    if shown.bad and shown.meta.hazard is not None:
        assert once > 1 and twice == 2 * once, f"{once} compilations, {twice} in two calls"
    else:
        assert twice == 0, f"an equal call compiles {once} times, two {twice} times"


def _compiles_one_function_often(shown: Demonstration) -> None:
    name, number = most_compiled(shown.call, vars(shown.module))
    assert (number > 1) == shown.bad, f"{name} is compiled {number} times"


def _reads_the_clock_early(shown: Demonstration) -> None:
    # What is compiled is not pending: only later calls show what is.
    shown.call()
    early = unawaited(shown.call, shown.module)
    assert early == shown.bad, f"work is pending when a clock is read: {early}"


def _compiles_while_it_measures(shown: Demonstration) -> None:
    found = spans(shown.call, shown.module)
    assert found, "no clock is read twice"
    assert any(found) == shown.bad, f"compiled between two readings of the clock: {found}"


def _is_larger(size: Callable[..., int]) -> Callable[[Demonstration], None]:
    def observe(shown: Demonstration) -> None:
        if not shown.bad:
            shown.call()
            return
        (function, args, kwargs), (other, values, words) = shown.parts(), shown.good().parts()
        bad, good = size(function, *args, **kwargs), size(other, *values, **words)
        assert bad >= _LARGER * good, f"the size is {bad}, that of the good example {good}"

    return observe


_OF_RULES: dict[str, Callable[[Demonstration], None]] = {
    "JIT213": _repeats,
    "JIT215": _repeats,
    "JIT306": _compiles_one_function_often,
    "JIT307": _compiles_one_function_often,
    "JIT402": _compiles_while_it_measures,
    "JIT403": _truncates,
}
_OF_KINDS: dict[str, Callable[[Demonstration], None]] = {
    "raises": _raises,
    "leaks": _leaks,
    "silently-wrong": _is_wrong,
    "runs-once": _runs_once,
    "stale": _is_stale,
    "recompiles": _compiles_again,
    "unrolls": _is_larger(equations),
    "mismeasured": _reads_the_clock_early,
    "bloats": _is_larger(text_size),
}
