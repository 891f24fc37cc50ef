"""Edits that mean nothing: comments, blank lines, spaces, line ends, brackets."""

from __future__ import annotations

import ast
import random
import re
import tokenize
from functools import lru_cache
from itertools import pairwise

from benchmarks.edits.kinds import kind
from benchmarks.edits.sources import (
    Files,
    alone,
    definitions,
    first_row,
    indent_of,
    last_row,
    parsed,
    rows,
    segment,
    some_function,
    some_module,
    some_node,
    statements,
    tokens,
    top,
    tree_of,
    with_node,
    with_rows,
)

_REMARKS = (
    "# a remark",
    "#",
    "# x = jax.jit(f)  # or not",
    "# TODO: config Module apply",
    "# def old(x): return x",
    '# """ no string',
    "# größer als früher – naïve",
    "#: what it is",
    "# type: ignore",
    # What some take for the end of a row, and Python does not.
    "# odd \u2028 end",
    "# odd \x0c end \x1c and \x85",
    "# jax_enable_x64",
)


def _remark(rng: random.Random) -> str:
    return f"{rng.choice(_REMARKS)} {rng.randrange(1000)}"


@kind("trivia")
def comment_appended(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    return {**files, name: files[name].rstrip("\n") + f"\n{_remark(rng)}\n"}


@kind("trivia")
def comment_at_the_top(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    return None if name is None else with_rows(files, name, 0, 0, [_remark(rng)])


@kind("trivia")
def comment_above_a_definition(rng: random.Random, files: Files) -> Files | None:
    found = some_node(rng, files, ast.FunctionDef, ast.ClassDef)
    if found is None or not isinstance(found[1], ast.stmt):
        return None
    name, node = found
    row = first_row(node)
    return with_rows(files, name, row, row, [indent_of(node) + _remark(rng)])


@kind("trivia")
def comment_between_decorator_and_function(rng: random.Random, files: Files) -> Files | None:
    for _ in range(10):
        found = some_function(rng, files)
        if found is not None and found[1].decorator_list:
            name, node = found
            row = node.lineno - 1
            return with_rows(files, name, row, row, [indent_of(node) + _remark(rng)])
    return None


@kind("trivia")
def comment_inside_a_function(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    inner = [each for each in statements(tree_of(files, name)) if alone(files[name], each)]
    if not inner:
        return None
    node = rng.choice(inner)
    indent = rng.choice([indent_of(node), indent_of(node), "", " " * 40])
    row = rng.choice([first_row(node), last_row(node)])
    return with_rows(files, name, row, row, [indent + _remark(rng)])


@kind("trivia")
def comment_at_the_end_of_a_line(rng: random.Random, files: Files) -> Files | None:
    return _after_token(rng, files, tokenize.NEWLINE, f"  {_remark(rng)}")


@kind("trivia")
def comment_in_brackets(rng: random.Random, files: Files) -> Files | None:
    return _after_token(rng, files, tokenize.NL, f"  {_remark(rng)}")


def _after_token(rng: random.Random, files: Files, wanted: int, text: str) -> Files | None:
    """Put a text before the end of a line of code."""
    name = some_module(rng, files)
    if name is None:
        return None
    every = tokens(files[name])
    ends = [
        each.start
        for before, each in pairwise(every)
        if each.type == wanted
        and before.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE)
        and before.end[0] == each.start[0]
    ]
    if not ends:
        return None
    row, column = rng.choice(ends)
    line = rows(files[name])[row - 1]
    return with_rows(files, name, row - 1, row, [line[:column] + text + line[column:]])


@kind("trivia")
def comment_removed(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    comments = [
        each
        for each in tokens(files[name])
        if each.type == tokenize.COMMENT and "noqa" not in each.string
    ]
    if not comments:
        return None
    (row, column), end = (each := rng.choice(comments)).start, each.end
    line = rows(files[name])[row - 1]
    kept = line[:column] + line[end[1] :]
    return with_rows(files, name, row - 1, row, [kept] if kept.strip() else [])


@kind("trivia")
def blank_lines_put_in(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    tree = tree_of(files, name)
    places = [first_row(each) for each in (*tree.body, *statements(tree))]
    places = [place for place in places if not _in_string(files[name], place)]
    if not places:
        return None
    row = rng.choice(places)
    blanks = [rng.choice(["", "", "    ", "\f"]) for _ in range(rng.choice((1, 1, 2, 3, 40)))]
    return with_rows(files, name, row, row, blanks)


@kind("trivia")
def blank_line_removed(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    lines = rows(files[name])
    blank = [
        row
        for row, line in enumerate(lines[:-1])
        if not line.strip() and not _in_string(files[name], row)
    ]
    if not blank:
        return None
    row = rng.choice(blank)
    return with_rows(files, name, row, row + 1, [])


def _in_string(text: str, row: int) -> bool:
    """Whether a row, from 0, begins inside of a string."""
    return row in _rows_of_strings(text)[0]


def _is_formatted_here(text: str, row: int) -> bool:
    """Whether a row, from 1, has a part of a formatted string, whose tokens are those of code."""
    return row in _rows_of_strings(text)[1]


@lru_cache(maxsize=512)
def _rows_of_strings(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """The rows, from 0, that begin inside of strings; and those, from 1, with formatted ones."""
    begun = {
        row
        for each in tokens(text)
        if each.type == tokenize.STRING
        for row in range(each.start[0], each.end[0])
    }
    formatted: set[int] = set()
    tree = parsed(text)
    for node in () if tree is None else ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            end = node.end_lineno or node.lineno
            formatted.update(range(node.lineno, end + 1))
            begun.update(range(node.lineno, end))
    return frozenset(begun), frozenset(formatted)


@kind("trivia")
def rows_put_in_anywhere(rng: random.Random, files: Files) -> Files | None:
    """Between any two rows, in brackets as well, where that means nothing."""
    name = some_module(rng, files)
    if name is None:
        return None
    row = rng.randrange(len(rows(files[name])) + 1)
    new = rng.choice(([""], ["# here"], ["", "    # here", ""]))
    edited = with_rows(files, name, row, row, new)
    before, after = parsed(files[name]), parsed(edited[name])
    if before is None or after is None or ast.dump(before) != ast.dump(after):
        return None
    return edited


@kind("trivia")
def spaces_in_an_expression(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    places = [
        each.end
        for each in tokens(files[name])
        if each.type == tokenize.OP
        and each.string in ("+", "-", "*", "/", "=", ",", "(", ">", "<", "[")
        and not _is_formatted_here(files[name], each.end[0])
    ]
    if not places:
        return None
    row, column = rng.choice(places)
    line = rows(files[name])[row - 1]
    spaces = " " * rng.choice((1, 1, 2, 7))
    return with_rows(files, name, row - 1, row, [line[:column] + spaces + line[column:]])


@kind("trivia")
def call_wrapped_over_lines(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    depth, places = 0, []
    for each in tokens(files[name]):
        if each.type == tokenize.OP:
            depth += (each.string in "([{") - (each.string in ")]}")
            if each.string == "," and depth and not _is_formatted_here(files[name], each.end[0]):
                places.append(each.end)
    if not places:
        return None
    row, column = rng.choice(places)
    line = rows(files[name])[row - 1]
    if line[:column].rstrip().endswith("#") or "#" in line[column:]:
        return None
    return with_rows(
        files, name, row - 1, row, [line[:column], " " * rng.choice((0, 8, 12)) + line[column:]]
    )


@kind("trivia")
def spaces_at_the_end_of_a_line(rng: random.Random, files: Files) -> Files | None:
    return _after_token(rng, files, tokenize.NEWLINE, rng.choice(["  ", "\t", " "]))


@kind("trivia")
def expression_in_brackets(rng: random.Random, files: Files) -> Files | None:
    found = some_node(rng, files, ast.Return, ast.Assign)
    if found is None or not isinstance(found[1], (ast.Return, ast.Assign)):
        return None
    name, node = found
    value = node.value
    if value is None or isinstance(value, (ast.GeneratorExp, ast.Yield)):
        return None
    return with_node(files, name, value, f"({segment(files[name], value)})")


@kind("trivia")
def string_in_other_quotes(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    plain = [
        each
        for each in tokens(files[name])
        if each.type == tokenize.STRING and re.fullmatch(r"""(["'])[\w ]*\1""", each.string)
        if not _is_formatted_here(files[name], each.start[0])
    ]
    if not plain:
        return None
    each = rng.choice(plain)
    quote = '"' if each.string[0] == "'" else "'"
    line = rows(files[name])[each.start[0] - 1]
    new = line[: each.start[1]] + quote + each.string[1:-1] + quote + line[each.end[1] :]
    return with_rows(files, name, each.start[0] - 1, each.start[0], [new])


@kind("trivia")
def number_spelled_otherwise(rng: random.Random, files: Files) -> Files | None:
    found = some_node(rng, files, ast.Constant)
    if found is None or not isinstance(found[1], ast.Constant):
        return None
    name, node = found
    if _is_formatted_here(files[name], node.lineno) or type(node.value) not in (int, float):
        return None
    new = hex(node.value) if isinstance(node.value, int) else f"{node.value!r}e0"
    return with_node(files, name, node, new) if parsed(new) else None


@kind("trivia")
def statements_on_one_line(rng: random.Random, files: Files) -> Files | None:
    """``a = 1`` and ``b = 2`` become ``a = 1; b = 2``, which share a row then."""
    name = some_module(rng, files)
    if name is None:
        return None
    text = files[name]
    bodies = [
        getattr(node, field)
        for node in ast.walk(tree_of(files, name))
        for field in ("body", "orelse", "finalbody")
        if isinstance(getattr(node, field, None), list)
    ]
    simple = (ast.Assign, ast.Expr, ast.Return, ast.AugAssign, ast.Import, ast.ImportFrom)
    pairs = [
        (one, other)
        for body in bodies
        for one, other in pairwise(body)
        if isinstance(one, simple)
        and isinstance(other, simple)
        and alone(text, one)
        and alone(text, other)
        and one.lineno == one.end_lineno
        and "#" not in rows(text)[one.lineno - 1]
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    lines = rows(text)
    joined = lines[one.lineno - 1].rstrip() + "; " + lines[other.lineno - 1].lstrip()
    return with_rows(files, name, one.lineno - 1, other.lineno, [joined])


@kind("trivia")
def row_continued_by_a_backslash(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    places = [
        each.start
        for each in tokens(files[name])
        if each.type == tokenize.OP
        and each.string in ("+", "*", "-", "=", ">", "<")
        and not _is_formatted_here(files[name], each.start[0])
    ]
    if not places:
        return None
    row, column = rng.choice(places)
    line = rows(files[name])[row - 1]
    new = [line[:column] + "\\", "      " + line[column:]]
    return with_rows(files, name, row - 1, row, new)


@kind("trivia")
def other_indent(rng: random.Random, files: Files) -> Files | None:
    """A function is indented by tabs, or by other spaces."""
    found = some_function(rng, files)
    if found is None or found[1].col_offset or not alone(files[found[0]], found[1]):
        return None
    name, node = found
    start, end = node.body[0].lineno - 1, last_row(node)
    lines = rows(files[name])[start:end]
    if any(_in_string(files[name], row) for row in range(start, end)):
        return None
    wide = rng.choice(("\t", "  ", "        "))

    def indented(line: str) -> str:
        inner = len(line) - len(line.lstrip(" "))
        return wide * (inner // 4) + " " * (inner % 4) + line.lstrip(" ")

    edited = with_rows(files, name, start, end, [indented(line) for line in lines])
    before, after = parsed(files[name]), parsed(edited[name])
    if before is None or after is None or ast.dump(before) != ast.dump(after):
        return None
    return edited


@kind("trivia")
def line_ends_of_windows(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    text = files[name]
    return {
        **files,
        name: text.replace("\r\n", "\n") if "\r" in text else text.replace("\n", "\r\n"),
    }


@kind("trivia")
def byte_order_mark(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    text = files[name]
    return {**files, name: text[1:] if text.startswith("\ufeff") else f"\ufeff{text}"}


@kind("trivia")
def no_newline_at_the_end(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    text = files[name]
    return {**files, name: text.rstrip("\n") if text.endswith("\n") else f"{text}\n"}


@kind("trivia")
def nothing_but_the_time(rng: random.Random, files: Files) -> Files | None:
    return dict(files)


@kind("docstring")
def docstring_changed(rng: random.Random, files: Files) -> Files | None:
    found = some_node(rng, files, ast.FunctionDef, ast.ClassDef)
    if found is None or not isinstance(found[1], (ast.FunctionDef, ast.ClassDef)):
        return None
    name, node = found
    first = node.body[0]
    if first.lineno == node.lineno:
        return None
    said = rng.choice(
        (
            "What it does.",
            "Runs under jax.jit.\n\n    Args:\n      x: an array.\n    ",
            ">>> jax.jit(f)(1)\n    2\n    ",
            "Longer.\n\n    Much longer.\n\n    And more.\n    ",
        )
    )
    text = f'"""{said}"""'
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        if len(node.body) > 1 and rng.random() < 0.3 and alone(files[name], first):
            return with_rows(files, name, first_row(first), last_row(first), [])
        return with_node(files, name, first, text)
    lines = [indent_of(first) + text]
    return with_rows(files, name, first_row(first), first_row(first), lines)


@kind("docstring")
def docstring_of_the_module(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    tree = tree_of(files, name)
    first = tree.body[0] if tree.body else None
    text = f'"""About {rng.randrange(1000)}.\n\nMore of it.\n"""'
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return with_node(files, name, first, text)
    return with_rows(files, name, 0, 0, text.split("\n"))


@kind("noqa")
def silencing_comment(rng: random.Random, files: Files) -> Files | None:
    text = rng.choice(
        (
            "  # noqa",
            "  # noqa: JIT101",
            "  # noqa: JIT101,JIT105",
            "  # jitlint: ignore[JIT101]",
            "  # noqa: JIT999",
            "  # jitlint: ignore[]",
        )
    )
    return _after_token(rng, files, tokenize.NEWLINE, text)


@kind("noqa")
def silencing_comment_removed(rng: random.Random, files: Files) -> Files | None:
    silencing = [
        (name, row)
        for name in files
        if name.endswith(".py")
        for row, line in enumerate(rows(files[name]))
        if "# noqa" in line or "# jitlint:" in line
    ]
    if not silencing:
        return None
    name, row = rng.choice(silencing)
    line = re.split(r"\s*# (?:noqa|jitlint:)", rows(files[name])[row])[0]
    return with_rows(files, name, row, row + 1, [line])


@kind("noqa")
def silencing_comment_for_a_file(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    lines = rows(files[name])
    if lines and lines[0].startswith("# jitlint: ignore-file"):
        return with_rows(files, name, 0, 1, [])
    said = rng.choice(("# jitlint: ignore-file", "# jitlint: ignore-file[JIT101]"))
    return with_rows(files, name, 0, 0, [said])


@kind("surface")
def order_of_imports(rng: random.Random, files: Files) -> Files | None:
    """A sorter of imports was here.  That may change what a name means; most often it does not."""
    name = some_module(rng, files)
    if name is None:
        return None
    tree = tree_of(files, name)
    imports = [
        node
        for node in tree.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        and node.lineno == node.end_lineno
        and node.lineno > top(tree)
        and alone(files[name], node)
    ]
    if len(imports) < 2:
        return None
    one, other = sorted(rng.sample(imports, 2), key=lambda node: node.lineno)
    lines = rows(files[name])
    at, to = one.lineno - 1, other.lineno - 1
    lines[at], lines[to] = lines[to], lines[at]
    return {**files, name: "\n".join(lines)}


@kind("trivia")
def blank_lines_between_definitions(rng: random.Random, files: Files) -> Files | None:
    """A formatter was here: two blank lines between all definitions, or one, or none."""
    name = some_module(rng, files)
    if name is None:
        return None
    text = files[name]
    blanks = [""] * rng.choice((0, 1, 2))
    lines = rows(text)
    for node in reversed(definitions(tree_of(files, name))):
        row = first_row(node)
        start = row
        while start and not lines[start - 1].strip() and not _in_string(text, start - 1):
            start -= 1
        if start:
            lines[start:row] = blanks
    return {**files, name: "\n".join(lines)}
