import jax
from augment import Config, augment_batch, evaluation_batch, make_train_augment

from tools.observation import compilations

I = jax.random.uniform(jax.random.key(1), (4, 12, 12, 3))
K = jax.random.key(0)
HOSTILE = {
    "rows": lambda: augment_batch(K, I, Config(style="rows")),
    "shift": lambda: make_train_augment(Config(style="shift"))(K, I),
    "grey": lambda: make_train_augment(Config(grey=0.2))(K, I),
    "gamma": lambda: augment_batch(K, I, Config(gamma=(0.8, 1.2))),
}
EXPECT = {
    "rows": ("IndexError",),
    "shift": ("ConcretizationTypeError",),
    "grey": ("TracerBoolConversionError",),
    "gamma": ("TracerArrayConversionError",),
}
INNOCENT = [
    lambda: augment_batch(K, I),
    lambda: make_train_augment(Config(style="roll", sigma=1.0))(K, I),
    lambda: evaluation_batch(I, 8),
]


def augmented():
    for style in ("roll", "crop"):
        make_train_augment(Config(style=style))(K, I)


def compiles_for_every_style():
    augmented()
    return compilations(augmented) >= 2


SILENT = {"built": compiles_for_every_style}
