"""The interpreter's machine: the current state, the verbs, what it records.

What each verb does is registered by the rooms above (:mod:`jitlint.absint.machine.verbs`).  This
module knows no Python and no JAX.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import libcst as cst

from jitlint.absint.machine.frames import OutOfBudget, Terminated
from jitlint.absint.machine.omissions import Reason
from jitlint.absint.machine.reads import Reads
from jitlint.absint.machine.recorder import Recorder
from jitlint.absint.machine.signals import OBSERVERS, Change, Signal
from jitlint.absint.machine.verbs import EXPRESSIONS, Verbs
from jitlint.absint.values.domain import Value
from jitlint.absint.values.heap import State


class Interpreter(Verbs, Recorder):
    """Runs code of a project on abstract values.

    What it holds is written down by its bases, each upon the one before: what is known of the
    project (:class:`~jitlint.absint.machine.knowledge.Knowledge`), the objects of the program that
    runs (:class:`~jitlint.absint.machine.memory.Memory`), the run
    (:class:`~jitlint.absint.machine.execution.Execution`) and its record
    (:class:`~jitlint.absint.machine.recorder.Recorder`).  They are bases and no parts because each
    step of a run asks several of them.

    Args:
      project: gives modules by name.
      limits: the budgets.
      may_inline: whether host code may be followed into a function of the project.
      rows: transforms that the project declares in its configuration, by qualified name.
    """

    def fork(self, reads: Reads) -> Interpreter:
        """An interpreter that goes on from what modules made, and leaves this one as it is.

        Both share what is known of the project: what both parse is parsed once, and a function is
        the same function to both.

        Args:
          reads: takes down what it reads.
        """
        self.share_numbers()
        other = copy.copy(self)
        other.begin_run(reads)
        other.begin_record()
        return other

    def dismantle(self) -> None:
        """Forget everything, much of which refers to itself: this is not used any more."""
        vars(self).clear()

    def ev(self, node: cst.CSTNode) -> Value:
        """The value of an expression in the current state."""
        self.steps += 1
        if self.steps > self._most_steps:
            self._overdraw(node)
        value: Value = EXPRESSIONS[type(node)](self, node)
        return value

    def _overdraw(self, node: cst.CSTNode) -> None:
        """The steps of a starting point are used up: finish what is open, but begin nothing."""
        if self.finishing:
            raise OutOfBudget
        self.omit(Reason.STEPS, node, str(self._most_steps))
        self.begin_to_finish()

    def run_from(self, state: State, statements: Sequence[cst.CSTNode]) -> State | None:
        """The state after statements that start in ``state``, None when no path leaves them."""
        before, self.state = self.state, state
        try:
            self.run(statements)
            return self.state
        except Terminated:
            return None
        finally:
            self.state = before

    def signal(self, signal: Signal) -> bool:
        """Tell all who watch that something happens here.

        Returns:
          Whether one found that a tracer stays behind: who reads it later need not be told again.
        """
        if isinstance(signal, Change):
            self.stores += 1
        observers = OBSERVERS.get(type(signal))
        if observers is None:
            return False
        found = False
        self.observing += 1
        try:
            for observer in observers:
                found = bool(observer(self, signal)) or found
        finally:
            self.observing -= 1
        return found
