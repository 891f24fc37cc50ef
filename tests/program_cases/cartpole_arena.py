import jax
import jax.numpy as jnp
import arena
import cartpole

W, K = jnp.ones(4), jax.random.key(1)
HOSTILE = {
    "fallen": lambda: arena.rollout(W, K, arena.linear_policy, 5, strict=True),
    "bang": lambda: arena.rollout(W, K, arena.bang_bang, 5),
    "energy": lambda: arena.replay(jax.vmap(cartpole.reset)(jax.random.split(K, 3))),
}
EXPECT = {
    "fallen": ("TracerBoolConversionError",),
    "bang": ("TracerBoolConversionError",),
    "energy": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: arena.random_search(K),
    lambda: arena.rollout(W, K, arena.linear_policy, 120, shaped=True),
    lambda: cartpole.fallen(cartpole.reset(K)),
    lambda: cartpole.energy(cartpole.reset(K)),
]
