"""The Python in Markdown, MyST and reStructuredText."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest

from jitlint.source.decoding import decode
from jitlint.source.document import Document
from jitlint.source.ipython import TIMED

_TIMED = TIMED.format("%timeit")


def rows(text: str, suffix: str) -> dict[int, str]:
    """The rows that hold Python, by number; each is found where its shift says."""
    text = dedent(text).lstrip("\n")
    document = decode(text.encode(), Path(f"/p/t{suffix}"))
    assert isinstance(document, Document)
    lines = text.split("\n")
    assert document.written(None) == tuple(lines)
    found = {}
    for row, line in enumerate(document.lines, start=1):
        if not line:
            continue
        cell, at, column = document.origin(row, 1)
        assert (cell, at) == (None, row)
        code = line.removeprefix(f"{_TIMED} ")
        if code != line:
            assert lines[row - 1].endswith(code)
        else:
            assert lines[row - 1][column - 1 :] == line or line.strip() == "pass"
        found[row] = line
    ast.parse(document.text)
    return found


def markdown(text: str) -> dict[int, str]:
    return rows(text, ".md")


def rst(text: str) -> dict[int, str]:
    return rows(text, ".rst")


@pytest.mark.parametrize(
    "info",
    [
        "python", "Python", "py", "python3", "ipython3", "python title='a.py'", "{code-cell}",
        "{code-cell} ipython3", "{code-block} python", "{python}", "{.python .numberLines}",
        "{python, echo=False}", "  python", "python:a.py",
    ],
)  # fmt: skip
@pytest.mark.parametrize("marks", ["```", "````", "~~~"])
def test_fences(info, marks):
    assert markdown(f"{marks}{info}\nx = 1\n{marks}\ny = 2\n") == {2: "x = 1"}


@pytest.mark.parametrize(
    "info",
    ["", "text", "bash", "console", "pytb", "{code-block} bash", "{note}", "{code-block}", "`"],
)
def test_other_fences(info):
    assert markdown(f"```{info}\nx = 1\n```\n") == {}


def test_what_does_not_parse_is_skipped_for_itself():
    text = """
        ```python
        x = 1
        ```
        ```python
        def f(x):
            ...
        Traceback (most recent call last)
        ```
        ```python
        y = 1
        ```
    """
    assert markdown(text) == {2: "x = 1", 10: "y = 1"}


def test_fences_in_lists_and_fences_in_fences():
    text = """
        1. item

           ```python
           if x:
               y = 1

           z = 2
           ```
        ````md
        ```python
        no = 1
        ```
        ````
        ~~~python
        s = '''
        ```
        '''
        ~~~
    """
    assert markdown(text) == {
        4: "if x:", 5: "    y = 1", 7: "z = 2", 15: "s = '''", 16: "```", 17: "'''",
    }  # fmt: skip


def test_fences_behind_the_marks_of_lists_and_quotes():
    text = """
        - ```python
          a = 1
          ```
        12. ~~~py
            if a:
                b = 2
            ~~~
        > ```python
        > c = 3
        >
        > d = 4
        > ```
        > ```python
        > e = 5
        no part of the quote
        ```python
        f = 6
        ```
        > - ```python
        >   g = 7
        >   ```
    """
    assert markdown(text) == {
        2: "a = 1", 5: "if a:", 6: "    b = 2", 9: "c = 3", 11: "d = 4", 14: "e = 5", 17: "f = 6",
        20: "g = 7",
    }  # fmt: skip


def test_tabs_are_indentation():
    assert markdown("-\t```python\n\tif a:\n\t    b = 2\n\t```\n") == {
        2: "if a:",
        3: "    b = 2",
    }


def test_marks_inside_of_code_close_nothing():
    text = """
        ```python
        s = '''
            ```
        '''
        ```
        ````markdown
        ```python
        x = 1
        ```
        ````
    """
    assert markdown(text) == {2: "s = '''", 3: "    ```", 4: "'''"}


def test_html_comments_are_not_shown_and_not_linted():
    text = """
        <!--
        ```python
        a = 1
        ```
        -->
        <!-- one line -->
        ```python
        b = 2
        <!--
        ```
        ```python
        c = 3
        ```
        <!-- never closed
        ```python
        d = 4
        ```
    """
    assert markdown(text) == {12: "c = 3", 16: "d = 4"}


def test_restructured_text_in_myst():
    text = """
        ```{eval-rst}
        .. code-block:: python

           x = 1
        ```
    """
    assert markdown(text) == {4: "x = 1"}


def test_comments_of_restructured_text():
    assert rst("..\n\n   .. code-block:: python\n\n      x = 1\n\ntext\n\n>>> y = 2\n") == {
        9: "y = 2"
    }


def test_options_of_directives():
    text = """
        ```{code-cell} ipython3
        :tags: [hide-output]
        :other: 1

        x = 1
        !ls
        ```
        ```{code-cell}
        ---
        tags: [a]
        ---
        %timeit f(x)
        ```
    """
    assert markdown(text) == {5: "x = 1", 6: "pass", 12: f"{_TIMED} f(x)"}


def test_colon_fences():
    text = """
        :::{note}
        Text
        ```python
        x = 1
        ```
        :::
        :::{code-cell} python
        y = 2
        :::
        z
    """
    assert markdown(text) == {4: "x = 1", 8: "y = 2"}


def test_a_fence_that_is_not_closed():
    assert markdown("```python\nx = 1\n") == {2: "x = 1"}
    assert markdown("```\nx = 1\n") == {}
    assert markdown("```python") == {}
    assert markdown("") == {}


def test_prompts():
    text = """
        ```python
        >>> for x in y:
        ...     print(x)
        ...
        1
        ... 2
        >>> broken (
        >>> z = 3
        ```
        ```
        >>> a = 1
        ```
        >>> b = 2  # no fence at all
        ```pycon
        In [1]: c = 3
        Out[1]: 3
        In [12]: %timeit d(4)
        ```
        ```bash
        >>> not python
        ```
    """
    assert markdown(text) == {
        2: "for x in y:", 3: "    print(x)", 8: "z = 3", 11: "a = 1",
        13: "b = 2  # no fence at all", 15: "c = 3", 17: f"{_TIMED} d(4)",
    }  # fmt: skip


def test_rst_directives():
    text = """
        Title
        =====

        .. code-block:: python
           :linenos:

           if x:
               y = 1

        .. code:: bash

           ls

        .. note::

           .. sourcecode:: python3

              a = 1

           text

        .. testcode::

            b = 2

        .. code-block::

            c = 3

        .. highlight:: bash

        .. code-block::

            ls

        Literal::

            d = 4

            >>> e = 5

        .. ipython:: python

           In [1]: f = 6
    """
    assert rst(text) == {
        7: "if x:", 8: "    y = 1", 18: "a = 1", 24: "b = 2", 28: "c = 3", 40: "e = 5", 44: "f = 6",
    }  # fmt: skip


def test_line_ends_and_bytes_that_are_no_text():
    document = decode(b"```python\r\nx = 1\r\n```\r\n\xff\0", Path("/p/t.md"))
    assert isinstance(document, Document)
    assert document.lines[:3] == ("", "x = 1", "")


def test_non_ascii_columns():
    document = decode("* é\n\n  ```python\n  ü = f(1)\n  ```\n".encode(), Path("/p/t.md"))
    assert document.origin(4, 5) == (None, 4, 7)
