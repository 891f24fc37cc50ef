import jax.numpy as jnp
import keyed_experiments as m

W = jnp.ones(2)


def gauss():
    # The number that was drawn is part of the program: equal steps, equal noise.
    step = m.experiment("quadratic", noise=0.5)
    return bool((step(W, 0) == step(W, 1)).all())


HOSTILE = {
    "floor": lambda: m.run(m.experiment("quadratic", schedule="decay:0.1:0.9")),
    "well": lambda: m.run(m.experiment("double_well")),
}
EXPECT = {
    "floor": ("ConcretizationTypeError",),
    "well": ("TracerBoolConversionError",),
}
SILENT = {"gauss": gauss}
INNOCENT = [lambda: m.run(m.experiment("quadratic", centre=2.0))]
