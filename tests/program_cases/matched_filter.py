import matched_filter as mf
import numpy as np
from tools.observation import compilations

DETECT = mf.detector((2.0, 4.0, 8.0))
SIGNALS = [mf.chirp(r) for r in (2.0, 4.0, 8.0)]
DETECT(SIGNALS[0])


def finds():
    assert [float(DETECT(s)) for s in SIGNALS] == [2.0, 4.0, 8.0]
    assert compilations(lambda: [DETECT(s) for s in SIGNALS]) == 0


INNOCENT = [finds, mf.main, lambda: mf.noisy(3.0, np.random.default_rng(0))]
