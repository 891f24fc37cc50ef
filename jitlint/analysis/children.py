"""Processes that interpret parts: children that share what their parent holds.

Each takes the next part when it is done with one.  What a part is likely to be asked after that
its child does ahead of time, so that nobody is idle while the answers are put together in their
order; where it turns out that something else is asked, it begins that part again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from jitlint.absint.detectors.compilation.jit_verdicts import Verdict
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.analysis.agenda import Identity
from jitlint.analysis.places import Name
from jitlint.analysis.workers import Answer, ParsedSizes, Work, parsed_sizes
from jitlint.diagnostics import OmissionReport
from jitlint.foundation.forks import Channel, Forks

#: the number of a part, what is asked of it, and with what
Request = tuple[int, str, tuple[Any, ...]]


class Shares:
    """Who interprets which parts: neighbours first, which parse the same functions.

    Args:
      sizes: how much there is to do, by the number of a part.
      count: how many processes there are.
    """

    def __init__(self, sizes: Sequence[int], count: int) -> None:
        self._sizes = sizes
        self._stretches: list[list[int]] = [[] for _ in range(count)]
        total = sum(sizes) or 1
        for number, (size, until) in enumerate(zip(sizes, accumulate(sizes), strict=True)):
            middle = until - size / 2
            self._stretches[min(int(middle * count / total), count - 1)].append(number)
        for stretch in self._stretches:
            stretch.sort(key=lambda number: (sizes[number], -number))

    def next(self, child: int) -> int | None:
        """The part that a child is to do next: the largest of its own, then of another's."""
        own = self._stretches[child] or max(self._stretches, key=self._left)
        return own.pop() if own else None

    def _left(self, stretch: Sequence[int]) -> int:
        return sum(1 + self._sizes[number] for number in stretch)


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
        #: the tickets that the processes work on
        self._busy: list[int | None] = [None for _ in self._channels]
        self._answers: dict[int, Any] = {}
        self._dropped: set[int] = set()
        self._tickets = 0

    def deal(self, shares: Shares) -> Iterator[tuple[int, RemoteWork]]:
        """Have all parts begun.

        Yields:
          The number of each part and what came of it, as soon as that is known.

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
                yield number, RemoteWork(self, child, number, self._answers.pop(ticket))

    def ask(self, child: int, request: Request, *, at_once: bool = False) -> int:
        """Have a child do something when it is done with what it does.

        Args:
          child: its number.
          request: what is asked.
          at_once: before all else that it has been asked.

        Returns:
          A ticket for the answer.
        """
        self._tickets += 1
        add = self._waiting[child].appendleft if at_once else self._waiting[child].append
        add((self._tickets, request))
        self._send(child)
        return self._tickets

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
        if self._answers.pop(ticket, None) is None:
            self._dropped.add(ticket)

    def parsed(self) -> ParsedSizes:
        """What all children have parsed."""
        sizes: ParsedSizes = {}
        children = range(len(self._channels))
        for ticket in [self.ask(child, (0, "parsed", ())) for child in children]:
            sizes.update(self.answer(ticket))
        return sizes

    def _send(self, child: int) -> None:
        """Give a child something to do if it is idle; then it listens, whatever else happens."""
        waiting = self._waiting[child]
        while waiting and self._busy[child] is None:
            ticket, request = waiting.popleft()
            if ticket in self._dropped:
                self._dropped.remove(ticket)
                continue
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
        else:
            self._answers[ticket] = message


class RemoteWork:
    """Work that is done in a child.

    Args:
      children: the processes.
      child: the one that has begun it.
      number: of the part.
      first: what came of the starting points.
    """

    def __init__(self, children: Children, child: int, number: int, first: Answer) -> None:
        self._children = children
        self._child = child
        self._number = number
        self._first = first
        self._asked: list[Sequence[Identity]] = []
        self._ahead: deque[tuple[Sequence[Identity], int]] = deque()

    def begin(self) -> Answer:
        """Interpret the starting points."""
        return self._first

    def expect(self, identities: Sequence[Identity]) -> None:
        """Have the child trace what it will be asked to, if nobody calls that before."""
        request = self._number, "trace", (identities,)
        self._ahead.append((identities, self._children.ask(self._child, request)))

    def trace(self, identities: Sequence[Identity]) -> Answer:
        """Trace transformed functions that nobody has called."""
        self._asked.append(identities)
        if not self._ahead:
            return self._ask("trace", identities)
        if self._ahead[0][0] != identities:
            return self._again()
        answer: Answer = self._children.answer(self._ahead.popleft()[1])
        return answer

    def judge(self, place: Name, verdict: Verdict) -> Answer:
        """Report that something is made again and again."""
        return self._ask("judge", place, verdict)

    def omissions(self) -> tuple[OmissionReport, ...]:
        """What was left out until now."""
        omissions: tuple[OmissionReport, ...] = self._ask("omissions")
        return omissions

    def _ask(self, what: str, *arguments: Any) -> Any:
        if self._ahead:
            self._again()
        request = self._number, what, arguments
        return self._children.answer(self._children.ask(self._child, request))

    def _again(self) -> Answer:
        """Have the child do just what was asked, where it has done more ahead of time."""
        for _, ticket in self._ahead:
            self._children.drop(ticket)
        self._ahead.clear()
        request = self._number, "again", (tuple(self._asked),)
        ticket = self._children.ask(self._child, request, at_once=True)
        answer: Answer = self._children.answer(ticket)
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
            sizes: ParsedSizes = {}
            for it in interpreters:
                sizes.update(parsed_sizes(it))
            channel.send(sizes)
        elif what in ("begin", "again"):
            works[number] = work(number)
            answer = works[number].begin()
            for identities in arguments[0] if arguments else ():
                answer = works[number].trace(identities)
            channel.send(answer)
        else:
            channel.send(getattr(works[number], what)(*arguments))
