"""What is watched during a run."""

import jax

totals = {"mass": 0.0, "steps": 0}


def watch_mass(f):
    mass = f.sum()
    totals["mass"] = mass  # expect: JIT202 @mass
    return mass


def show(name, value, every=1):
    """Show a quantity; formats it first."""
    text = f"{name}: {value}"
    if every:
        print(text)  # expect: JIT201 @shown


def show_later(name, value):
    jax.debug.callback(lambda v: print(f"{name}: {float(v):.3f}"), value)


class Snapshot:
    """The last state that was seen."""

    field = None

    def take(self, field):
        setattr(self, "field", field)  # expect: JIT204 @field


def summarise(f):
    """Named sums, of one state."""
    named = {}
    named["mass"] = f.sum()
    named.update(peak=f.max())
    return named
