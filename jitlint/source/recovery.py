"""Half-typed Python: the same rows, with stand-ins for those that are no Python yet.

For editors, where a module is broken at every other keystroke and its reports should not come and
go with it.  A stand-in says less than what it stands for, so that nothing is found that is not
there: a name that is assigned keeps some value that nobody knows, a condition becomes one that may
hold or not.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence

from msgspec import Struct

from jitlint.source.document import split_lines
from jitlint.source.ipython import Continuation, syntax_error

#: how often a text is parsed anew; files break in one place, rarely in two
_ATTEMPTS = 16
#: a value that nobody knows
_UNKNOWN = "get_ipython()"
_NAMED = re.compile(r"(?P<kind>(?:async\s+)?def|class)\s+(?P<name>\w+)")
_FOR = re.compile(r"(?:async\s+)?for\s+(?P<target>.+?)\s+in\b")
_ASSIGNED = re.compile(r"(?P<targets>[^=#'\"]+?)\s*(?::[^=]+)?(?:[-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)")
_RETURNED = re.compile(r"(?:return|yield)\b")
_HEADER = re.compile(
    r"(?:async\s+)?(?:if|for|while|with|try|match|def|class|elif|else|except|finally|case)\b"
)
#: clauses that cannot stand alone, with what stands for them
_CLAUSES = {
    "elif": f"elif {_UNKNOWN}:",
    "else": "else:",
    "except": "except Exception:",
    "finally": "finally:",
    "case": f"case _ if {_UNKNOWN}:",
}
_MENTIONED = re.compile(r"\bon line (\d+)")

#: message, row and column from 1
Fault = tuple[str, int, int]


class Recovered(Struct, frozen=True):
    """Python that can be read in place of a text that cannot.

    Args:
      text: with as many rows.
      fault: the first thing that is wrong with the text as it is.
    """

    text: str
    fault: Fault


def recover(text: str, *, whole: bool = True) -> Recovered | None:
    """Make Python of a text that is none.

    Args:
      text: of a module, or of a cell.
      whole: it is a module, for which the compiler's own rules hold too.

    Returns:
      What can be read instead; None where the text is right as it is, or nothing comes of it.
    """
    fault = first = _fault(text, whole)
    if fault is None or first is None:
        return None
    lines = list(split_lines(text))
    attempts = iter(range(_ATTEMPTS))
    while fault is not None:
        better = _better(lines, fault, whole, attempts)
        if better is None:
            return None
        lines, fault = better
    return Recovered("\n".join(lines), first)


def _fault(text: str, whole: bool) -> Fault | None:
    # Only the compiler refuses `return` outside a function and the like; nothing is run.
    flags = 0 if whole else ast.PyCF_ONLY_AST
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<editor>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return error.msg or "invalid syntax", error.lineno or 1, max(error.offset or 1, 1)
    except (ValueError, RecursionError, MemoryError):
        # Not for lack of a keystroke: null bytes, or more nesting than this thread has room for.
        return None
    return None


def _better(
    lines: Sequence[str], fault: Fault, whole: bool, attempts: Iterator[int]
) -> tuple[list[str], Fault | None] | None:
    """The rows with the first stand-in that puts a fault right, and what is wrong then."""
    seen: set[tuple[int, int, str]] = set()
    for first, last in _spans(lines, fault):
        for stand_in in _stand_ins(lines, first, last):
            if (first, last, stand_in) in seen:
                continue
            seen.add((first, last, stand_in))
            if next(attempts, None) is None:
                return None
            changed = [*lines[:first], stand_in, *[""] * (last - first), *lines[last + 1 :]]
            after = _fault("\n".join(changed), whole)
            if after is None or after[1] - 1 > max(last, fault[1] - 1):
                return changed, after
    return None


def _spans(lines: Sequence[str], fault: Fault) -> Iterator[tuple[int, int]]:
    """Yield what rows may be to blame for a fault, the fewest first; indices, both ends in."""
    message, row, _ = fault
    at = min(row - 1, len(lines) - 1)
    mentioned = _MENTIONED.search(message)
    if mentioned is not None and int(mentioned[1]) - 1 <= at:
        yield int(mentioned[1]) - 1, int(mentioned[1]) - 1
    if message.startswith("expected 'except'"):
        tries = (n for n in range(at, -1, -1) if lines[n].strip() == "try:")
        for number in tries:
            if _suite_end(lines, number, _indent(lines[number])) <= at:
                yield number, number
                break
    first, last = _statement(lines, at)
    if first == at:
        yield at, at
    else:
        yield first, first
        yield first, at
        yield at, at
    if last > at:
        yield first, last
    before = next((number for number in range(at - 1, -1, -1) if lines[number].strip()), None)
    if before is not None:
        yield before, before
    # What is indented under it goes with it, and then what it is itself indented under.
    width = _indent(lines[at])
    yield first, _suite_end(lines, at, width)
    for number in range(first - 1, -1, -1):
        if not lines[number].strip() or _indent(lines[number]) >= width:
            continue
        width = _indent(lines[number])
        yield number, _suite_end(lines, number, width)
        if width == 0:
            return


def _statement(lines: Sequence[str], at: int) -> tuple[int, int]:
    """The first and the last row of the logical line that holds a row."""
    # Brackets that are never closed would make one line of the whole text before it.
    begin = next((n for n in range(at, -1, -1) if _starts_statement(lines, n)), 0)
    state = Continuation()
    first = begin
    for number in range(begin, at + 1):
        if not state.inside:
            first = number
        state.feed(lines[number])
    last = at
    while state.inside and last + 1 < len(lines):
        last += 1
        state.feed(lines[last])
    return first, last if not state.inside else at


def _starts_statement(lines: Sequence[str], number: int) -> bool:
    """Whether a row most likely begins a statement at the left margin."""
    return re.match(r"[^\W\d]|@", lines[number]) is not None


def _suite_end(lines: Sequence[str], header: int, width: int) -> int:
    """The last row that is indented further than a header."""
    end = header
    for number in range(header + 1, len(lines)):
        if lines[number].strip():
            if _indent(lines[number]) <= width:
                break
            end = number
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _stand_ins(lines: Sequence[str], first: int, last: int) -> Iterator[str]:
    """Yield what may stand for some rows, the most telling first."""
    line = lines[first]
    code = line.strip()
    indent = line[: _indent(line)]
    following = next((text for text in lines[last + 1 :] if text.strip()), "")
    word = re.match(r"\w*", code)
    clause = _CLAUSES.get(word[0]) if word is not None else None
    if _indent(following) > len(indent):
        named, loop = _NAMED.match(code), _FOR.match(code)
        if clause is not None:
            yield indent + clause
        elif named is not None:
            parameters = "" if named["kind"] == "class" else "(*_, **__)"
            yield f"{indent}{named['kind']} {named['name']}{parameters}:"
        else:
            if loop is not None:
                yield f"{indent}for {loop['target']} in {_UNKNOWN}:"
            yield f"{indent}if {_UNKNOWN}:"
    elif clause is not None:
        yield f"{indent}{clause} pass"
    if code.startswith(("import ", "from ")):
        for end in range(len(code) - 1, len("import "), -1):
            if syntax_error(code[:end]) is None:
                yield indent + code[:end]
                break
    assigned = None if _HEADER.match(code) else _ASSIGNED.match(code)
    if assigned is not None:
        stand_in = f"{assigned['targets'].strip()} = {_UNKNOWN}"
        if syntax_error(stand_in) is None:
            yield indent + stand_in
    if _RETURNED.match(code):
        yield f"{indent}return {_UNKNOWN}"
    yield f"{indent}pass"
    yield ""
