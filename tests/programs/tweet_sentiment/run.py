"""Train on made-up tweets."""

import numpy as np

from journal import Journal
from trainer import Trainer


def make_batches(count, size=6, vocabulary=20, seed=0):
    rng = np.random.default_rng(seed)
    batches = []
    for _ in range(count):
        counts = rng.poisson(0.4, size=(size, vocabulary)).astype(np.float32)
        counts[:, 0] = 1.0
        batches.append({"counts": counts, "mood": rng.integers(0, 3, size=size)})
    return batches


def main():
    batches = make_batches(4)
    trainer = Trainer(vocabulary=20)
    trainer.fit(batches)
    summary = Journal("summary")
    for batch in batches:
        summary.add("accuracy", trainer.accuracy(trainer.params, batch))
    print(summary.dump())


if __name__ == "__main__":
    main()
