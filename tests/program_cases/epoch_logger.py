import io

import jax
import numpy as np

import epoch_logger as program

from tools.harm import unawaited
from tools.observation import compilations, printed

XS = np.random.default_rng(0).normal(size=(8, 3)).astype(np.float32)
YS = np.sign(XS[:, 0])


def every_epoch():
    out, stream = io.StringIO(), io.StringIO()

    def run():
        program.train(XS, YS, 4, out, stream)
        jax.effects_barrier()

    text = printed(run)
    assert text.count("slope") == 4 and "JitTracer" not in text
    assert len(program.history) == 4 and program.epochs_done == 4
    assert out.getvalue().count("\n") == 5 and "4/4" in stream.getvalue()


def compiled_once():
    again = lambda: program.train(XS, YS, 3, io.StringIO(), io.StringIO())
    again()
    assert compilations(again) == 0


def timed():
    many = np.random.default_rng(1).normal(size=(200_000, 64)).astype(np.float32)
    run = lambda: program.train(many, np.sign(many[:, 0]), 2, io.StringIO(), io.StringIO())
    try:
        return unawaited(lambda: printed(run), program)
    finally:
        program.history.clear()
        program.epochs_done = 0


HOSTILE = {}
SILENT = {"epoch": timed}
INNOCENT = [every_epoch, compiled_once]
