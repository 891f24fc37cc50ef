"""Runs analyses: in this process, or with what starts in files dealt out to children of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from jitlint.analysis.children import Children, RemoteWork, Shares, serve
from jitlint.analysis.coordinator import Coordinator
from jitlint.analysis.counting import Count
from jitlint.analysis.outcomes import Outcome
from jitlint.analysis.parts.stored_parts import StoredParts
from jitlint.analysis.workers import Answer, Work
from jitlint.foundation.forks import Channel, ForkLostError, Forks, can_fork

if TYPE_CHECKING:
    from jitlint.analysis.options import AnalysisOptions
    from jitlint.analysis.selected import Selected
    from jitlint.cache.stores import Store
    from jitlint.recall.whole_runs import WholeRuns

#: rows of starting points for which a further process is worth it: about half a second of work
ROWS_PER_PROCESS = 2_500
#: rows of starting points up to which it does no harm to interpret them again
ROWS_BEGUN_AGAIN = 2_500


def run(
    every: Sequence[Selected],
    options: AnalysisOptions,
    progress: Callable[[int, int], None] | None,
    cache: Store | None,
    whole: WholeRuns | None,
) -> list[Outcome]:
    """Run some analyses that have nothing to do with each other.

    Args:
      every: what they are of.
      options: choices; how many processes there are makes no difference to what is found.
      progress: told how many of how many starting points are done.
      cache: knows parts of earlier runs, and is told those of this one.
      whole: knows how the files of the project are now, where there is a cache.

    Returns:
      What came of each.
    """
    store = None if cache is None or whole is None else StoredParts(cache, whole)
    count = Count(progress)
    coordinators: list[Coordinator] = []
    try:
        for selection in every:
            coordinators.append(Coordinator(selection, options, store, count))
        for coordinator in coordinators:
            coordinator.prepare()
        try:
            outcomes = _run_shared(coordinators, options.jobs) if options.jobs > 1 else None
        except (ForkLostError, OSError):
            outcomes = None
        return outcomes or [coordinator.run_here() for coordinator in coordinators]
    except BaseException:
        for coordinator in coordinators:
            coordinator.dismantle()
        raise


def _run_shared(coordinators: Sequence[Coordinator], jobs: int) -> list[Outcome] | None:
    """Do what is left after the code of modules in several processes, if it is worth that.

    Raises:
      ForkLostError, OSError: a child was lost.
    """
    waiting = [(each, path) for each in coordinators for path in sorted(each.waiting())]
    rows = [each.rows(path) for each, path in waiting]
    count = min(jobs, sum(map(sum, rows)) // ROWS_PER_PROCESS, len(waiting))
    if count < 2 or not can_fork():
        return None
    interpreters = [each.modules.interpreter for each in coordinators]

    def task(number: int, channel: Channel) -> None:
        def work(number: int) -> Work:
            each, path = waiting[number]
            return each.work(path, lambda: channel.send(None))

        serve(work, interpreters, channel)

    with Forks(task, count) as forks:
        children = Children(forks, coordinators[0].count.step)

        def take(number: int, child: int | None, first: Answer) -> None:
            each, path = waiting[number]
            ahead = rows[number][0] < ROWS_BEGUN_AGAIN
            each.take(path, RemoteWork(children, child, number, first, ahead=ahead))

        starting = {number: starts for number, (starts, _) in enumerate(rows) if starts}
        for number, child, first in children.deal(Shares(starting, count)):
            take(number, child, first)
        for number in range(len(waiting)):
            if number not in starting:
                each, path = waiting[number]
                take(number, None, each.work(path, each.count.step).begin())
        return [each.run(children, number) for number, each in enumerate(coordinators)]
