import intervals as m

A, B = m.Interval(1.0, 2.0), m.Interval(3.0, 4.0)
HOSTILE = {
    "signs": lambda: m.area(A, B),
    "contains": lambda: m.clamp(A, 1.5),
    "ceiling": lambda: m.rounded(A),
    "rung": lambda: m.climb(1.2),
}
EXPECT = {
    "signs": ("TracerBoolConversionError",),
    "contains": ("TracerBoolConversionError",),
    "ceiling": ("ConcretizationTypeError",),
    "rung": ("TracerBoolConversionError",),
}
INNOCENT = [lambda: m.shifted(A, 1.0).low, lambda: (A * B).low, lambda: 1.5 in A]
