import averaging
import stepping

HOSTILE = {
    "count": lambda: stepping.evaluate(*stepping.run()),
    "clip": lambda: stepping.run("norm"),
    "halve": lambda: stepping.run("leaf"),
}
EXPECT = {
    "count": ("TracerBoolConversionError",),
    "clip": ("TracerBoolConversionError",),
    "halve": ("TracerBoolConversionError",),
}
INNOCENT = [
    stepping.run,
    lambda: stepping.run("centre"),
    lambda: stepping.evaluate_safe(*stepping.run()),
    lambda: stepping.evaluate(*stepping.run(debias=False)),
    lambda: averaging.read(stepping.run()[0]),
]
