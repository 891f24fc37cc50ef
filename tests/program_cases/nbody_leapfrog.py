import nbody as n

B = n.plummer(4)
HOSTILE = {
    "scale": lambda: n.adaptive_step(B),
    "substeps": lambda: n.substepped(B, 0.01, 3),
    "wall": lambda: n.bounce(B, 2.0),
    "mass": lambda: n.recentre(B),
}
EXPECT = {
    "scale": ("TracerArrayConversionError",),
    "substeps": ("TracerIntegerConversionError",),
    "wall": ("TracerBoolConversionError",),
    "mass": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: n.simulate(B, 0.01, 5),
    lambda: n.simulate(B, 0.01, 5, record=True),
    lambda: n.energy(B),
]
