"""Tracebacks are read in every form in which people paste them."""

from __future__ import annotations

import textwrap
import time
from pathlib import Path

import pytest

from jitlint.tracebacks.frames import Frame, Raised
from jitlint.tracebacks.parsing import parse

PASTES = Path(__file__).parent / "pastes"
WHOLE = (PASTES / "python311.txt").read_text()

NO_CARETS = "\n".join(line for line in WHOLE.splitlines() if set(line.strip()) - set("~^"))
GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "/home/ada/work/run.py", line 9, in <module>
  |     asyncio.run(main())
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/home/ada/work/steps.py", line 10, in inner
    |     if (y > 0
    |         ^^^^^
    | jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array
    +------------------------------------
"""
OLD_IPYTHON = """\
---------------------------------------------------------------------------
TracerBoolConversionError                 Traceback (most recent call last)
<ipython-input-7-3a1b2c> in <module>
----> 1 outer(1.0)

~/work/steps.py in inner(x)
      8     y = (x
      9          + 1)
---> 10     if (y > 0
     11             and x > 0):
     12         return y

TracerBoolConversionError: Attempted boolean conversion of traced array with shape bool[].
"""
LIST_ITEM = "1. It fails:\n\n" + textwrap.indent(WHOLE, "   ") + "\n2. And that is all.\n"
QUOTED_REPLY = "On Monday Ada wrote:\n" + textwrap.indent(WHOLE, "> ", lambda _: True)
QUOTED_TWICE = textwrap.indent(WHOLE, "> > ", lambda _: True)
COMMENTED = textwrap.indent(WHOLE, "# ", lambda _: True)
FENCED = f"## What happens\n\n```pytb\n{WHOLE}```\n\nWhat do I do? Error: none\n"
WINDOWS = WHOLE.replace("\n", "\r\n").replace("/home/ada/work/", "C:\\Users\\ada\\work\\")
REMOTE = textwrap.indent(WHOLE, "(train pid=4711) ", lambda _: True)


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        NO_CARETS,
        GROUP,
        OLD_IPYTHON,
        LIST_ITEM,
        QUOTED_REPLY,
        QUOTED_TWICE,
        COMMENTED,
        FENCED,
        WINDOWS,
        REMOTE,
        WHOLE.partition("\n")[2],
        *(
            (PASTES / f"{name}.txt").read_text()
            for name in ("python311_off", "python311_remove_frames", "python313_coloured")
        ),
    ],
)
def test_the_same_error_in_every_form(text: str) -> None:
    (found,) = [item for item in parse(text) if "Tracer" in item.exception]
    assert found.exception.endswith("TracerBoolConversionError")
    assert found.message.startswith("Attempted boolean conversion of traced array")
    frame = [item for item in found.frames if not item.of_library][-1]
    assert Path(frame.filename.replace("\\", "/")).name == "steps.py"
    assert frame.row == 10
    assert frame.line == "if (y > 0"
    carets = "^" in text and text is not NO_CARETS
    assert frame.marked == ((4, 9) if carets else None)


def _brief(found: Raised) -> tuple[str, int | None]:
    own = [frame.row for frame in found.frames if not frame.of_library]
    return found.exception.rpartition(".")[2], own[-1] if own else None


SUITE = [
    ("TracerBoolConversionError", 10),
    ("UnexpectedTracerError", 22),
    ("ConcretizationTypeError", 27),
    ("RuntimeError", 29),
]


@pytest.mark.parametrize("name", ["pytest_long", "pytest_short", "pytest_line"])
@pytest.mark.parametrize("prefix", ["", "> ", "    "])
def test_pytest(name: str, prefix: str) -> None:
    text = textwrap.indent((PASTES / f"{name}.txt").read_text(), prefix, lambda _: True)
    found = parse(text)
    # The one-line form of pytest names only the place of the last exception of a chain.
    expected = [(n, None if (name, r) == ("pytest_line", 27) else r) for n, r in SUITE]
    assert [_brief(item) for item in found] == expected
    assert [item.linked for item in found] == [False, False, False, True]
    assert "leaked intermediate value was created on line" in found[1].message


def test_pytest_shows_carets() -> None:
    for name in ("pytest_long", "pytest_short"):
        found = parse((PASTES / f"{name}.txt").read_text())
        assert found[0].frames[-1].marked == (4, 9)


def test_ipython() -> None:
    found = parse((PASTES / "ipython_coloured.txt").read_text())
    assert [_brief(item) for item in found] == [
        ("TracerBoolConversionError", 4),
        ("TracerBoolConversionError", 10),
        ("ConcretizationTypeError", 27),
        ("RuntimeError", 29),
    ]
    assert found[0].frames[1].filename == "Cell In[1]"
    assert found[0].frames[1].lines[3] == "    y = x"
    assert found[3].linked


def test_a_chain() -> None:
    found = parse((PASTES / "chained.txt").read_text())
    assert [(_brief(item), item.linked) for item in found] == [
        (("ConcretizationTypeError", 27), False),
        (("RuntimeError", 29), True),
    ]


@pytest.mark.parametrize(
    ("line", "exception"),
    [
        ("jax.errors.TracerArrayConversionError: The numpy.ndarray conversion", True),
        ("E   jax.errors.TracerArrayConversionError: The numpy.ndarray conversion", True),
        ("TracerArrayConversionError", True),
        ("`TracerArrayConversionError`", True),
        ("ERROR: TracerArrayConversionError: The numpy.ndarray conversion", True),
        ("FAILED test_a.py::test_b - jax.errors.TracerArrayConversionError: The num...", True),
        ("The numpy.ndarray conversion method __array__() was called on traced array", False),
    ],
)
def test_only_the_last_line(line: str, exception: bool) -> None:
    (found,) = parse(line)
    assert found.exception.endswith("TracerArrayConversionError") == exception
    assert found.frames == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "Error: nothing",
        "note: this is fine\nresult: 3\n",
        "/home/ada/work/steps.py:3: UserWarning: Explicitly requested dtype float64\n  x = 1",
        "\x1b[31m\x1b[0m",
        "\x00\xff" * 50,
        "Traceback (most recent call last):\n",
        'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n',
        "> " * 400,
    ],
)
def test_no_error(text: str) -> None:
    assert parse(text) == []


def test_several_and_the_same_again() -> None:
    other = WHOLE.replace("line 10", "line 99")
    assert [item.frames[-1].row for item in parse(WHOLE + "\nand then\n" + other + WHOLE)] == [
        10,
        99,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "x" * 2_000_000,
        "> " * 200_000,
        '  File "a.py", line 3, in f\n' * 20_000,
        "".join(f"ValueError: number {number}\n\n" for number in range(20_000)),
        WHOLE * 500,
    ],
    ids=["line", "quotes", "frames", "errors", "repeated"],
)
def test_the_time_grows_with_the_text_only(text: str) -> None:
    start = time.process_time()
    assert len(parse(text)) <= 200
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("filename", "library"),
    [
        ("/home/ada/work/train.py", False),
        ("/home/ada/jax/train.py", False),
        ("/home/ada/venv/lib/python3.12/site-packages/optax/_src/base.py", True),
        ("/usr/local/lib/python3.11/dist-packages/jax/_src/core.py", True),
        ("/home/ada/src/jax/_src/core.py", True),
        ("/usr/lib/python3.11/functools.py", True),
        (r"C:\Python312\Lib\functools.py", True),
        (r"C:\work\Lib\site-packages\flax\core.py", True),
        ("<frozen runpy>", True),
        ("<stdin>", False),
        ("Cell In[3]", False),
        ("/tmp/ipykernel_71/19.py", False),
        ("../venv/lib/python3.11/site-packages/jax/_src/core.py", True),
    ],
)
def test_whose_code(filename: str, library: bool) -> None:
    assert Frame(filename, 1).of_library == library
