import jax.numpy as jnp
import minimize as m

X = jnp.ones(2)


def bowl(x):
    return jnp.sum(x**2)


def halve(x, _):
    return 0.5 * x, jnp.abs(x).max()


def keep(x):
    return x


HOSTILE = {
    "better": lambda: m.minimize(bowl, X),
    "convex": lambda: m.newton(bowl, X),
    "share": lambda: m.projected(bowl, keep, X),
    "slope": lambda: m.directional(bowl, X, X),
    "changes": lambda: m.iterate(halve, X),
    "chosen": lambda: m.switch(jnp.sum, jnp.max, X),
}
EXPECT = {
    "better": ("TracerBoolConversionError",),
    "convex": ("TracerBoolConversionError",),
    "share": ("TracerBoolConversionError",),
    "slope": ("ConcretizationTypeError",),
    "changes": ("TracerBoolConversionError",),
    "chosen": ("TypeError",),
}
INNOCENT = []
