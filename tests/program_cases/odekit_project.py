import jax.numpy as jnp
import odekit
import oscillator as o

Y = jnp.array([1.0, 0.0])
HOSTILE = {
    "accept": lambda: o.run(strict=True),
    "growth": lambda: o.run(clip=False),
    "grid": lambda: odekit.solve_dense(o.field, Y, 1.0, 5),
    "until": lambda: odekit.solve_until(o.field, Y, 0.0, 1.0, 0.1),
}
EXPECT = {
    "accept": ("TracerBoolConversionError",),
    "growth": ("ConcretizationTypeError",),
    "grid": ("ConcretizationTypeError",),
    "until": ("TracerBoolConversionError",),
}
INNOCENT = [o.run, lambda: o.run(method="midpoint"), lambda: o.run(steps=3)]
