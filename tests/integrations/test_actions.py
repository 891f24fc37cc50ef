"""Code actions made of a report, apart from any client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

types = pytest.importorskip("lsprotocol.types")

from jitlint.analysis import engine  # noqa: E402
from jitlint.integrations.server.actions import actions, edits_between, fix_all  # noqa: E402
from jitlint.integrations.server.open_documents import OpenDocument  # noqa: E402
from jitlint.integrations.server.positions import Encoding  # noqa: E402

TEXT = "import jax\n\n\n@jax.jit\ndef f(x):\n    '😀'; return int(x)\n"


class WithFix:
    """A report as it reads in JSON, with a fix added."""

    def __init__(self, item: Any, applicability: str) -> None:
        self.code, self.location, self.noqa_row = item.code, item.location, item.noqa_row
        self._fields = {
            **item.to_json(),
            "fix": {
                "applicability": applicability,
                "message": "Use astype",
                "edits": [
                    {
                        "location": item.location.to_json(),
                        "end_location": item.end_location.to_json(),
                        "content": "x.astype(int)",
                    }
                ],
            },
        }

    def to_json(self) -> Any:
        return self._fields


def made(applicability: str, encoding: Encoding = Encoding.UTF16) -> list[Any]:
    path = Path("/project/a.py")
    (item,) = engine.analyze(path.parent, [path], overlays={path: TEXT}).diagnostics
    document = OpenDocument(path.as_uri(), path, 1, TEXT)
    span = types.Range(types.Position(0, 0), types.Position(0, 0))
    shown = types.Diagnostic(span, item.message)
    return list(actions(document, WithFix(item, applicability), shown, encoding, {None: document}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("applicability", "title"),
    [("safe", "Use astype"), ("unsafe", "Use astype (may change what the code does)")],
)
def test_a_fix_is_offered_first(applicability: str, title: str) -> None:
    fix, silence, whole = made(applicability)
    assert fix.title == title
    assert fix.is_preferred is (applicability == "safe")
    (edit,) = fix.edit.changes["file:///project/a.py"]
    assert (edit.range.start.line, edit.range.start.character) == (5, 17)
    assert edit.new_text == "x.astype(int)"
    assert "noqa" in silence.title
    assert "in this file" in whole.title


def test_what_is_only_for_show_is_not_offered() -> None:
    silence, _ = made("display-only")
    assert "noqa" in silence.title


def test_edits_touch_only_what_differs() -> None:
    old, new = ["same", "a  # noqa: E1"], ["same", "a  # noqa: E1,JIT1"]
    (edit,) = edits_between(old, new, Encoding.UTF16)
    assert edit.new_text == ",JIT1"
    assert edit.range.start == edit.range.end == types.Position(1, 13)


def _edited(text: str, edits: Any) -> str:
    """A text after edits, whose columns count UTF-16 units."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    places = [(it.range.start.line, it.range.start.character, it) for it in edits]
    for row, column, edit in sorted(places, key=lambda it: it[:2], reverse=True):
        assert edit.range.end.line == row
        line = lines[row]
        new = edit.new_text.encode("utf-16-le")
        lines[row] = line[: 2 * column] + new + line[2 * edit.range.end.character :]
    return "\n".join(line.decode("utf-16-le") for line in lines)


def test_all_safe_fixes_in_one_action(tmp_path: Path) -> None:
    text = (
        "from jax import jit\n\n\n@jit\ndef f(x):\n    x = x * 2\n"
        "    '😀'; x[0] = 1; x[1] = 2\n    y = x.sum(); print(y)\n    return x\n"
    )
    path = tmp_path / "module.py"
    path.write_text(text, encoding="utf-8")
    found = engine.analyze(tmp_path, [path]).diagnostics
    document = OpenDocument(path.as_uri(), path, 1, text)
    (action,) = fix_all(found, Encoding.UTF16, {None: document})
    assert action.kind == "source.fixAll.jitlint"
    (edits,) = action.edit.changes.values()
    expected = text.replace("from jax import jit\n", "import jax\nfrom jax import jit\n")
    expected = expected.replace("x[0] = 1; x[1]", "x = x.at[0].set(1); x = x.at[1]")
    expected = expected.replace("x.at[1] = 2", "x.at[1].set(2)")
    assert _edited(text, edits) == expected.replace("print(y)", 'jax.debug.print("{!s}", y)')
    assert not list(fix_all([], Encoding.UTF16, {None: document}))
