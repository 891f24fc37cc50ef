import numpy as np

import ridge_folds as ridge

from tools.observation import compilations

RNG = np.random.default_rng(2)
XS = RNG.normal(size=(6, 2)).astype(np.float32)
YS = XS[:, 0] + 1
HALVES = (XS[:3], YS[:3]), (XS[3:], YS[3:])


def raises_type_error(call):
    try:
        call()
    except TypeError as error:
        return "interpreting argument" in str(error)
    return False


def rebuilt():
    ridge.halves_agree(*HALVES)
    return compilations(lambda: ridge.halves_agree(*HALVES)) >= 4


def left_out():
    ridge.leave_one_out(XS, YS, 0.5)
    return compilations(lambda: ridge.leave_one_out(XS, YS, 0.5)) >= len(YS)


def one_solver():
    ridge.path(XS, YS, (0.1, 1.0))
    assert compilations(lambda: ridge.path(XS, YS, (0.3, 2.0, 3.0))) <= 1


def one_scaler():
    scaler = ridge.Scaler(XS.mean(axis=0), XS.std(axis=0))
    scaler.forward(XS)
    assert compilations(lambda: scaler.forward(XS + 1)) == 0


HOSTILE = {"position": lambda: ridge.make_solver()}
EXPECT = {"position": ("ValueError",)}
SILENT = {
    "forward": lambda: raises_type_error(lambda: ridge.Standardiser(XS).forward(XS)),
    "fast": lambda: raises_type_error(lambda: ridge.FoldModel(0.1).fit(XS, YS).predict_fast(XS)),
    "error": rebuilt,
    "left": left_out,
}
INNOCENT = [
    one_solver,
    one_scaler,
    lambda: ridge.FoldModel(0.1).fit(XS, YS).predict(XS),
    lambda: ridge.Standardiser(XS).backward(XS),
]
