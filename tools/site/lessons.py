"""Pages with Python in them, and what jitlint says to it.

A block of Python that is followed by ``<!-- jitlint says -->`` has the output between this marker
and ``<!-- end -->``.
"""

from __future__ import annotations

import re

from tools.site.linted import said_of

_LESSON = re.compile(
    r"```python\n(?P<code>.*?)```\n\n<!-- jitlint says -->\n(?P<said>.*?)<!-- end -->", re.DOTALL
)


def renewed(text: str) -> str:
    """A page with what jitlint says today.

    Args:
      text: the page.
    """
    examples = {str(m.start()): m["code"] for m in _LESSON.finditer(text)}
    said = said_of(examples, "lesson.py")

    def replaced(match: re.Match[str]) -> str:
        output = said[str(match.start())]
        return (
            f"```python\n{match['code']}```\n\n<!-- jitlint says -->\n\n```text\n{output}```\n\n"
            "<!-- end -->"
        )

    return _LESSON.sub(replaced, text)
