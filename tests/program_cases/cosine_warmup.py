import schedules as s
from descent import descend

COS = s.cosine(0.3, 10)
HOSTILE = {
    "warmup": lambda: descend(s.linear_warmup(0.3, 3, COS)),
    "bisect": lambda: descend(s.piecewise([2, 4], [0.3, 0.2, 0.1])),
    "stairs": lambda: descend(s.stairs(0.3, 0.5, 2)),
    "cyclic": lambda: descend(s.cyclic(0.1, 0.3, 4)),
}
EXPECT = {
    "warmup": ("TracerBoolConversionError",),
    "bisect": ("TracerBoolConversionError",),
    "stairs": ("ConcretizationTypeError",),
    "cyclic": ("TracerArrayConversionError",),
}
INNOCENT = [
    lambda: descend(s.constant(0.1)),
    lambda: descend(s.smooth_warmup(0.3, 3, COS)),
    lambda: descend(s.table(s.precompute(COS, 10))),
    lambda: s.precompute(s.linear_warmup(0.3, 3, COS), 6),
    lambda: s.precompute(s.stairs(0.3, 0.5, 2), 6),
]
