import dynamics as d
import jax
from thermostat import Thermostat, rescale

S = d.lattice()
HOSTILE = {
    "cutoff": lambda: jax.jit(d.potential, static_argnums=2)(S.position, S.box, d.pair_energy_branch),
    "cool": lambda: d.run(S, 2, thermostat=Thermostat(0.001, rule=rescale)),
    "pairs": lambda: d.neighbours(S, 1.0),
    "cells": lambda: d.cell_list(S, 3),
}
EXPECT = {
    "cutoff": ("TracerBoolConversionError",),
    "cool": ("TracerBoolConversionError",),
    "pairs": ("ConcretizationTypeError",),
    "cells": ("TypeError",),
}
INNOCENT = [
    lambda: d.run(S, 2),
    lambda: d.run(S, 2, thermostat=Thermostat(0.02)),
    lambda: d.neighbours_fixed(S, 1.0),
    lambda: d.radial_distribution(S),
    lambda: rescale(S.momentum, 0.001, 0.5),
]
