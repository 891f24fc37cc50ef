"""What a function is called with."""

from __future__ import annotations

import libcst as cst
from msgspec import Struct, field

from jitlint.absint.values.domain import Value


class Arguments(Struct, eq=False):
    """Evaluated arguments of a call.

    Args:
      positional: in order.
      keywords: by name.
      star: stands for each of an unknown number of further positional arguments.
      star_keywords: stands for each of an unknown number of further keyword arguments.
      open: whether nobody knows what else is passed for ``*args`` and ``**kwargs``.
      nodes: where each positional argument stands, aligned with ``positional``; may be shorter.
      keyword_nodes: where each keyword argument stands.
    """

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    star: Value | None = None
    star_keywords: Value | None = None
    open: bool = False
    nodes: list[cst.CSTNode] = field(default_factory=list)
    keyword_nodes: dict[str, cst.CSTNode] = field(default_factory=dict)

    def get(self, index: int, name: str) -> Value | None:
        """The argument of a parameter, None if it was not passed (or not visibly)."""
        if index < len(self.positional):
            return self.positional[index]
        return self.keywords.get(name)

    def node(self, index: int, name: str) -> cst.CSTNode | None:
        """Where the argument of a parameter stands."""
        if index < len(self.nodes):
            return self.nodes[index]
        return self.keyword_nodes.get(name)

    def values(self) -> list[Value]:
        """Every argument value."""
        found = [*self.positional, *self.keywords.values()]
        found.extend(v for v in (self.star, self.star_keywords) if v is not None)
        return found

    def dropped(self, count: int) -> Arguments:
        """The arguments after the first ``count`` positional ones."""
        return Arguments(
            self.positional[count:],
            dict(self.keywords),
            self.star,
            self.star_keywords,
            self.open,
            self.nodes[count:],
            self.keyword_nodes,
        )

    def prepended(self, *values: Value, node: cst.CSTNode | None = None) -> Arguments:
        """The arguments with others before them, which have no place but the call itself."""
        known = node is not None and len(self.nodes) == len(self.positional)
        nodes = [*(node for _ in values), *self.nodes] if known and node is not None else []
        return Arguments(
            [*values, *self.positional],
            self.keywords,
            self.star,
            self.star_keywords,
            self.open,
            nodes,
            self.keyword_nodes,
        )
