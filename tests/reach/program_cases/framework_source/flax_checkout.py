import jax.numpy as jnp
import regress as m

S, B = m.create(), m.Batch(jnp.eye(2), jnp.ones(2))
HOSTILE = {
    "targets": lambda: m.checked(B),
    "plateau": lambda: m.train_step(S, B),
    "step": lambda: m.save_name(S),
}
EXPECT = {
    "targets": ("TracerBoolConversionError",),
    "plateau": ("TracerBoolConversionError",),
    "step": ("TypeError",),
}
INNOCENT = [lambda: m.evaluate(S, B), lambda: m.evaluate(S, B.replace(kind="test"))]
