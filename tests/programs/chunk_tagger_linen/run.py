"""Train on random sentences."""

import jax
import optax

from .models import Tagger
from .trainer import Trainer


def sentences(key, count=4, length=6):
    """Batches in which the tag depends on the token alone."""
    batches = []
    for part in jax.random.split(key, count):
        tokens = jax.random.randint(part, (2, length), 0, 20)
        batches.append({"tokens": tokens, "tags": tokens % 3})
    return batches


def make_trainer(key):
    """A trainer for the default model."""
    sample = sentences(key, 1)[0]["tokens"]
    return Trainer(Tagger(), optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2)), sample, key)


def main():
    key = jax.random.key(0)
    trainer = make_trainer(key)
    batches = sentences(key)
    for _ in range(3):
        trainer.epoch(batches)
    print(trainer.predict(batch["tokens"] for batch in batches))


if __name__ == "__main__":
    main()
