import jax.numpy as jnp
import rope

R = rope.hang(3)
HOSTILE = {
    "massless": lambda: rope.load(R),
    "slack": lambda: rope.spring_energy((jnp.float32(2.0), 3.0)),
    "lowest": lambda: rope.lowest(R),
    "pixels": lambda: rope.anchors({"left": R[0], "right": R[2]}),
    "share": lambda: rope.dominant({"spring": jnp.float32(1.0), "weight": jnp.float32(3.0)}),
}
EXPECT = {
    "massless": ("TracerBoolConversionError",),
    "slack": ("TracerBoolConversionError",),
    "lowest": ("TracerBoolConversionError",),
    "pixels": ("ConcretizationTypeError",),
    "share": ("TracerBoolConversionError",),
}
INNOCENT = [lambda: R[0].weight(), lambda: rope.stretch((jnp.float32(2.0), 3.0))]
