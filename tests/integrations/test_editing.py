"""What an editor is told while somebody types: what first, what meanwhile, and what in the end."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lsprotocol")

from lsprotocol import types  # noqa: E402

from jitlint.analysis import recalled  # noqa: E402
from jitlint.diagnostics import Diagnostic  # noqa: E402
from jitlint.integrations.server import announcement, client_session  # noqa: E402
from jitlint.integrations.server.announcement import Announcement, Word  # noqa: E402
from jitlint.integrations.server.half_typed import moves_between, still_said  # noqa: E402
from jitlint.integrations.server.linting import Linted, StaleError, Workspace, lint  # noqa: E402
from jitlint.integrations.server.open_documents import OpenDocument, OpenDocuments  # noqa: E402
from jitlint.project.memory import Memory  # noqa: E402
from jitlint.run.request import Request  # noqa: E402
from jitlint.run.runner import run  # noqa: E402

HELPER = "def positive(x):\n    return bool(x > 0)\n"
USER = "import jax\nfrom helper import positive\n\njax.jit(positive)\n"
HOSTILE = """\
import jax


@jax.jit
def f(x):
    if x > 0:
        return x
    return -x
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    texts = {"helper.py": HELPER, "user.py": USER, "other.py": HOSTILE, "more.py": HOSTILE}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def opened(project: Path, *names: str) -> list[OpenDocument]:
    paths = [project / name for name in names]
    return [OpenDocument(path.as_uri(), path, 1, path.read_text()) for path in paths]


def never() -> bool:
    return False


def found(linted: Linted, path: Path) -> list[tuple[str, int]]:
    return [(item.code, item.location.row) for item in linted.reports[path]]


# -- what first -----------------------------------------------------------------------------------


def test_the_file_that_was_edited_last_comes_first_and_alone(project: Path) -> None:
    documents = opened(project, "user.py", "other.py", "helper.py")
    edited = [project / "helper.py", project / "other.py"]
    turns = list(lint(Workspace(documents, edited=edited), never, {}))
    assert [sorted(path.name for path in turn.reports) for turn in turns] == [
        ["helper.py"],
        ["helper.py", "other.py", "user.py"],
    ]
    # By itself it hears of what other files do with it, as all of them together do.
    assert found(turns[0], project / "helper.py") == [("JIT105", 2)]
    assert turns[0].reports[project / "helper.py"] == turns[1].reports[project / "helper.py"]
    whole = run(Request(paths=(project,)))
    together = [item for reports in turns[1].reports.values() for item in reports]
    assert {(i.filename, i.code, i.message, i.trace) for i in together} == {
        (item.filename, item.code, item.message, item.trace)
        for item in whole.diagnostics
        if Path(item.filename).name != "more.py"
    }


def test_what_was_found_for_the_first_file_is_not_interpreted_again(project: Path) -> None:
    documents = opened(project, "other.py", "more.py")
    memories: dict[Path, Memory] = {}
    interpreted = []
    for _ in lint(Workspace(documents, edited=[project / "more.py"]), never, memories):
        interpreted.append([path.name for path in memories[project].parts.interpreted])
    every = [name for names in interpreted for name in names]
    assert len(every) == len(set(every)) > 0


def test_projects_are_linted_in_the_order_of_edits(tmp_path: Path) -> None:
    documents = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "pyproject.toml").write_text("")
        (folder / "a.py").write_text(HOSTILE)
        documents += opened(folder, "a.py")
    first, second = (document.path for document in documents)
    turns = list(lint(Workspace(documents, edited=[second, first]), never, {}))
    assert [list(turn.reports) for turn in turns] == [[second], [first]]


def test_the_order_of_edits() -> None:
    documents = OpenDocuments(Path("/"))
    for name in ("a", "b", "c"):
        documents.open(types.TextDocumentItem(f"file:///{name}.py", "python", 1, ""))
    at = types.VersionedTextDocumentIdentifier(2, "file:///b.py")
    documents.change(at, [types.TextDocumentContentChangeWholeDocument("x = 1")])
    assert [path.name for path in documents.edited()] == ["b.py", "c.py", "a.py"]


def test_who_asks_for_the_first_file_does_not_wait_for_the_others(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def slow(workspace: Workspace, *_: Any) -> Iterator[Linted]:
        yield Linted({project / "more.py": []}, lambda _: None)
        assert go_on.wait(20)
        yield Linted({project / "other.py": []}, lambda _: None)

    monkeypatch.setattr(client_session, "lint", slow)

    async def talk() -> None:
        loop = asyncio.get_running_loop()
        session = client_session.Session(
            publish=lambda _: None,
            tell=lambda *_: None,
            hand=loop.call_soon_threadsafe,  # type: ignore[arg-type]
            refresh=lambda: None,
        )
        for document in opened(project, "other.py", "more.py"):
            session.open(types.TextDocumentItem(document.uri, "python", 1, document.text))
        first, second = (
            asyncio.ensure_future(
                session.diagnose(
                    types.DocumentDiagnosticParams(
                        types.TextDocumentIdentifier((project / name).as_uri())
                    )
                )
            )
            for name in ("more.py", "other.py")
        )
        await asyncio.wait_for(first, 20)
        assert not second.done()
        go_on.set()
        await asyncio.wait_for(second, 20)
        session.stop()

    asyncio.run(talk())


# -- what can be said early -----------------------------------------------------------------------


@pytest.fixture
def nothing_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recalled, "STEPS_WAITED_FOR", -1)


def turns_of(
    project: Path, text: str, memories: dict[Path, Memory]
) -> list[tuple[bool, list[tuple[str, int]]]]:
    """What is said of the helper once it is another text: whether early, and the reports."""
    path = project / "helper.py"
    workspace = Workspace([OpenDocument(path.as_uri(), path, 1, text)])
    return [(turn.early, found(turn, path)) for turn in lint(workspace, never, memories)]


@pytest.mark.usefixtures("nothing_is_waited_for")
def test_what_others_said_before_holds_until_they_have_been_asked(project: Path) -> None:
    memories: dict[Path, Memory] = {}
    assert turns_of(project, HELPER, memories) == [(False, [("JIT105", 2)])]
    longer = HELPER.replace("    return", "    limit = 0\n    return")
    moved = [("JIT105", 3)]
    assert turns_of(project, longer, memories) == [(True, moved), (False, moved)]
    # What starts in the file itself is found at once.
    own = f"{HOSTILE}\n\n{HELPER}"
    both = [("JIT101", 6), ("JIT105", 12)]
    assert turns_of(project, own, memories) == [(True, both), (False, both)]
    # A row that was touched is not what was reported.
    cured = longer.replace("bool(x > 0)", "x > 0")
    assert turns_of(project, cured, memories) == [(True, []), (False, [])]
    assert turns_of(project, cured + "\n", memories) == [(False, [])]


@pytest.mark.usefixtures("nothing_is_waited_for")
def test_what_others_find_comes_in_the_end(project: Path) -> None:
    memories: dict[Path, Memory] = {}
    clean = HELPER.replace("bool(x > 0)", "x > 0")
    assert turns_of(project, clean, memories) == [(False, [])]
    assert turns_of(project, HELPER, memories) == [(True, []), (False, [("JIT105", 2)])]


@pytest.mark.usefixtures("nothing_is_waited_for")
def test_an_early_answer_survives_what_is_gone(project: Path) -> None:
    memories: dict[Path, Memory] = {}
    turns_of(project, HELPER, memories)
    for text in ("", "import jax\n", HELPER.replace("positive", "other"), HELPER):
        last = turns_of(project, text, memories)[-1]
        assert last == (False, [("JIT105", 2)] if text == HELPER else [])


def test_what_is_soon_found_out_is_waited_for(project: Path) -> None:
    memories: dict[Path, Memory] = {}
    assert turns_of(project, HELPER, memories) == [(False, [("JIT105", 2)])]
    assert turns_of(project, HELPER.replace("x >", "x <"), memories) == [(False, [("JIT105", 2)])]


@pytest.mark.parametrize("pulls", [False, True])
@pytest.mark.usefixtures("nothing_is_waited_for")
def test_an_editor_is_told_twice_where_that_makes_a_difference(project: Path, pulls: bool) -> None:
    published: list[tuple[int | None, int]] = []
    refreshed: list[None] = []
    path = project / "helper.py"
    uri = path.as_uri()

    async def talk() -> None:
        loop = asyncio.get_running_loop()
        session = client_session.Session(
            publish=lambda it: published.append((it.version, len(it.diagnostics))),
            tell=lambda *_: None,
            hand=loop.call_soon_threadsafe,  # type: ignore[arg-type]
            refresh=lambda: refreshed.append(None),
            client=client_session.Client(pulls=pulls),
        )

        async def settled() -> None:
            while session._known._busy:
                await asyncio.sleep(0.01)

        def becomes(version: int, text: str) -> None:
            change = types.TextDocumentContentChangeWholeDocument(text)
            document = types.VersionedTextDocumentIdentifier(version, uri)
            session.change(types.DidChangeTextDocumentParams(document, [change]))

        clean = HELPER.replace("bool(x > 0)", "x > 0")
        session.open(types.TextDocumentItem(uri, "python", 1, clean))
        await settled()
        becomes(2, HELPER)
        asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
        if pulls:
            assert (await session.diagnose(asked)).items == []
        await settled()
        if pulls:
            assert len(refreshed) == 1
            assert len((await session.diagnose(asked)).items) == 1
        becomes(3, HELPER.replace("    return", "    limit = 0\n    return"))
        await settled()
        session.stop()

    asyncio.run(talk())
    assert published == ([] if pulls else [(1, 0), (2, 0), (2, 1), (3, 1)])


# -- what an edit ends ----------------------------------------------------------------------------


def test_a_run_ends_in_the_middle_of_a_function(project: Path) -> None:
    path = project / "other.py"
    text = HOSTILE + "".join(f"\n\n@jax.jit\ndef g{n}(x):\n    return x + {n}\n" for n in range(9))
    workspace = Workspace([OpenDocument(path.as_uri(), path, 2, text)])
    asked = given_up = 0

    def count() -> bool:
        nonlocal asked
        asked += 1
        return False

    memories: dict[Path, Memory] = {}
    expected = [turn.reports for turn in lint(workspace, count, {})]
    for patience in range(0, asked, max(1, asked // 60)):
        left = patience

        def stale() -> bool:
            nonlocal left
            left -= 1
            return left < 0

        try:
            list(lint(workspace, stale, memories))
        except StaleError:
            given_up += 1
        if patience % 3 == 0:
            memories.clear()
    assert asked > 30
    # What was done before it was given up need not be done again.
    assert given_up > 20
    assert [turn.reports for turn in lint(workspace, never, memories)] == expected


def test_nothing_that_was_interpreted_is_left(project: Path) -> None:
    from jitlint.absint.machine.interpreter import Interpreter

    def left() -> int:
        objects = [item for item in gc.get_objects() if isinstance(item, Interpreter)]
        return sum(bool(vars(item)) for item in objects)

    gc.collect()
    before = left()
    gc.disable()
    try:
        memories: dict[Path, Memory] = {}
        for _ in lint(Workspace(opened(project, "other.py")), never, memories):
            assert left() > before
        assert left() == before
        asked = iter(range(10**9))
        with pytest.raises(StaleError):
            list(lint(Workspace(opened(project, "more.py")), lambda: next(asked) > 20, {}))
        assert left() == before
    finally:
        gc.enable()


def test_an_index_goes_with_the_text_that_it_was_of(project: Path) -> None:
    from jitlint.project.index import ModuleIndex

    path = project / "other.py"
    memories: dict[Path, Memory] = {}
    for version in range(8):
        text = f"{HOSTILE}\n\nNUMBER = {version}\n"
        list(lint(Workspace([OpenDocument(path.as_uri(), path, version, text)]), never, memories))
    alive = [
        item
        for item in gc.get_objects()
        if isinstance(item, ModuleIndex) and vars(item).get("path") == path
    ]
    assert len(alive) == 1


# -- half-typed code ------------------------------------------------------------------------------


def reports(path: Path, text: str) -> Sequence[Diagnostic]:
    path.write_text(text)
    return run(Request(paths=(path,))).diagnostics


def test_rows_that_two_texts_share() -> None:
    before = ["a", "b", "c", "d", "e"]
    assert moves_between(before, before) == {row: row for row in range(1, 6)}
    assert moves_between(before, ["a", "x", "b", "c", "d", "e"]) == {1: 1, 2: 3, 3: 4, 4: 5, 5: 6}
    assert moves_between(before, ["a", "c", "d!", "e"]) == {1: 1, 3: 2, 5: 4}
    assert moves_between(["a", "a"], ["a"]) == {1: 1}
    assert moves_between([], ["a"]) == {}
    assert moves_between(before, []) == {}


def test_what_was_said_goes_on_to_hold_in_rows_that_nobody_touched(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    text = HOSTILE + "\n\n@jax.jit\ndef g(y):\n    return int(y)\n"
    before = reports(path, text)
    assert [(item.code, item.location.row) for item in before] == [("JIT101", 6), ("JIT105", 13)]
    after = text.replace("    return -x\n", "    return -x\n    foo(\n    bar(\n")
    held = still_said(before, moves_between(text.split("\n"), after.split("\n")), [])
    assert [(item.code, item.location.row) for item in held] == [("JIT101", 6), ("JIT105", 15)]
    # The chain leads to where its rows are now, and a fix was about another text.
    assert {step.row for step in held[1].trace} <= {13, 14, 15}
    assert not any(item.fix for item in held)
    touched = text.replace("if x > 0:", "if x > 0")
    held = still_said(before, moves_between(text.split("\n"), touched.split("\n")), [])
    assert [item.code for item in held] == ["JIT105"]


def test_what_is_found_in_spite_of_the_fault_counts_more(tmp_path: Path) -> None:
    before = reports(tmp_path / "a.py", HOSTILE)
    rows = HOSTILE.split("\n")
    assert still_said(before, moves_between(rows, rows), before) == list(before)


# -- what is told meanwhile -----------------------------------------------------------------------


def test_a_run_that_lasts_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[Word] = []
    with Announcement(said.append) as told:
        told.look()
    assert said == []
    monkeypatch.setattr(announcement, "PATIENCE", 0.0)
    monkeypatch.setattr(announcement, "_INTERVAL", 0.0)
    with Announcement(said.append) as told:
        told.look()
        told.told(0.5, 8)
        told.look()
    assert said == [
        types.WorkDoneProgressBegin(title="jitlint", percentage=0, cancellable=False),
        types.WorkDoneProgressReport(message="4/8 files", percentage=50),
        types.WorkDoneProgressEnd(),
    ]
    with Announcement(None) as told:
        told.look()


def test_progress_counts_files(project: Path) -> None:
    told: list[tuple[int, int]] = []
    done = run(Request(paths=(project,)), progress=lambda done, of: told.append((done, of)))
    assert {of for _, of in told} == {len(done.targets)} == {4}
    counts = [count for count, _ in told]
    assert counts == sorted(counts)
    assert counts[-1] == 4
