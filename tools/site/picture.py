"""A picture of a terminal, made from what jitlint prints there."""

from __future__ import annotations

import html
import re

from tools.site.linted import said_of

#: what the picture shows is printed of
EXAMPLE = """\
import jax

history = []


@jax.jit
def train_step(params, batch, best):
    loss = ((batch - params) ** 2).mean()
    history.append(loss)
    if loss < best:
        best = loss
    return best
"""
_PARTS = re.compile(r"\x1b\[([\d;]*)m")
_COLORS = {"31": "#ff7b72", "33": "#e3b341", "34": "#79c0ff", "36": "#56d4dd", "32": "#7ee787"}
#: of the terminal
_COLUMNS = 100
_WIDTH, _HEIGHT, _MARGIN = 8.4, 20, 20
_BACKGROUND, _TEXT, _FAINT = "#0d1117", "#e6edf3", "#8b949e"


def picture() -> str:
    """The picture, as SVG."""
    output = said_of({"": EXAMPLE}, "train.py", color=True)[""]
    printed = [part for line in output.rstrip("\n").split("\n") for part in _wrapped(line)]
    lines = ["$ jitlint check train.py", *printed]
    width = round(max(len(_PARTS.sub("", line)) for line in lines) * _WIDTH) + 2 * _MARGIN
    height = len(lines) * _HEIGHT + 2 * _MARGIN
    rows = [
        f'<text x="{_MARGIN}" y="{_MARGIN + 14 + number * _HEIGHT}" xml:space="preserve">'
        f"{''.join(_spans(line))}</text>"
        for number, line in enumerate(lines)
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">',
            "<title>jitlint check train.py</title>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{_BACKGROUND}"/>',
            f'<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" '
            f'fill="{_TEXT}">',
            *rows,
            "</g>",
            "</svg>\n",
        ]
    )


def _wrapped(line: str) -> list[str]:
    """A line in rows of the terminal; each begins in the style that the last one ends in."""
    rows, row, room, style = [], "", _COLUMNS, ""
    for number, part in enumerate(_PARTS.split(line)):
        if number % 2:
            style = f"\x1b[{part}m"
            row += style
            continue
        for word in re.findall(r"\S+\s*|\s+", part):
            if len(word.rstrip()) > room:
                rows.append(row)
                row, room = style, _COLUMNS
            row += word
            room -= len(word)
    return [*rows, row]


def _spans(line: str) -> list[str]:
    found, style = [], ""
    for number, part in enumerate(_PARTS.split(line)):
        if number % 2:
            style = _style(part)
        elif part:
            found.append(f"<tspan{style}>{html.escape(part)}</tspan>")
    return found


def _style(codes: str) -> str:
    chosen = codes.split(";")
    style = ' font-weight="bold"' if "1" in chosen else ""
    color = next((_COLORS[code] for code in chosen if code in _COLORS), None)
    if color is None and "2" in chosen:
        color = _FAINT
    return style if color is None else f'{style} fill="{color}"'
