import jax
import jax.numpy as jnp
from chunk_tagger_linen import models, run

from tools.observation import compilations, is_tracer

KEY = jax.random.key(3)


def trained():
    trainer = run.make_trainer(KEY)
    trainer.epoch(run.sentences(KEY, 3))
    return trainer


def predictions():
    trainer = run.make_trainer(KEY)
    tokens = [batch["tokens"] for batch in run.sentences(KEY, 3)]
    trainer.predict(tokens)
    return compilations(lambda: trainer.predict(tokens)) >= 3


def accuracy():
    scores = jax.jit(models.per_tag_accuracy)(jnp.eye(3), jnp.arange(3))
    assert scores.tolist() == [1.0, 1.0, 1.0]


def history():
    trainer = trained()
    assert len(trainer.history["loss"]) == 3 and trainer.epochs == 1
    assert not is_tracer(trainer.history["loss"])


HOSTILE = {"average": lambda: run.make_trainer(KEY).validate(run.sentences(KEY, 1)[0])}
EXPECT = {"average": ("TypeError",)}
SILENT = {
    "grads": lambda: is_tracer(trained().grads),
    "norms": lambda: len(trained().history["grad_norm"]) == 1
    and is_tracer(trained().history["grad_norm"]),
    "counter": lambda: trained().steps_done == 1,
    "apply": predictions,
}
INNOCENT = [accuracy, history]
