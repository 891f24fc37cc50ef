"""Syntax that is newer than the Python that runs: rewritten to what its ``ast`` can index.

libcst knows newer syntax than this Python's ``ast``.  What the index needs of such a file is what
it defines, imports and mentions, so it is built from a copy in which every newer construct is
replaced by an older one that says the same of that.  The copy has the same rows, and what is not
replaced stands at the same bytes; the text that is interpreted is the real one.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

import libcst as cst
from libcst.metadata import CodePosition, CodeRange, MetadataWrapper, PositionProvider

from jitlint.project.index import Parsed

#: all that is blanked: not line ends, nor backslashes before them
_BLANKED: Final = re.compile(rb"[^\n\\]|\\(?!\n)")


def parse(text: str) -> Parsed | None:
    r"""Parse a module that ``ast`` refuses.

    Args:
      text: with ``\n`` line ends.

    Returns:
      A tree in which everything stands where it does in the text, but for statements of which none
      could be made; None where libcst refuses the text as well.

    Raises:
      SyntaxError: what is wrong with a string, which libcst does not look into.
    """
    try:
        module = cst.parse_module(text)
        spans = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    except Exception:  # any failure of the second parser confirms the first one's verdict
        return None
    for node, where in spans.items():
        _check_string(node, where)
    copy = _Copy(text, spans)
    copy.rewrite()
    tree = tree_of(copy.text)
    left_out: list[tuple[int, str]] = []
    if isinstance(tree, str):
        left_out = list(copy.leave_out(module.body))
        tree = tree_of(copy.text)
    return Parsed(tree, left_out) if isinstance(tree, ast.Module) else None


def _check_string(node: Any, where: CodeRange) -> None:
    """Refuse what no version of Python takes for a string."""
    written = []
    if isinstance(node, cst.SimpleString):
        written.append(node.value)
    elif isinstance(node, cst.FormattedString) or type(node).__name__ == "TemplatedString":
        prefix = re.sub("[fFtT]", "", node.start)
        texts = (part.value for part in node.parts if hasattr(part, "value"))
        # A backslash before an expression is one.
        written += [f"{prefix}{text} {node.end}" for text in texts]
    for each in written:
        wrong = tree_of(each)
        if isinstance(wrong, str):
            start = where.start
            raise SyntaxError(wrong, (None, start.line, start.column + 1, None))


def tree_of(text: str) -> ast.Module | str:
    """The tree of a text, or what ``ast`` has against it."""
    try:
        with warnings.catch_warnings():
            # Invalid escapes in the linted code are not our user's business here.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        return error.msg or "invalid syntax"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "too deeply nested"


class _Copy:
    """A text that is changed byte by byte, for ``ast`` counts columns in bytes.

    Args:
      text: as it is.
      spans: where the nodes of its tree stand.
    """

    def __init__(self, text: str, spans: Mapping[cst.CSTNode, CodeRange]) -> None:
        self._lines = text.split("\n")
        self._starts = [0, *accumulate(len(line.encode()) + 1 for line in self._lines)]
        self._bytes = bytearray(text.encode())
        self._spans = spans

    @property
    def text(self) -> str:
        """What became of it."""
        return self._bytes.decode()

    # -- places -----------------------------------------------------------------------------------

    def _offset(self, place: CodePosition) -> int:
        before = self._lines[place.line - 1][: place.column]
        return self._starts[place.line - 1] + len(before.encode())

    def _span(self, node: Any) -> tuple[int, int]:
        """Where a node begins and ends, with the brackets around it."""
        first = node.lpar[0] if getattr(node, "lpar", ()) else node
        last = node.rpar[-1] if getattr(node, "rpar", ()) else node
        return self._offset(self._spans[first].start), self._offset(self._spans[last].end)

    def _rows(self, statement: cst.CSTNode) -> tuple[int, int]:
        """The first and the last row of a statement, from 1."""
        first = (*getattr(statement, "decorators", ()), statement)[0]
        end = self._spans[statement].end
        return self._spans[first].start.line, end.line - int(end.column == 0)

    def _blank(self, start: int, end: int) -> None:
        """Blank a region; its line ends stay, with a backslash before them."""
        self._bytes[start:end] = _BLANKED.sub(b" ", self._bytes[start:end])

    def _put(self, start: int, text: bytes) -> None:
        self._bytes[start : start + len(text)] = text

    # -- constructs -------------------------------------------------------------------------------

    def rewrite(self) -> None:
        """Replace every newer construct."""
        # What stands in a concatenation is replaced with it.
        parts = {
            part
            for node in self._spans
            if isinstance(node, cst.ConcatenatedString)
            for part in (node.left, node.right)
        }
        for node in self._spans:
            rule = _RULES.get(type(node).__name__)
            if rule is not None and node not in parts:
                rule(self, node)

    def type_parameters(self, node: cst.TypeParameters) -> None:
        """``def f[T](x)`` becomes ``def f(   x)``, and ``class A[T]`` becomes ``class A( )``."""
        start, end = self._span(node)
        after = end
        while self._bytes[after] in b" \t\\\n":
            after += 1
        following = self._bytes[after : after + 1]
        if following == b"=":
            return
        self._blank(start, after + 1 if following == b"(" else end)
        self._put(start, b"(")
        if following != b"(":
            self._put(end - 1, b")")

    def type_alias(self, node: cst.TypeAlias) -> None:
        """``type Name = value`` becomes ``Name      = value``."""
        start = self._span(node)[0]
        name_end = self._span(node.name)[1]
        if b"\n" in self._bytes[start:name_end]:
            return
        name = node.name.value.encode()
        if node.type_parameters is None:
            self._blank(start, name_end)
            self._put(start, name)
            return
        end = self._span(node.type_parameters)[1]
        self._blank(start, end)
        self._put(start, b"(" + name)
        self._put(end - 1, b")")

    def string(self, node: cst.BaseExpression) -> None:
        """A string with expressions becomes a tuple of them."""
        expressions = list(_interpolated(node))
        if not expressions and not _is_formatted(node):
            return
        # The brackets around a string are not part of it.
        where = self._spans[node]
        start, end = self._offset(where.start), self._offset(where.end)
        last = start
        for first, after in sorted(map(self._span, expressions)):
            self._blank(last, first)
            while self._bytes[after] == ord("\n"):
                after += 1
            self._put(after, b",")
            last = after + 1
        self._blank(last, end)
        self._put(start, b"(")
        self._put(end - 1, b")")

    def handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> None:
        """``except A, B`` becomes ``except A| B``."""
        if not isinstance(node.type, cst.Tuple) or node.type.lpar:
            return
        for left, right in pairwise(map(self._span, (e.value for e in node.type.elements))):
            self._put(self._bytes.index(b",", left[1], right[0]), b"|")

    def lazy_import(self, node: cst.CSTNode) -> None:
        """``lazy import a`` becomes ``import      a``."""
        start, end = self._span(node)
        found = re.match(rb"lazy[ \t]+(import|from)\b", self._bytes[start:end])
        if found is not None:
            word = bytes(found[1])
            self._blank(start, start + found.end())
            self._put(start, word)

    def comprehension(self, node: Any) -> None:
        """``[*x for x in y]`` becomes ``[ x for x in y]``."""
        element = getattr(node, "elt", node)
        if type(element).__name__ in ("StarredElement", "StarredDictComp"):
            start, end = self._span(element)[0], self._span(element.value)[0]
            self._put(start, bytes(self._bytes[start:end]).replace(b"*", b" "))

    # -- statements -------------------------------------------------------------------------------

    def leave_out(self, statements: Iterable[cst.CSTNode]) -> Iterator[tuple[int, str]]:
        """Replace the statements of a block that ``ast`` refuses even so, the innermost of them."""
        for statement in statements:
            first, last = self._rows(statement)
            wrong = self._fault(first, last)
            if not wrong:
                continue
            inside = [each for block in _blocks(statement) for each in self.leave_out(block)]
            if not self._fault(first, last):
                yield from inside
                continue
            begin, end = self._starts[first - 1], self._starts[last]
            indent = len(self._bytes[begin:end]) - len(self._bytes[begin:end].lstrip())
            self._bytes[begin:end] = re.sub(rb"[^\n]", b" ", self._bytes[begin:end])
            # The index takes no notice of constants.
            self._put(begin + indent, b"0")
            yield first, f"{wrong}; what stands here is not analysed"

    def _fault(self, first: int, last: int) -> str:
        """What is wrong with a statement that stands on some rows, empty for nothing."""
        rows = self._bytes[self._starts[first - 1] : self._starts[last]].decode()
        tree = tree_of(f"if 1:\n{rows}" if rows[:1] in (" ", "\t") else rows)
        return tree if isinstance(tree, str) else ""


def _interpolated(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The expressions in a string, those in format specifications included."""
    if isinstance(node, cst.ConcatenatedString):
        yield from _interpolated(node.left)
        yield from _interpolated(node.right)
    for part in getattr(node, "parts", None) or getattr(node, "format_spec", None) or ():
        expression = getattr(part, "expression", None)
        if expression is not None:
            yield expression
            yield from _interpolated(part)


def _is_formatted(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.ConcatenatedString):
        return _is_formatted(node.left) or _is_formatted(node.right)
    return hasattr(node, "parts")


def _blocks(node: cst.CSTNode) -> Iterator[Sequence[cst.CSTNode]]:
    """The blocks of a compound statement."""
    for child in node.children:
        if isinstance(child, cst.IndentedBlock):
            yield child.body
        elif isinstance(child, _CLAUSES):
            yield from _blocks(child)


_CLAUSES: Final = (
    cst.If, cst.Else, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally, cst.MatchCase,
)  # fmt: skip
#: by the name of the class of node, for older versions of libcst lack some
_RULES: Final[dict[str, Callable[[_Copy, Any], None]]] = {
    "TypeParameters": _Copy.type_parameters,
    "TypeAlias": _Copy.type_alias,
    "FormattedString": _Copy.string,
    "TemplatedString": _Copy.string,
    "ConcatenatedString": _Copy.string,
    "ExceptHandler": _Copy.handler,
    "ExceptStarHandler": _Copy.handler,
    "LazyImport": _Copy.lazy_import,
    "LazyImportFrom": _Copy.lazy_import,
    "ListComp": _Copy.comprehension,
    "SetComp": _Copy.comprehension,
    "GeneratorExp": _Copy.comprehension,
    "StarredDictComp": _Copy.comprehension,
}
