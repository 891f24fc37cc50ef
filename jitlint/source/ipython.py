"""Cells as IPython takes them, as Python: magics, shell commands and help become harmless rows.

Rows stay rows.  Where a row loses what stood before its Python (``%timeit f(x)``, a prompt), its
shift says how many code points that were.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Sequence

#: a row of Python, and how many code points further right it stands in the cell
Row = tuple[str, int]

#: magics whose argument is Python, with their options that take a value
_RUNS_LINE = {
    "time": "",
    "timeit": "nrpv",
    "prun": "lsTD",
    "memit": "rt",
    "lprun": "fmTDu",
    "mprun": "fT",
    "snakeviz": "f",
    "pyinstrument": "",
}
#: those of them that give what their argument gives
_GIVES = frozenset({"time"})
#: those of them that measure it
_MEASURES = frozenset({"time", "timeit"})
#: stands for what they do: Python that runs, and says that what it runs is measured
TIMED = 'with __import__("contextlib").nullcontext("{}"):'
_DEFINES = re.compile(r"(?:async|class|def|from|import)\b|@")
# Magics of a whole cell whose body is Python of the same namespace.
_RUNS_CELL = frozenset({*_RUNS_LINE, *"capture ipytest debug".split()})
#: line magics that people write without their sign where they are all of a cell
_AUTOMAGIC = frozenset(
    "autoreload cat cd conda config cp debug env history less load_ext ls mamba man matplotlib "
    "mkdir more mv pdb pip prun pylab reload_ext rm rmdir run time timeit who whos xmode".split()
)
_OPTION = r"\s+-(?:[%s]\s*(?!-)\S+|-[\w-]+(?:=\S+)?|\w+)(?=\s|$)"
_FLAG = r"\s+-(?:-[\w-]+(?:=\S+)?|\w+)(?=\s|$)"
_OPTIONS = {
    name: re.compile(rf"(?:{_OPTION % letters if letters else _FLAG})*\s*")
    for name, letters in _RUNS_LINE.items()
}
_LINE_MAGIC = re.compile(r"(?P<indent>\s*)%(?P<name>\w+)")
_RUNS = re.compile(r"(?<!\S)-([nr])\s*(\d+)")
_CELL = re.compile(r"\s*%%(?P<name>[\w.]+)(?P<rest>.*)")
_COMMENT = re.compile(r"\s*(?:#.*)?$")
_COMMAND = re.compile(r"\s*(?:[!%?]|/[A-Za-z_]|[,;]\s*[A-Za-z_])")
_ASSIGNED = re.compile(r"(?P<before>\s*[^\s=!%#][^=!%#]*=\s*)(?=!|%\w)")
_HELP = re.compile(r"\s*%{0,2}[\w.*]+\?{1,2}\s*;?\s*(?:#.*)?$|[^'\"#?]*[\w*\]]\?{1,2}\s*;?\s*$")
_PROMPTS = (
    (re.compile(r">>>(?: |$)"), re.compile(r"(?:>>>|\.\.\.)(?: |$)")),
    (re.compile(r"In \[\d+\]: ?"), re.compile(r"(?:In \[\d+\]|\s*\.{3,}): ?")),
)
_OPENING = "([{"
_CLOSING = ")]}"


def parses(text: str) -> bool:
    """Whether a text is Python."""
    return syntax_error(text) is None


def syntax_error(text: str) -> tuple[str, int, int] | None:
    """Why a text is no Python, with row and column from 1; None where it is."""
    try:
        with warnings.catch_warnings():
            # Invalid escapes in the linted code are not our user's business here.
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return error.msg or "invalid syntax", error.lineno or 1, max(error.offset or 1, 1)
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "too deeply nested for Python's parser", 1, 1
    return None


def is_newer(text: str) -> bool:
    """Whether a text that this Python refuses is Python all the same, of a later version."""
    if parses(text):
        return False
    import libcst

    try:
        libcst.parse_module(text)
    except Exception:  # any failure of the second parser confirms the first one's verdict
        return False
    return True


def to_python(lines: Sequence[str]) -> list[Row] | None:
    """Turn a cell into Python.

    Args:
      lines: the rows of the cell, without line ends.

    Returns:
      As many rows, not necessarily valid Python; None where the cell is in another language, or
      runs elsewhere.
    """
    plain = [(line, 0) for line in lines]
    bare = _unprompted(_undented(lines))
    if bare == plain and parses("\n".join(lines)):
        return plain
    texts = [text for text, _ in bare]
    python = _transformed(texts)
    if python is None:
        return None
    return [(text, shift + cut) for (text, shift), (_, cut) in zip(python, bare, strict=True)]


def _undented(lines: Sequence[str]) -> list[Row]:
    """The rows without the indentation of the first one, where they have it."""
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    if not indent:
        return [(line, 0) for line in lines]
    return [
        (line[len(indent) :], len(indent)) if line.startswith(indent) else (line, 0)
        for line in lines
    ]


def _unprompted(rows: Sequence[Row]) -> list[Row]:
    """The rows of what was pasted from a session, without its prompts."""
    begin = [text for text, _ in rows if text.strip()][:2]
    pasted = (later for first, later in _PROMPTS if any(first.match(text) for text in begin))
    prompts = next(pasted, None)
    if prompts is None:
        return list(rows)
    found = []
    for text, shift in rows:
        prompt = prompts.match(text)
        cut = 0 if prompt is None else prompt.end()
        found.append((text[cut:], shift + cut))
    return found


def _transformed(lines: Sequence[str]) -> list[Row] | None:
    """A cell without prompts as Python; see :func:`to_python`."""
    if parses("\n".join(lines)):
        return [(line, 0) for line in lines]
    written = [number for number, line in enumerate(lines) if not _COMMENT.match(line)]
    first = written[0]  # comments alone would have parsed
    cell = _CELL.match(lines[first])
    if cell is not None:
        body = to_python(lines[first + 1 :]) if cell["name"] in _RUNS_CELL else None
        if body is None:
            return None
        setup = _setup(lines[first]) if cell["name"] == "timeit" else ("", 0)
        if cell["name"] in _MEASURES and not setup[0]:
            timed = _timed(f"%%{cell['name']}{_runs(cell['rest'])}", body)
            if timed is not None:
                return [*[("", 0)] * first, *timed]
        return [*[("", 0)] * first, setup, *body]
    automagic = first if len(written) == 1 else None
    rows: list[Row] = []
    scanner = Continuation()
    while len(rows) < len(lines):
        number = len(rows)
        line = lines[number]
        found = None
        if not scanner.inside:
            found = _automagic(line) if number == automagic else None
            found = found or _command(line)
        if found is None:
            rows.append((line, 0))
            scanner.feed(line)
            continue
        (text, shift), runs = found
        if runs and text.strip() == "\\" and number + 1 < len(lines):
            # All of its Python stands on the next row.
            rows.append(("", 0))
            line = lines[number + 1]
            indent, code = text[: len(text) - len(text.lstrip())], line.lstrip()
            text, shift = indent + code, len(line) - len(code) - len(indent)
        rows.append((text, shift))
        if runs:
            scanner.feed(text)
            continue
        # What a command runs on into belongs to it.
        while line.endswith("\\") and len(rows) < len(lines):
            line = lines[len(rows)]
            rows.append(("", 0))
    return rows


def _timed(magic: str, body: Sequence[Row]) -> list[Row] | None:
    """A cell whose run is measured, None where it also defines something."""
    scanner = Continuation()
    rows: list[Row] = [(TIMED.format(magic), 0)]
    for text, shift in body:
        if scanner.inside or not text.strip():
            rows.append((text, shift))
        elif _DEFINES.match(text):
            return None
        else:
            rows.append((f" {text}", shift - 1))
        scanner.feed(text)
    return rows if parses("\n".join(text for text, _ in rows)) else None


def _automagic(line: str) -> tuple[Row, bool] | None:
    """As :func:`_command`, for a magic that is written without its sign."""
    if line.split()[0] not in _AUTOMAGIC or parses(line.strip()):
        return None
    found = _command(f"%{line}")
    if found is None or not found[1]:
        return found
    (text, shift), _ = found
    return (text, shift - 1), True


def _setup(line: str) -> Row:
    """The statement on the first row of a ``%%timeit`` cell, if there is one."""
    end = line.index("%%timeit") + len("%%timeit")
    options = _OPTIONS["timeit"].match(line, end)
    end = end if options is None else options.end()
    code = line[end:]
    return (code, end) if parses(code) else ("", 0)


def _command(line: str) -> tuple[Row, bool] | None:
    """The Python that stands for a row that is none, None where the row may be Python.

    Returns:
      The row, and whether it holds Python of the user's own.
    """
    is_help = _HELP.match(line) is not None and not parses(line.strip())
    magic = None if is_help else _LINE_MAGIC.match(line)
    if magic is not None and magic["name"] in _RUNS_LINE:
        indent, start = magic["indent"], _code_start(line, magic)
        code = line[start:]
        if _COMMAND.match(code):
            # `%time !make`
            return _nothing(indent)
        if magic["name"] in _MEASURES and _is_simple(code):
            runs = _runs(line[magic.end() : start])
            timed = f"{TIMED.format('%' + magic['name'] + runs)} "
            return (indent + timed + code, start - len(timed) - len(indent)), True
        return ((indent + code, start - len(indent)), True) if code.strip() else _nothing(indent)
    if is_help or _COMMAND.match(line):
        return _nothing(line[: len(line) - len(line.lstrip())])
    assigned = _ASSIGNED.match(line)
    if assigned is None or parses(line.strip()):
        return None
    before = assigned["before"]
    magic = _LINE_MAGIC.match(line, len(before))
    if magic is not None and magic["name"] in _RUNS_LINE:
        start = _code_start(line, magic)
        code = line[start:]
        named = magic["name"] + _runs(line[magic.end() : start])
        opening = _assigned_time(before, magic["name"], named, code)
        if opening:
            return (opening + code, start - len(opening)), True
        if magic["name"] in _GIVES and code.strip():
            return (before + code, start - len(before)), True
        if code.strip() and parses(f"({code})"):
            # What it gives is not known, but its argument runs.
            opening = f"{before}get_ipython("
            return (f"{opening}{code})", start - len(opening)), True
    # What a command gives is not known, and None would be.
    return (f"{before}get_ipython().run(None)", 0), False


def _assigned_time(before: str, name: str, said: str, code: str) -> str:
    """What stands before the Python of ``t = %timeit -o f(x)``; nothing where nothing is measured.

    ``%time`` gives what its argument gives, ``%timeit`` what it has measured.
    """
    if name not in _MEASURES or not _is_simple(code) or not parses(f"({code}\n)"):
        return ""
    target = before.strip()
    indent = before[: len(before) - len(before.lstrip())]
    timed = indent + TIMED.format("%" + said)
    if name in _GIVES:
        return f"{timed} {target} "
    target = target.removesuffix("=").rstrip()
    return f"{timed.removesuffix(':')} as {target}: " if target.isidentifier() else ""


def _runs(options: str) -> str:
    """The options of ``%timeit`` that say how often it runs something, as it is read later."""
    return "".join(f" -{name} {number}" for name, number in _RUNS.findall(options))


def _is_simple(code: str) -> bool:
    """Whether a row is one statement that holds no other, or several of them."""
    if not code.strip() or not parses(code.strip()):
        return False
    body = ast.parse(code.strip()).body
    return bool(body) and not any(
        hasattr(statement, "body") or isinstance(statement, (ast.Import, ast.ImportFrom))
        for statement in body
    )


def _nothing(indent: str) -> tuple[Row, bool]:
    return (f"{indent}pass", 0), False


def _code_start(line: str, magic: re.Match[str]) -> int:
    """Where the Python begins behind a magic and its options."""
    options = _OPTIONS[magic["name"]].match(line, magic.end())
    return magic.end() if options is None else options.end()


class Continuation:
    r"""Tells whether the next row goes on with a statement: in brackets, strings, behind ``\``."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._continued = False

    @property
    def inside(self) -> bool:
        """Whether the next row is not the start of a statement."""
        return self._depth > 0 or bool(self._quote) or self._continued

    def feed(self, line: str) -> None:
        """Read a row."""
        position = 0
        self._continued = False
        while position < len(line):
            character = line[position]
            if self._quote:
                if character == "\\":
                    position += 2
                    continue
                if line.startswith(self._quote, position):
                    position += len(self._quote)
                    self._quote = ""
                    continue
            elif character == "#":
                return
            elif character in "'\"":
                triple = character * 3
                self._quote = triple if line.startswith(triple, position) else character
                position += len(self._quote)
                continue
            elif character in _OPENING:
                self._depth += 1
            elif character in _CLOSING:
                self._depth = max(0, self._depth - 1)
            elif character == "\\" and position == len(line) - 1:
                self._continued = True
            position += 1
        if len(self._quote) == 1 and not line.endswith("\\"):
            # A string of one line that is not closed: the row is broken, the next is another.
            self._quote = ""
