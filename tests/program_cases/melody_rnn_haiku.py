import os
import tempfile
from pathlib import Path

import jax
import melody_rnn_haiku as p

from tools.observation import compilations, is_tracer

p.LAST_LOSS = Path(tempfile.mkdtemp()) / "loss.txt"


def notes(length):
    return jax.random.randint(jax.random.key(1), (length, 3), 0, p.NOTES)


def run(length, count=3):
    state = p.initial(jax.random.key(0), notes(length))
    for _ in range(count):
        state, _ = p.update(state, notes(length))
    return state


def activations_leak():
    run(4)
    return is_tracer(p.ACTIVATIONS["gru"])


class Clock:
    reads = 0

    @classmethod
    def now(cls):
        cls.reads += 1
        return original_datetime.now()


original_datetime = p.datetime


def clock_frozen():
    p.datetime = Clock
    try:
        run(5)
    finally:
        p.datetime = original_datetime
    return Clock.reads == 1


def file_shows_tracer():
    run(6)
    return "Tracer" in p.LAST_LOSS.read_text()


def updates_once():
    before = p.UPDATES
    run(7)
    return p.UPDATES == before + 1


def evaluates():
    state = p.initial(jax.random.key(0), notes(5))
    jax.jit(p.network.apply, static_argnames="train")(
        state.params, state.rng, notes(5), train=False
    )
    again = lambda: jax.jit(p.network.apply, static_argnames="train")(
        state.params, state.rng, NOTES_5, train=False
    )
    again()
    assert compilations(again) == 0


NOTES_5 = notes(5)


def main():
    os.chdir(p.LAST_LOSS.parent)
    p.main()


HOSTILE = {}
EXPECT = {}
SILENT = {
    "activations": activations_leak,
    "clock": clock_frozen,
    "file": file_shows_tracer,
    "updates": updates_once,
}
INNOCENT = [evaluates, main]
