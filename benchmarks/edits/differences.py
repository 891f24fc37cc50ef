"""What two answers differ in, and the fewest states of a project that show it.

A difference is kept as one file, with all that it takes to see it again elsewhere.
"""

from __future__ import annotations

import gzip
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.edits.runs import Answer, Server, command, fresh_server, write
from benchmarks.edits.sources import Files, parsed, with_rows
from jitlint.source.file_discovery import project_root


@dataclass
class State:
    """A project at a moment, and how it was asked then.

    Args:
      files: what it holds.
      label: what was edited.
      arguments: of the command.
      opened: the files that a server was asked about, if one was.
      folder: whether it was asked about all of the project.
      saved: whether everything had been saved when it was asked.
    """

    files: Files
    label: str
    arguments: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    folder: bool = False
    saved: bool = True


def difference(warm: Answer, cold: Answer) -> str | None:
    """What one answer says and the other does not, in a few words; None where they are equal."""
    if warm.exit_code != cold.exit_code:
        return f"exit code {warm.exit_code} instead of {cold.exit_code}"
    one, other = ([json.dumps(item, sort_keys=True) for item in a.reports] for a in (warm, cold))
    if one == other:
        if Counter(warm.said) == Counter(cold.said):
            return None
        more, less = Counter(warm.said), Counter(cold.said)
        return f"standard error: only warm {dict(more - less)}, only cold {dict(less - more)}"
    only_warm = [json.loads(item) for item in (Counter(one) - Counter(other))]
    only_cold = [json.loads(item) for item in (Counter(other) - Counter(one))]
    if not only_warm and not only_cold:
        return "the order of the reports"
    by_place = {_place(item): item for item in only_cold}
    pairs = [(item, by_place[_place(item)]) for item in only_warm if _place(item) in by_place]
    if len(only_warm) == len(only_cold) == len(pairs) or len(only_warm) == len(only_cold) == 1:
        a, b = (pairs or [(only_warm[0], only_cold[0])])[0]
        fields = [f"{key}: {a[key]!r} instead of {b[key]!r}" for key in a if a[key] != b[key]]
        many = f"{len(pairs)} like " if len(pairs) > 1 else ""
        row = a["location"]["row"]
        return f"{many}{a['code']} {Path(a['filename']).name}:{row} " + "; ".join(fields)

    def named(items: Sequence[dict[str, dict[str, int]]]) -> str:
        return ", ".join(
            f"{item['code']} {Path(str(item['filename'])).name}:{item['location']['row']}"
            for item in items[:6]
        )

    return f"only warm: {named(only_warm)}; only cold: {named(only_cold)}"


def _place(item: Mapping[str, Any]) -> str:
    return json.dumps([item["filename"], item["cell"], item["location"], item["code"]])


def cold_answer(root: Path, arguments: Sequence[str]) -> Answer:
    """What a run without a cache says: over everything where one file is named, cut down to that.

    Args:
      root: the project.
      arguments: of the command.
    """
    if names_a_file(arguments):
        return cold_answer_about(root, arguments)
    options = () if "--jobs" in arguments else arguments
    return command(root, *options, cache=None)


def cold_answer_about(root: Path, names: Sequence[str], whole: Answer | None = None) -> Answer:
    """What runs without a cache over everything say of some files.

    Everything is what belongs to the project of a file, which may lie in another one.

    Args:
      root: the project around all of them.
      names: of the files.
      whole: what is said of the project around them, where that is known.
    """
    files: dict[Path, list[Path]] = {}
    for name in names:
        own = project_root([root / name])
        files.setdefault(own if own.is_relative_to(root) else root, []).append(root / name)
    answers = []
    for own, some in files.items():
        known = whole if own == root else command(root, str(own), cache=None)
        answers.append((known or command(root, cache=None)).of(some))
    reports = [item for answer in answers for item in answer.reports]
    said = [line for answer in answers for line in answer.said]
    return replace(
        answers[0],
        # Of one file they stay in the order in which they are told.
        reports=sorted(reports, key=lambda item: str(item["filename"])),
        said=said,
        exit_code=max(answer.exit_code for answer in answers),
    )


def due_of_server(root: Path, state: State, whole: Answer | None = None) -> Answer:
    """What a server has to say of a project: the same as the command, where that can be asked.

    Args:
      root: the project.
      state: as it is, all of it saved.
      whole: what the command says of the project, where that is known.
    """
    opened = {name: state.files[name] for name in state.opened}
    if any(parsed(text) is None for text in opened.values()):
        # What is open counts as named: of what is not about JAX, too, it is said that it is broken.
        return fresh_server(root, opened, folder=state.folder)
    if state.folder:
        return whole or command(root, cache=None)
    return cold_answer_about(root, state.opened, whole)


def server_difference(served: Answer, due: Answer, *, folder: bool) -> str | None:
    """What a server says otherwise than is due; None where nothing differs."""
    due = replace(due, said=served.said, exit_code=0)
    if folder:
        served, due = _without_cells(served), _without_cells(due)
    return difference(served, due)


def _without_cells(answer: Answer) -> Answer:
    return replace(answer, reports=[item for item in answer.reports if item["cell"] is None])


def names_a_file(arguments: Sequence[str]) -> bool:
    return len(arguments) == 1 and arguments[0].endswith(".py")


def replayed(states: Sequence[State], name: str, *, served: bool = False) -> str | None:
    """Ask for some states with one cache, or one server.

    Args:
      states: one after another.
      name: of the project.
      served: whether a server is asked, where it was.

    Returns:
      What differs at the last one; None where nothing does.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / name
        root.mkdir()
        return (_served if served else _commanded)(states, root)


def _commanded(states: Sequence[State], root: Path) -> str | None:
    before: Files = {}
    warm = None
    for state in states:
        write(root, before, state.files)
        before = state.files
        warm = command(root, *state.arguments, cache=root.parent / "cache")
    return None if warm is None else difference(warm, cold_answer(root, states[-1].arguments))


def _served(states: Sequence[State], root: Path) -> str | None:
    before: Files = {}
    server = Server(root)
    answer = None
    try:
        for state in states:
            opened = {each: state.files[each] for each in state.opened if each in state.files}
            if state.saved:
                write(root, before, state.files)
            answer = server.ask(opened, folder=state.folder) if opened else None
            write(root, before, state.files)
            before = state.files
    finally:
        server.end()
    if answer is None:
        return None
    last = replace(states[-1], opened=tuple(opened))
    return server_difference(answer, due_of_server(root, last), folder=last.folder)


def cut_down(
    history: Sequence[State], name: str, seconds: float, *, served: bool = False
) -> list[State] | None:
    """The fewest states and statements after which a warm run says something else.

    Args:
      history: all states; the last one differed.
      name: of the project.
      seconds: how long to try.
      served: whether it was a server that said so.

    Returns:
      The states; None where they alone do not show it.
    """
    until = time.time() + seconds
    for depth in (1, 2, 3, 5, 9, 17, 33):
        states = list(history[-depth:])
        shown = replayed(states, name, served=served)
        if shown is not None:
            break
        if depth >= len(history) or time.time() > until:
            return None
    else:
        return None

    def attempt(candidate: list[State]) -> bool:
        nonlocal states
        if time.time() > until or candidate == states:
            return False
        found = replayed(candidate, name, served=served)
        if found is None or nature(found) != nature(shown):
            return False
        states = candidate
        return True

    at = 0
    while at < len(states) - 1:
        if not attempt([*states[:at], *states[at + 1 :]]):
            at += 1
    # Without a file that is asked about something else would be wrong.
    asked = {*history[-1].arguments, *history[-1].opened}
    for each in sorted({name for state in states for name in state.files} - asked):
        attempt([_without_file(state, each) for state in states])
    for each in sorted({name for state in states for name in state.files}):
        for statement in _common_statements(states, each):
            attempt([_without_statement(state, each, statement) for state in states])
    return states


def nature(found: str | None) -> object:
    """What a difference is about, wherever it stands."""
    text = found or ""
    return sorted(
        {*re.findall(r"JIT\d+|\b\w+: |only warm(?=: J)|only cold(?=: J)|exit code", text)}
    )


def _without_file(state: State, name: str) -> State:
    files = {each: text for each, text in state.files.items() if each != name}
    return replace(state, files=files)


def _common_statements(states: Sequence[State], name: str) -> Iterator[str]:
    """The statements of a module that all states have, from the last one."""
    found: Counter[str] = Counter()
    for state in states:
        found.update({*_statements(state.files.get(name, ""))})
    there = sum(name in state.files for state in states)
    for text in reversed(list(_statements(states[-1].files.get(name, "")))):
        if found[text] == there:
            yield text


def _statements(text: str) -> Iterator[str]:
    tree = parsed(text)
    lines = text.split("\n")
    for node in () if tree is None else tree.body:
        yield "\n".join(lines[node.lineno - 1 : node.end_lineno])


def _without_statement(state: State, name: str, statement: str) -> State:
    text = state.files.get(name)
    tree = None if text is None else parsed(text)
    if text is None or tree is None:
        return state
    lines = text.split("\n")
    for node in tree.body:
        decorators = getattr(node, "decorator_list", [])
        start = min([node.lineno, *(each.lineno for each in decorators)]) - 1
        if "\n".join(lines[node.lineno - 1 : node.end_lineno]) == statement:
            files = with_rows(state.files, name, start, node.end_lineno or start, [])
            return replace(state, files=files)
    return state


def keep(states: Sequence[State], path: Path, line: str, *, served: bool) -> None:
    """Write states into a file, as :func:`kept` reads them.

    Args:
      states: one after another.
      path: the file.
      line: what differs.
      served: whether it was a server that said so.
    """
    before: Files = {}
    written = []
    for state in states:
        changed = {n: text for n, text in state.files.items() if before.get(n) != text}
        gone = sorted(before.keys() - state.files.keys())
        written.append(
            {
                "label": state.label,
                "arguments": state.arguments,
                "opened": state.opened,
                "folder": state.folder,
                "saved": state.saved,
                "changed": changed,
                "gone": gone,
            }
        )
        before = state.files
    path.parent.mkdir(parents=True, exist_ok=True)
    said = json.dumps({"difference": line, "served": served, "states": written}, indent=1)
    path.write_bytes(gzip.compress(said.encode("utf-8", "surrogatepass")))


def kept(path: Path) -> tuple[list[State], bool]:
    """The states that a file has, and whether it was a server that said something else."""
    said = json.loads(gzip.decompress(path.read_bytes()).decode("utf-8", "surrogatepass"))
    files: dict[str, str] = {}
    found = []
    for state in said["states"]:
        for name in state["gone"]:
            del files[name]
        files.update(state["changed"])
        arguments, opened = tuple(state["arguments"]), tuple(state["opened"])
        how = {"folder": state["folder"], "saved": state.get("saved", True)}
        found.append(State({**files}, state["label"], arguments, opened, **how))
    return found, said["served"]


def unpack(states: Sequence[State], folder: Path) -> None:
    """Write each state into a folder of its own, to be looked at."""
    for number, state in enumerate(states):
        place = folder / str(number)
        place.mkdir(parents=True, exist_ok=True)
        write(place, {}, state.files)
