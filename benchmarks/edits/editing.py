"""Edits of one project, one after another, each compared with a cold run."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.edits import bodies, places, surfaces, trivia  # noqa: F401
from benchmarks.edits.differences import (
    State,
    cold_answer,
    cut_down,
    difference,
    due_of_server,
    keep,
    names_a_file,
    nature,
    server_difference,
)
from benchmarks.edits.kinds import KINDS, Kind
from benchmarks.edits.runs import (
    Answer,
    Server,
    command,
    fresh_server,
    linted_files,
    read,
    write,
)
from benchmarks.edits.sources import Files, modules, parsed

#: after so many edits the project is as it was at first
_RENEWED = 30
#: how many differences are cut down
_CUT_DOWN = 20


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

    def add(self, other: Figures) -> None:
        """Add those of other edits."""
        for kind in other.ratios:
            self.ratios[kind] += other.ratios[kind]
        for kind in other.interpreted:
            self.interpreted[kind] += other.interpreted[kind]
        for kind in other.served:
            self.served[kind] += other.served[kind]
        self.steps += other.steps
        self.compared += other.compared
        self.different += other.different
        self.natures |= other.natures


@dataclass(frozen=True)
class Choices:
    """How a project is edited, and what is asked.

    Args:
      edits: how many there are.
      seed: decides which.
      only: kinds and groups; all of them if there are none.
      without: the same, left out.
      first: kinds that are made first of all, each once.
      server: how often the server is asked, 0 to 1.
      single: how often one file is named.
      harm: how often the cache is damaged, or a process killed that writes into it.
      reduce: seconds for cutting down one difference.
      keep: the folder for what differs; None to keep nothing.
      until: the time at which to stop.
    """

    edits: int = 400
    seed: int = 1
    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    first: Sequence[str] = ()
    server: float = 0.25
    single: float = 0.1
    harm: float = 0.04
    reduce: float = 45
    keep: Path | None = None
    until: float = 1e12


class Editing:
    """Edits of one project, one after another.

    Args:
      folder: the project.
      choices: how it is edited.
      figures: where the outcome goes.
    """

    def __init__(self, folder: Path, choices: Choices, figures: Figures) -> None:
        self.name = f"{folder.parent.name}/{folder.name}"
        self.choices = choices
        self.figures = figures
        self.rng = random.Random(f"{choices.seed} {self.name}")
        self.original = read(folder)
        self.history: list[State] = [State(self.original, "original")]
        self.kinds = [
            each
            for each in KINDS.values()
            if (not choices.only or {each.name, each.group} & choices.only)
            and not {each.name, each.group} & choices.without
        ]
        self._first = [KINDS[name] for name in reversed(choices.first)]
        self.place = Path(tempfile.mkdtemp(prefix="edits-")).resolve()
        self.root = self.place / folder.name
        self.root.mkdir()
        self.cache = self.place / "cache"
        self.server: Server | None = None

    def run(self) -> None:
        """Make the edits."""
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
        for _ in range(self.choices.edits):
            if time.time() > self.choices.until:
                break
            self._step()
        if self.server is not None:
            self.server.end()
        shutil.rmtree(self.place)

    def _step(self) -> None:
        rng = self.rng
        before = self.history[-1].files
        kind, files, label = self._edited(before)
        arguments = self._asked(files)
        state = State(files, label, arguments)
        self.history.append(state)
        del self.history[:-64]
        self.figures.steps += 1
        is_served = rng.random() < self.choices.server
        served = self._served(before, state) if is_served else None
        if served is not None:
            state = served[1]
            self.history[-1] = state
        write(self.root, before, files, rng)
        harm = rng.random()
        if harm < self.choices.harm / 4:
            self._damage()
        elif harm < self.choices.harm:
            command(self.root, cache=self.cache, killed_after=rng.random())
        warm = command(self.root, *arguments, cache=self.cache)
        cold = cold_answer(self.root, arguments)
        if not arguments:
            self.figures.ratios[kind].append(warm.seconds / cold.seconds)
            if warm.interpreted is not None:
                self.figures.interpreted[kind].append(warm.interpreted)
        self._judge(kind, state, warm, cold)
        if served is not None:
            self._judge_served(kind, state, served[0], cold)

    def _edited(self, before: Files) -> tuple[str, Files, str]:
        rng = self.rng
        while self._first:
            wanted = self._first.pop()
            for _ in range(50):
                found = wanted.edit(rng, before)
                if found is not None and found != before:
                    return wanted.name, found, wanted.name
        last = self.history[-1]
        roll = rng.random()
        if roll < 0.6 and self._is_broken(before):
            whole = (each for each in reversed(self.history) if not self._is_broken(each.files))
            return "undone", next(whole, self.history[0]).files, f"undone: {last.label}"
        if len(self.history) > 1 and roll < 0.06:
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

    def _is_broken(self, files: Files) -> bool:
        """Whether edits have left something that does not parse."""
        return any(
            parsed(text) is None
            for name, text in files.items()
            if name.endswith(".py") and text != self.original.get(name)
        )

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
        if roll < self.choices.single and python:
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

    def _served(self, before: Files, state: State) -> tuple[Answer, State] | None:
        """Ask the server, most often before all is saved: what it says, and how it was asked."""
        rng, files = self.rng, state.files
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
        saved = {**before, **opened} != dict(files) or rng.random() < 0.4
        if saved:
            write(self.root, before, files, rng)
        if self.server is None:
            self.server = Server(self.root)
        folder = rng.random() < 0.3
        state = replace(state, opened=tuple(opened), folder=folder, saved=saved)
        try:
            return self.server.ask(opened, folder=folder), state
        except RuntimeError as error:
            self._differs("server", self.history[-1], f"the server fails: {error}")
            self.server.end()
            self.server = None
            return None

    def _judge_served(self, kind: str, state: State, served: Answer, cold: Answer) -> None:
        self.figures.served[kind].append(served.seconds / cold.seconds)
        due = due_of_server(self.root, state, None if state.arguments else cold)
        self.figures.compared += 1
        found = server_difference(served, due, folder=state.folder)
        if found is None:
            return
        opened = {name: state.files[name] for name in state.opened}
        fresh = fresh_server(self.root, opened, folder=state.folder)
        is_right = server_difference(fresh, due, folder=state.folder) is None
        memory = "its memory is at fault" if is_right else "a fresh one says so, too"
        found = f"server{' (folder)' if state.folder else ''}, {memory}: {found}"
        self._differs(kind, state, found, served=True)
        if self.server is not None:
            self.server.end()
            self.server = None

    # -- what differs -----------------------------------------------------------------------------

    def _judge(self, kind: str, state: State, warm: Answer, cold: Answer) -> None:
        self.figures.compared += 1
        found = difference(warm, cold)
        if found is None:
            return
        if names_a_file(state.arguments):
            alone = command(self.root, *state.arguments, cache=None)
            excluded = self.root / state.arguments[0] not in linted_files(self.root)
            if excluded and difference(warm, alone) is None:
                # What is named is linted even where it is excluded.
                return
            whose = "with the cache only" if difference(alone, cold) is None else "without one, too"
            found = f"{whose}: {found}"
        self._differs(kind, state, found)
        # What is wrong shall not be found again and again.
        shutil.rmtree(self.cache, ignore_errors=True)

    def _differs(self, kind: str, state: State, found: str, *, served: bool = False) -> None:
        """Say that something differs, and keep what shows it."""
        figures = self.figures
        asked = " ".join(state.arguments)
        line = f"{self.name} step {figures.steps} after '{state.label}' {asked}: {found}"
        figures.different.append(line)
        print(f"  DIFFERS {line}", flush=True)
        if self.choices.keep is None:
            return
        known = repr((nature(found), kind))
        cut = None
        if len(figures.natures) < _CUT_DOWN and known not in figures.natures:
            figures.natures.add(known)
            cut = cut_down(self.history, self.root.name, self.choices.reduce, served=served)
            if cut is None:
                print("    not seen again by states alone", flush=True)
        number = len(figures.different)
        name = f"{self.name.replace('/', '-')}-{self.choices.seed}-{number}.json.gz"
        path = self.choices.keep / name
        keep(cut or self.history, path, line, served=served)
        print(f"    python -m benchmarks.edits --replay {path}", flush=True)
