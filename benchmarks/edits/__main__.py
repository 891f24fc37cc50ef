"""Edit projects at random, and compare after each edit what is said with a cold run.

::

    python -m benchmarks.edits PROJECT ... [--edits 400] [--seed 1] [--linter TREE]
    python -m benchmarks.edits --replay FOLDER [--linter TREE]

Each project is copied.  After each edit ``jitlint check`` runs with a cache that is kept, and at
times the server's path with its memory, and both are compared with a run without a cache on the
same files: every field of every report, the lines on standard error, and at times what was left
out.  Edits that differ are cut down to the fewest states and statements that still show it, and
written to --keep, a folder for each state; ``--replay`` shows such a one again.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Are warm runs equal to cold ones after edits?")
    parser.add_argument("projects", metavar="PROJECT", nargs="*", type=Path)
    parser.add_argument("--edits", type=int, default=400, help="of each project")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--linter", metavar="TREE", type=Path, default=ROOT)
    parser.add_argument("--keep", metavar="FOLDER", type=Path, default=Path("differences"))
    parser.add_argument("--only", metavar="WORDS", help="kinds and groups, comma-separated")
    parser.add_argument("--without", metavar="WORDS", default="", help="the same, left out")
    parser.add_argument("--server", type=float, default=0.25, help="how often it is asked, 0 to 1")
    parser.add_argument("--single", type=float, default=0.1, help="how often one file is named")
    parser.add_argument("--minutes", type=float, default=1e9, help="stop then")
    parser.add_argument("--reduce", type=float, default=45, help="seconds for cutting down one")
    parser.add_argument("--replay", metavar="FOLDER", type=Path, help="states of a difference")
    return parser.parse_args()


if __name__ == "__main__":
    ARGUMENTS = _arguments()
    sys.path.insert(0, str(ARGUMENTS.linter.resolve()))

from benchmarks.edits import bodies, places, surfaces, trivia  # noqa: E402, F401
from benchmarks.edits.kinds import KINDS, Kind  # noqa: E402
from benchmarks.edits.runs import (  # noqa: E402
    Answer,
    Server,
    command,
    fresh_server,
    linted_files,
    prepare,
    read,
    write,
)
from benchmarks.edits.sources import Files, modules, parsed, with_rows  # noqa: E402

#: after so many edits the project is as it was at first
_RENEWED = 30
#: how many differences are cut down
_CUT_DOWN = 20


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


@dataclass
class Figures:
    """What edits have cost.

    Args:
      ratios: CPU of the command to that of a cold run, by kind.
      interpreted: parts that were interpreted, by kind.
      served: CPU of the server to that of a cold run.
      compared: how many comparisons were made.
      steps: how many edits were made.
      different: a line for each difference.
      natures: what was cut down.
    """

    ratios: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    interpreted: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    served: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    steps: int = 0
    compared: int = 0
    different: list[str] = field(default_factory=list)
    natures: set[str] = field(default_factory=set)


@dataclass
class State:
    """A project at a moment, and how it was asked then.

    Args:
      files: what it holds.
      label: what was edited.
      arguments: of the command.
    """

    files: Files
    label: str
    arguments: tuple[str, ...] = ()


class Editing:
    """Edits of one project, one after another.

    Args:
      folder: the project.
      arguments: those of this program.
      figures: where the outcome goes.
    """

    def __init__(self, folder: Path, arguments: argparse.Namespace, figures: Figures) -> None:
        self.name = f"{folder.parent.name}/{folder.name}"
        self.arguments = arguments
        self.figures = figures
        self.rng = random.Random(f"{arguments.seed} {self.name}")
        self.original = read(folder)
        self.history: list[State] = [State(self.original, "original")]
        words = arguments.only.split(",") if arguments.only else []
        without = {*arguments.without.split(",")}
        self.kinds = [
            each
            for each in KINDS.values()
            if (not words or {each.name, each.group} & {*words})
            and not {each.name, each.group} & without
        ]
        self.place = Path(tempfile.mkdtemp(prefix="edits-")).resolve()
        self.root = self.place / folder.name
        self.root.mkdir()
        self.cache = self.place / "cache"
        self.server: Server | None = None

    def run(self, until: float) -> None:
        """Make the edits.

        Args:
          until: when to stop.
        """
        write(self.root, {}, self.original)
        first = command(self.root, cache=self.cache)
        cold = command(self.root, cache=None)
        print(
            f"{self.name}: {len(modules(self.original))} modules, "
            f"{sum(text.count(chr(10)) for text in self.original.values())} rows, "
            f"{len(cold.reports)} reports, cold {cold.seconds:.2f} s, "
            f"first with the cache {first.seconds / cold.seconds:.2f} of that",
            flush=True,
        )
        self._judge("first", State(self.original, "first"), first, cold)
        for _ in range(self.arguments.edits):
            if time.time() > until:
                break
            self._step()
        if self.server is not None:
            self.server.end()
        shutil.rmtree(self.place)
        figures = self.figures
        print(f"  {figures.steps} edits so far, {len(figures.different)} differences", flush=True)

    def _step(self) -> None:
        rng = self.rng
        before = self.history[-1].files
        kind, files, label = self._edited(before)
        arguments = self._asked(files)
        state = State(files, label, arguments)
        self.history.append(state)
        del self.history[:-64]
        self.figures.steps += 1
        served = self._served(before, files) if rng.random() < self.arguments.server else None
        write(self.root, before, files, rng)
        if rng.random() < 0.03:
            command(self.root, cache=self.cache, killed_after=rng.random())
        if rng.random() < 0.01:
            self._damage()
        warm = command(self.root, *arguments, cache=self.cache)
        cold = cold_answer(self.root, arguments)
        if not arguments:
            self.figures.ratios[kind].append(warm.seconds / cold.seconds)
            if warm.interpreted is not None:
                self.figures.interpreted[kind].append(warm.interpreted)
        self._judge(kind, state, warm, cold)
        if served is not None:
            self._judge_served(kind, state, *served, cold)

    def _edited(self, before: Files) -> tuple[str, Files, str]:
        rng = self.rng
        last = self.history[-1]
        broken = any(parsed(text) is None for name, text in before.items() if name[-3:] == ".py")
        roll = rng.random()
        if len(self.history) > 1 and (roll < (0.6 if broken else 0.06)):
            return "undone", self.history[-2].files, f"undone: {last.label}"
        if self.figures.steps % _RENEWED == _RENEWED - 1:
            return "checkout", self.original, "checkout of the original"
        if roll > 0.96:
            other = rng.choice(self.history)
            return "checkout", other.files, f"checkout: {other.label}"
        count = rng.choice((2, 3, 5, 8)) if roll > 0.84 else 1
        files, labels = before, []
        for _ in range(count):
            kind, files = self._one(files)
            labels.append(kind.name)
        name = labels[0] if count == 1 else "several at once"
        return name, files, " + ".join(labels)

    def _one(self, files: Files) -> tuple[Kind, Files]:
        while True:
            kind = self.rng.choice(self.kinds)
            if kind.broken and self.rng.random() < 0.5:
                continue
            edited = kind.edit(self.rng, files)
            if edited is None or (edited == files and kind.name != "nothing but the time"):
                continue
            # Outside of strings of edits that break things, what does not parse was a slip.
            if not kind.broken and any(
                parsed(edited[name]) is None
                for name in edited
                if name.endswith(".py")
                and edited[name] != files.get(name)
                and self.rng.random() < 0.9
            ):
                continue
            return kind, edited

    def _asked(self, files: Files) -> tuple[str, ...]:
        roll, python = self.rng.random(), modules(files)
        if roll < self.arguments.single and python:
            return (self.rng.choice(python),)
        if roll > 0.95:
            return ("--verbose",)
        if roll > 0.92:
            return ("--jobs", "2")
        if roll > 0.87:
            # Runs that look at things in another way use the same folder.
            return self.rng.choice(
                (
                    ("--isolated",),
                    ("--docstring-examples",),
                    ("--no-prefilter",),
                    ("--assume-traced", "*.py"),
                    ("--select", "JIT1,JIT3"),
                    ("--exclude", "fresh.py"),
                    ("--no-respect-gitignore",),
                )
            )
        return ()

    def _damage(self) -> None:
        kept = sorted(path for path in self.cache.rglob("*") if path.suffix == ".msgpack")
        if kept:
            path = self.rng.choice(kept)
            other = self.rng.choice(kept).read_bytes()
            path.write_bytes(self.rng.choice((path.read_bytes()[:-3], b"", other)))

    # -- the server -------------------------------------------------------------------------------

    def _served(self, before: Files, files: Files) -> tuple[Answer, dict[str, str], bool] | None:
        """Ask the server, most often before anything is saved."""
        rng = self.rng
        changed = [n for n in files if n.endswith(".py") and files[n] != before.get(n)]
        python = [name for name in files if name.endswith(".py")]
        if not python:
            return None
        extra = rng.sample(python, min(len(python), rng.choice((0, 1, 2))))
        names = dict.fromkeys([*changed, *extra])
        opened = {name: files[name] for name in names if "\r" not in files[name]}
        opened = {name: text for name, text in opened.items() if text[:1] != "\ufeff"}
        if not opened or any("# coding:" in text for text in opened.values()):
            return None
        saved = {**before, **opened}
        if saved != dict(files) or rng.random() < 0.4:
            write(self.root, before, files, rng)
        if self.server is None:
            self.server = Server(self.root)
        folder = rng.random() < 0.3
        try:
            return self.server.ask(opened, folder=folder), opened, folder
        except RuntimeError as error:
            self._differs("server", self.history[-1], f"the server fails: {error}")
            self.server.end()
            self.server = None
            return None

    def _judge_served(
        self,
        kind: str,
        state: State,
        served: Answer,
        opened: dict[str, str],
        folder: bool,
        cold: Answer,
    ) -> None:
        self.figures.served[kind].append(served.seconds / cold.seconds)
        whole = all(parsed(text) is not None for text in opened.values())
        if whole and not state.arguments:
            expected = cold if folder else cold.of([self.root / name for name in opened])
        else:
            expected = fresh_server(self.root, opened, folder=folder)
        expected = Answer(expected.reports, served.said, 0, 0.0, None)
        if folder:
            served, expected = (_without_cells(each) for each in (served, expected))
        self.figures.compared += 1
        found = difference(served, expected)
        if found is None:
            return
        fresh = difference(fresh_server(self.root, opened, folder=folder), expected)
        memory = "its memory is at fault" if fresh is None else "a fresh one says so, too"
        self._differs(kind, state, f"server{' (folder)' if folder else ''}, {memory}: {found}")
        if self.server is not None:
            self.server.end()
            self.server = None

    # -- what differs -----------------------------------------------------------------------------

    def _judge(self, kind: str, state: State, warm: Answer, cold: Answer) -> None:
        self.figures.compared += 1
        found = difference(warm, cold)
        if found is None:
            return
        if _names_a_file(state.arguments):
            alone = command(self.root, *state.arguments, cache=None)
            excluded = self.root / state.arguments[0] not in linted_files(self.root)
            if excluded and difference(warm, alone) is None:
                # What is named is linted even where it is excluded.
                return
            whose = "with the cache only" if difference(alone, cold) is None else "without one, too"
            found = f"{whose}: {found}"
        line = self._differs(kind, state, found)
        nature = repr((_nature(found), kind))
        if len(self.figures.natures) < _CUT_DOWN and nature not in self.figures.natures:
            self.figures.natures.add(nature)
            number = len(self.figures.different)
            kept = self.arguments.keep / f"{self.name.replace('/', '-')}-{number}"
            cut = cut_down(self.history, self.root.name, self.arguments.reduce)
            if cut is None:
                print("    not seen again by states alone", flush=True)
            else:
                keep(cut, kept, line)
                print(f"    python -m benchmarks.edits --replay {kept}", flush=True)
        # What is wrong shall not be found again and again.
        shutil.rmtree(self.cache, ignore_errors=True)

    def _differs(self, kind: str, state: State, found: str) -> str:
        asked = " ".join(state.arguments)
        line = f"{self.name} step {self.figures.steps} after '{state.label}' {asked}: {found}"
        self.figures.different.append(line)
        print(f"  DIFFERS {line}", flush=True)
        return line


def _without_cells(answer: Answer) -> Answer:
    kept = [item for item in answer.reports if item["cell"] is None]
    return Answer(kept, answer.said, answer.exit_code, answer.seconds, answer.interpreted)


def cold_answer(root: Path, arguments: Sequence[str]) -> Answer:
    """What a run without a cache says: over everything where one file is named, cut down to that.

    Args:
      root: the project.
      arguments: of the command.
    """
    if _names_a_file(arguments):
        return command(root, cache=None).of([root / arguments[0]])
    options = () if "--jobs" in arguments else arguments
    return command(root, *options, cache=None)


def _names_a_file(arguments: Sequence[str]) -> bool:
    return len(arguments) == 1 and arguments[0].endswith(".py")


def replayed(states: Sequence[State], name: str) -> str | None:
    """Ask for some states with one cache.

    Args:
      states: one after another.
      name: of the project.

    Returns:
      What differs at the last one; None where nothing does.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / name
        root.mkdir()
        cache = Path(folder) / "cache"
        before: Files = {}
        warm = None
        for state in states:
            write(root, before, state.files)
            before = state.files
            warm = command(root, *state.arguments, cache=cache)
        if warm is None:
            return None
        arguments = states[-1].arguments
        return difference(warm, cold_answer(root, arguments))


def cut_down(history: Sequence[State], name: str, seconds: float) -> list[State] | None:
    """The fewest states and statements after which a warm run says something else.

    Args:
      history: all states; the last one differed.
      name: of the project.
      seconds: how long to try.

    Returns:
      The states; None where they alone do not show it.
    """
    until = time.time() + seconds
    for depth in (1, 2, 3, 5, 9, 17, 33):
        states = list(history[-depth:])
        shown = replayed(states, name)
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
        found = replayed(candidate, name)
        if found is None or _nature(found) != _nature(shown):
            return False
        states = candidate
        return True

    at = 0
    while at < len(states) - 1:
        if not attempt([*states[:at], *states[at + 1 :]]):
            at += 1
    for each in sorted({name for state in states for name in state.files}):
        attempt([_without_file(state, each) for state in states])
    for each in sorted({name for state in states for name in state.files}):
        for statement in _common_statements(states, each):
            attempt([_without_statement(state, each, statement) for state in states])
    return states


def _nature(found: str | None) -> object:
    """What a difference is about, wherever it stands."""
    text = found or ""
    return sorted(
        {*re.findall(r"JIT\d+|\b\w+: |only warm(?=: J)|only cold(?=: J)|exit code", text)}
    )


def _without_file(state: State, name: str) -> State:
    files = {each: text for each, text in state.files.items() if each != name}
    return State(files, state.label, state.arguments)


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
            return State(files, state.label, state.arguments)
    return state


def keep(states: Sequence[State], folder: Path, line: str) -> None:
    """Write states into a folder, as :func:`kept` reads them."""
    shutil.rmtree(folder, ignore_errors=True)
    for number, state in enumerate(states):
        place = folder / str(number)
        place.mkdir(parents=True)
        write(place, {}, state.files)
        said = {"label": state.label, "arguments": state.arguments}
        (folder / f"{number}.json").write_text(json.dumps(said))
    (folder / "difference.txt").write_text(f"{line}\n")


def kept(folder: Path) -> list[State]:
    """The states that a folder has."""
    found = []
    for path in sorted(folder.glob("*.json"), key=lambda path: int(path.stem)):
        said = json.loads(path.read_text())
        files = read(folder / path.stem)
        found.append(State(files, said["label"], tuple(said["arguments"])))
    return found


def show(figures: Figures, write_line: Callable[[str], object] = print) -> None:
    """Print what edits have cost, by kind.

    Args:
      figures: of all projects.
      write_line: takes a line.
    """
    write_line(f"{'edit':<44} {'edits':>5} {'median':>7} {'worst':>7} {'parts':>6} {'server':>7}")
    groups = {name: each.group for name, each in KINDS.items()}
    order = ("trivia", "docstring", "noqa", "body", "surface", "files", "broken", "")
    for group in order:
        names = sorted(n for n in figures.ratios if groups.get(n, "") == group)
        merged = [ratio for name in names for ratio in figures.ratios[name]]
        if not merged:
            continue
        parts = [n for name in names for n in figures.interpreted[name]]
        served = [n for name in names for n in figures.served.get(name, ())]
        write_line(_row(f"all of {group or 'the rest'}", merged, parts, served))
        for name in names:
            write_line(
                _row(
                    f"  {name}",
                    figures.ratios[name],
                    figures.interpreted[name],
                    figures.served.get(name, []),
                )
            )
    write_line(
        f"{figures.steps} edits, {figures.compared} comparisons, "
        f"{len(figures.different)} differences"
    )


def _row(name: str, ratios: Sequence[float], parts: Sequence[int], served: Sequence[float]) -> str:
    median = statistics.median
    return (
        f"{name:<44} {len(ratios):5} {median(ratios):7.3f} {max(ratios):7.3f} "
        f"{f'{median(parts):.0f}' if parts else '?':>6} "
        f"{f'{median(served):.3f}' if served else '':>7}"
    )


def main(arguments: argparse.Namespace) -> int:
    """Edit the projects.

    Args:
      arguments: of the command line.

    Returns:
      1 if anything differs.
    """
    prepare()
    if arguments.replay is not None:
        found = replayed(kept(arguments.replay), "project")
        print(found or "nothing differs")
        return 1 if found else 0
    until = time.time() + arguments.minutes * 60
    figures = Figures()
    for folder in arguments.projects:
        Editing(folder.resolve(), arguments, figures).run(until)
    show(figures)
    return 1 if figures.different else 0


if __name__ == "__main__":
    sys.exit(main(ARGUMENTS))
