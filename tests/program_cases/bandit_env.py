import jax
from bandit import BernoulliBandit
from play import EpsilonGreedy, ExploreFirst, compare, play

B = BernoulliBandit([0.2, 0.5, 0.7], retired=(1,))
A = EpsilonGreedy(0.2, optimistic=True)
K = jax.random.key(3)
HOSTILE = {
    "cost": lambda: play(B, A, K, 5, B.pull_with_cost),
    "retired": lambda: play(B, A, K, 5, B.pull_unless_retired),
    "untried": lambda: compare(B, [ExploreFirst()]),
}
EXPECT = {
    "cost": ("TracerIntegerConversionError",),
    "retired": ("TracerBoolConversionError",),
    "untried": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: play(B, A, K, 5),
    lambda: compare(B, [A, EpsilonGreedy()]),
]
