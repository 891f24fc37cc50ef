"""That what is read of the index is noted, whoever asks, and in whichever process."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitlint.analysis.engine import analyze
from jitlint.cache.memory import PartMemory
from jitlint.project.index import ModuleIndex, Parsed
from jitlint.project.plain_code import PlainCode
from jitlint.project.reading import Memo, Sink, canonical, fingerprint, into

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures" / "JIT303_jit_rebuilt_per_call"


def module(text: str) -> ModuleIndex:
    return ModuleIndex("m", Path("m.py"), text, Parsed(ast.parse(text)), is_package=False)


TEXT = """\
import jax


class Model:
    scale = 2

    def __init__(self, width):
        self.width = width

    def call(self, x):
        return x * self.width


def step(x):
    return x + 1
"""
#: what can be asked, by what must change the answer
QUESTIONS = {
    "step": lambda m: m.bound("step")[0].unit.node,
    "the text of step": lambda m: m.bound("step")[0].unit.text,
    "call": lambda m: m.classes["Model"].methods["call"][0].mentions,
    "attributes": lambda m: [*m.classes["Model"].assigned_attributes],
    "an attribute by name": lambda m: m.classes["Model"].assigned_attributes.get("width"),
    "a method by name": lambda m: "call" in m.classes["Model"].methods,
    "an import by name": lambda m: m.bound("jax"),
    "bases": lambda m: m.classes["Model"].bases,
    "words": lambda m: m.has_word("width"),
    "names": lambda m: m.bindings,
    "all text": lambda m: m.text,
}
#: edits, and the questions that they give another answer
EDITS = {
    "nothing": (("", ""), set()),
    "a comment": (("return x + 1", "return x + 1  # one"), set()),
    "a blank row": (("class Model", "\nclass Model"), set()),
    "the body of step": (("x + 1", "x + 2"), {"step", "the text of step", "all text"}),
    "a word of call": (("x * self.width", "x * self.scale"), {"call", "all text"}),
    "an attribute": (
        ("self.width = width", "self.w = width"),
        {"attributes", "an attribute by name", "all text"},
    ),
    "a base": (("class Model:", "class Model(Base):"), {"bases", "all text"}),
    "a function": (("def step", "def more(x):\n    pass\n\n\ndef step"), {"names", "all text"}),
    "a word": (
        ("width", "w"),
        {"attributes", "an attribute by name", "call", "words", "all text"},
    ),
    "another import": (("import jax\n", "import os\nimport jax\n"), {"names", "all text"}),
    "another method": (
        ("    def call", "    def more(self):\n        self.depth = 2\n\n    def call"),
        {"attributes", "all text"},
    ),
    "another field": (("    scale", "    depth = 1\n    scale"), {"all text"}),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_an_edit_changes_the_answers_that_rest_on_it(question: str, edit: str) -> None:
    readings: Sink = set()
    before = module(TEXT)
    with into(readings):
        QUESTIONS[question](before)
    assert readings
    (old, new), changed = EDITS[edit]
    after = module(TEXT.replace(old, new) if old else TEXT)
    same = all(
        fingerprint(subject.answer(asked, tuple(details)))
        == fingerprint(after.subjects[subject.key].answer(asked, tuple(details)))
        for subject, asked, *details in readings
    )
    assert same == (question not in changed)


def test_who_recalls_an_answer_reads_what_was_read_for_it() -> None:
    memo, text = Memo(), module(TEXT)
    sinks: list[Sink] = [set(), set()]
    for sink in sinks:
        with into(sink):
            assert memo.ask("step", lambda: len(text.bound("step"))) == 1
    assert sinks[0] == sinks[1] == {(text, "bound", "step")}


def test_only_what_is_known_has_a_fingerprint() -> None:
    assert canonical({"b", "a"}) == ["set", "a", "b"]
    with pytest.raises(TypeError, match="no canonical form of a object"):
        canonical(object())


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("x = 1  # one\n", "x = 1\n"),
        ("x = '#'  # one\n", "x = '#'\n"),
        ('x = """\n# no comment\n\n"""  # one\n', 'x = """\n# no comment\n\n"""\n'),
        ("x = f'{y}#'  # one\n", "x = f'{y}#'\n"),
        ("x = r'\\'  # one'\n", "x = r'\\'  # one'\n"),
        ("x = [  # one\n    1,  # two\n]\n", "x = [\n    1,\n]\n"),
        ("# one\n\nx = 1\n", "x = 1\n"),
        ("x = 1 + \\\n    2   \n", "x = 1 + \\\n    2\n"),
        # What stands behind a backslash, or below it, decides whether the row goes on.
        ("x = abs \\\n\n(y)\n", "x = abs \\\n\n(y)\n"),
        ("x = 1 + \\ \n    2\n", "x = 1 + \\ \n    2\n"),
        ("x = 1 + \\  # no\n    2\n", "x = 1 + \\  # no\n    2\n"),
        ("x = 1 + \\\n    # no\n    2\n", "x = 1 + \\\n    # no\n    2\n"),
        # Only these are blanks to Python.
        ("x = 1 \t\f\n \f\n", "x = 1\n"),
        ("x = 1\u00a0\n", "x = 1\u00a0\n"),
        ("x = 1\n\u00a0\n", "x = 1\n\u00a0\n"),
    ],
)
def test_what_counts_of_a_text(text: str, plain: str) -> None:
    code = PlainCode(text)
    assert len(code.rows) == text.count("\n")
    assert code.normal(code.text, 1) == plain


def test_records_hold_whatever_the_seed_of_hashes(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib\n"
        "from jitlint.analysis.engine import analyze\n"
        "from jitlint.cache.folder import CacheFolder, PartFolder\n"
        "kept = PartFolder(CacheFolder(pathlib.Path(sys.argv[1])), '')\n"
        "root = pathlib.Path(sys.argv[2])\n"
        "for path in pathlib.Path(sys.argv[1]).rglob('whole-*'):\n"
        "    path.unlink()\n"
        "analyze(root, [root], cache=kept)\n"
        "print(len(kept.interpreted))\n"
    )
    counts = [
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path), str(FIXTURES)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    ]
    assert int(counts[0]) > 3
    assert counts[1:] == ["0\n", "0\n"]


def test_nobody_looks_past_the_readings() -> None:
    hidden = {"tree", "listed", "source_rows"}
    allowed = {"absint/code/syntax.py", "analysis/parts/reports.py"}
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for room in ("absint", "analysis", "fixes", "rules", "tracing")
        for path in sorted((ROOT / "jitlint" / room).rglob("*.py"))
        if path.relative_to(ROOT / "jitlint").as_posix() not in allowed
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in hidden
        and "unit" in ast.unparse(node.value)
    ]
    assert not wrong


DRAWN = """\
import jax


@jax.jit
def noise(x):
    key = jax.random.PRNGKey(0)REMARK
    return x + jax.random.normal(key, x.shape)
"""
TIMED = """\
import time

import jax
import jax.numpy as jnp


def h(x, n):
    g = jax.jit(lambda x: x @ x)
    t = 0REMARK
    s = time.time()
    g(x).block_until_ready()
    t = time.time() - s
    return t / n
"""


@pytest.mark.parametrize(
    ("text", "remark"),
    [(DRAWN, "  # the same numbers are wanted"), (TIMED, "  # compilation is measured too")],
)
def test_a_comment_that_says_what_is_meant(text: str, remark: str, tmp_path: Path) -> None:
    """What a comment silences comes back with its end, whatever is kept, and the other way."""
    path = tmp_path / "a.py"
    (tmp_path / "pyproject.toml").write_text("")
    kept, counts = PartMemory(), []
    for said in (remark, "", remark, "  # another", remark):
        path.write_text(text.replace("REMARK", said))
        warm = analyze(tmp_path, [tmp_path], cache=kept).diagnostics
        assert warm == analyze(tmp_path, [tmp_path]).diagnostics
        counts.append(len(warm))
    assert counts == [0, 1, 0, 1, 0]
