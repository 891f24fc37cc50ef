"""How blocks end that a generator manages, as ``with`` has one of a ``@contextmanager`` function.

The block runs where the generator yields, in the frame of the ``with``.  Whichever way it is left,
the generator goes on behind its ``yield``, and only then the code behind the block does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from typing import TYPE_CHECKING

from jitlint.absint.machine.frames import Block, Frame, Terminated
from jitlint.absint.values.lattice import join_states

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.absint.values.heap import State


class BlockLeft:
    """How the paths through a block have left it, which all run through what manages it.

    Args:
      frame: where the block is.

    Attributes:
      entered: whether it was entered.
      state: the states in which they left it, other than by an exception.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self.entered = False
        self.state: State | None = None
        #: to the end; by `return`, `break` and `continue`
        self._ways = [False, False, False, False]

    def after(self, it: Interpreter, block: Block, run: Callable[[], None]) -> None:
        """Run the block where its generator yields, and then go on with the generator.

        Raises:
          Terminated: the block raises on all paths.
        """
        assert block.frame is not None
        self.entered = True
        generator, outer = block.frame, self._frame
        before, context, eager = outer.exits, outer.context, outer.eager
        _set_exits(outer, (None, None, None))
        if generator.eager is not None:
            outer.context, outer.eager = generator.context, generator.eager
        it.stack.pop()
        end: State | None = None
        # What the generator catches where it yields it catches of the block.
        guards = len(outer.tries)
        outer.tries += generator.tries
        try:
            with it.entered(outer), suppress(Terminated):
                run()
                end = it.state
        finally:
            del outer.tries[guards:]
            ways = (end, *outer.exits)
            _set_exits(outer, before)
            outer.context, outer.eager = context, eager
            it.stack.append(block.code)
        self._ways = [known or way is not None for known, way in zip(self._ways, ways, strict=True)]
        state = reduce(join_states, ways)
        if state is None:
            raise Terminated
        it.state = state.copy()
        self.state = join_states(self.state, state.copy())

    def go_on(self, it: Interpreter, block: Block) -> None:
        """Go on behind the ``with``, on each of the ways on which its block was left.

        Raises:
          Terminated: none of them leads to the next statement.
        """
        assert block.frame is not None
        ends = block.frame.return_state is not None
        if self.state is None:
            if not ends:
                raise Terminated
            # It swallows what the block raises.
            return
        if not ends:
            # What is left of the generator fails.
            it.state = self.state.copy()
        ended, *others = self._ways
        outer = self._frame
        _set_exits(
            outer,
            tuple(
                join_states(before, it.state.copy()) if taken else before
                for before, taken in zip(outer.exits, others, strict=True)
            ),
        )
        if not ended:
            raise Terminated


def _set_exits(frame: Frame, exits: Sequence[State | None]) -> None:
    frame.return_state = exits[0]
    if frame.loops:
        frame.loops[-1].breaks, frame.loops[-1].continues = exits[1:]
