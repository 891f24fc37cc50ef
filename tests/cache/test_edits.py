"""After edits of natural projects the command and the server say what a cold run says.

The edits and the comparisons are those of ``benchmarks/edits``, which makes more of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.edits.differences import cold_answer, difference
from benchmarks.edits.editing import Choices, Editing, Figures
from benchmarks.edits.kinds import KINDS
from benchmarks.edits.runs import Server, command, fresh_server, prepare, read, write
from benchmarks.edits.sources import Files
from jitlint.foundation.forks import can_fork

pytestmark = pytest.mark.skipif(not can_fork(), reason="this platform has no forks")

PROGRAMS = Path(__file__).parents[1] / "programs"
#: programs of a few modules, a package among them
PROJECTS = ("accuracy_meter", "chunk_tagger_linen", "rootfinding_lib")
#: kinds that a short run must not leave to chance
SURELY = (
    "number changed",
    "local renamed",
    "fault put in",
    "function added",
    "definition removed",
    "method added",
    "decorator added",
    "base changed",
    "default changed",
    "constant changed",
    "exports changed",
    "import added",
    "file added",
    "file renamed",
    "file removed",
    "configuration",
)
#: kinds of edits outside of functions that nobody needs to look at code for
OUTSIDE = (
    "comment appended",
    "comment at the top",
    "comment above a definition",
    "blank line removed",
    "blank lines between definitions",
)
#: the same, wherever they are
ANYWHERE = (
    *OUTSIDE,
    "comment inside a function",
    "comment at the end of a line",
    "blank lines put in",
    "spaces at the end of a line",
)
#: where a fix takes code along, it reads that with its comments
KINDS_OF = {"accuracy_meter": OUTSIDE, "chunk_tagger_linen": ANYWHERE, "rootfinding_lib": OUTSIDE}


@pytest.fixture(scope="module", autouse=True)
def _prepared() -> None:
    prepare()


@pytest.mark.slow
@pytest.mark.parametrize("name", PROJECTS)
def test_forty_edits(name: str) -> None:
    figures = Figures()
    choices = Choices(edits=40, seed=39, first=SURELY, server=0.15, harm=0.0)
    Editing(PROGRAMS / name, choices, figures).run()
    assert figures.different == []
    assert figures.steps == 40
    assert figures.compared > 40
    assert figures.served


def trivia(project: str, files: Files) -> Iterator[tuple[str, Files]]:
    """Edits of all kinds that mean nothing, each of the same files."""
    rng = random.Random(39)
    for name in KINDS_OF[project]:
        edited = KINDS[name].edit(rng, files)
        if edited is not None and edited != files:
            yield name, edited


def test_nothing_is_interpreted_after_edits_of_trivia(tmp_path: Path) -> None:
    for name in PROJECTS:
        files = read(PROGRAMS / name)
        root, cache = tmp_path / name, tmp_path / f"{name}-cache"
        root.mkdir()
        write(root, {}, files)
        assert command(root, cache=cache).interpreted
        for what, edited in trivia(name, files):
            write(root, files, edited)
            warm = command(root, cache=cache)
            assert difference(warm, cold_answer(root, ())) is None, (name, what)
            assert warm.interpreted == 0, (name, what)
            files = edited


def test_a_server_interprets_nothing_after_edits_of_trivia(tmp_path: Path) -> None:
    for name in PROJECTS:
        files = read(PROGRAMS / name)
        root = tmp_path / name
        root.mkdir()
        write(root, {}, files)
        server = Server(root)
        opened = {each: text for each, text in files.items() if each.endswith(".py")}
        assert server.ask(opened, folder=False).interpreted
        for what, edited in trivia(name, files):
            opened = {each: text for each, text in edited.items() if each.endswith(".py")}
            found = server.ask(opened, folder=False)
            expected = fresh_server(root, opened, folder=False)
            assert difference(found, expected) is None, (name, what)
            assert found.interpreted == 0, (name, what)
            files = edited
        server.end()
