"""Processes that interpret parts: children that share what their parent holds.

Each takes the next part when it is done with one.  What a part is likely to be asked after that
its child does ahead of time, so that nobody is idle while the answers are put together in their
order; where it turns out that something else is asked, it begins that part again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from jitlint.absint.detectors.compilation.jit_verdicts import Verdict
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.analysis.parts.agenda import Identity, use_of
from jitlint.analysis.parts.places import Name
from jitlint.analysis.parts.reports import LeftOut, Report
from jitlint.analysis.workers import Answer, ParsedSizes, PartState, Work, parsed_sizes
from jitlint.foundation.forks import Channel, Forks

#: the number of a part, what is asked of it, and with what
Request = tuple[int, str, tuple[Any, ...]]


class Shares:
    """Who interprets which parts: neighbours first, which parse the same functions.

    Args:
      sizes: how much there is to do, by the number of a part.
      count: how many processes there are.
    """

    def __init__(self, sizes: Mapping[int, int], count: int) -> None:
        self._sizes = sizes
        self._stretches: list[list[int]] = [[] for _ in range(count)]
        total = sum(sizes.values())
        for (number, size), until in zip(sizes.items(), accumulate(sizes.values()), strict=True):
            middle = until - size / 2
            self._stretches[int(middle * count / total)].append(number)
        for stretch in self._stretches:
            stretch.sort(key=lambda number: (sizes[number], -number))

    def next(self, child: int) -> int | None:
        """The part that a child is to do next: the largest of its own, then of another's."""
        own = self._stretches[child] or max(self._stretches, key=self._left)
        return own.pop() if own else None

    def _left(self, stretch: Sequence[int]) -> int:
        return sum(self._sizes[number] for number in stretch)


class Children:
    """Asks processes, each of which does one thing at a time.

    Args:
      forks: the processes; each runs ``serve``.
      step: told when a starting point is done.
    """

    def __init__(self, forks: Forks, step: Callable[[], None]) -> None:
        self._channels = forks.channels
        self._messages = forks.any_order()
        self._step = step
        self._waiting: list[deque[tuple[int, Request]]] = [deque() for _ in self._channels]
        #: what any of them may do
        self._common: deque[tuple[int, Request]] = deque()
        #: who did what any of them might have done
        self._takers: dict[int, int] = {}
        #: by the ticket of what any of them may do, what the same one does after that
        self._following: dict[int, list[tuple[int, Request]]] = {}
        #: the tickets that the processes work on
        self._busy: list[int | None] = [None for _ in self._channels]
        self._answers: dict[int, Any] = {}
        self._dropped: set[int] = set()
        self._tickets = 0

    def deal(self, shares: Shares) -> Iterator[tuple[int, int, Answer]]:
        """Have all parts begun.

        Yields:
          The number of each part, who has begun it, and what came of it, as soon as it is known.

        Raises:
          ForkLostError: a child has ended.
        """
        running: dict[int, tuple[int, int]] = {}

        def give(child: int) -> None:
            number = shares.next(child)
            if number is not None:
                running[self.ask(child, (number, "begin", ()))] = child, number

        for child in range(len(self._channels)):
            give(child)
        while running:
            while not (done := running.keys() & self._answers.keys()):
                self._receive()
            for ticket in done:
                child, number = running.pop(ticket)
                give(child)
                yield number, child, self._answers.pop(ticket)

    def ask(self, child: int | None, request: Request, *, at_once: bool = False) -> int:
        """Have a child do something when it is done with what it does.

        Args:
          child: its number; None for whoever has nothing else to do first.
          request: what is asked.
          at_once: before all else that is asked.

        Returns:
          A ticket for the answer.
        """
        self._tickets += 1
        waiting = self._common if child is None else self._waiting[child]
        (waiting.appendleft if at_once else waiting.append)((self._tickets, request))
        for each in range(len(self._channels)) if child is None else (child,):
            self._send(each)
        return self._tickets

    def ask_after(self, ticket: int, request: Request) -> int:
        """Have whoever answers what any child may do something after that; see ``ask``."""
        taker = self._takers.get(ticket)
        if taker is not None:
            return self.ask(taker, request)
        self._tickets += 1
        self._following.setdefault(ticket, []).append((self._tickets, request))
        return self._tickets

    def taker(self, ticket: int) -> int:
        """Who has answered what any child might have done; asked once."""
        return self._takers.pop(ticket)

    def answer(self, ticket: int) -> Any:
        """The answer to a request, once it has come.

        Raises:
          ForkLostError: a child has ended.
        """
        while ticket not in self._answers:
            self._receive()
        return self._answers.pop(ticket)

    def drop(self, ticket: int) -> None:
        """Nobody will want the answer to a request."""
        self._takers.pop(ticket, None)
        if self._answers.pop(ticket, None) is None:
            self._dropped.add(ticket)

    def parsed(self, number: int) -> ParsedSizes:
        """What all children have parsed in one of the analyses."""
        sizes: ParsedSizes = {}
        children = range(len(self._channels))
        for ticket in [self.ask(child, (0, "parsed", (number,))) for child in children]:
            sizes.update(self.answer(ticket))
        return sizes

    def _send(self, child: int) -> None:
        """Give a child something to do if it is idle; then it listens, whatever else happens."""
        own, common = self._waiting[child], self._common
        while self._busy[child] is None and (waiting := own or common):
            ticket, request = waiting.popleft()
            if waiting is common:
                own.extendleft(reversed(self._following.pop(ticket, [])))
            if ticket in self._dropped:
                self._dropped.remove(ticket)
                continue
            if waiting is common:
                self._takers[ticket] = child
            self._busy[child] = ticket
            self._channels[child].send(request)

    def _receive(self) -> None:
        child, message = next(self._messages)
        if message is None:
            self._step()
            return
        ticket, self._busy[child] = self._busy[child], None
        self._send(child)
        assert ticket is not None, "nobody has asked"
        if ticket in self._dropped:
            self._dropped.remove(ticket)
            self._takers.pop(ticket, None)
        else:
            self._answers[ticket] = message


class RemoteWork:
    """Work that is done in a child.

    Args:
      children: the processes.
      child: the one that has begun it; None where nothing starts, so that it is all the same.
      number: of the part.
      first: what came of the starting points.
      ahead: whether it is cheap enough to be begun again where what is expected does not happen.
    """

    def __init__(
        self, children: Children, child: int | None, number: int, first: Answer, *, ahead: bool
    ) -> None:
        self._children = children
        self._child = child
        self._number = number
        self._first = first
        self._may_go_ahead = ahead
        self._asked: list[Sequence[Identity]] = []
        self._called = first.progress.called
        self._ahead: deque[tuple[Sequence[Identity], int]] = deque()

    def begin(self) -> Answer:
        """Interpret the starting points."""
        return self._first

    def expect(self, identities: Sequence[Identity]) -> None:
        """Have the child trace what it will be asked to, if nobody calls that before."""
        if not self._may_go_ahead:
            return
        if self._child is None and self._ahead:
            request = self._number, "trace", (identities,)
            ticket = self._children.ask_after(self._ahead[0][1], request)
        else:
            ticket = self._send("trace", identities)
        self._ahead.append((identities, ticket))

    def trace(self, identities: Sequence[Identity]) -> Answer:
        """Trace transformed functions that nobody has called."""
        self._pass_over(identities)
        self._asked.append(identities)
        if not self._ahead:
            answer: Answer = self._receive(self._send("trace", identities))
        elif self._ahead[0][0] == identities:
            answer = self._receive(self._ahead.popleft()[1])
        else:
            answer = self._again()
        self._called = answer.progress.called
        return answer

    def judge(self, place: Name, verdict: Verdict) -> tuple[Report, ...]:
        """Report that something is made again and again."""
        reports: tuple[Report, ...] = self._ask("judge", place, verdict)
        return reports

    def state(self) -> PartState:
        """What is known beside what it reports."""
        state: PartState = self._ask("state")
        return state

    def omissions(self) -> tuple[LeftOut, ...]:
        """What was left out until now."""
        omissions: tuple[LeftOut, ...] = self._ask("omissions")
        return omissions

    def _ask(self, what: str, *arguments: Any) -> Any:
        """Ask a child that has done what was asked, and nothing else."""
        self._pass_over(())
        if self._ahead or self._child is None:
            self._again()
        return self._receive(self._send(what, *arguments))

    def _pass_over(self, wanted: Sequence[Identity]) -> None:
        """Leave out what the child has not traced, either: it had called that itself."""
        while self._ahead and self._ahead[0][0] != wanted:
            if not all(use_of(identity) in self._called for identity in self._ahead[0][0]):
                break
            self._receive(self._ahead.popleft()[1])

    def _again(self) -> Answer:
        """Have the child do just what was asked, where it has done more ahead of time."""
        for _, ticket in self._ahead:
            self._children.drop(ticket)
        self._ahead.clear()
        # Once is enough.
        self._may_go_ahead = False
        request = self._number, "begin", tuple(self._asked)
        answer: Answer = self._receive(self._children.ask(self._child, request, at_once=True))
        return answer

    def _send(self, what: str, *arguments: Any) -> int:
        request = self._number, what, arguments
        if self._child is None:
            # Whoever takes it has not begun the part.
            request = self._number, "begin", (*self._asked, *arguments)
        return self._children.ask(self._child, request)

    def _receive(self, ticket: int) -> Any:
        answer = self._children.answer(ticket)
        if self._child is None:
            self._child = self._children.taker(ticket)
        return answer


def serve(
    work: Callable[[int], Work], interpreters: Sequence[Interpreter], channel: Channel
) -> None:
    """What a child does: all that it is asked.

    Args:
      work: makes the work on a part.
      interpreters: hold the trees of all of them.
      channel: leads to the parent.
    """
    works: dict[int, Work] = {}
    while True:
        number, what, arguments = channel.receive()
        if what == "parsed":
            (number,) = arguments
            channel.send(parsed_sizes(interpreters[number]))
        elif what == "begin":
            works[number] = work(number)
            answer = works[number].begin()
            for identities in arguments:
                answer = works[number].trace(identities)
            channel.send(answer)
        else:
            channel.send(getattr(works[number], what)(*arguments))
