"""What was seen under JAX is run again exactly when something has changed that it depends on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tools.observed import innocents, kept, labels, tables
from tools.observed.kept import Kind, Subject, digest, files_of

WORDS = [f"word {number}" for number in range(40)]


@pytest.fixture(autouse=True)
def empty_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(kept, "FILE", tmp_path / "observed.json")
    monkeypatch.delenv("JITLINT_OBSERVE", raising=False)
    kept._read.cache_clear()
    yield
    kept._read.cache_clear()


class Runs:
    """A kind of observation that says what it ran."""

    def __init__(self, outcome: str = "fine") -> None:
        self.outcome = outcome
        self.ran: list[str] = []
        self.kind: Kind[str] = Kind("words", self._run, frozenset({"fine"}))

    def _run(self, work: Sequence[str]) -> list[str]:
        self.ran += work
        return [self.outcome for _ in work]

    def observe(self, subjects: Sequence[Subject[str]]) -> list[str]:
        """What is run of some subjects."""
        self.ran = []
        seen = self.kind.observe(subjects)
        assert seen == [(it.name, self.outcome) for it in subjects]
        return self.ran


def of(words: Sequence[str], version: str = "1") -> list[Subject[str]]:
    return [Subject(word, digest([], word, version), word) for word in words]


def test_what_is_kept_is_not_run_again() -> None:
    runs, subjects = Runs(), of(WORDS)
    assert runs.observe(subjects) == WORDS
    assert runs.kind.keep(subjects, runs.kind.observe(subjects)) == []
    assert runs.observe(subjects) == []


def test_what_changed_and_what_is_new_is_run() -> None:
    runs, subjects = Runs(), of(WORDS)
    runs.kind.keep(subjects, runs.kind.observe(subjects))
    changed = of(WORDS[:3], "2") + subjects[3:] + of(["a new word"])
    assert set(runs.observe(changed)) == {*WORDS[:3], "a new word"}


def test_everything_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, subjects = Runs(), of(WORDS)
    runs.kind.keep(subjects, runs.kind.observe(subjects))
    monkeypatch.setenv("JITLINT_OBSERVE", "all")
    assert runs.observe(subjects) == WORDS


def test_what_is_wrong_is_not_kept() -> None:
    runs, subjects = Runs("a fault"), of(WORDS)
    seen = runs.kind.observe(subjects)
    assert runs.kind.keep(subjects, seen) == sorted(seen)
    assert kept.names("words") == frozenset()
    assert runs.observe(subjects) == WORDS


def test_kinds_stand_side_by_side() -> None:
    runs, subjects = Runs(), of(WORDS)
    runs.kind.keep(subjects, runs.kind.observe(subjects))
    other: Kind[str] = Kind("others", lambda work: ["fine" for _ in work], frozenset({"fine"}))
    other.keep(subjects[:1], [(WORDS[0], "fine")])
    assert kept.names("words") == frozenset(WORDS)
    assert kept.names("others") == {WORDS[0]}


def test_a_digest_is_of_all_files_and_of_the_versions_of_what_they_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.mkdir()
    (program / "step.py").write_text("import jax\n")
    (program / "more.py").write_text("import optax\n")

    def now() -> str:
        kept._versions.cache_clear()
        return digest(files_of(program))

    before = now()
    assert now() == before
    versions = {"optax": "0", "flax": "0"}
    known = kept._version
    monkeypatch.setattr(kept, "_version", lambda name: versions.get(name) or known(name))
    with_other_versions = now()
    assert with_other_versions != before
    versions["flax"] = "1"
    assert now() == with_other_versions
    (program / "settings.txt").write_text("0.1")
    assert now() != with_other_versions
    kept._versions.cache_clear()


def test_the_file_speaks_of_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "FILE", kept.ROOT / "tests" / "observed.json")
    assert kept.names("labels") <= {it.name for it in labels.subjects()}
    assert kept.names("innocents") <= {it.name for it in innocents.subjects()}
    assert kept.names("tables") == {it.name for it in tables.subjects()}
    cases = {name.partition(" @")[0] for name in kept.names("fixes")}
    assert all((kept.ROOT / case).is_file() for case in cases)
