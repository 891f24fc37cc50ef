import jax.numpy as jnp
import main

HOSTILE = {
    "steep": lambda: main.run(main.schemes.minmod),
    "wet": lambda: main.schemes.wet_mean(jnp.ones(3)),
}
EXPECT = {"steep": ("TracerBoolConversionError",), "wet": ("ConcretizationTypeError",)}
INNOCENT = [lambda: main.run(main.schemes.upwind), lambda: main.cells.limited(jnp.arange(3.0))]
