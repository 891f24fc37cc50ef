"""What is left after the code of modules, done by several processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.analysis.children import Children, RemoteWork, Shares, serve
from jitlint.analysis.workers import Answer, Work
from jitlint.foundation.forks import Channel, Forks, can_fork

#: rows of starting points for which a further process is worth it: about half a second of work
ROWS_PER_PROCESS = 2_500
#: rows of starting points up to which it does no harm to interpret them again
ROWS_BEGUN_AGAIN = 2_500

_Outcome = TypeVar("_Outcome", covariant=True)


class Shared(Protocol[_Outcome]):
    """An analysis of which parts can be done elsewhere."""

    @property
    def interpreter(self) -> Interpreter:
        """Holds the trees of all parts."""

    def waiting(self) -> list[Path]:
        """The files whose functions must be interpreted."""

    def rows(self, path: Path) -> tuple[int, int]:
        """How many rows start in a file, and how many are traced there once all else is."""

    def work(self, path: Path, step: Callable[[], None]) -> Work:
        """What there is to do in a file, for whoever does it."""

    def take(self, path: Path, work: Work) -> None:
        """Another process has begun what there is to do in a file."""

    def run(self, children: Children | None = None) -> _Outcome:
        """Put the parts together."""


def share(
    analyses: Sequence[Shared[_Outcome]], jobs: int, step: Callable[[], None]
) -> list[_Outcome] | None:
    """Have some analyses done by several processes, if it is worth that.

    Args:
      analyses: the code of their modules has been run.
      jobs: the most processes.
      step: told when a starting point is done.

    Returns:
      What came of each; None where nothing was done.

    Raises:
      ForkLostError, OSError: a child was lost.
    """
    waiting = [(each, path) for each in analyses for path in sorted(each.waiting())]
    rows = [each.rows(path) for each, path in waiting]
    count = min(jobs, sum(map(sum, rows)) // ROWS_PER_PROCESS, len(waiting))
    if count < 2 or not can_fork():
        return None
    interpreters = [each.interpreter for each in analyses]

    def task(number: int, channel: Channel) -> None:
        def work(number: int) -> Work:
            each, path = waiting[number]
            return each.work(path, lambda: channel.send(None))

        serve(work, interpreters, channel)

    with Forks(task, count) as forks:
        children = Children(forks, step)

        def take(number: int, child: int | None, first: Answer) -> None:
            each, path = waiting[number]
            ahead = rows[number][0] < ROWS_BEGUN_AGAIN
            each.take(path, RemoteWork(children, child, number, first, ahead=ahead))

        starting = {number: starts for number, (starts, _) in enumerate(rows) if starts}
        for number, child, first in children.deal(Shares(starting, count)):
            take(number, child, first)
        for number, (each, path) in enumerate(waiting):
            if number not in starting:
                # Nothing is to be done yet, so that it is all the same who does the rest.
                take(number, None, each.work(path, step).begin())
        return [each.run(children) for each in analyses]
