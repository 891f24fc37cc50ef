import numpy as np
import train_mlm as t
from mlm import host_mask, model

V, B, P = t.build()
HOSTILE = {
    "rare": lambda: t.train(skip_rare=True),
    "quota": lambda: t.train("quota"),
    "places": lambda: t.train("scatter"),
    "words": lambda: model.frequencies(B, len(V)),
}
EXPECT = {
    "rare": ("TracerIntegerConversionError",),
    "quota": ("ConcretizationTypeError",),
    "places": ("ConcretizationTypeError",),
    "words": ("ConcretizationTypeError",),
}
INNOCENT = [
    t.train,
    lambda: host_mask(np.random.default_rng(0), B[0]),
    lambda: model.frequencies_static(B, len(V)),
    lambda: V.is_rare(3),
]
