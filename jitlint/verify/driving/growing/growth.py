"""The search: inputs that come furthest are repaired first.

Runs in a child process only.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from jitlint.verify.driving.calling.inputs import Known, Maker, passed_parameters
from jitlint.verify.driving.growing.kind_repairs import other_names, single_values
from jitlint.verify.driving.growing.learning import learn
from jitlint.verify.driving.growing.making import Making
from jitlint.verify.driving.growing.placeholders import Facts, Placeholder, register
from jitlint.verify.driving.growing.repairs import repairs, scalar_repairs
from jitlint.verify.driving.growing.specs import Inputs
from jitlint.verify.driving.growing.trouble import Trouble
from jitlint.verify.recording.real_jax import real_jax

#: how often a function is called with placeholders before something else is tried
_MOST_LESSONS = 12
#: how many inputs are tried in all
_MOST_TRIES = 160
#: inputs are never made with more numbers in them
_MOST_NUMBERS = 200_000
#: what it costs to end in a way that is known
_KNOWN_ENDING = 2


#: makes the inputs, by name
Make = Callable[[], dict[str, Any]]


@dataclass(frozen=True)
class Trial:
    """What came of a call.

    Args:
      rows: how many rows of the user's code it came to.
      statements: how many statements ran, again ones too.
      reached: it came to the reported place.
      trouble: what ended it; None if nothing did.
      vague: the shape of an array that stood where a single value is wanted at that place.
    """

    rows: int
    statements: int
    reached: bool
    trouble: Trouble | None
    vague: tuple[int, ...] | None = None


@dataclass(order=True)
class _Waiting:
    rank: tuple[int, int, tuple[int, ...], int, int]
    cost: int = field(compare=False)
    inputs: Inputs = field(compare=False)


def traced_call(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> None:
    """Call a function within a trace, so that nothing is compiled.

    Args:
      function: what is called.
      args: its arguments, of which the arrays become tracers.
      kwargs: those that are named.
    """
    jax = real_jax()
    leaves, tree = jax.tree.flatten(
        (list(args), dict(kwargs)), is_leaf=lambda x: isinstance(x, Placeholder)
    )
    places = [n for n, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]

    def call(arrays: Sequence[Any]) -> None:
        mixed = list(leaves)
        for place, array in zip(places, arrays, strict=True):
            mixed[place] = array
        positional, named = jax.tree.unflatten(tree, mixed)
        function(*positional, **named)

    jax.eval_shape(call, [leaves[n] for n in places])


class Growth:
    """Inputs of one function, grown from nothing.

    Args:
      function: what will be called.
      known: what the analysis knows of the parameters of the underlying function.
      maker: knows the module.
      owner: the class of the object that it is a method of.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        known: Known,
        maker: Maker,
        owner: type | None = None,
    ) -> None:
        register()
        self._making = Making(maker)
        self._seen: set[str] = set()
        self._waiting: list[_Waiting] = []
        self._endings: set[tuple[str, tuple[int, ...], int]] = set()
        self._numbers = itertools.count()
        self._tries = 0
        chosen = passed_parameters(function)
        if chosen is None:
            return
        passed = maker.passed(function)
        nothing = Trial(0, 0, False, None)
        self._wait(self._making.begin(chosen, known, owner, passed), nothing, 0)
        if passed:
            # What is written there may need what only a run knows.
            self._wait(self._making.begin(chosen, known, owner), nothing, 1)

    def _wait(self, inputs: Inputs, trial: Trial, cost: int) -> None:
        # Coverage leads, then how far it came, also in a row that runs again; of equals, what is
        # least far from what was thought of first in each step.
        place = () if trial.trouble is None else tuple(-at for at in trial.trouble.place)
        rank = (-trial.rows, -trial.statements, place, cost, next(self._numbers))
        heapq.heappush(self._waiting, _Waiting(rank, cost, inputs))

    def grow(
        self,
        probe: Callable[[Make], Trial],
        prove: Callable[[Make], Trial],
    ) -> Iterator[None]:
        """Try inputs, until the caller has seen enough.

        Args:
          probe: calls the function without judging what it does.
          prove: calls it and judges.

        Yields:
          After each try.
        """
        while self._waiting and self._tries < _MOST_TRIES:
            waiting = heapq.heappop(self._waiting)
            inputs, cost = waiting.inputs, waiting.cost
            trial = self._learned(inputs, probe)
            if trial is None:
                continue
            # Noted before the caller may lose interest, since another report may go on from here.
            if trial.vague is not None:
                better = replace(trial, rows=trial.rows + 1)
                for place, other in enumerate(scalar_repairs(inputs, trial.vague)):
                    self._wait(other, better, cost + place)
            if trial.trouble is not None:
                ending = re.sub(r"\d+", "", trial.trouble.text), trial.trouble.place, trial.rows
                if ending in self._endings:
                    cost += _KNOWN_ENDING
                self._endings.add(ending)
                for place, other in enumerate(repairs(inputs, trial.trouble)):
                    self._wait(other, trial, cost + place)
            elif not trial.reached:
                others = [*other_names(inputs, self._making.namespace), *single_values(inputs)]
                for place, other in enumerate(others):
                    self._wait(other, trial, cost + place)
            if trial.trouble is None or trial.reached:
                # At once: these inputs do not come again.
                proof = prove(partial(self._making.values, inputs, None, plain=True))
                if proof.trouble is not None and not proof.reached:
                    prove(partial(self._making.values, inputs, None))
            yield

    def end(self) -> None:
        """Try nothing more."""
        self._waiting.clear()

    def _learned(self, inputs: Inputs, probe: Callable[[Make], Trial]) -> Trial | None:
        """Call with placeholders until they are asked nothing new; what came of the last call."""
        trial: Trial | None = None
        for _ in range(_MOST_LESSONS):
            self._making.complete(inputs)
            known = inputs.described()
            if known in self._seen or inputs.numbers() > _MOST_NUMBERS:
                return trial
            self._seen.add(known)
            facts = Facts()
            self._tries += 1
            trial = probe(partial(self._making.values, inputs, facts))
            if not inputs.unknown() or not learn(inputs, facts):
                return trial
        return trial
