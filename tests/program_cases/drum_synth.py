import os
import tempfile
from pathlib import Path

import jax
import numpy as np
import oscillators
import sequencer

from tools.observation import compilations, is_tracer, printed

os.chdir(tempfile.mkdtemp())
key = jax.random.key(0)
beat = sequencer.SECONDS


def sine():
    try:
        oscillators.Sine(440.0).render(beat)
    except TypeError:
        return True
    return False


def phase():
    drum = oscillators.Kick(120.0, 50.0)
    drum.render(beat)
    return is_tracer(drum.last_phase)


def envelopes():
    notes = Path("envelopes.txt")
    drum = oscillators.Kick(90.0, 50.0)
    drum.render(beat)
    written = notes.exists()
    notes.unlink()
    drum.render(beat + 1.0)
    return written and not notes.exists()


def seed():
    first, second = oscillators.snare(beat), oscillators.snare(beat)
    return bool((np.asarray(first) == np.asarray(second)).all())


def track():
    sound = oscillators.hihat(beat, key)
    sequencer.lay_out([1, 0], sound)
    return compilations(lambda: [sequencer.lay_out([1, 0], sound) for _ in range(3)]) >= 3


SILENT = {"sine": sine, "phase": phase, "envelopes": envelopes, "seed": seed, "track": track}


def song():
    samples = sequencer.four_on_the_floor(key)
    assert "seconds" in printed(lambda: sequencer.save(samples, "beat.raw"))


def hats():
    oscillators.hihat(beat, key)
    other = jax.random.key(1)
    assert compilations(lambda: oscillators.hihat(beat, other)) == 0


INNOCENT = [song, hats]
