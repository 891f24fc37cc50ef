import jax.numpy as jnp
import layers
import meshes

X = jnp.ones((4, 3))
meshes.set_default(meshes.Mesh((("expert", 2),)))


def within(call):
    with meshes.use_mesh(meshes.Mesh((("model", 2),))):
        return call()


HOSTILE = {
    "mask": lambda: within(lambda: layers.block(X, jnp.ones((2, 2)))),
    "capacity": lambda: layers.routed(X, 2),
    "load": lambda: within(lambda: layers.balanced(X)),
}
EXPECT = {
    "mask": ("TracerBoolConversionError",),
    "capacity": ("TracerIntegerConversionError",),
    "load": ("ConcretizationTypeError",),
}
INNOCENT = [lambda: within(lambda: layers.split_heads(X))]
