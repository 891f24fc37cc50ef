"""Notes as integers, and what lies between them."""

import jax

NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
MAJOR = (0, 2, 4, 5, 7, 9, 11)


@jax.jit
def name_of(note):
    octave = note // 12 - 1
    return NAMES[note % 12], octave  # expect: JIT107 @name


@jax.jit
def in_scale(notes, root):
    steps = (notes - root) % 12
    return [step in MAJOR for step in steps]  # expect: JIT110 @scale


@jax.jit
def transpose(melody, interval):
    moved = melody["pitch"] + interval
    for pitch in moved:
        if pitch > 127:  # expect: JIT101 @high
            moved = moved - 12
    return {**melody, "pitch": moved}
