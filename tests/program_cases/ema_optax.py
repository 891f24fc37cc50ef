import averaging as a

HOSTILE = {
    "count": lambda: a.evaluate(*a.run()),
    "clip": lambda: a.run("norm"),
    "halve": lambda: a.run("leaf"),
}
EXPECT = {
    "count": ("TracerBoolConversionError",),
    "clip": ("TracerBoolConversionError",),
    "halve": ("TracerBoolConversionError",),
}
INNOCENT = [
    a.run,
    lambda: a.run("centre"),
    lambda: a.evaluate_safe(*a.run()),
    lambda: a.evaluate(*a.run(debias=False)),
    lambda: a.read(a.run()[0]),
]
