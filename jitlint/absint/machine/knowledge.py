"""What is known of the project before any of its code runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from jitlint.absint.code.functions import Code, CodeStore
from jitlint.absint.limits import Limits
from jitlint.jaxmodel.transforms import Transform, transform
from jitlint.project.reading import Memo, Subject

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.project import Project

_Subject = TypeVar("_Subject")
_Fact = TypeVar("_Fact")


class Knowledge:
    """What an interpreter and all its forks share: code is parsed once.

    Sites are numbered by each fork for itself, on from those of what it goes on from.

    Args:
      project: gives modules by name.
      limits: the budgets.
      may_inline: whether host code may be followed into a function of the project.
      rows: transforms that the project declares in its configuration, by qualified name.
    """

    def __init__(
        self,
        project: Project,
        limits: Limits,
        may_inline: Callable[[Code], bool],
        rows: Mapping[str, Transform],
    ) -> None:
        self.project = project
        self.limits = limits
        self.may_inline = may_inline
        self.rows = rows
        #: the indexed modules, where registries are filled
        self.modules: Sequence[ModuleIndex] = ()
        #: those that hold an identifier, by the identifier and the files that count
        self._with_word: dict[tuple[str, int], list[ModuleIndex]] = {}
        self.store = CodeStore(project.memory.trees)
        #: which nodes are the ``elif`` of others; kept so that none gets the number of another
        self.syntax: dict[Any, Any] = {}
        #: what is known of the project besides its values
        self.memo = Memo()
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._numbers_below: tuple[dict[tuple[Any, ...], int], ...] = ()
        self._lasting = 0
        self._numbered = 0
        self._kept: list[Any] = []

    def row(self, name: str) -> Transform | None:
        """What a qualified name transforms, None if nothing."""
        return self.rows.get(name) or transform(name)

    def written(self, rule: Callable[[_Subject], _Fact], subject: _Subject) -> _Fact:
        """What the text of a thing of the project says by itself, asked once.

        Args:
          rule: says it, out of nothing else.
          subject: a module, class, statement or function, which the project holds on to.
        """
        if isinstance(subject, Subject):
            return subject.fact(rule)
        return self.memo.ask((rule, id(subject)), lambda: rule(subject))

    def keep(self, item: Any) -> None:
        """Hold on to what is known by its ``id``, so that no other object gets the same one."""
        self._kept.append(item)

    def number(self, key: tuple[Any, ...]) -> int:
        """The number of what makes an object: the same one for the same key."""
        found = self._numbers.get(key)
        if found is None:
            for below in self._numbers_below:
                found = below.get(key)
                if found is not None:
                    return found
            self._numbered += 1
            found = self._numbers[key] = self._numbered
        return found

    def share_numbers(self) -> None:
        """Let forks go on from the numbers given so far; what comes later is one's own."""
        if self._numbers:
            self._numbers_below = (self._numbers, *self._numbers_below)
            self._numbers = {}

    def keep_numbers(self) -> None:
        """Let what has a number by now keep it, whoever forgets theirs."""
        self.share_numbers()
        self._lasting = len(self._numbers_below)

    def forget_numbers(self) -> None:
        """Give new numbers from here on, but to what keeps its own."""
        lasting = len(self._numbers_below) - self._lasting
        self._numbers, self._numbers_below = {}, self._numbers_below[lasting:]
