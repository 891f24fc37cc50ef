import jax.numpy as jnp

import score_cards as program

from tools.observation import compilations, is_tracer, printed


def updates():
    card = program.Card(
        loss=program.Mean.empty(), size=program.Histogram(jnp.zeros(4), (0.0, 1.0, 2.0))
    )
    values = jnp.arange(4.0)
    card.update(loss=values, size=values)
    assert compilations(lambda: [card.update(loss=values, size=values) for _ in range(3)]) <= 1
    assert card.updates == 4 and float(card["loss"].result()) == 1.5
    assert float(card["size"].counts.sum()) == 16 and not is_tracer(card["size"])


def names():
    out = program.batch_metrics(jnp.ones(3), jnp.zeros(3), names=("bias", "mse"))
    assert sorted(out) == ["bias", "mse"]
    assert sorted(program.batch_metrics(jnp.ones(3), jnp.zeros(3))) == ["mae", "mse"]


HOSTILE = {}
INNOCENT = [updates, names, lambda: printed(program.main)]
