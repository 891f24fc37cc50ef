import simulate as s
from swe import Integrator, mound

W = mound(8)
HOSTILE = {
    "bee": lambda: Integrator("superbee").advance(W, 0.001),
    "cfl": lambda: Integrator().run_adaptive(W),
    "drift": lambda: Integrator(rebalance="shift").conserve(W, 8.0),
    "wet": lambda: s.wet_cells(W, 1.01),
}
EXPECT = {
    "bee": ("TracerBoolConversionError",),
    "cfl": ("ConcretizationTypeError",),
    "drift": ("TracerArrayConversionError",),
    "wet": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: Integrator().run(W, 2),
    lambda: Integrator("none").drive(W, 0.02),
    lambda: Integrator().conserve(W, 8.0),
    lambda: s.wet_fraction(W, 1.01),
]
