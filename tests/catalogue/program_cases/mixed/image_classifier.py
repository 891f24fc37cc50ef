import jax
import jax.numpy as jnp

import config
import data
import model
import train

from tools.harm import compiled, same, unawaited
from tools.observation import printed

IMAGES, LABELS = data.synthetic(40)
PARAMS = model.init(jax.random.key(0), 300)


def rate():
    def moved():
        config.RATE = 0.1
        first, _ = train.train_step(PARAMS, IMAGES, LABELS)
        config.RATE = 0.0
        second, _ = train.train_step(PARAMS, IMAGES, LABELS)
        return first["out"], second["out"]

    first, second = moved()
    with jax.disable_jit():
        fresh, still = moved()
    return same(first, second) and not same(fresh, still)


def dropout():
    drop = jax.jit(model.dropout)
    return same(drop(jnp.ones(20)), drop(jnp.ones(20)))


def epoch():
    loader = data.Loader(*data.synthetic(200), 100)
    train.run_epoch(PARAMS, loader)
    return unawaited(lambda: train.run_epoch(PARAMS, loader), train, model)


HOSTILE = {}
SILENT = {
    "dropout": dropout,
    "precision": lambda: model.class_weights(LABELS).dtype == "float32",
    "rate": rate,
    "batches": lambda: compiled(lambda: printed(train.main), "train_step") == 2,
    "epoch": epoch,
}
